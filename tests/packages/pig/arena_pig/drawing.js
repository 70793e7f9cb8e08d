// Pig, drawn: what each seat has banked, and the die.
"use strict";

(() => {
  const { h, mat, zone, nothing } = arena;

  function draw(frame, name) {
    const { table } = frame;
    const mats = table.scores.map((score, seat) => {
      const active = frame.next !== null && frame.turn === seat;
      const banked = [h("strong", {}, String(score)), " banked"];
      return mat(frame, seat, name, active, h("div", { class: "score" }, banked));
    });
    const face = frame.actor === -1 ? frame.event : "";
    const marks = { "data-zone": "die", "data-value": face };
    const die = face ? h("strong", marks, face) : nothing();
    const points = `points of the turn: ${table.points}`;
    return h(
      "div",
      { class: "pig-table" },
      h("div", { class: "mats" }, mats),
      zone("rolled", `Turn ${table.turn}`, die, h("span", { class: "muted" }, points)),
    );
  }

  function tell(frame, name) {
    const { actor, event, turnBefore } = frame;
    if (actor < 0) return `${name(turnBefore)} rolls ${event}`;
    return event === "roll" ? `${name(actor)} rolls on` : `${name(actor)} holds`;
  }

  arena.drawings.pig = { draw, tell };
})();
