// The list of all games.  What it lists comes in a file for each label, loaded as a
// script when it is needed, as a page from the disk may read no other way.

window.arena = window.arena || {};

(() => {
  "use strict";

  const ROWS = 50;
  const FILTERS = ["bot", "opponent", "label", "outcome", "reason"];
  const form = document.getElementById("filters");
  const table = document.getElementById("games");
  const fields = form.elements;
  const labels = [...fields.label.options].slice(1).map((option) => ({
    name: option.value,
    number: Number(option.dataset.number),
    count: Number(option.dataset.count),
    data: null,
    isAsked: false,
    isMissing: false,
  }));
  // What each way to end is called.
  const ENDS = Object.fromEntries(
    [...fields.reason.options].map((option) => [option.value, option.text]),
  );
  table.classList.toggle("one-label", labels.length === 1);
  const total = labels.reduce((sum, label) => sum + label.count, 0);
  let page = 0;

  arena.games = (number, data) => {
    let seating = 0;
    data.seating = data.seating.map((step) => (seating += step));
    data.seatings = inParts(data.seatings, data.players);
    data.scores = inParts(data.scores, data.players);
    data.looks = Object.fromEntries(
      Object.entries(data.looks).map(([reason, games]) => [reason, new Set(games)]),
    );
    labels[number].data = data;
    show();
  };

  function inParts(list, size) {
    return Array.from({ length: list.length / size }, (_, i) =>
      list.slice(i * size, (i + 1) * size),
    );
  }

  function ask(label) {
    if (label.isAsked) return;
    label.isAsked = true;
    const script = document.createElement("script");
    script.src = `${table.dataset.root}games/${label.number}.js`;
    script.addEventListener("error", () => {
      label.isMissing = true;
      show();
    });
    document.head.append(script);
  }

  // Which games of a label pass the filters, by their places in it.
  function chosen(data) {
    const { bot, opponent, outcome, reason } = filters();
    const index = (name) => data.bots.findIndex((known) => known[0] === name);
    const mine = index(bot);
    const theirs = index(opponent);
    if ((bot && mine < 0) || (opponent && theirs < 0)) return [];
    const seats = data.seatings.map((bots) => {
      if (opponent && !bots.includes(theirs)) return -2;
      return bot ? bots.indexOf(mine) : -1;
    });
    const passes = data.seatings.map(
      (bots, i) => seats[i] !== -2 && (!bot || seats[i] >= 0),
    );
    const look = data.looks[reason];
    const found = [];
    for (let game = 0; game < data.kind.length; game++) {
      const seating = data.seating[game];
      if (!passes[seating]) continue;
      const [termination, places, forfeits] = data.kinds[data.kind[game]];
      if (look) {
        if (!look.has(game)) continue;
      } else if (reason === "forfeit") {
        if (!forfeits.includes(true)) continue;
      } else if (reason && reason !== termination) continue;
      if (outcome && outcome !== result(places, forfeits, seats[seating])) continue;
      found.push(game);
    }
    return found;
  }

  // Without a bot, seat -1, a game is drawn or nothing of interest.
  function result(places, forfeits, seat) {
    const first = places.filter((place, i) => place === 1 && !forfeits[i]).length;
    if (seat < 0) return first > 1 ? "drawn" : "";
    if (places[seat] !== 1 || forfeits[seat]) return "lost";
    return first > 1 ? "drawn" : "won";
  }

  function filters() {
    return Object.fromEntries(FILTERS.map((name) => [name, fields[name].value]));
  }

  function show() {
    const { label: wanted } = filters();
    const shown = labels.filter((label) => !wanted || label.name === wanted);
    shown.forEach(ask);
    const found = [];
    for (const label of shown) {
      if (!label.data) continue;
      for (const game of chosen(label.data)) found.push([label, game]);
    }
    const isLoading = shown.some((label) => !label.data);
    const pages = Math.max(1, Math.ceil(found.length / ROWS));
    // The rest may be on its way still.
    const at = isLoading ? page : Math.min(page, pages - 1);
    const rows = found.slice(at * ROWS, (at + 1) * ROWS);
    if (!isLoading) page = at;
    table.tBodies[0].replaceChildren(...rows.map(([label, game]) => row(label, game)));
    const first = at * ROWS + 1;
    const last = first + rows.length - 1;
    const range = rows.length ? `; shown: ${written(first)} to ${written(last)}` : "";
    const missing = shown.find((label) => label.isMissing);
    if (missing) {
      say("count", `games/${missing.number}.js is not there: copy the report as a whole.`);
    } else if (isLoading) {
      say("count", "Loading …");
    } else {
      say("count", `${written(found.length)} of ${written(total)} games${range}`);
    }
    say("place", `Page ${written(at + 1)} of ${written(pages)}`);
    document.getElementById("before").disabled = at === 0;
    document.getElementById("after").disabled = at + 1 >= pages;
  }

  function written(number) {
    return number.toLocaleString("en");
  }

  function say(id, text) {
    const element = document.getElementById(id);
    if (element.textContent !== text) element.textContent = text;
  }

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function row(label, game) {
    const data = label.data;
    const bots = data.seatings[data.seating[game]].map((bot) => data.bots[bot]);
    const [termination, places, forfeits] = data.kinds[data.kind[game]];
    const isDrawn = result(places, forfeits, -1) === "drawn";
    const seats = element("ol", { className: "seats" });
    bots.forEach(([name, slug], seat) => {
      const isFirst = places[seat] === 1 && !forfeits[seat];
      const href = `${table.dataset.root}bots/${slug}.html`;
      const item = element("li", { className: isFirst ? "first" : "" });
      item.append(element("a", { href }, element("bdi", {}, name)));
      const words = forfeits[seat] ? "forfeited" : isDrawn ? "shared" : "won";
      if (isFirst || forfeits[seat]) {
        const className = forfeits[seat] ? "tag bad" : "tag";
        item.append(element("span", { className }, words));
      }
      item.append(element("span", { className: "score" }, String(data.scores[game][seat])));
      seats.append(item);
    });
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, label.name),
      element("td", {}, seats),
      element("td", {}, replay(data, game, bots)),
      element("td", {}, ENDS[termination]),
      element("td", { className: "num" }, String(data.decisions[game])),
    );
  }

  function replay(data, game, bots) {
    const id = data.ids.slice(game * data.id_length, (game + 1) * data.id_length);
    const who = bots.map((bot) => bot[0]).join(" against ");
    if (data.held[game] === "1") {
      const step = data.steps[game];
      const href = `${table.dataset.root}replay.html#${id}`;
      const link = element("a", { href: step === undefined ? href : `${href}/${step}` });
      link.append("Replay", element("span", { className: "hidden" }, ` of ${who}, ${id}`));
      return link;
    }
    const command = table.dataset.command + id;
    const button = element("button", { type: "button" }, "Copy");
    button.setAttribute("aria-label", `Copy the command that replays ${who}`);
    const code = element("code", {}, command);
    button.addEventListener("click", () => copy(command, code, button));
    return element("div", { className: "command" }, code, button);
  }

  async function copy(text, code, button) {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Nobody lets us: then it is selected, so that it takes one key.
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  }

  // The address holds the filters, so that what is seen can be shared.
  function toAddress() {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(filters())) {
      if (value) words.set(name, value);
    }
    if (page) words.set("page", String(page + 1));
    const hash = words.toString();
    history.replaceState(null, "", hash ? `#${hash}` : location.href.split("#")[0]);
  }

  function fromAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    for (const name of FILTERS) {
      const options = [...fields[name].options].map((option) => option.value);
      const value = words.get(name) || "";
      fields[name].value = options.includes(value) ? value : "";
    }
    page = Math.max(0, (parseInt(words.get("page"), 10) || 1) - 1);
    settle();
    show();
  }

  // Who won or lost is asked of a bot.
  function settle() {
    for (const option of fields.outcome.options) {
      option.disabled = !fields.bot.value && ["won", "lost"].includes(option.value);
      if (option.disabled && option.selected) fields.outcome.value = "";
    }
  }

  function turn(pages) {
    page += pages;
    toAddress();
    show();
    table.parentElement.scrollTop = 0;
    table.scrollIntoView({ block: "nearest" });
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => {
    page = 0;
    settle();
    toAddress();
    show();
  });
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    history.replaceState(null, "", location.href.split("#")[0]);
    fromAddress();
  });
  document.getElementById("before").addEventListener("click", () => turn(-1));
  document.getElementById("after").addEventListener("click", () => turn(1));
  window.addEventListener("hashchange", fromAddress);
  fromAddress();
})();
