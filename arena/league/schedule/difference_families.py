"""Rings of places, and bases in them that hold every distance equally often.

A base is a choice of places; shifted all the way round the ring it gives a group for
every shift, and how often two places meet depends on the shift between them alone.
(R. C. Bose, "On the construction of balanced incomplete block designs", Annals of
Eugenics 9, 1939, the method of differences.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from math import prod
from random import Random

FEW_ENTRIES = 64
"""With more entries only circles are tried, and no other rings."""
_MAX_MIXTURES = 4
"""Mixtures of shapes that are tried for a number of groups."""
_PROHIBITIVE = 1 << 60
"""The score of a place that must not be picked."""


class Ring:
    """Places that can be shifted onto each other, and perhaps one more at the hub.

    A circle, or the product of several: a torus.  Shifts have the numbers of the
    places that they move place 0 to.
    """

    def __init__(self, circles: tuple[int, ...], hub: bool) -> None:
        self.size = prod(circles)
        """Places beside the hub, whose number comes after theirs."""
        self.hub = hub
        self.shifts = [[0]]
        """From a place to another."""
        for circle in circles:
            steps = [*range(circle), *range(circle)]
            self.shifts = [
                [old * circle + step for old in row for step in steps[i : i + circle]]
                for row in self.shifts
                for i in range(circle, 0, -1)
            ]
        self.back = [row[0] for row in self.shifts]
        """The opposite of a shift."""
        periods = {self._multiples(shift) for shift in range(self.size)}
        if len(circles) > 1:
            periods |= {
                tuple(sorted({self.shift(x, y) for x in a for y in b}))
                for a, b in combinations(sorted(periods), 2)
            }
        self.periods: dict[int, list[tuple[int, ...]]] = {}
        """Sets of shifts, by size: done one after another they stay in the set."""
        for period in sorted(periods):
            self.periods.setdefault(len(period), []).append(period)

    def shift(self, place: int, shift: int) -> int:
        """Return the place that a shift moves a place to."""
        return self.shifts[self.back[shift]][place]

    def _multiples(self, shift: int) -> tuple[int, ...]:
        found = [0]
        while place := self.shift(found[-1], shift):
            found.append(place)
        return tuple(sorted(found))


@cache
def rings(entries: int) -> list[Ring]:
    """Return rings with so many places, hub included; the circles first."""
    tori = [(circles, False) for circles in _tori(entries, entries)]
    tori += [(circles, True) for circles in _tori(entries - 1, entries - 1)]
    tori.sort(key=lambda torus: len(torus[0]))
    return [Ring(*torus) for torus in (tori if entries <= FEW_ENTRIES else tori[:2])]


def _tori(size: int, multiple: int) -> Iterator[tuple[int, ...]]:
    """Yield the tori of a size, as circles of which each divides the one before."""
    if size == 1:
        yield ()
    for circle in range(2, size + 1):
        if size % circle == 0 and multiple % circle == 0:
            for rest in _tori(size // circle, circle):
                yield (circle, *rest)


@dataclass(frozen=True, slots=True)
class Shape:
    """The form of a base, before its places are chosen."""

    period: int
    """Shifts that leave it as it is: it makes so many times fewer groups."""
    picks: int
    """Places to choose; each brings along those a shift of the period away."""
    hub: bool
    """True if the hub belongs to it."""


def mixtures(ring: Ring, seated: int, number: int) -> list[list[Shape]]:
    """Return shapes of bases that make `number` groups, the fewest bases first.

    The hub is in as many groups as the others are, or in one more or less.
    """
    mixed = [
        with_hub + others
        for of_hub in _groups_of_hub(ring, seated * number)
        for with_hub in _split(ring, seated, of_hub, hub=True)
        for others in _split(ring, seated, number - of_hub, hub=False)
    ]
    return sorted(mixed, key=len)[:_MAX_MIXTURES]


def _groups_of_hub(ring: Ring, seats: int) -> list[int]:
    if not ring.hub:
        return [0]
    mean = seats // (ring.size + 1)
    return [
        of_hub
        for of_hub in range(max(0, mean - 1), mean + 3)
        if (seats - of_hub) % ring.size == 0
        and abs((seats - of_hub) // ring.size - of_hub) <= 1
    ]


def _split(ring: Ring, seated: int, number: int, *, hub: bool) -> list[list[Shape]]:
    """Return shapes that make `number` groups, as many all the way round as can be."""
    shapes = [
        Shape(period, (seated - hub) // period, hub)
        for period in sorted(ring.periods)
        if seated > hub and (seated - hub) % period == 0
    ]

    def choose(i: int, left: int) -> Iterator[list[Shape]]:
        if left == 0:
            yield []
        elif i < len(shapes):
            most, more = divmod(left, ring.size // shapes[i].period)
            least = 0
            if i == 0:
                least = max(0, most - 1)
            elif i == len(shapes) - 1:
                least = most + (more > 0)
            for times in range(most, least - 1, -1):
                for rest in choose(i + 1, left - times * ring.size // shapes[i].period):
                    yield [shapes[i]] * times + rest

    return list(islice(choose(0, number), _MAX_MIXTURES))


@cache
def _sets(ring: Ring, period: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return for each place the set that the shifts of a period make of it."""
    return [
        tuple(sorted(ring.shift(place, shift) for shift in period))
        for place in range(ring.size)
    ]


