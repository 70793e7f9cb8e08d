// The player: steps through a game's frames and shows each on the page.
"use strict";

(() => {
  const { h } = arena;
  const find = (id) => document.getElementById(id);
  const PAUSE = 1100; // milliseconds between two steps at speed 1
  let game = null;
  let panels = null;
  let position = 0;
  let viewer = null;
  let shownSeats = [];
  let timer = null;
  let tallest = 0;

  function render() {
    const frame = game.frame(position, viewer);
    find("drawing").replaceChildren(panels.drawing(frame));
    const last = position ? `${panels.told(position - 1)}. ` : "";
    find("status").textContent = `${last}${panels.coming(frame)}`;
    find("legal").replaceChildren(...panels.legal(frame));
    find("sight").replaceChildren(
      ...shownSeats.map((seat) => panels.sight(seat, position)),
    );
    const scrubber = find("scrubber");
    scrubber.value = String(position);
    const step = game.stepAt(position);
    find("where").textContent =
      `Position ${position} of ${game.last}; step ${step} of ${game.decisions.length}`;
    scrubber.setAttribute(
      "aria-valuetext",
      `${find("where").textContent}. ${find("status").textContent}`,
    );
    const current = find("log").querySelector("[aria-current]");
    if (current) {
      current.removeAttribute("aria-current");
      current.setAttribute("tabindex", "-1");
    }
    const button =
      find("log").querySelector(`[data-to="${position}"]`) ||
      find("log").querySelector("button");
    if (button) {
      button.setAttribute("tabindex", "0");
      if (position) button.setAttribute("aria-current", "step");
    }
    for (const [go, off] of [
      ["start", 0],
      ["back", 0],
      ["next", game.last],
      ["turn", game.last],
      ["round", game.last],
      ["end", game.last],
    ]) {
      document
        .querySelector(`[data-go="${go}"]`)
        .setAttribute("aria-disabled", String(position === off));
    }
    find("command").textContent =
      `arena replay ${arena.index.results} ${game.id} --step ${step}`;
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
    fault: () =>
      game.faults.length &&
      go((game.faults.find((f) => f.position > position) || game.faults[0]).position),
  };

  function playing(on) {
    clearInterval(timer);
    timer = null;
    if (on && position === game.last) go(0);
    if (on)
      timer = setInterval(
        () => (position < game.last ? go(position + 1) : playing(false)),
        PAUSE / Number(find("speed").value),
      );
    const play = find("play");
    const sign = h("span", { "aria-hidden": "true" }, timer ? "❚❚" : "▶");
    play.replaceChildren(
      sign,
      " ",
      h("span", { class: "word" }, timer ? "Pause" : "Play"),
    );
    // Nobody can listen as fast as that.
    find("status").setAttribute("aria-live", timer ? "off" : "polite");
  }

  const KEYS = {
    ArrowRight: "next",
    n: "next",
    ArrowLeft: "back",
    b: "back",
    d: "decision",
    D: "decision back",
    t: "turn",
    T: "turn back",
    r: "round",
    R: "round back",
    Home: "start",
    s: "start",
    End: "end",
    e: "end",
    f: "fault",
  };

  function onKey(event) {
    if (!game || event.ctrlKey || event.altKey || event.metaKey) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || (tag === "INPUT" && event.target.type !== "range")) return;
    const inScroll =
      event.target.closest(".scroll, pre") && event.key.startsWith("Arrow");
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
    find("title").replaceChildren(
      ...game.bots.flatMap((bot, seat) => [seat ? " – " : "", h("bdi", {}, bot)]),
    );
    document.title = `${game.bots.join(" – ")}, ${about.title}`;
    find("lead").textContent =
      `${about.title}${game.label === about.game ? "" : ` (${game.label})`}, game ${game.id}`;
    find("lead").hidden = false;
    find("scrubber").max = String(game.last);
    find("outcome").replaceChildren(...panels.outcome());
    find("marks").replaceChildren(...panels.marks());
    find("log").replaceChildren(...panels.log());
    const others = game.bots.map((bot, seat) =>
      h("option", { value: String(seat) }, `seat ${seat}, ${bot}`),
    );
    find("viewer").replaceChildren(
      h("option", { value: "" }, "the referee: everything"),
      ...others,
    );
    find("viewer-choice").hidden = !game.hidden;
    viewer = null;
    const first = game.faults.length ? game.faults[0].seat : 0;
    shownSeats = game.bots.length > 2 ? [first] : [0, 1];
    const seats = game.bots.map((bot, seat) =>
      h(
        "button",
        {
          type: "button",
          "data-seat": String(seat),
          "aria-pressed": String(seat === first),
        },
        `seat ${seat}, `,
        h("bdi", {}, bot),
      ),
    );
    find("seat-choice").replaceChildren(...seats);
    find("seat-choice").hidden = game.bots.length <= 2;
    find("to-fault").hidden = !game.faults.length;
    find("trouble").hidden = !game.faults.length;
    find("faults").replaceChildren(
      ...game.faults.map((fault) => {
        return h("pre", { tabindex: "0" }, fault.text || panels.forfeit(fault));
      }),
    );
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
      say(
        "Choose a game from ",
        h("a", { href: "games.html" }, "all games"),
        " or from a bot's page.",
      );
      return;
    }
    if (!/^[0-9a-z]+$/i.test(id)) {
      // Whoever makes a link decides what it says: no command for a terminal.
      say("That is no game's id.");
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
      say(
        "These pages hold no replay of the game ",
        h("code", {}, id),
        ". A terminal shows every game: ",
        h("code", {}, `arena replay ${arena.index.results} ${id}`),
      );
      return;
    }
    game = found;
    panels = arena.panels(game);
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
    if (button.dataset.go) (playing(false), moves[button.dataset.go]());
    if (button.dataset.to) (playing(false), go(Number(button.dataset.to)));
    if (button.dataset.seat) {
      shownSeats = [Number(button.dataset.seat)];
      for (const each of find("seat-choice").children)
        each.setAttribute("aria-pressed", String(each === button));
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
