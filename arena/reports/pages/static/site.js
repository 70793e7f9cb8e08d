/* Tables that sort, filter and explain themselves, and a crosstable that says what is in
   a cell. */
"use strict";

(() => {
  const number = /-?\d+(?:\.\d+)?/;

  /* What a cell is sorted by: a text, or a number; null if there is nothing in it. */
  function value(cell, isText) {
    const text = (cell.dataset.v ?? cell.textContent).trim();
    if (text === "" || text === "–") return null;
    if (isText) return text.toLocaleLowerCase();
    if (text === "yes") return -1;
    if (text === "no") return Infinity;
    const found = number.exec(text.replaceAll(",", ""));
    return found ? Number(found[0]) : null;
  }

  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (a === b) return 0;
    return (a < b ? -1 : 1) * sign;
  }

  /* The rows of a part of a table, without what stands above them. */
  function rowsOf(body) {
    return [...body.rows].filter((row) => !row.classList.contains("between"));
  }

  /* A rule stands above each row shown that begins a group, as long as rows are in the
     order that groups are made of. */
  function rule(table) {
    const ordered = !table.dataset.sorted;
    let last = null;
    for (const row of rowsOf(table.tBodies[0])) {
      if (row.hidden || row.dataset.group === undefined) continue;
      const isFirst = last !== null && row.dataset.group !== last;
      row.classList.toggle("break", ordered && isFirst);
      last = row.dataset.group;
    }
  }

  /* Each part is sorted by itself: who has no rank stays below those who have. */
  function sort(table, parts, heads, at) {
    const head = heads[at];
    const before = head.getAttribute("aria-sort");
    const isText = "text" in head.dataset;
    /* Names begin with A, places with 1, all other numbers with the largest. */
    const first = isText || "order" in head.dataset ? "ascending" : "descending";
    const second = first === "ascending" ? "descending" : "ascending";
    /* Also of what is in that order as the page begins, a first click asks for it. */
    const order = before === first && table.dataset.clicked === `${at}` ? second : first;
    table.dataset.clicked = at;
    const sign = order === "ascending" ? 1 : -1;
    parts.forEach((original, part) => {
      /* What is the same stays in the order of ranks. */
      const rows = original.map((row, i) => [value(row.cells[at], isText), i, row]);
      rows.sort((a, b) => compare(a[0], b[0], sign) || a[1] - b[1]);
      table.tBodies[part].append(...rows.map((row) => row[2]));
    });
    for (const other of heads) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", order);
    const isRank = head.dataset.order === "ascending" && order === "ascending";
    if (isRank) delete table.dataset.sorted;
    else table.dataset.sorted = "yes";
    rule(table);
  }

  function makeSortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    const parts = [...table.tBodies].map(rowsOf);
    heads.forEach((head, at) => {
      if (head.classList.contains("chart")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      const about = head.querySelector(".about");
      about?.remove();
      button.append(...head.childNodes);
      head.append(button, about ?? "");
      head.setAttribute("aria-sort", head.dataset.order ?? "none");
      button.addEventListener("click", () => sort(table, parts, heads, at));
    });
  }

  /* Numbers fade out below names that stay, so that no half of one reads as another. */
  function fadeBelowNames(region) {
    const mark = () => region.classList.toggle("pushed", region.scrollLeft > 0);
    region.addEventListener("scroll", mark, {passive: true});
    mark();
  }

  /* One field filters all tables of the page by the name at the head of a row. */
  function makeFilter(input) {
    const tables = [...document.querySelectorAll("table.sortable")];
    const told = input.parentElement.querySelector("output");
    input.parentElement.hidden = false;
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLocaleLowerCase();
      const all = new Set();
      const shown = new Set();
      for (const table of tables) {
        for (const body of table.tBodies) {
          const rows = rowsOf(body);
          for (const row of rows) {
            const name = row.querySelector("th bdi").textContent.toLocaleLowerCase();
            row.hidden = !name.includes(wanted);
            all.add(name);
            if (!row.hidden) shown.add(name);
          }
          const title = body.querySelector(".between");
          if (title) title.hidden = rows.every((row) => row.hidden);
        }
        rule(table);
      }
      told.value = wanted ? `${shown.size} of ${all.size} ${told.dataset.what}` : "";
    });
  }

  /* Whether all columns are shown stands in the address, which can be kept and shared. */
  function makeDemand(box) {
    const all = "#columns=all";
    const read = () => { if (location.hash === all) box.checked = true; };
    box.addEventListener("change", () => {
      const here = location.pathname + location.search;
      history.replaceState(null, "", box.checked ? all : here);
    });
    addEventListener("hashchange", read);
    read();
  }

  /* What a column says is shown at its heading; the same stands below the table. */
  function makeTips(links) {
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    /* Who hears a page has heard it with the link. */
    tip.ariaHidden = "true";
    document.body.append(tip);
    let shown = null;
    let timer = 0;

    function show(link) {
      clearTimeout(timer);
      shown = link;
      tip.textContent = document.getElementById(link.hash.slice(1)).textContent;
      tip.hidden = false;
      const at = link.getBoundingClientRect();
      const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
      tip.style.left = `${Math.max(8, Math.min(at.left - 16, most))}px`;
      const below = at.bottom + 6;
      const fits = below + tip.offsetHeight < innerHeight;
      tip.style.top = `${fits ? below : at.top - 6 - tip.offsetHeight}px`;
    }

    function hide() {
      clearTimeout(timer);
      tip.hidden = true;
      shown = null;
    }

    function hideSoon() {
      clearTimeout(timer);
      timer = setTimeout(hide, 200);
    }

    for (const link of links) {
      link.addEventListener("pointerenter", () => show(link));
      link.addEventListener("pointerleave", hideSoon);
      link.addEventListener("focus", () => show(link));
      link.addEventListener("blur", hide);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        show(link);
      });
    }
    /* It can be read, and marked, with the pointer on it. */
    tip.addEventListener("pointerenter", () => clearTimeout(timer));
    tip.addEventListener("pointerleave", hideSoon);
    addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
    addEventListener("scroll", hide, {capture: true, passive: true});
    addEventListener("pointerdown", (event) => {
      if (shown && event.target !== shown && event.target !== tip) hide();
    });
  }

  function makeTold(section) {
    const told = section.querySelector(".told");
    const table = section.querySelector("table");
    const heads = table.tHead.rows[0].cells;
    table.addEventListener("pointerover", (event) => {
      const cell = event.target.closest("td");
      if (!cell || cell.classList.contains("self")) return;
      const row = cell.parentElement.cells[0].textContent.trim();
      const column = heads[cell.cellIndex].title;
      const score = cell.classList.contains("none") ? "" : `${cell.textContent} %`;
      const sure = cell.classList.contains("b") ? "more than luck" : "";
      const words = [score, cell.title, sure].filter(Boolean);
      told.textContent = `${row} against ${column}: ${words.join(", ")}`;
    });
  }

  /* A folded fault opens where a link leads to it. */
  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const section = target?.closest("section");
    section?.querySelector("details")?.setAttribute("open", "");
  }

  for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
  for (const region of document.querySelectorAll(".scroll")) fadeBelowNames(region);
  for (const input of document.querySelectorAll("input.filter")) makeFilter(input);
  for (const box of document.querySelectorAll(".demand")) makeDemand(box);
  const links = document.querySelectorAll("a.about");
  if (links.length) makeTips(links);
  for (const section of document.querySelectorAll(".heat-map")) makeTold(section);
  if (document.querySelector("details.fault")) {
    addEventListener("hashchange", unfold);
    unfold();
  }
})();