@dataclass(frozen=True, slots=True)
class _Base:
    hub: bool
    sets: list[tuple[int, ...]]
    firsts: list[int]
    """The first place of each set."""
    picks: list[int]


class Search:
    """Looks for bases in which every shift leads `low` to `high` times to another."""

    def __init__(
        self, ring: Ring, shapes: list[Shape], low: int, high: int, random: Random
    ) -> None:
        self._ring = ring
        self._random = random
        most = max(high, sum(shape.picks for shape in shapes)) + 2
        self._off = [max(0, low - times, times - high) for times in range(most + 1)]
        """The error of a shift, by how many times it leads to another place."""
        # Half way round, there and back are one shift: it counts half, and steps by 2.
        self._steps = [1 + (back == shift) for shift, back in enumerate(ring.back)]
        self._gain = {
            step: [
                (3 - step) * (after - before)
                for before, after in zip(self._off, self._off[step:], strict=False)
            ]
            for step in (1, 2)
        }
        """The change of the error with one place more, by step and number of times."""
        self._times = [low] + [0] * (ring.size - 1)
        self._bases = []
        for shape in shapes:
            period = random.choice(ring.periods[shape.period])
            sets = _sets(ring, period)
            firsts = [place for place, own in enumerate(sets) if own[0] == place]
            picks = random.sample(firsts, shape.picks)
            self._bases.append(_Base(shape.hub, sets, firsts, picks))
            for shift in period[1:]:
                self._times[shift] += shape.picks
        self._wrong = sum(self._off[times] for times in self._times)
        self._gains = [
            self._gain[step][times]
            for step, times in zip(self._steps, self._times, strict=True)
        ]
        for base in self._bases:
            for i, place in enumerate(base.picks):
                self._count(base, place, base.picks[:i], 1)

    def run(self, moves: int, worse: float) -> bool:
        """Move a pick at a time to where it does best; return whether all is right.

        A move that makes a shift worse by one is made with the chance `worse`.
        """
        chance = self._random.random
        bases = [base for base in self._bases if 1 < len(base.picks) < len(base.firsts)]
        while self._wrong and moves and bases:
            moves -= 1
            base = bases[int(chance() * len(bases))]
            i = int(chance() * len(base.picks))
            old = base.picks[i]
            others = base.picks[:i] + base.picks[i + 1 :]
            before = self._wrong
            self._count(base, old, others, -1)
            best = self._best(base, others)
            new = best[int(chance() * len(best))]
            self._count(base, new, others, 1)
            # The sum has a shift and its opposite.
            if chance() < worse ** (max(0, self._wrong - before) / 2):
                base.picks[i] = new
            else:
                self._count(base, new, others, -1)
                self._count(base, old, others, 1)
        return self._wrong == 0

    def _best(self, base: _Base, others: list[int]) -> list[int]:
        """Return the places, none of them picked by now, that go best with others."""
        gains = self._gains
        if len(base.firsts) < self._ring.size:
            gains = [sum([gains[shift] for shift in own]) for own in base.sets]
        scores = [
            sum(parts)
            for parts in zip(
                *[map(gains.__getitem__, self._ring.shifts[o]) for o in others],
                strict=True,
            )
        ]
        for place in base.picks:
            for own in base.sets[place]:
                scores[own] = _PROHIBITIVE
        best = min(scores)
        return [place for place, score in enumerate(scores) if score == best]

    def _count(self, base: _Base, place: int, others: list[int], sign: int) -> None:
        """Count the shifts between a place and others of a base, or no more (-1)."""
        off, back, times = self._off, self._ring.back, self._times
        for other in others:
            for shift in base.sets[self._ring.shifts[other][place]]:
                step = self._steps[shift]
                before = times[shift]
                after = before + step * sign
                self._wrong += (3 - step) * (off[after] - off[before])
                times[shift] = times[back[shift]] = after
                self._gains[shift] = self._gains[back[shift]] = self._gain[step][after]

    def groups(self) -> Iterator[tuple[int, ...]]:
        """Yield the groups that the bases make."""
        for base in self._bases:
            places = [own for place in base.picks for own in base.sets[place]]
            hub = [self._ring.size] * base.hub
            for shift in base.firsts:
                yield (*(self._ring.shift(place, shift) for place in places), *hub)
