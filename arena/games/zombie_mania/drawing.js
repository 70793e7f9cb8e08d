// Zombie Mania!, drawn: dice thrown and kept, tokens on the mats and in the graveyard.
"use strict";

(() => {
  const { h, picture, counted, zone, mat, nothing } = arena;
  const DICE = 8;
  const MOST_TOKENS = 40; // drawn one by one up to here
  const EYES =
    '<circle class="hole" cx="18" cy="22" r="3.6"/><circle class="hole" cx="30" cy="22" r="3.6"/>';
  const ICONS = {
    blue: `<path class="ink" d="M24 6c11 0 14 9 13 18-1 8-3 10-5 12v6H16v-6c-2-2-4-4-5-12C10 15 13 6 24 6z"/>${EYES}<path class="fold" d="M18 32h12"/><path class="ink" d="M8 10l6 2-4 5zM40 10l-6 2 4 5z"/>`,
    green: `<path class="ink" d="M10 8h28v22l-5 4v8H15v-8l-5-4z"/>${EYES}<path class="fold" d="M16 32h16M20 29v6M24 29v6M28 29v6"/>`,
    brown:
      '<path class="ink" d="M5 12c4-5 13-5 16 0 2 4 1 12-1 16l-2 2v6H9v-6l-2-2c-2-4-3-12-2-16zM27 12c4-5 13-5 16 0 2 4 1 12-1 16l-2 2v6h-9v-6l-2-2c-2-4-3-12-2-16z"/><circle class="hole" cx="10" cy="18" r="2.4"/><circle class="hole" cx="17" cy="18" r="2.4"/><circle class="hole" cx="32" cy="18" r="2.4"/><circle class="hole" cx="39" cy="18" r="2.4"/>',
    gravestone:
      '<path class="ink" d="M12 40V20c0-16 24-16 24 0v20zM6 40h36v4H6z"/><path class="fold" d="M24 15v16M18 21h12"/>',
    building:
      '<path class="ink" d="M10 42V12h16v30zM28 42V22h12v20z"/><path class="hole" d="M14 17h3v4h-3zM20 17h3v4h-3zM14 25h3v4h-3zM20 25h3v4h-3zM14 33h3v4h-3zM20 33h3v4h-3zM31 27h2v4h-2zM35 27h2v4h-2zM31 35h2v4h-2zM35 35h2v4h-2z"/>',
    x2: '<text class="ink" x="24" y="33" font-size="25" font-weight="700" text-anchor="middle">×2</text>',
  };
  const LETTERS = {
    blue: "B",
    green: "G",
    brown: "N",
    gravestone: "",
    building: "",
    x2: "",
  };
  const WORDS = { blue: "blue zombie", green: "green zombie", brown: "brown zombies" };

  function die(icon, zone) {
    const letter = LETTERS[icon];
    const tag = letter
      ? `<rect class="tag-box" x="35" y="1.5" width="11" height="12" rx="4"/><text class="tag-text" x="40.5" y="11" text-anchor="middle">${letter}</text>`
      : "";
    const inside = `<rect class="body" x="1" y="1" width="46" height="46" rx="9"/><g transform="translate(4 5) scale(.82)">${ICONS[icon]}</g>${tag}`;
    return picture(
      inside,
      "0 0 48 48",
      { class: `die mania ${icon}`, "data-zone": zone },
      WORDS[icon] || icon,
    );
  }

  const TOKEN =
    '<circle class="disc" cx="12" cy="12" r="11"/><path class="disc-face" d="M7 8c2-3 8-3 10 0 1 2 1 6 0 8l-1 1v3H8v-3l-1-1c-1-2-1-6 0-8z"/><circle class="disc" cx="10" cy="12" r="1.6"/><circle class="disc" cx="14" cy="12" r="1.6"/>';

  function tokens(n, zone, old) {
    const label = counted(n, "token");
    if (n > MOST_TOKENS)
      return h(
        "div",
        { class: "tokens" },
        picture(TOKEN, "0 0 24 24", { class: "token", "data-zone": zone }, label),
        ` × ${n}`,
      );
    const each = Array.from({ length: n }, (_, i) =>
      picture(TOKEN, "0 0 24 24", {
        class: `token${i >= old ? " fresh" : ""}`,
        "data-zone": zone,
      }),
    );
    return h(
      "div",
      { class: "tokens", role: "img", "aria-label": label },
      each.length ? each : nothing(),
    );
  }

  function draw(frame, name) {
    const { table, before } = frame;
    const old = before || table;
    const thrown = frame.actor === -1 ? frame.event.split(" ") : table.rolled;
    const blank = frame.actor === -1 && !table.rolled.length;
    const mats = table.tokens.map((n, seat) => {
      const active = frame.next !== null && frame.turn === seat;
      const points = table.penalties.some((each) => each)
        ? `, penalty ${table.penalties[seat]}`
        : "";
      return mat(
        frame,
        seat,
        name,
        active,
        h(
          "div",
          { class: "score" },
          h("strong", {}, String(n)),
          ` ${n === 1 ? "token" : "tokens"}${points}`,
        ),
        tokens(n, "tokens", old.tokens[seat]),
      );
    });
    const none = nothing(frame.next === -1 ? "the dice are shaken …" : "–");
    const series = frame.game.about.options.games;
    const title =
      series > 1
        ? `Game ${table.game_number} of ${series}, turn ${table.turn}`
        : `Turn ${table.turn}`;
    const whose =
      frame.actor === -1 && frame.turnBefore >= 0
        ? `Thrown by ${name(frame.turnBefore)}${blank ? ": no zombie, the turn is over" : ""}`
        : "Thrown";
    return h(
      "div",
      { class: "mania-table" },
      h("p", { class: "round-name" }, title),
      h("div", { class: "mats" }, mats),
      h(
        "div",
        { class: "zones dice" },
        zone(
          "rolled",
          whose,
          thrown.length ? thrown.map((icon) => die(icon, "rolled")) : none,
        ),
        zone(
          "kept",
          `Kept: ${table.kept.length} of ${DICE}`,
          table.kept.length ? table.kept.map((icon) => die(icon, "kept")) : nothing(),
        ),
        zone(
          "graveyard",
          `Graveyard: ${table.graveyard}`,
          tokens(table.graveyard, "graveyard", old.graveyard),
        ),
      ),
    );
  }

  function tell(frame, name) {
    const { actor, event, turnBefore } = frame;
    return actor < 0
      ? `${name(turnBefore)} throws ${event}`
      : `${name(actor)}: ${event}`;
  }

  arena.drawings.zombie_mania = { draw, tell };
})();
