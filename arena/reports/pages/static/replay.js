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
  const SMALLEST = 0.7; // of the size that a drawing has of itself
  const LARGEST = 1.5;
  const LARGEST_NARROW = 1.1; // else names would have no room
  const NARROW = 480; // pixels
  const TRIED = 24; // positions by which the size is chosen
  let size = LARGEST;

  function render() {
    show(game.frame(position, viewer));
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

  // Shows the table at a position, with what is said around it.
  function show(frame) {
    const { position } = frame;
    const last = position ? `${panels.told(position - 1)}. ` : "";
    find("status").textContent = `${last}${panels.coming(frame)}`;
    find("legal").replaceChildren(...panels.legal(frame));
    const printed = panels.printed(position);
    find("printed").replaceChildren(...printed);
    find("printed").hidden = !printed.length;
    draw(frame);
  }

  function draw(frame) {
    const box = find("drawing");
    box.replaceChildren(panels.drawing(frame));
    const { style } = box.firstElementChild;
    const overflows = () =>
      box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
    style.zoom = String(size);
    // Once small it stays so: nothing may jump from step to step.
    while (size > SMALLEST && overflows()) style.zoom = String((size -= 0.05));
  }

  function settle(button) {
    const list = find("log");
    const top = button ? button.parentElement.offsetTop - list.clientHeight / 2 : 0;
    for (const each of ["drawing", "legal", "printed"].map(find)) {
      // Only what scrolls needs the keyboard.
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = each;
      const scrolls = scrollHeight > clientHeight || scrollWidth > clientWidth;
      if (scrolls) each.tabIndex = 0;
      else each.removeAttribute("tabindex");
    }
    list.scrollTop = top; // the log scrolls, the page does not
  }

  // Chooses how large the table is drawn, so that all of it is in one screen.
  function measure() {
    const { top } = find("screen").getBoundingClientRect();
    const above = `${Math.round(top + scrollY)}px`;
    document.documentElement.style.setProperty("--above", above);
    size = find("drawing").clientWidth > NARROW ? LARGEST : LARGEST_NARROW;
    const list = find("legal");
    list.style.minBlockSize = "";
    const heights = [...game.legal.keys()].map((at) => {
      list.replaceChildren(...panels.legal(game.frame(at)));
      return list.offsetHeight;
    });
    list.style.minBlockSize = `${Math.max(...heights, 0)}px`;
    for (let i = 0; i <= TRIED; i++)
      show(game.frame(Math.round((game.last * i) / TRIED), viewer));
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
      h("option", { value: "" }, "the referee"),
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
    begin();
    measure();
    position = step === undefined || step === "" ? 0 : game.atStep(Number(step) || 0);
    render();
  };

  document.addEventListener("keydown", onKey);
  window.addEventListener("resize", () => {
    if (!game) return;
    measure();
    render();
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
