"""Rolls of Zombie Dice from the printed faces and the rulings.

Nothing of the game's code is used here: every hand that can be drawn and every face of
each die are gone through, exactly, for the tests to compare the game with.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

PRINTED = {
    "green": ("brain", "brain", "brain", "shotgun", "feet", "feet"),
    "yellow": ("brain", "brain", "shotgun", "shotgun", "feet", "feet"),
    "red": ("brain", "shotgun", "shotgun", "shotgun", "feet", "feet"),
    "hunk": ("double brain", "shotgun", "shotgun", "double shotgun", "feet", "feet"),
    "hottie": ("brain", "shotgun", "shotgun", "feet", "feet", "feet"),
    "santa": ("brain", "double brain", "shotgun", "feet", "helmet", "energy drink"),
    "horde": ("horde", "hoard of 3", "hoard of 2", "shotgun", "feet", "feet"),
}
MANUAL = {
    "hottie": ("brain", *["double shotgun"] * 2, "feet", "feet", "feet"),
    "santa": (
        "brain",
        "double brain",
        "double shotgun",
        "feet",
        "helmet",
        "energy drink",
    ),
}
ON_BUS = (
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
)
BRAINS = {
    "brain": 1,
    "double brain": 2,
    "triple brain": 3,
    "brain and shotgun": 1,
    "double brain and shotgun": 2,
    "hoard of 2": 2,
    "hoard of 3": 3,
    "hoard of 4": 4,
}
SHOTGUNS = {
    "shotgun": 1,
    "double shotgun": 2,
    "brain and shotgun": 1,
    "double brain and shotgun": 1,
}
RESCUES = {
    "hunk": ("hottie", "santa"),
    "hottie": ("hunk", "santa"),
    "santa": ("hunk", "hottie"),
}
TO_BE_RESCUED = {"hunk": 2, "hottie": 1, "santa": 1}


class Before(NamedTuple):
    """A seat about to roll."""

    cup: str
    """Dice to be drawn from, such as `6 green 1 hunk`."""
    hand: str = ""
    """Dice rolled with them."""
    brains: int = 0
    """All brains of the turn, those of `heroes` among them."""
    heroes: Mapping[str, int] = {}
    """Brains on each of the three that lie as brain dice."""
    shotguns: int = 0
    helmet: bool = False
    drink: bool = False
    bus: bool = False

    @property
    def drawn(self) -> int:
        """Dice to be drawn from the cup."""
        return 3 - self.bus - len(dice(self.hand))


class After(NamedTuple):
    """What a roll has led to."""

    brains: int
    """Of the turn; 0 after a bust."""
    is_bust: bool = False
    is_stopped: bool = False


class Fallen(NamedTuple):
    """How dice have fallen."""

    dice: Sequence[tuple[str, str]]
    """Die and face, without the bus."""
    sign: str
    """The face of the bus, or empty."""


def dice(text: str) -> list[str]:
    """Return the names of dice counted as in `6 green 1 hunk`."""
    words = text.split()
    counts = zip(words[1::2], map(int, words[::2]), strict=True)
    return [name for name, n in counts for _ in range(n)]


def faces_of(die: str, options: Mapping[str, Any]) -> Sequence[str]:
    if die == "horde" and "horde_faces" in options:
        faces: Sequence[str] = options["horde_faces"]
        return faces
    if options.get("faces") == "manual" and die in MANUAL:
        return MANUAL[die]
    return PRINTED[die]


def fall(
    before: Before, options: Mapping[str, Any]
) -> Iterator[tuple[Fallen, Fraction]]:
    """Yield each way the dice can fall, with its probability."""
    cup, hand = dice(before.cup), dice(before.hand)
    signs = ON_BUS if before.bus else ("",)
    for drawn, ways in Counter(combinations(cup, before.drawn)).items():
        rolled = [*hand, *drawn]
        shown = list(product(*(faces_of(die, options) for die in rolled), signs))
        p = Fraction(ways, comb(len(cup), before.drawn) * len(shown))
        for *faces, sign in shown:
            yield Fallen(list(zip(rolled, faces, strict=True)), sign), p


def settle(fallen: Fallen, before: Before, options: Mapping[str, Any]) -> After:
    """Apply the rulings 14 to 36 to a roll, in the order in which they are given."""
    brains, heroes = before.brains, dict(before.heroes)
    faces = [face for _, face in fallen.dice]
    shotguns = sum(SHOTGUNS.get(face, 0) for face in faces)
    for die, face in fallen.dice:
        brains += BRAINS.get(face, 0)
        if die in RESCUES and face in BRAINS:
            heroes[die] = BRAINS[face]
    brains += BRAINS.get(fallen.sign, 0)
    feet = [die for die, face in fallen.dice if face == "feet"]
    works = before.drink or (
        "energy drink" in faces and options.get("energy_drink") != "later_rolls"
    )
    if works:
        brains += feet.count("green")
        feet = [die for die in feet if die != "green"]
    for die, others in RESCUES.items():
        if any(die == d and face in SHOTGUNS for d, face in fallen.dice):
            saved = [o for o in others if heroes.get(o) == TO_BE_RESCUED[o]]
            for other in saved[:1] if options.get("rescue") == "first_only" else saved:
                brains -= heroes.pop(other)
    if "horde" in faces:
        brains = 0
    if fallen.sign == "yield":
        if works and options.get("yielded_green") == "brains":
            brains += sum(d == "green" and f in SHOTGUNS for d, f in fallen.dice)
        shotguns = 0
    elif fallen.sign == "dead end":
        brains += len(feet)
    elif fallen.sign == "run over":
        brains -= brains > 0
    shotguns += before.shotguns + SHOTGUNS.get(fallen.sign, 0)
    if shotguns >= (4 if before.helmet or "helmet" in faces else 3):
        return After(0, is_bust=True)
    return After(brains, is_stopped=fallen.sign == "stop")
