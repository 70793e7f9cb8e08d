// OX Blocks, drawn: the board with its blocks, and the face that was thrown.
"use strict";

(() => {
  const { h, picture, zone, mat, nothing } = arena;
  const CELL = 100;
  const SYMBOLS = ["X", "O"];
  const MARKS = {
    X: '<path class="mark x" d="M28 28l44 44M72 28L28 72"/>',
    O: '<circle class="mark o" cx="50" cy="50" r="25"/>',
    open: '<rect class="mark open" x="27" y="27" width="46" height="46" rx="6"/><path class="mark open" d="M50 36v28M36 50h28"/>',
  };
  const block = (face) =>
    `<rect class="block-side" x="9" y="13" width="82" height="82" rx="12"/><rect class="block ${face}" x="9" y="7" width="82" height="82" rx="12"/><g transform="translate(0 -2)">${MARKS[face]}</g>`;

  function board(frame) {
    const { board } = frame.table;
    const size = Math.sqrt(board.length);
    const old = frame.before ? frame.before.board : board;
    const lines = frame.game.about.lines.filter(
      (line) =>
        board[line[0]] !== "." && line.every((at) => board[at] === board[line[0]]),
    );
    const won = new Set(lines.flat());
    const parts = [];
    for (let at = 0; at < board.length; at++) {
      const x = 30 + (at % size) * CELL;
      const y = 30 + Math.floor(at / size) * CELL;
      const kinds = [
        "cell",
        won.has(at) ? "won" : "",
        board[at] !== old[at] ? "fresh" : "",
      ];
      const inside =
        board[at] === "."
          ? ""
          : `<g class="on-board" data-zone="board">${block(board[at])}</g>`;
      parts.push(
        `<g class="${kinds.join(" ")}" transform="translate(${x} ${y})"><rect class="field" width="100" height="100" rx="4"/>${inside}</g>`,
      );
    }
    for (let i = 0; i < size; i++) {
      parts.push(
        `<text class="axis" x="${80 + i * CELL}" y="20" text-anchor="middle">${"abcd"[i]}</text>`,
      );
      parts.push(
        `<text class="axis" x="14" y="${87 + i * CELL}" text-anchor="middle">${i + 1}</text>`,
      );
    }
    const rows = Array.from(
      { length: size },
      (_, row) =>
        `row ${row + 1}: ${board
          .slice(row * size, (row + 1) * size)
          .map((each) => (each === "." ? "empty" : each))
          .join(", ")}`,
    );
    const side = 34 + size * CELL;
    return picture(
      parts.join(""),
      `0 0 ${side} ${side}`,
      { class: "board" },
      `The board. ${rows.join("; ")}`,
    );
  }

  function draw(frame, name) {
    const { table } = frame;
    const isThrow = frame.actor === -1;
    const face = table.thrown || (isThrow ? frame.event : "");
    const onBoard = (symbol) => table.board.filter((each) => each === symbol).length;
    const mats = SYMBOLS.map((symbol, seat) => {
      const active = frame.next !== null && frame.turn === seat;
      return mat(
        frame,
        seat,
        name,
        active,
        h(
          "div",
          { class: "score" },
          picture(MARKS[symbol], "15 15 70 70", { class: "small-mark" }, symbol),
          ` ${onBoard(symbol)} on the board`,
        ),
      );
    });
    const stone = face
      ? picture(
          block(face),
          "0 0 100 100",
          { class: "thrown-block", "data-zone": "thrown" },
          `thrown: ${face}`,
        )
      : nothing(frame.next === -1 ? "a block is thrown …" : "–");
    const whose = face
      ? `Thrown by ${name(table.thrown ? frame.turn : frame.turnBefore)}`
      : "Thrown";
    return h(
      "div",
      { class: "ox-table" },
      h("div", { class: "mats" }, mats),
      board(frame),
      zone(
        "rolled",
        whose,
        stone,
        h("span", { class: "muted" }, `throw ${table.throws}`),
      ),
    );
  }

  function tell(frame, name) {
    const { actor, event, turnBefore } = frame;
    return actor < 0
      ? `${name(turnBefore)} throws ${event}`
      : `${name(actor)}: ${event}`;
  }

  arena.drawings.ox_blocks = { draw, tell };
})();
