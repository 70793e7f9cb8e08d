// The player: steps through a game's frames and shows each on the page.
"use strict";

(() => {
  const { h } = arena;
  const find = (id) => document.getElementById(id);
  const ORDER = ["1st", "2nd", "3rd"];
  const PAUSE = 1100; // milliseconds between two steps at speed 1
  let game = null;
  let position = 0;
  let viewer = null;
  let shownSeats = [];
  let timer = null;
  let tallest = 0;

  const isAre = (places, place) => places.filter((each) => each === place).length > 1;
  const name = (seat) => game.bots[seat];
  const known = () => arena.drawings[game.about.game];

  // --- Words

  function told(at) {
    const frame = game.frame(at + 1);
    const { actor, event } = frame;
    const words = known() ? known().tell(frame, name) : "";
    const given = game.faults.some((fault) => fault.seat === actor && fault.position <= at) ? " (played for it)" : "";
    if (words) return words + given;
    return actor >= 0 ? `${name(actor)}: ${event}${given}` : `chance: ${event}`;
  }

  function unit(score) {
    const nouns = known() ? known().unit : ["point", "points"];
    return arena.counted(score, ...nouns);
  }

  function outcome() {
    const seats = game.bots.map((_, seat) => seat);
    seats.sort((a, b) => game.places[a] - game.places[b] || a - b);
    const gone = (seat) => game.faults.find((fault) => fault.seat === seat);
    const lines = seats.map((seat) => {
      const place = game.places[seat];
      const word = ORDER[place - 1] || `${place}th`;
      const shared = isAre(game.places, place) ? "shared " : "";
      const fault = gone(seat);
      return h("li", {},
        h("strong", {}, `${shared}${word}`), " ", h("bdi", {}, name(seat)),
        `, seat ${seat}: ${unit(game.scores[seat])}`,
        fault ? [" ", h("span", { class: "tag bad" }, `forfeit: ${fault.termination}`)] : "");
    });
    const ends = { natural: "The game came to its own end.", adjudicated: "The referee ended the game: it had gone on for too long." };
    const how = ends[game.termination] || `It ended by a forfeit: ${game.termination}.`;
    const steps = arena.counted(game.decisions.length, "decision");
    return [h("ul", { class: "places" }, lines), h("p", {}, `${how} ${steps} in all.`)];
  }

  const forfeit = (fault) => `${name(fault.seat)} forfeits: ${fault.termination}`;

  function winners() {
    const first = game.bots.filter((_, seat) => game.places[seat] === 1);
    if (first.length === game.bots.length) return "A draw.";
    if (first.length === 0) return "Nobody wins.";
    return first.length === 1 ? `${first[0]} wins.` : `${first.join(" and ")} share the win.`;
  }

  function coming(frame) {
    const gone = frame.faults.map(forfeit).map((words) => `${words}. `).join("");
    if (frame.position === game.last) return `${gone}The game is over. ${winners()}`;
    if (gone) return gone;
    if (frame.next >= 0) return `${name(frame.next)} is to decide.`;
    return "";
  }

  // A value as it is written in Python; counts leave out zeros.
  function value(x) {
    if (x === null || x === undefined) return "None";
    if (x === true) return "True";
    if (x === false) return "False";
    if (typeof x === "string") return `'${x}'`;
    if (Array.isArray(x)) return `(${x.map(value).join(", ")}${x.length === 1 ? "," : ""})`;
    if (typeof x !== "object") return String(x);
    const parts = Object.entries(x);
    const shown = parts.every(([, n]) => typeof n === "number") ? parts.filter(([, n]) => n) : parts;
    return shown.map(([key, n]) => `${key} ${value(n)}`).join(", ") || "all 0";
  }

  // --- Parts of the page

  function sight(seat) {
    const now = game.views[seat][position];
    const old = position ? game.views[seat][position - 1] : now;
    const rows = Object.keys(now).map((field) => {
      const isNew = JSON.stringify(now[field]) !== JSON.stringify(old[field]);
      return h("tr", { class: isNew ? "new" : null },
        h("th", { scope: "row" }, field, isNew ? h("span", { class: "new-mark", title: "changed" }, " ●") : ""),
        h("td", {}, h("code", {}, value(now[field]))));
    });
    const frame = game.frame(position);
    const acting = frame.next === seat ? h("span", { class: "tag" }, "to decide") : "";
    return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `What seat ${seat} sees` },
      h("table", {}, h("caption", {}, `seat ${seat}, `, h("bdi", {}, name(seat)), " ", acting), h("tbody", {}, rows)));
  }

  function drawing(frame) {
    const banners = frame.faults.map((fault) => h("p", { class: "banner" }, "✖ ", forfeit(fault)));
    const table = known() ? known().draw(frame, name) : h("pre", { class: "as-text" }, frame.text);
    return h("div", {}, banners, table);
  }

  function legal(frame) {
    const found = game.legal.get(frame.position);
    if (!found) return [];
    const total = found[found.length - 1];
    const some = found.slice(0, -1);
    const taken = frame.position < game.last && !frame.faults.length ? game.events[frame.position] : null;
    const list = some.map((action) => h("code", { class: action === taken ? "taken" : null }, action));
    const more = total - some.length;
    if (more > 0) list.push(h("span", {}, `and ${more} more`));
    if (taken !== null && !some.includes(taken)) list.push(h("code", { class: "taken" }, taken));
    return [h("span", {}, "Legal: "), ...list];
  }

  function log() {
    const items = [];
    const starts = new Map(game.turns.map((turn) => [turn.position, turn.seat]));
    for (let at = 0; at < game.last; at++) {
      const button = h("button", { type: "button", "data-to": String(at + 1), tabindex: "-1" }, told(at));
      items.push(h("li", { class: starts.has(at) ? "starts" : null }, button));
    }
    for (const fault of game.faults) {
      const item = h("li", { class: "forfeit" }, h("button", { type: "button", "data-to": String(fault.position), tabindex: "-1" }, forfeit(fault)));
      if (fault.position < game.last) items[fault.position].before(item), items.splice(fault.position, 0, item);
      else items.push(item);
    }
    return items;
  }

  function marks() {
    const add = (at, kind) => h("i", { class: kind, style: `--at: ${game.last ? at / game.last : 0}` });
    const many = game.last > 400;
    return [
      ...(many ? [] : game.decisions.map((at) => add(at, "decision"))),
      ...game.turns.map((turn) => add(turn.position, "turn")),
      ...game.rounds.map((at) => add(at, "round")),
      ...game.faults.map((fault) => add(fault.position, "forfeit")),
    ];
  }

  // --- Showing a position

  function render() {
    const frame = game.frame(position, viewer);
    find("drawing").replaceChildren(drawing(frame));
    const last = position ? `${told(position - 1)}. ` : "";
    find("status").textContent = `${last}${coming(frame)}`;
    find("legal").replaceChildren(...legal(frame));
    find("sight").replaceChildren(...shownSeats.map(sight));
    const scrubber = find("scrubber");
    scrubber.value = String(position);
    const step = game.stepAt(position);
    find("where").textContent = `Position ${position} of ${game.last}; step ${step} of ${game.decisions.length}`;
    scrubber.setAttribute("aria-valuetext", `${find("where").textContent}. ${find("status").textContent}`);
    const current = find("log").querySelector("[aria-current]");
    if (current) current.removeAttribute("aria-current"), current.setAttribute("tabindex", "-1");
    const button = find("log").querySelector(`[data-to="${position}"]`) || find("log").querySelector("button");
    if (button) {
      button.setAttribute("tabindex", "0");
      if (position) button.setAttribute("aria-current", "step");
    }
    for (const [go, off] of [["start", 0], ["back", 0], ["next", game.last], ["turn", game.last], ["round", game.last], ["end", game.last]]) {
      document.querySelector(`[data-go="${go}"]`).setAttribute("aria-disabled", String(position === off));
    }
    find("command").textContent = `arena replay ${arena.index.results} ${game.id} --step ${step}`;
    document.body.dataset.position = String(position);
    history.replaceState(null, "", `#${game.id}/${step}`);
    settle(button);
  }

  // Measures what was drawn, all at once: each time the page is laid out anew.
  function settle(button) {
    const box = find("drawing");
    const list = find("log");
    const height = box.scrollHeight;
    const top = button ? button.parentElement.offsetTop - list.clientHeight / 2 : 0;
    // The table grows but does not shrink again: the buttons stay under the finger.
    if (height > tallest) box.style.minHeight = `${(tallest = height)}px`;
    list.scrollTop = top; // the log scrolls, the page does not
  }

  function go(to) {
    const at = Math.max(0, Math.min(game.last, to));
    if (at === position) return;
    position = at;
    render();
  }

  const after = (places) => places.find((at) => at > position) ?? game.last;
  const ahead = (places) => places.filter((at) => at < position).pop() ?? 0;
  const turns = () => game.turns.map((turn) => turn.position);
  const moves = {
    start: () => go(0),
    back: () => go(position - 1),
    next: () => go(position + 1),
    decision: () => go(after(game.decisions)),
    turn: () => go(after(turns())),
    round: () => go(after(game.rounds)),
    "decision back": () => go(ahead(game.decisions)),
    "turn back": () => go(ahead(turns())),
    "round back": () => go(ahead(game.rounds)),
    end: () => go(game.last),
    fault: () => game.faults.length && go((game.faults.find((f) => f.position > position) || game.faults[0]).position),
  };

  function playing(on) {
    clearInterval(timer);
    timer = null;
    if (on && position === game.last) go(0);
    if (on) timer = setInterval(() => (position < game.last ? go(position + 1) : playing(false)), PAUSE / Number(find("speed").value));
    const play = find("play");
    const sign = h("span", { "aria-hidden": "true" }, timer ? "❚❚" : "▶");
    play.replaceChildren(sign, " ", h("span", { class: "word" }, timer ? "Pause" : "Play"));
    // Nobody can listen as fast as that.
    find("status").setAttribute("aria-live", timer ? "off" : "polite");
  }

  const KEYS = {
    ArrowRight: "next", n: "next", ArrowLeft: "back", b: "back", d: "decision", D: "decision back", t: "turn", T: "turn back",
    r: "round", R: "round back", Home: "start", s: "start", End: "end", e: "end", f: "fault",
  };

  function onKey(event) {
    if (!game || event.ctrlKey || event.altKey || event.metaKey) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || (tag === "INPUT" && event.target.type !== "range")) return;
    const inScroll = event.target.closest(".scroll, pre") && event.key.startsWith("Arrow");
    if (inScroll) return;
    if (event.key === " " && tag !== "BUTTON" && tag !== "SUMMARY" && tag !== "A") {
      playing(!timer);
    } else if (event.key === "+" || event.key === "-") {
      const speed = find("speed");
      const to = speed.selectedIndex + (event.key === "+" ? 1 : -1);
      speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, to));
      if (timer) playing(true);
    } else if (event.key in KEYS) {
      playing(false);
      moves[KEYS[event.key]]();
    } else {
      return;
    }
    event.preventDefault();
  }

  function begin() {
    const about = game.about;
    find("title").replaceChildren(...game.bots.flatMap((bot, seat) => [seat ? " – " : "", h("bdi", {}, bot)]));
    document.title = `${game.bots.join(" – ")}, ${about.title}`;
    find("lead").textContent = `${about.title}${game.label === about.game ? "" : ` (${game.label})`}, game ${game.id}`;
    find("lead").hidden = false;
    find("scrubber").max = String(game.last);
    find("outcome").replaceChildren(...outcome());
    find("marks").replaceChildren(...marks());
    find("log").replaceChildren(...log());
    const others = game.bots.map((bot, seat) => h("option", { value: String(seat) }, `seat ${seat}, ${bot}`));
    find("viewer").replaceChildren(h("option", { value: "" }, "the referee: everything"), ...others);
    find("viewer-choice").hidden = !game.hidden;
    viewer = null;
    const first = game.faults.length ? game.faults[0].seat : 0;
    shownSeats = game.bots.length > 2 ? [first] : [0, 1];
    const seats = game.bots.map((bot, seat) => h("button", { type: "button", "data-seat": String(seat), "aria-pressed": String(seat === first) }, `seat ${seat}, `, h("bdi", {}, bot)));
    find("seat-choice").replaceChildren(...seats);
    find("seat-choice").hidden = game.bots.length <= 2;
    find("to-fault").hidden = !game.faults.length;
    find("trouble").hidden = !game.faults.length;
    find("faults").replaceChildren(...game.faults.map((fault) => {
      return h("pre", { tabindex: "0" }, fault.text || forfeit(fault));
    }));
    find("replay").hidden = false;
  }

  function say(...parts) {
    game = null;
    find("title").textContent = "Replay";
    find("message").replaceChildren(h("p", {}, ...parts));
    find("message").hidden = false;
    find("replay").hidden = true;
    find("lead").hidden = true;
  }

  // Shows what the address asks for.
  arena.show = async () => {
    const asked = location.hash;
    const [id, step] = asked.slice(1).split("/");
    playing(false);
    if (!id) {
      say("Choose a game from ", h("a", { href: "games.html" }, "all games"), " or from a bot's page.");
      return;
    }
    let found = game;
    try {
      if (!found || found.id !== id) found = await arena.find(id);
    } catch (error) {
      say(error.message);
      return;
    }
    // Another game may have been asked for meanwhile.
    if (location.hash !== asked) return;
    if (!found) {
      say("These pages hold no replay of the game ", h("code", {}, id), ". A terminal shows every game: ", h("code", {}, `arena replay ${arena.index.results} ${id}`));
      return;
    }
    game = found;
    find("message").hidden = true;
    tallest = 0;
    find("drawing").style.minHeight = "";
    begin();
    position = step === undefined || step === "" ? 0 : game.atStep(Number(step) || 0);
    render();
  };

  document.addEventListener("keydown", onKey);
  window.addEventListener("resize", () => {
    tallest = 0;
    find("drawing").style.minHeight = "";
  });
  window.addEventListener("hashchange", () => arena.show());
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !game) return;
    if (button.id === "play") return playing(!timer);
    if (button.dataset.go) playing(false), moves[button.dataset.go]();
    if (button.dataset.to) playing(false), go(Number(button.dataset.to));
    if (button.dataset.seat) {
      shownSeats = [Number(button.dataset.seat)];
      for (const each of find("seat-choice").children) each.setAttribute("aria-pressed", String(each === button));
      render();
    }
  });
  find("scrubber").addEventListener("input", (event) => {
    playing(false);
    go(Number(event.target.value));
  });
  find("viewer").addEventListener("change", (event) => {
    viewer = event.target.value === "" ? null : Number(event.target.value);
    render();
  });
  find("speed").addEventListener("change", () => timer && playing(true));
})();
