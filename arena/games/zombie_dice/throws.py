"""All throws of a set of dice, whatever lies on the table.

Each selection of dice is worked out once, with the number of ways to each outcome.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, product
from math import lcm, prod
from typing import Final

import msgspec

from arena.games.zombie_dice.dice import FACES, Counts, Die

_NAMES = tuple(FACES)
_CACHED_DICE_SETS = 32
"""Sets of dice that are kept: they differ only in the horde's faces and the profile."""
_SIGNS = ("stop", "yield", "dead end", "run over")


class Thrown(msgspec.Struct, frozen=True, eq=False, kw_only=True, gc=False):
    """One outcome of a roll: how the dice lie as they have fallen."""

    dice: Counts
    """All dice rolled but the bus."""
    feet: Counts
    brain_dice: Counts
    extra: Counts
    """Brains beyond the first on the brain dice of each kind."""
    shotgun_dice: Counts
    aside: Counts
    """Dice that show none of these."""
    brains: int
    """Brains on the dice and on the bus."""
    shotguns: int
    """Shotguns on the dice and on the bus."""
    counters: int
    """Brains on the bus."""
    helmet: bool
    energy_drink: bool
    horde: bool
    sign: str
    """The road sign of the bus, or `run over`; else empty."""
    is_plain: bool
    """True if there is nothing but feet, single brains and single shotguns, no bus."""
    luck: int
    """Brains less shotguns, with a rough worth of all else: it orders outcomes."""


class Group(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Outcomes of one selection of dice that are equally lucky."""

    luck: int
    texts: tuple[str, ...]
    bounds: tuple[float, ...]
    """Ways to each outcome but the last and to all before it.

    Whole numbers, which are looked up faster as floats.
    """
    ways: float
    """To all of them."""


class Throws:
    """What a set of dice can show; `throws_of` makes it."""

    def __init__(self, dice: tuple[Die, ...], bus: Die) -> None:
        self._dice = dice
        self._bus = bus
        self._shows = [Counter(map(_NAMES.index, die.faces)) for die in dice]
        """How many faces of each die show what, by its index in `FACES`."""
        self._sides = lcm(*(len(die.faces) for die in dice))
        self._groups: dict[tuple[Counts, bool], tuple[Group, ...]] = {}
        self.thrown: Final[dict[str, Thrown]] = {}
        """How the dice lie in each outcome of `groups` so far, by its text."""

    def groups(self, dice: Counts, with_bus: bool) -> tuple[Group, ...]:
        """Return all outcomes of these dice, the luckiest group first."""
        key = (dice, with_bus)
        if key not in self._groups:
            self._groups[key] = self._work_out(dice, with_bus)
        return self._groups[key]

    def _work_out(self, dice: Counts, with_bus: bool) -> tuple[Group, ...]:
        groups: dict[int, list[tuple[str, int]]] = {}
        # Every selection has equally many ways, whatever the sides of its dice, so
        # that only the ways to draw it make it likelier than another.
        sides = prod(len(d.faces) ** n for d, n in zip(self._dice, dice, strict=True))
        scale = self._sides ** sum(dice) // sides
        for text, thrown, ways in self._outcomes(dice, with_bus):
            self.thrown[text] = thrown
            groups.setdefault(thrown.luck, []).append((text, ways * scale))
        return tuple(
            _group(luck, found) for luck, found in sorted(groups.items(), reverse=True)
        )

    def _outcomes(
        self, dice: Counts, with_bus: bool
    ) -> Iterator[tuple[str, Thrown, int]]:
        """Yield the text of each outcome, how the dice lie, and the ways to it."""
        rolled = [kind for kind, n in enumerate(dice) for _ in range(n)]
        fallen: Counter[tuple[tuple[int, int], ...]] = Counter()
        for faces in product(*(self._shows[kind].items() for kind in rolled)):
            shown = zip(rolled, [index for index, _ in faces], strict=True)
            fallen[tuple(sorted(shown))] += prod([n for _, n in faces])
        on_bus = Counter(self._bus.faces if with_bus else ("",))
        for (pairs, ways), (face, n) in product(fallen.items(), on_bus.items()):
            lying = [(kind, _NAMES[index]) for kind, index in pairs]
            words = [f"{self._dice[kind].name} {name}" for kind, name in lying]
            if with_bus:
                words.append(f"{self._bus.name} {face}")
            yield ", ".join(words), _lay_out(dice, lying, face), ways * n


@lru_cache(maxsize=_CACHED_DICE_SETS)
def throws_of(dice: tuple[Die, ...], bus: Die) -> Throws:
    """Return the throws of these dice, the same object for the same dice."""
    return Throws(dice, bus)


def _group(luck: int, found: list[tuple[str, int]]) -> Group:
    texts, ways = zip(*found, strict=True)
    *bounds, total = accumulate(map(float, ways))
    return Group(luck, texts, tuple(bounds), total)


def _lay_out(dice: Counts, shown: list[tuple[int, str]], bus_face: str) -> Thrown:
    feet, brain_dice, extra, shotgun_dice, aside = ([0] * len(dice) for _ in range(5))
    names = [name for _, name in shown]
    for kind, name in shown:
        face = FACES[name]
        if face.brains:
            brain_dice[kind] += 1
            extra[kind] += face.brains - 1
        elif face.shotguns:
            shotgun_dice[kind] += 1
        elif name == "feet":
            feet[kind] += 1
        else:
            aside[kind] += 1
    bus = FACES[bus_face] if bus_face else None
    shotguns = sum(FACES[name].shotguns for name in names)
    shotguns += bus.shotguns if bus else 0
    counters = bus.brains if bus else 0
    sign = bus_face if bus_face in _SIGNS else ""
    brains = sum(brain_dice) + sum(extra) + counters
    luck = brains - shotguns
    luck += names.count("helmet") + names.count("energy drink")
    luck += {"yield": shotguns, "dead end": sum(feet), "run over": -1}.get(sign, 0)
    luck -= 10 * names.count("horde")
    return Thrown(
        dice=dice,
        feet=tuple(feet),
        brain_dice=tuple(brain_dice),
        extra=tuple(extra),
        shotgun_dice=tuple(shotgun_dice),
        aside=tuple(aside),
        brains=brains,
        shotguns=shotguns,
        counters=counters,
        helmet="helmet" in names,
        energy_drink="energy drink" in names,
        horde="horde" in names,
        sign=sign,
        is_plain=not bus
        and not any(aside)
        and not any(extra)
        and shotguns == sum(shotgun_dice),
        luck=luck,
    )
