// Guards the drawings of packages: where one fails, positions are shown as text.
"use strict";

(() => {
  const { h } = arena;
  const drawings = { ...arena.drawings };
  const panels = arena.panels;

  function asText(frame) {
    const fields = Object.entries(frame.table);
    const lines = fields.map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
    return frame.text || lines.join("\n");
  }

  function guarded(game, drawing) {
    const label = `game ${game.about.game}: its drawing can't be used`;
    let problem = game.about.undrawn || "";

    function attempt(make, otherwise) {
      try {
        if (!problem) return make();
      } catch (error) {
        problem = `${label}: ${error}`;
      }
      return otherwise();
    }

    function element(frame, name) {
      const found = drawing.draw(frame, name);
      if (found instanceof Node) return found;
      throw new TypeError(`draw returned ${found}`);
    }

    const told = (frame) => [
      h("pre", { class: "as-text" }, asText(frame)),
      h("p", { class: "muted" }, problem),
    ];
    return {
      tell: (frame, name) =>
        attempt(
          () => drawing.tell(frame, name),
          () => "",
        ),
      draw: (frame, name) =>
        attempt(
          () => element(frame, name),
          () => h("div", {}, told(frame)),
        ),
    };
  }

  arena.panels = (game) => {
    const { game: name, undrawn } = game.about;
    // A game that has no drawing at all is told by the texts in its pack.
    if (drawings[name] || undrawn || !game.texts.length)
      arena.drawings[name] = guarded(game, drawings[name]);
    return panels(game);
  };
})();
