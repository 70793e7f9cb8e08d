"""The dice as tables: faces, kinds of dice, and what is in the cup.

A further die is one more row of `DICE`, one more field of `DiceCount`, and its number
in a preset.  What its faces do follows from `FACES`.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import add, sub
from types import MappingProxyType
from typing import Final, NamedTuple

ROLLED: Final = 3
"""So many dice are rolled at a time, the bus among them."""

FATAL: Final = 3
"""So many shotguns end a turn."""

FATAL_IN_HELMET: Final = 4
"""So many shotguns end a turn under the helmet (ruling 20)."""


class Face(NamedTuple):
    """What a die can show."""

    name: str
    """As in the notation."""
    brains: int = 0
    shotguns: int = 0


FACES: Final = {
    face.name: face
    for face in (
        Face("brain", brains=1),
        Face("double brain", brains=2),
        Face("triple brain", brains=3),
        Face("hoard of 2", brains=2),
        Face("hoard of 3", brains=3),
        Face("hoard of 4", brains=4),
        Face("brain and shotgun", brains=1, shotguns=1),
        Face("double brain and shotgun", brains=2, shotguns=1),
        Face("shotgun", shotguns=1),
        Face("double shotgun", shotguns=2),
        Face("feet"),
        Face("helmet"),
        Face("energy drink"),
        Face("horde"),
        Face("stop"),
        Face("yield"),
        Face("dead end"),
        Face("run over"),
    )
}
"""Every face by its name, in the order of the notation."""


class Die(NamedTuple):
    """A kind of die."""

    name: str
    """As in the notation, one word; the thirteen victims go by their colour."""
    colour: str
    """Of the die, and of what is printed on it where that tells dice apart."""
    faces: tuple[str, ...]
    """Names of all faces, equally likely, in the order of `FACES`."""


DICE: Final = (
    Die("green", "green", ("brain",) * 3 + ("shotgun",) + ("feet",) * 2),
    Die("yellow", "yellow", ("brain",) * 2 + ("shotgun",) * 2 + ("feet",) * 2),
    Die("red", "red", ("brain",) + ("shotgun",) * 3 + ("feet",) * 2),
    Die(
        "hunk",
        "black, white icons",
        ("double brain", "shotgun", "shotgun", "double shotgun", "feet", "feet"),
    ),
    Die(
        "hottie",
        "black, pink icons",
        ("brain", "shotgun", "shotgun", "feet", "feet", "feet"),
    ),
    Die(
        "santa",
        "red, white icons",
        ("brain", "double brain", "shotgun", "feet", "helmet", "energy drink"),
    ),
    Die(
        "horde",
        "any",
        ("hoard of 2", "hoard of 3", "shotgun", "feet", "feet", "horde"),
    ),
)
"""Every kind of die that can lie in the cup, in the order of the notation and of all
counts (rulings 12, 33)."""

BUS: Final = Die(
    "bus",
    "yellow",
    (
        "brain",
        "brain",
        "double brain",
        "triple brain",
        "brain and shotgun",
        "double brain and shotgun",
        "shotgun",
        "double shotgun",
        "stop",
        "yield",
        "dead end",
        "run over",
    ),
)
"""The School Bus, which is never in the cup (ruling 24)."""

KIND: Final = {die.name: kind for kind, die in enumerate(DICE)}
"""The index of each kind of die in `DICE` and in all counts, by its name."""

GREEN: Final = KIND["green"]
HUNK: Final = KIND["hunk"]
HOTTIE: Final = KIND["hottie"]
SANTA: Final = KIND["santa"]
HORDE: Final = KIND["horde"]

RESCUES: Final = (
    (HUNK, (HOTTIE, SANTA)),
    (HOTTIE, (HUNK, SANTA)),
    (SANTA, (HUNK, HOTTIE)),
)
"""Who rescues whom, in the manual's order (rulings 14, 16)."""

PRESETS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {
        "base": {"green": 6, "yellow": 4, "red": 3},
        "big_summer_action_movie": {
            "green": 6,
            "yellow": 2,
            "red": 3,
            "hunk": 1,
            "hottie": 1,
        },
        "santa_claus_meets_the_zombies": {
            "green": 5,
            "yellow": 4,
            "red": 3,
            "santa": 1,
        },
        "direct_to_video_sequel": {
            "green": 5,
            "yellow": 2,
            "red": 3,
            "hunk": 1,
            "hottie": 1,
            "santa": 1,
        },
        "all_yellow": {"yellow": 13},
    }
)
"""The dice in the cup, by name, of each preset (ruling 13)."""

Counts = tuple[int, ...]
"""How many dice of each kind, in the order of `DICE`."""

NO_DICE: Final[Counts] = (0,) * len(DICE)

_CACHED_SUMS: Final = 4096
"""Sums and differences that are kept: with so few dice the same come up again."""


def counts_of(dice: Mapping[str, int]) -> Counts:
    """Return so many dice of each name as counts."""
    return tuple(dice.get(die.name, 0) for die in DICE)


@lru_cache(maxsize=_CACHED_SUMS)
def one(kind: int) -> Counts:
    """Return a single die of this kind."""
    return tuple([int(k == kind) for k in range(len(DICE))])


@lru_cache(maxsize=_CACHED_SUMS)
def plus(a: Counts, b: Counts) -> Counts:
    """Return the dice of both `a` and `b`."""
    return tuple(map(add, a, b))


@lru_cache(maxsize=_CACHED_SUMS)
def minus(a: Counts, b: Counts) -> Counts:
    """Return the dice of `a` without those of `b`."""
    return tuple(map(sub, a, b))


@lru_cache(maxsize=_CACHED_SUMS)
def only(dice: Counts, kinds: Counts) -> Counts:
    """Return those of `dice` whose kind is not 0 in `kinds`."""
    return tuple([n if kept else 0 for n, kept in zip(dice, kinds, strict=True)])


def as_in_manual(die: Die) -> Die:
    """Return the die of the profile `manual`: single shotguns are double (12)."""
    if die.name not in ("hottie", "santa"):
        return die
    doubled = {"shotgun": "double shotgun"}
    return with_faces(die, [doubled.get(face, face) for face in die.faces])


def with_faces(die: Die, faces: Iterable[str]) -> Die:
    """Return the die with these faces, in whatever order they come."""
    return die._replace(faces=tuple(sorted(faces, key=list(FACES).index)))
