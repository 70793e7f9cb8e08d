// The live page: shows what is new when it is there, and plays one game after another.
"use strict";

(() => {
  const { h } = arena;
  const find = (id) => document.getElementById(id);
  const LONGEST = 30000; // milliseconds that a game takes, if its steps can be so short
  const STEP = { least: 250, most: 1400, last: 6000 };
  const SAID = 30000; // milliseconds between two sentences for who hears the page
  const SILENT = 60000; // milliseconds without news, after which the page says so
  const GAMES = 100; // after so many the page is loaded anew, as they fill the memory
  const ZOOM = { least: 0.5, most: 2, tried: 20 };
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const shown = { stamp: document.body.dataset.stamp, beat: null, said: 0, id: null };
  let state = null;
  let newsAt = Date.now();
  let seconds = Number(document.body.dataset.seconds);
  let game = null;
  let panels = null;
  let position = 0;
  let timer = null;
  let isPaused = still.matches;
  let isLoading = false;
  let games = 0;
  let size = 1;

  function isOver(news) {
    return news.state === "finished" || news.state === "interrupted";
  }

  // Asks for the news, which call `arena.live`.
  function ask() {
    const script = document.createElement("script");
    script.src = `state.js?${Date.now()}`;
    script.onload = script.onerror = () => script.remove();
    document.head.append(script);
    const isLate = Date.now() - newsAt > Math.max(SILENT, 6000 * seconds);
    const isPlaying = !state || !isOver(state);
    const words = `No news since ${new Date(newsAt).toLocaleTimeString()}. Is the league still being played?`;
    const silent = find("silent");
    if (isLate && isPlaying) {
      if (silent.textContent !== words) silent.textContent = words;
    } else silent.textContent = "";
    setTimeout(ask, 1000 * Math.max(1, seconds));
  }

  arena.live = (news) => {
    state = news;
    if (news.beat === shown.beat) return;
    shown.beat = news.beat;
    newsAt = Date.now();
    seconds = news.seconds;
    if (news.stamp !== shown.stamp) {
      shown.stamp = news.stamp;
      // The page's own writer has made it, and has escaped all names.
      find("news").innerHTML = news.html;
    }
    if (Date.now() - shown.said > SAID && news.said !== find("said").textContent) {
      shown.said = Date.now();
      find("said").textContent = news.said;
    }
    if (!news.game) find("watch").hidden = true;
    find("watch-title").textContent = isOver(news)
      ? "A game to watch"
      : "The game to watch now";
    if (!timer && !(game && isPaused)) next();
  };

  // Takes the newest game, if it is another one.
  async function next() {
    const wanted = state && state.game;
    if (!wanted || wanted.id === shown.id || isLoading) return;
    if (games++ > GAMES) return location.reload();
    isLoading = true;
    try {
      arena.index = { packs: [wanted.id], results: "" };
      game = await arena.find(wanted.id);
    } catch {
      game = null; // It is gone, or the browser is too old: the board is there still.
    }
    isLoading = false;
    shown.id = wanted.id;
    if (!game) return;
    panels = arena.panels(game);
    const bots = game.bots.flatMap((bot, seat) => [
      seat ? " – " : "",
      h("bdi", {}, bot),
    ]);
    find("about").replaceChildren(`${wanted.title}: `, ...bots);
    find("watch").hidden = false;
    position = isPaused ? game.last : 0;
    measure();
    render();
    schedule();
  }

  function render() {
    const frame = game.frame(position);
    draw(frame);
    const told = position ? `${panels.told(position - 1)}. ` : "";
    find("status").textContent =
      position === game.last ? panels.coming(frame) : told || panels.coming(frame);
  }

  function draw(frame) {
    const box = find("drawing");
    box.replaceChildren(panels.drawing(frame));
    const { style } = box.firstElementChild;
    const overflows = () =>
      box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
    style.zoom = String(size);
    // Once small it stays so: nothing may jump from step to step.
    while (size > ZOOM.least && overflows()) style.zoom = String((size -= 0.05));
    // Only what scrolls needs the keyboard.
    if (overflows()) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }

  // Chooses how large a game is drawn, so that all of it fits.
  function measure() {
    size = ZOOM.most;
    for (let i = 0; i <= ZOOM.tried; i++)
      draw(game.frame(Math.round((game.last * i) / ZOOM.tried)));
  }

  function schedule() {
    clearTimeout(timer);
    timer = null;
    const isOver = !game || position >= game.last;
    const button = find("play");
    button.textContent = isPaused || isOver ? (isOver ? "Again" : "Play") : "Pause";
    if (isPaused || !game) return;
    if (isOver) {
      timer = setTimeout(() => ((timer = null), next()), STEP.last);
      return;
    }
    const step = Math.max(STEP.least, Math.min(STEP.most, LONGEST / game.last));
    timer = setTimeout(() => {
      position++;
      render();
      schedule();
    }, step);
  }

  find("play").addEventListener("click", () => {
    if (!game) return;
    if (position >= game.last) {
      position = 0;
      isPaused = false;
      render();
    } else isPaused = !isPaused;
    schedule();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target !== document.body || !game) return;
    event.preventDefault();
    find("play").click();
  });
  // The window has another size, or what stands above it.
  new ResizeObserver(() => {
    if (game) (measure(), render());
  }).observe(find("drawing"));
  ask();
})();
