// Zombie Run!, drawn: hands with what each seat knows of them, and the two piles.
"use strict";

(() => {
  const { h, picture, counted, zone, mat, nothing } = arena;
  const STREET = 0;
  const HORDE = 15;
  const HEAD =
    '<path class="head" d="M-7-8c3-4 11-4 14 0 2 3 1 9 0 11l-2 2v4h-10v-4l-2-2c-1-2-2-8 0-11z"/><circle class="eye" cx="-3" cy="-2" r="2"/><circle class="eye" cx="3" cy="-2" r="2"/>';
  const at = (x, y, scale) =>
    `<g transform="translate(${x} ${y}) scale(${scale})">${HEAD}</g>`;
  const ROWS = {
    1: [1],
    2: [2],
    3: [3],
    4: [2, 2],
    5: [3, 2],
    6: [3, 3],
    7: [4, 3],
    8: [4, 4],
    9: [3, 3, 3],
  };

  function face(value) {
    if (value === STREET) {
      return '<path class="road" d="M14 86L26 32h8l12 54z"/><path class="road-line" d="M30 38v8M30 52v10M30 68v14"/><path class="houses" d="M6 52V36h12v8M42 44V34h12v20"/>';
    }
    if (value === HORDE) {
      const crowd = [];
      for (let row = 0; row < 4; row++)
        for (let i = 0; i < 4; i++)
          crowd.push(at(10 + i * 13 + (row % 2 ? 2 : -1), 38 + row * 13, 0.62));
      return crowd.join("");
    }
    const rows = ROWS[value];
    return rows
      .map((n, row) =>
        Array.from({ length: n }, (_, i) =>
          at(
            30 + (i - (n - 1) / 2) * 14,
            58 + (row - (rows.length - 1) / 2) * 20,
            0.75,
          ),
        ).join(""),
      )
      .join("");
  }

  const NAMES = { [STREET]: "Empty Street, 0", [HORDE]: "Zombie Horde, 15" };
  const called = (value) => NAMES[value] || String(value);

  // A card; without a value its back.  `mode` is up, down (its owner does not know it).
  function card(value, mode, zone, label) {
    if (value === null || value === undefined) {
      const back =
        '<rect class="paper back" x="1" y="1" width="58" height="90" rx="6"/><path class="hatch" d="M8 8h44v76H8zM8 30L30 8M8 52L52 8M8 74L52 30M20 84L52 52M42 84L52 74"/>';
      return picture(
        back,
        "0 0 60 92",
        { class: "playing-card back", "data-zone": zone },
        label || "a card face down",
      );
    }
    const kind = value === STREET ? "street" : value === HORDE ? "horde" : "some";
    const inside = `<rect class="paper ${kind}" x="1" y="1" width="58" height="90" rx="6"/><text class="value" x="30" y="25" text-anchor="middle">${value}</text>${face(value)}`;
    const veil =
      mode === "down"
        ? '<rect class="veil" x="1" y="1" width="58" height="90" rx="6"/>'
        : "";
    return picture(
      inside + veil,
      "0 0 60 92",
      {
        class: `playing-card ${mode} ${kind}`,
        "data-zone": zone,
        "data-value": String(value),
      },
      label || called(value),
    );
  }

  const EYE =
    '<path class="eye-line" d="M1 6c4-6 12-6 16 0-4 6-12 6-16 0z"/><circle class="eye-dot" cx="9" cy="6" r="2.6"/>';

  function knowers(bits, players) {
    const seats = Array.from({ length: players }, (_, seat) => seat).filter(
      (seat) => Math.floor(bits / 2 ** seat) % 2,
    );
    const words = seats.length ? `seen by seat ${seats.join(", ")}` : "seen by nobody";
    const few = seats.length === players && players > 2 ? "all" : seats.join(" ");
    return [
      seats,
      words,
      h(
        "span",
        { class: "seen", title: words },
        seats.length
          ? [
              picture(EYE, "0 0 18 12", { class: "eye-picture" }),
              h("span", { class: "seen-by", "aria-hidden": "true" }, few),
            ]
          : h("span", { class: "seen-by" }, "\u00a0"),
      ),
    ];
  }

  const isOver = (table) =>
    table.revealed.length > 0 &&
    (table.phase === "over" || (table.phase === "deal" && table.step === 0));

  function hand(frame, seat) {
    const { table } = frame;
    const players = table.scores.length;
    const cards = frame.game.about.options.hand;
    if (isOver(table)) {
      return h(
        "div",
        { class: "hand", style: `--cards: ${cards}` },
        table.revealed[seat].map((value) =>
          h("div", { class: "place" }, card(value, "up", "revealed")),
        ),
      );
    }
    const old = frame.before ? frame.before.hands[seat] : [];
    return h(
      "div",
      { class: "hand", style: `--cards: ${cards}` },
      table.hands[seat].map((value, slot) => {
        const [seats, words, eyes] = knowers(table.seen_by[seat][slot], players);
        const mode = seats.includes(seat) ? "up" : "down";
        const label = `position ${slot + 1}: ${value === null ? "a card face down" : called(value)}, ${words}`;
        const fresh =
          frame.before &&
          frame.before.phase !== "deal" &&
          (old[slot] !== value ||
            frame.before.seen_by[seat][slot] !== table.seen_by[seat][slot]);
        return h(
          "div",
          { class: `place${fresh ? " fresh" : ""}` },
          card(value, mode, "hand", label),
          h(
            "div",
            { class: "under" },
            h("span", { class: "slot" }, String(slot + 1)),
            eyes,
          ),
        );
      }),
    );
  }

  function draw(frame, name) {
    const { table } = frame;
    const over = isOver(table);
    const dealing = table.phase === "deal";
    const mats = table.scores.map((score, seat) => {
      const active = frame.next !== null && frame.turn === seat;
      const gain = over ? score - frame.before.scores[seat] : 0;
      const sum = over ? table.revealed[seat].reduce((a, b) => a + b, 0) : null;
      const scored = over
        ? h(
            "span",
            { class: "badge" },
            `hand ${sum}${gain === sum ? "" : `, scores ${gain}: doubled`}`,
          )
        : "";
      return mat(
        frame,
        seat,
        name,
        active,
        h(
          "div",
          { class: "score" },
          h("strong", {}, String(score)),
          ` ${score === 1 ? "zombie" : "zombies"} `,
          scored,
        ),
        hand(frame, seat),
      );
    });
    const size = table.draw_size;
    const cards = table.discard.reduce((a, b) => a + b, 0);
    const held =
      table.phase === "place"
        ? zone(
            "held",
            table.taken ? "Taken" : "Drawn",
            card(table.drawn, "up", "drawn"),
          )
        : "";
    const shout =
      frame.actor >= 0 && frame.event.endsWith("shout")
        ? h("p", { class: "shout" }, `${name(frame.actor)} shouts!`)
        : "";
    const piles = over
      ? ""
      : h(
          "div",
          { class: "zones piles" },
          zone(
            "pile",
            "Draw pile",
            size
              ? card(null, "down", "pile", `draw pile: ${counted(size, "card")}`)
              : nothing("empty"),
            h("span", { class: "count" }, counted(size, "card")),
          ),
          zone(
            "discard",
            "Discard pile",
            table.top === null
              ? nothing(cards ? "covered" : "empty")
              : card(
                  table.top,
                  "up",
                  "discard",
                  `top of the discard pile: ${called(table.top)}`,
                ),
            h("span", { class: "count" }, counted(cards, "card")),
          ),
          held,
        );
    const ended =
      table.phase === "over"
        ? `Round ${table.round}, the last: hands are shown`
        : `Round ${table.round - 1} is over: hands are shown`;
    const title = over
      ? ended
      : `Round ${table.round}${dealing ? ": the deal" : table.phase === "peek" ? ": everybody looks at two cards" : ""}`;
    const note =
      frame.viewer === null && !over
        ? h(
            "p",
            { class: "muted legend" },
            "Dimmed: not seen by its owner. Eye: the seats that have seen it.",
          )
        : "";
    return h(
      "div",
      { class: "run-table" },
      h("p", { class: "round-name" }, title),
      shout,
      piles,
      h("div", { class: "mats cards" }, mats),
      note,
    );
  }

  function tell(frame, name) {
    const { before, table, event, actor } = frame;
    if (actor >= 0) return `${name(actor)}: ${event}`;
    if (before.phase === "deal") {
      const seat = table.hands.findIndex(
        (hand, i) => hand.length > (before.hands[i] || []).length,
      );
      return `${name(Math.max(0, seat))} is dealt ${event}`;
    }
    if (before.phase === "open") return `first discard: ${event}`;
    return `${name(frame.turnBefore)} draws ${event}`;
  }

  arena.drawings.zombie_run = { draw, tell };
})();
