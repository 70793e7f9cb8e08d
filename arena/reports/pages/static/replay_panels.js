// What a replay says of a game: words, tables, the log, the marks of the scrubber.
"use strict";

(() => {
  const { h } = arena;
  const MOST_MARKS = 400; // positions up to which each decision has a mark
  const ENDS = {
    natural: "The game came to its own end.",
    adjudicated: "The referee ended the game: it had gone on for too long.",
  };

  function ordinal(n) {
    const isTeen = n % 100 > 10 && n % 100 < 14;
    return `${n}${(!isTeen && ["th", "st", "nd", "rd"][n % 10]) || "th"}`;
  }

  // A value as it is written in Python; counts leave out zeros.
  function value(x) {
    if (x === null || x === undefined) return "None";
    if (x === true) return "True";
    if (x === false) return "False";
    if (typeof x === "string") return `'${x}'`;
    if (Array.isArray(x)) {
      return `(${x.map(value).join(", ")}${x.length === 1 ? "," : ""})`;
    }
    if (typeof x !== "object") return String(x);
    const parts = Object.entries(x);
    const shown = parts.every(([, n]) => typeof n === "number")
      ? parts.filter(([, n]) => n)
      : parts;
    return shown.map(([key, n]) => `${key} ${value(n)}`).join(", ") || "all 0";
  }

  arena.panels = (game) => {
    const name = (seat) => game.bots[seat];
    const known = arena.drawings[game.about.game];

    function told(at) {
      const frame = game.frame(at + 1);
      const { actor, event } = frame;
      const words = known ? known.tell(frame, name) : "";
      const isGone = (fault) => fault.seat === actor && fault.position <= at;
      const given = game.faults.some(isGone) ? " (played for it)" : "";
      const what = words || `${actor >= 0 ? name(actor) : "chance"}: ${event}`;
      const outcome = game.outcomeAt(at + 1);
      return `${what}${given}${outcome ? ` → ${outcome}` : ""}`;
    }

    const unit = (score) => arena.counted(score, game.about.unit);

    function result(seat) {
      const place = game.places[seat];
      const isShared = game.places.filter((each) => each === place).length > 1;
      const fault = game.faults.find((each) => each.seat === seat);
      const tag = () =>
        h("span", { class: "tag bad" }, `forfeit: ${fault.termination}`);
      return h(
        "li",
        {},
        h("strong", {}, `${isShared ? "shared " : ""}${ordinal(place)}`),
        " ",
        h("bdi", {}, name(seat)),
        `, seat ${seat}: ${unit(game.scores[seat])}`,
        fault ? [" ", tag()] : "",
      );
    }

    function outcome() {
      const seats = game.bots.map((_, seat) => seat);
      seats.sort((a, b) => game.places[a] - game.places[b] || a - b);
      const isOn = game.faults.length < game.bots.length - 1;
      const after = isOn ? "It was played on after a forfeit" : "It ended by a forfeit";
      const how = ENDS[game.termination] || `${after}: ${game.termination}.`;
      const steps = arena.counted(game.decisions.length, "decision");
      return [
        h("ul", { class: "places" }, seats.map(result)),
        h("p", {}, `${how} ${steps} in all.`),
      ];
    }

    const forfeit = (fault) => `${name(fault.seat)} forfeits: ${fault.termination}`;

    function winners() {
      const first = game.bots.filter((_, seat) => game.places[seat] === 1);
      if (first.length === game.bots.length) return "A draw.";
      if (first.length === 0) return "Nobody wins.";
      return first.length === 1
        ? `${first[0]} wins.`
        : `${first.join(" and ")} share the win.`;
    }

    function coming(frame) {
      const gone = frame.faults
        .map(forfeit)
        .map((words) => `${words}. `)
        .join("");
      if (frame.position === game.last) return `${gone}The game is over. ${winners()}`;
      if (gone) return gone;
      if (frame.next >= 0) return `${name(frame.next)} is to decide.`;
      return "";
    }

    // What a seat sees at a position, and what of it is new.
    function sight(seat, position) {
      const now = game.views[seat][position];
      const old = position ? game.views[seat][position - 1] : now;
      const rows = Object.keys(now).map((field) => {
        const isNew = JSON.stringify(now[field]) !== JSON.stringify(old[field]);
        return h(
          "tr",
          { class: isNew ? "new" : null },
          h(
            "th",
            { scope: "row" },
            field,
            isNew ? h("span", { class: "new-mark", title: "changed" }, " ●") : "",
          ),
          h("td", {}, h("code", {}, value(now[field]))),
        );
      });
      const frame = game.frame(position);
      const acting =
        frame.next === seat ? h("span", { class: "tag" }, "to decide") : "";
      return h(
        "div",
        {
          class: "scroll",
          tabindex: "0",
          role: "region",
          "aria-label": `What seat ${seat} sees`,
        },
        h(
          "table",
          {},
          h("caption", {}, `seat ${seat}, `, h("bdi", {}, name(seat)), " ", acting),
          h("tbody", {}, rows),
        ),
      );
    }

    function drawing(frame) {
      const banners = frame.faults.map((fault) =>
        h("p", { class: "banner" }, "✖ ", forfeit(fault)),
      );
      const table = known
        ? known.draw(frame, name)
        : h("pre", { class: "as-text" }, frame.text);
      return h("div", { class: "drawn" }, banners, table);
    }

    function legal(frame) {
      const found = game.legal.get(frame.position);
      if (!found) return [];
      const total = found[found.length - 1];
      const some = found.slice(0, -1);
      const taken =
        frame.position < game.last && !frame.faults.length
          ? game.events[frame.position]
          : null;
      const others = some.filter((action) => action !== taken);
      const isPlayed = taken !== null;
      const more = total - isPlayed - others.length;
      const played = total > 1 ? `1 of ${total} legal` : "the only legal action";
      const list = [
        h("span", {}, isPlayed ? `Played, ${played}:` : "Legal:"),
        isPlayed ? h("code", { class: "taken" }, taken) : "",
        others.map((action) => h("code", {}, action)),
        more > 0 ? h("span", {}, `and ${more} more`) : "",
      ];
      return list.flat().flatMap((part) => (part ? [part, " "] : []));
    }

    // What the bot has printed in the decision that is shown, or comes next.
    function printed(position) {
      return (game.prints.get(position) || []).map(([seat, text]) =>
        h("div", {}, h("bdi", {}, name(seat)), " printed:", h("pre", {}, text)),
      );
    }

    function entry(to, words, kind) {
      const attributes = { type: "button", "data-to": String(to), tabindex: "-1" };
      return h("li", { class: kind }, h("button", attributes, words));
    }

    function entryOf(at, starts) {
      const tag = game.prints.has(at) ? [" ", h("span", { class: "tag" }, "printed")] : "";
      return entry(at + 1, [told(at), tag], starts ? "starts" : null);
    }

    function log() {
      const starts = new Set(game.turns.map((turn) => turn.position));
      const gone = (at) =>
        game.faults
          .filter((fault) => fault.position === at)
          .map((fault) => entry(at, forfeit(fault), "forfeit"));
      const items = game.events.map((_, at) => [
        gone(at),
        entryOf(at, starts.has(at)),
      ]);
      return [items, gone(game.last)].flat(Infinity);
    }

    function marks() {
      const add = (at, kind) =>
        h("i", { class: kind, style: `--at: ${game.last ? at / game.last : 0}` });
      const many = game.last > MOST_MARKS;
      return [
        ...(many ? [] : game.decisions.map((at) => add(at, "decision"))),
        ...game.turns.map((turn) => add(turn.position, "turn")),
        ...game.rounds.map((at) => add(at, "round")),
        ...game.faults.map((fault) => add(fault.position, "forfeit")),
      ];
    }

    return { told, coming, outcome, sight, drawing, legal, printed, log, marks, forfeit };
  };
})();
