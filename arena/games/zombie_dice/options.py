"""What a league may set, and which settings contradict each other."""

from typing import Annotated, Literal

from msgspec import Meta

from arena.games.options import GameSpecError, Options
from arena.games.zombie_dice.dice import DICE, FACES, KIND, PRESETS, RESCUES, ROLLED

HordeFace = Literal[
    "brain",
    "hoard of 2",
    "hoard of 3",
    "hoard of 4",
    "shotgun",
    "double shotgun",
    "feet",
    "horde",
]

_MOST_DICE = 99
_SWITCHED = ("bus", "horde")
"""Dice with an option of their own."""
_HEROES = tuple(DICE[kind].name for kind, _ in RESCUES)


class ZombieDiceOptions(Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a league may set."""

    preset: Annotated[
        Literal[
            "base",
            "big_summer_action_movie",
            "santa_claus_meets_the_zombies",
            "direct_to_video_sequel",
            "all_yellow",
        ],
        Meta(description="The dice in the cup; ruling 13."),
    ] = "base"
    dice: Annotated[
        dict[str, int] | None,
        Meta(
            description="The dice in the cup by name, such as {green: 6, hunk: 1}, in "
            "place of a preset's; null: those of the preset; ruling 13."
        ),
    ] = None
    faces: Annotated[
        Literal["official", "manual"],
        Meta(
            description="Faces of Hottie and Santa: official, of the published dice; "
            "manual, with double shotguns; ruling 12."
        ),
    ] = "official"
    rescue: Annotated[
        Literal["all", "first_only"],
        Meta(description="Who is rescued where two can be; ruling 16 (LOW)."),
    ] = "all"
    energy_drink: Annotated[
        Literal["same_roll", "later_rolls"],
        Meta(
            description="Whether the energy drink makes brains of green feet from its "
            "own roll on or from the next; ruling 21 (LOW)."
        ),
    ] = "same_roll"
    bus: Annotated[
        bool, Meta(description="Whether the School Bus is played; rulings 24 to 32.")
    ] = False
    reboard: Annotated[
        bool,
        Meta(
            description="Whether a seat that got off the bus may board it again in "
            "the same turn; ruling 26."
        ),
    ] = False
    yielded_green: Annotated[
        Literal["feet", "brains"],
        Meta(
            description="What green shotguns become by yield under an energy drink; "
            "ruling 29 (LOW)."
        ),
    ] = "feet"
    horde: Annotated[
        bool,
        Meta(
            description="Whether the Zombie Horde die is in the cup too; rulings 33 "
            "to 36."
        ),
    ] = False
    horde_faces: Annotated[
        tuple[HordeFace, HordeFace, HordeFace, HordeFace, HordeFace, HordeFace],
        Meta(
            description="Its six faces, of which no source has a list; ruling 33 "
            "(LOW, a house default)."
        ),
    ] = ("horde", "hoard of 3", "hoard of 2", "shotgun", "feet", "feet")
    target: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(
            description="Banked brains that make a round the last one; null: 13, or "
            "20 with the horde; rulings 4, 5, 36."
        ),
    ] = None
    cup: Annotated[
        Literal["literal", "needed", "rest_first", "none"],
        Meta(
            description="When brain dice return to the cup: literal, if it holds "
            "fewer than three; needed, if it holds fewer than are needed; rest_first, "
            "the same, taking the rest of the cup first; none, never; ruling 1."
        ),
    ] = "literal"
    tiebreak_rounds: Annotated[
        int,
        Meta(
            ge=0,
            description="Tiebreaker rounds after which a win is shared; 0: they go on "
            "until the tie is broken; ruling 6.",
        ),
    ] = 0


def dice_in_cup(options: ZombieDiceOptions) -> dict[str, int]:
    """Return the number of dice in the cup by name, the horde's among them.

    Raises:
        GameSpecError: `dice` asks for what there is not, or for too few.
    """
    dice = dict(PRESETS[options.preset])
    if options.dice is not None:
        if options.preset != "base":
            raise GameSpecError(
                "options.dice",
                f"expected either dice or a preset; found preset {options.preset} too",
            )
        dice = {name: _checked(name, n) for name, n in options.dice.items()}
        if sum(dice.values()) < ROLLED:
            raise GameSpecError(
                "options.dice",
                f"expected at least {ROLLED} dice; found {sum(dice.values())}",
            )
    if options.horde:
        dice["horde"] = 1
    return dice


def check(options: ZombieDiceOptions) -> None:
    """Raise `GameSpecError` if an option contradicts the others."""
    dice = dice_in_cup(options)
    has = {die.name: bool(dice.get(die.name)) for die in DICE}
    heroes = [has[name] for name in _HEROES]
    defaults = ZombieDiceOptions()
    needs = {
        "faces": (has["hottie"] or has["santa"], "the Hottie or Santa in the cup"),
        "rescue": (all(heroes), "the Hunk, the Hottie and Santa in the cup"),
        "energy_drink": (has["santa"], "Santa in the cup"),
        "reboard": (options.bus, "bus: true"),
        "yielded_green": (
            options.bus and has["santa"],
            "bus: true and Santa in the cup",
        ),
        "horde_faces": (options.horde, "horde: true"),
    }
    for key, (is_met, need) in needs.items():
        value = getattr(options, key)
        if value != getattr(defaults, key) and not is_met:
            value = list(value) if isinstance(value, tuple) else value
            shown = str(value).lower() if isinstance(value, bool) else value
            raise GameSpecError(
                f"options.{key}", f"{shown} makes a difference only with {need}"
            )
    if options.preset == "all_yellow" and options.cup == "none":
        raise GameSpecError(
            "options.cup",
            "expected literal, needed or rest_first, for All-Yellow always rolls three "
            "dice; found none",
        )


def _checked(name: str, n: int) -> int:
    if name in _SWITCHED:
        raise GameSpecError(
            f"options.dice.{name}", f"is no die to count; expected {name}: true beside"
        )
    if name not in KIND:
        known = ", ".join(die.name for die in DICE if die.name not in _SWITCHED)
        raise GameSpecError(f"options.dice.{name}", f"no such die; known are {known}")
    # Of each kind with doubles the table tells only one from the others.
    has_doubles = any(FACES[face].brains > 1 for face in DICE[KIND[name]].faces)
    most = 1 if has_doubles or name in _HEROES else _MOST_DICE
    if not 0 <= n <= most:
        raise GameSpecError(
            f"options.dice.{name}", f"expected 0 to {most} dice; found {n}"
        )
    return n
