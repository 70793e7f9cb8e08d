// The data of replays: packs, unpacked and unfolded into one frame for each position.
"use strict";

window.arena = { drawings: {} };

(() => {
  const waiting = new Map();
  const packs = new Map();

  // Called by replays/index.js, which stands behind all other scripts.
  arena.replays = (index) => {
    arena.index = index;
    arena.show();
  };

  // Called by a pack, which is a script of its own.
  arena.pack = (prefix, packed) => waiting.get(prefix)(packed);

  const load = (prefix) =>
    new Promise((resolve, reject) => {
      waiting.set(prefix, resolve);
      const script = document.createElement("script");
      script.src = `replays/${prefix}.js`;
      const problem = arena.index.each
        ? "arena report --open has ended, or says in its terminal what is wrong with this game."
        : `The file ${script.src} is missing.`;
      script.onerror = () => reject(new Error(problem));
      document.head.append(script);
    });

  async function unpack(packed) {
    if (!("DecompressionStream" in window)) {
      throw new Error(
        "This browser is too old to unpack replays; take one of 2023 or later.",
      );
    }
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes])
      .stream()
      .pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // The game whose id begins with these letters; null if no pack has it.
  arena.find = async (id) => {
    const { each, packs: prefixes } = arena.index;
    const prefix = each ? id : prefixes.find((prefix) => id.startsWith(prefix));
    if (prefix === undefined) return null;
    if (!packs.has(prefix)) packs.set(prefix, await unpack(await load(prefix)));
    const pack = packs.get(prefix);
    const found = Object.keys(pack.games).filter((each) => each.startsWith(id));
    if (found.length !== 1) return null;
    const { lost } = pack.games[found[0]];
    if (lost)
      throw new Error(
        `The game ${found[0]} can't be shown with the rules that these pages were written with: ${lost}.`,
      );
    return new Game(found[0], pack);
  };

  // A copy of a value with something else at a place; all around it stays shared.
  function put(value, way, depth, part) {
    if (depth === way.length) return part;
    const old = value !== null && typeof value === "object" ? value : {};
    const copy = Array.isArray(old) ? old.slice() : { ...old };
    copy[way[depth]] = put(copy[way[depth]], way, depth + 1, part);
    return copy;
  }

  class Game {
    constructor(id, pack) {
      const game = pack.games[id];
      const label = pack.labels[game.label];
      this.id = id;
      this.label = game.label;
      this.about = label;
      this.bots = game.bots;
      this.places = game.places;
      this.scores = game.scores;
      this.termination = game.termination;
      this.last = game.events.length;
      this.actors = game.actors;
      this.events = game.events.map((place) => pack.texts[place]);
      this.texts = (game.texts || []).map((place) => pack.texts[place]);
      this.legal = new Map();
      this.unfold(game, pack);
      this.decisions = [];
      this.actors.forEach((seat, position) => {
        if (seat >= 0) this.decisions.push(position);
      });
      this.prints = new Map();
      for (const [seat, step, text] of game.prints || []) {
        const position = this.atStep(step);
        const there = this.prints.get(position) || [];
        this.prints.set(position, [...there, [seat, text]]);
      }
      this.faults = game.faults.map(([seat, step, termination, text]) => ({
        seat,
        step,
        termination,
        text,
        position: this.atStep(step),
      }));
    }

    unfold(game, pack) {
      const ways = pack.ways.map((way) => way.split("."));
      const apply = (view, place) => {
        const parts = place < 0 ? [] : pack.changes[place];
        for (let i = 0; i < parts.length; i += 2) {
          view = put(view, ways[parts[i]], 0, parts[i + 1]);
        }
        return view;
      };
      const [told, ...others] = game.views;
      this.views = this.about.first.map((view, index) => {
        const frames = [view];
        for (let i = 0; i < this.last; i++) {
          view = told.length ? apply(view, told[i]) : view;
          const own = index ? others[index - 1] : [];
          frames.push((view = own.length ? apply(view, own[i]) : view));
        }
        return frames;
      });
      this.hidden = this.views.length > this.bots.length;
      const acting = (position) => position < this.last && this.actors[position] >= 0;
      const deciding = [];
      for (let i = 0; i < this.last; i++) if (acting(i)) deciding.push(i);
      // One more than the decisions taken: the one that was not taken any more.
      if (game.legal.length > deciding.length) deciding.push(this.last);
      deciding.forEach((position, i) =>
        this.legal.set(position, pack.legal[game.legal[i]]),
      );
      const sum = (gaps) => {
        let at = 0;
        return gaps.map((gap) => (at += gap));
      };
      const starts = sum(game.turns[0]);
      this.turns = starts.map((position, i) => ({ position, seat: game.turns[1][i] }));
      this.rounds = sum(game.rounds);
      this.outcomes = new Map(
        sum(game.outcomes[0]).map((position, i) => [
          position,
          pack.texts[game.outcomes[1][i]],
        ]),
      );
    }

    // Where decision K was taken; the last position if there is none.
    atStep(step) {
      return step < this.decisions.length ? this.decisions[step] : this.last;
    }

    // How many decisions were taken before a position.
    stepAt(position) {
      let step = 0;
      while (step < this.decisions.length && this.decisions[step] < position) step++;
      return step;
    }

    turnAt(position) {
      let found = null;
      for (const turn of this.turns) if (turn.position <= position) found = turn;
      return found;
    }

    // What the event before a position has come to, such as a bust; mostly nothing.
    outcomeAt(position) {
      const named = (text, seat) => this.bots[Number(seat)] ?? text;
      return (this.outcomes.get(position) || "").replace(/\{(\d+)\}/g, named);
    }

    // All that a drawing shows.  `viewer` is a seat, or null for the whole truth.
    frame(position, viewer = null) {
      const all = this.hidden ? this.bots.length : 0;
      const view = this.views[viewer === null ? all : viewer];
      const decided = position ? this.actors[position - 1] : null;
      return {
        game: this,
        position,
        viewer,
        table: view[position],
        before: position ? view[position - 1] : null,
        // Who did what led here, whose turn that was, and whose turn it is now.
        event: position ? this.events[position - 1] : "",
        actor: decided,
        turnBefore: position ? (this.turnAt(position - 1) || { seat: -1 }).seat : -1,
        turn: (this.turnAt(position) || { seat: -1 }).seat,
        next: position < this.last ? this.actors[position] : this.waitsFor(position),
        text: this.texts[position] || "",
        faults: this.faults.filter((fault) => fault.position === position),
      };
    }

    // Whose decision was not taken any more, at the last position; null for nobody's.
    waitsFor(position) {
      if (!this.legal.has(position)) return null;
      const fault = this.faults.find((fault) => fault.position === position);
      return fault ? fault.seat : (this.turnAt(position) || { seat: null }).seat;
    }
  }

  // Elements without HTML: whatever a name holds stays text.
  arena.h = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== null) element.setAttribute(name, value);
    }
    element.append(
      ...children.flat(Infinity).filter((child) => child !== null && child !== ""),
    );
    return element;
  };

  // A picture of the page's own, given as the text of an SVG's inside.
  arena.picture = (inside, box, attributes = {}, label = "") => {
    const holder = document.createElement("template");
    holder.innerHTML = `<svg viewBox="${box}">${inside}</svg>`;
    const svg = holder.content.firstElementChild;
    if (label) {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", label);
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = label;
      svg.prepend(title);
    } else {
      svg.setAttribute("aria-hidden", "true");
    }
    for (const [name, value] of Object.entries(attributes))
      svg.setAttribute(name, value);
    return svg;
  };

  // A part of a table, with its title.
  arena.zone = (name, title, ...inside) =>
    arena.h(
      "div",
      { class: `zone ${name}`, role: "group", "aria-label": title },
      arena.h("div", { class: "zone-title" }, title),
      arena.h("div", { class: "pieces" }, inside),
    );

  // A seat's place at the table.
  arena.mat = (frame, seat, name, isActive, ...inside) =>
    arena.h(
      "div",
      { class: `mat${isActive ? " active" : ""}`, "data-seat-mat": String(seat) },
      arena.h(
        "div",
        { class: "who" },
        isActive
          ? arena.h(
              "span",
              { class: "turn-mark" },
              "▶ ",
              arena.h("span", { class: "hidden" }, "to play: "),
            )
          : "",
        arena.h("bdi", {}, name(seat)),
        arena.h("span", { class: "muted" }, ` seat ${seat}`),
      ),
      inside,
    );

  arena.nothing = (text = "–") => arena.h("span", { class: "none" }, text);

  arena.counted = (n, noun, plural = `${noun}s`) => `${n} ${n === 1 ? noun : plural}`;
})();
