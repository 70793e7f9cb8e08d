// Zombie Dice with all its expansions, drawn.
"use strict";

(() => {
  const { h, picture, counted, zone, mat, nothing } = arena;

  // Faces on a field of 48 x 48; `ink` is what is printed, `die` the colour below it.
  const BRAIN =
    '<path class="ink" d="M24 10c-3-4-10-3-11 2-5 0-8 5-6 9-4 3-3 9 1 11 0 5 6 8 10 5 2 2 4 2 6 0 2 2 4 2 6 0 4 3 10 0 10-5 4-2 5-8 1-11 2-4-1-9-6-9-1-5-8-6-11-2z"/>' +
    '<path class="fold" d="M24 11v27M13 17c4-1 6 1 6 4M9 24c4-2 7 0 7 3M15 36c0-4 3-5 5-4M35 17c-4-1-6 1-6 4M39 24c-4-2-7 0-7 3M33 36c0-4-3-5-5-4"/>';
  const SHOT =
    '<path class="ink" d="M24 5l4 10 8-6-2 10 10 0-8 6 8 6-10 1 3 10-9-6-4 9-4-9-9 6 3-10-10-1 8-6-8-6 10 0-2-10 8 6z"/><circle class="hole" cx="24" cy="25" r="5"/>';
  const SHOE =
    '<path class="ink" d="M-5-15c6-3 11 2 10 9-1 5-2 8-2 10h-9c0-3-2-6-2-10-1-4 0-8 3-9zM-6 7h9c1 6-1 9-5 9s-5-4-4-9z"/>';
  const FEET = `<g transform="translate(15 21) rotate(-8)">${SHOE}</g><g transform="translate(33 28) rotate(8) scale(-1 1)">${SHOE}</g>`;
  const HEAD =
    '<path class="ink" d="M13 12c4-5 18-5 22 0 3 4 2 14 0 18l-3 3v6H16v-6l-3-3c-2-4-3-14 0-18z"/><circle class="hole" cx="19" cy="21" r="3.5"/><circle class="hole" cx="29" cy="21" r="3.5"/><path class="fold" d="M18 33h12M21 30v6M27 30v6"/>';
  const word = (text, size) =>
    `<text class="sign" x="24" y="${25 + size / 3}" font-size="${size}" text-anchor="middle">${text}</text>`;
  const ICONS = {
    brain: BRAIN,
    shotgun: SHOT,
    feet: FEET,
    head: HEAD,
    helmet:
      '<path class="ink" d="M8 30c0-24 32-24 32 0l4 2v4H20c-6 0-12-2-12-6z"/><path class="fold" d="M22 15c3 4 4 8 4 14"/>',
    can: '<path class="ink" d="M16 8h16l2 5v26l-3 4H17l-3-4V13z"/><path class="hole" d="M26 15l-8 12h5l-2 10 9-13h-5z"/>',
    stop: `<path class="plate" d="M17 6h14l11 11v14L31 42H17L6 31V17z"/>${word("STOP", 12)}`,
    yield: `<path class="plate" d="M4 9h40L24 44z"/><text class="sign" x="24" y="22" font-size="11" text-anchor="middle">yield</text>`,
    "dead end":
      '<path class="plate" d="M24 2l22 22-22 22L2 24z"/><text class="sign" x="24" y="22" font-size="10" text-anchor="middle">dead</text><text class="sign" x="24" y="33" font-size="10" text-anchor="middle">end</text>',
    "run over":
      '<circle class="tyre" cx="24" cy="24" r="14.5"/><circle class="tread" cx="24" cy="24" r="20.5"/><circle class="ink" cx="24" cy="24" r="5"/>',
  };
  const FACES = {
    brain: ["brain"],
    "double brain": ["brain", "brain"],
    "triple brain": ["brain", "brain", "brain"],
    "hoard of 2": ["head", "head"],
    "hoard of 3": ["head", "head", "head"],
    "hoard of 4": ["head", "head", "head", "head"],
    "brain and shotgun": ["brain", "shotgun"],
    "double brain and shotgun": ["brain", "brain", "shotgun"],
    shotgun: ["shotgun"],
    "double shotgun": ["shotgun", "shotgun"],
    feet: ["feet"],
    helmet: ["helmet"],
    "energy drink": ["can"],
    stop: ["stop"],
    yield: ["yield"],
    "dead end": ["dead end"],
    "run over": ["run over"],
  };
  const PLACES = {
    1: ["translate(5 5) scale(.79)"],
    2: ["translate(1.5 1) scale(.52)", "translate(21.5 21.5) scale(.52)"],
    3: [
      "translate(13 1) scale(.46)",
      "translate(1 23) scale(.46)",
      "translate(25 23) scale(.46)",
    ],
    4: [
      "translate(2 2) scale(.44)",
      "translate(25 2) scale(.44)",
      "translate(2 25) scale(.44)",
      "translate(25 25) scale(.44)",
    ],
  };
  // The letter tells a die's kind where colours can't.
  const LETTERS = {
    green: "G",
    yellow: "Y",
    red: "R",
    hunk: "Hu",
    hottie: "Ho",
    santa: "S",
    horde: "Z",
    bus: "B",
  };
  const MOST_BRAINS = { hunk: "double brain", santa: "double brain" };

  function faceOf(face) {
    // On the horde's die the face that is called so stands against all brains.
    if (face === "horde")
      return `<g transform="translate(6 6) scale(.75)">${HEAD}</g><path class="cross" d="M8 8l32 32M40 8L8 40"/>`;
    const icons = FACES[face] || [];
    return icons
      .map((icon, i) => `<g transform="${PLACES[icons.length][i]}">${ICONS[icon]}</g>`)
      .join("");
  }

  function die(kind, face, zone) {
    const body =
      kind === "bus"
        ? '<path class="body" d="M16 1h16l15 15v16L32 47H16L1 32V16z"/>'
        : '<rect class="body" x="1" y="1" width="46" height="46" rx="9"/>';
    const letter = LETTERS[kind];
    if (!face) {
      const big = `<text class="letter" x="24" y="33" font-size="${letter.length > 1 ? 24 : 28}" text-anchor="middle">${letter}</text>`;
      return picture(
        body + big,
        "0 0 48 48",
        { class: `die ${kind} blank`, "data-zone": zone },
        `${kind} die`,
      );
    }
    const wide = letter.length > 1 ? 15 : 11;
    const tag = `<rect class="tag-box" x="${46 - wide}" y="1.5" width="${wide}" height="12" rx="4"/><text class="tag-text" x="${46 - wide / 2}" y="11" text-anchor="middle">${letter}</text>`;
    return picture(
      body + faceOf(face) + tag,
      "0 0 48 48",
      { class: `die ${kind}`, "data-zone": zone },
      `${kind} die: ${face}`,
    );
  }

  const many = (counts, face, zone) =>
    Object.entries(counts).flatMap(([kind, n]) =>
      Array.from({ length: n }, () => die(kind, face(kind), zone)),
    );

  const total = (counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);

  // What was thrown, as the notation has it: `green brain, bus dead end`.
  const thrown = (text) =>
    text.split(", ").map((each) => {
      const [kind, ...face] = each.split(" ");
      return [kind, face.join(" ")];
    });

  const pip = (icon, label) =>
    picture(ICONS[icon], "0 0 48 48", { class: `pip ${icon}` }, label);

  function brainFace(table) {
    return (kind) => {
      const more = table.extra_brains[kind];
      if (!more) return "brain";
      return kind === "horde"
        ? `hoard of ${more + 1}`
        : MOST_BRAINS[kind] || "double brain";
    };
  }

  function cup(table) {
    const kinds = Object.entries(table.cup).filter(([, n]) => n);
    const body =
      '<path class="cup" d="M8 14h64l-7 76c-1 6-49 6-50 0z"/><ellipse class="rim" cx="40" cy="14" rx="32" ry="9"/>';
    const number = `<text class="cup-text" x="40" y="62" text-anchor="middle">${total(table.cup)}</text>`;
    const drawn = picture(
      body + number,
      "0 0 80 100",
      { class: "cup-picture" },
      `cup with ${counted(total(table.cup), "die", "dice")}`,
    );
    const inside = kinds.map(([kind, n]) =>
      h(
        "span",
        { class: "in-cup" },
        die(kind, "", "cup-kind"),
        h("span", { "aria-hidden": "true" }, `×${n}`),
        h("span", { class: "hidden" }, `${n} in the cup`),
      ),
    );
    return zone("in-the-cup", "Cup", drawn, h("div", { class: "kinds" }, inside));
  }

  function shotguns(table) {
    const limit = table.shotgun_limit;
    const pips = Array.from({ length: Math.max(limit, table.shotguns) }, (_, i) =>
      picture(ICONS.shotgun, "0 0 48 48", {
        class: `pip shotgun ${i < table.shotguns ? "full" : "empty"}`,
      }),
    );
    return h("span", { class: "pips" }, pips);
  }

  function seats(frame, name) {
    const { table } = frame;
    const playing = (seat) => frame.next !== null && table.turn_seat === seat;
    return h(
      "div",
      { class: "mats" },
      table.scores.map((score, seat) => {
        const share = Math.min(1, score / table.target);
        const bar = picture(
          `<rect class="track" width="100" height="8" rx="4"/><rect class="fill" width="${100 * share}" height="8" rx="4"/>`,
          "0 0 100 8",
          { class: "bar", preserveAspectRatio: "none" },
        );
        const out = table.tied.length && !table.tied.includes(seat);
        return mat(
          frame,
          seat,
          name,
          playing(seat),
          h(
            "div",
            { class: "score" },
            h("strong", {}, String(score)),
            ` of ${table.target}`,
            out ? ", out of the tiebreaker" : "",
          ),
          bar,
        );
      }),
    );
  }

  function heading(table) {
    if (table.tied.length) return `Tiebreaker round ${table.tiebreak_round}`;
    return table.final_round
      ? `Round ${table.round}, the last`
      : `Round ${table.round}`;
  }

  function draw(frame, name) {
    const { table } = frame;
    const isRoll = frame.actor === -1;
    const roll = isRoll
      ? thrown(frame.event).map(([kind, face]) => die(kind, face, "rolled"))
      : [];
    const who = isRoll && frame.turnBefore >= 0 ? name(frame.turnBefore) : "";
    const zones = [
      zone(
        "rolled",
        isRoll ? `Thrown by ${who}` : "Thrown",
        roll.length ? roll : nothing(frame.next === -1 ? "the dice are shaken …" : "–"),
      ),
      cup(table),
      zone(
        "brains",
        `Brains: ${table.brains}`,
        many(table.brain_dice, brainFace(table), "brains"),
        table.noted
          ? h(
              "span",
              { class: "noted" },
              pip("brain", "noted brains"),
              `${table.noted} noted`,
            )
          : "",
        table.brains ? "" : nothing(),
      ),
      zone(
        "shots",
        `Shotguns: ${table.shotguns} of ${table.shotgun_limit}`,
        shotguns(table),
        many(table.shotgun_dice, () => "shotgun", "shotguns"),
      ),
      zone(
        "feet",
        `Feet, to be rolled again: ${table.feet}`,
        many(table.feet_dice, () => "feet", "feet"),
        table.feet ? "" : nothing(),
      ),
    ];
    const gifts = [
      ...many(
        table.aside_dice,
        (kind) =>
          kind === "santa"
            ? table.helmet
              ? "helmet"
              : table.energy_drink
                ? "energy drink"
                : ""
            : "",
        "aside",
      ),
      table.helmet
        ? h("span", { class: "badge" }, "helmet: the fourth shotgun counts")
        : "",
      table.energy_drink
        ? h("span", { class: "badge" }, "energy drink: green feet are brains")
        : "",
    ].filter((each) => each !== "");
    if (gifts.length) zones.push(zone("aside", "Aside", gifts));
    if (table.bus !== "none") {
      const last = isRoll ? thrown(frame.event).find(([kind]) => kind === "bus") : null;
      zones.push(
        zone(
          "bus-stop",
          `School Bus: ${table.bus}`,
          die("bus", last ? last[1] : "", "bus"),
        ),
      );
    }
    if (table.is_run_over)
      zones.push(
        zone(
          "alarm",
          "Run over",
          h("span", { class: "badge" }, "one brain must be given up"),
        ),
      );
    return h(
      "div",
      { class: "dice-table" },
      h("p", { class: "round-name" }, heading(table)),
      seats(frame, name),
      h("div", { class: "zones dice" }, zones),
    );
  }

  function tell(frame, name) {
    const { actor, event, turnBefore } = frame;
    return actor < 0
      ? `${name(turnBefore)} throws ${event}`
      : `${name(actor)}: ${event}`;
  }

  arena.drawings.zombie_dice = { draw, tell };
})();
