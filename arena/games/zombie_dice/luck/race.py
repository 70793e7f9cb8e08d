"""Which of two seats of Zombie Dice finishes ahead, if both play like the reference.

The two are taken to be alone at the table, the first before the second in each round.
The chances are exact for the reference, except that a tie at the end counts as half.
"""

from enum import IntEnum
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Final

from arena.games.zombie_dice.dice import FATAL_IN_HELMET
from arena.games.zombie_dice.luck.reference import AWARE_PART, BEFORE, Reference

MOST_TARGET: Final = 200
"""The work grows with the square of the target: this one takes a second or two."""

_WIDTH: Final = 32
"""The places of a row for each number of lives; leads of so many count alike."""

MOST_BRAINS: Final = _WIDTH - 2
"""More of them in hand count as so many."""

_CACHED_ROWS: Final = 4096
"""Rows that are kept; the base game has fewer."""


class RaceStage(IntEnum):
    """Which of the two is on turn or will be next, and whether the end is near."""

    FIRST = 0
    SECOND = 1
    LAST_BUT_ONE = 2
    """The first, before the last turn of the second."""
    LAST = 3
    """The second, before the end."""


def place(brains: int, lives: int) -> int:
    """Return the index in a row of a turn with so many brains and lives."""
    return lives * _WIDTH + 1 + min(brains, MOST_BRAINS)


BEGIN: Final = place(*BEFORE)
"""The index in a row of a turn that begins."""


class Race:
    """The chance of the first to finish ahead, from everywhere.

    Raises:
        ValueError: the target is above `MOST_TARGET`.
    """

    def __init__(self, reference: Reference, target: int) -> None:
        if target > MOST_TARGET:
            raise ValueError(
                f"expected a target of at most {MOST_TARGET} brains; found {target}"
            )
        self._reference = reference
        self._target = target
        self._last = cache(self._work_out_last)
        self._blind = lru_cache(maxsize=_CACHED_ROWS)(self._work_out_blind)
        self._begins: dict[tuple[RaceStage, int, int], float] = {}
        for total in range(2 * target - 2, -1, -1):
            for first in range(max(0, total - target + 1), min(total, target - 1) + 1):
                self._solve(first, total - first)

    def row(self, stage: RaceStage, first: int, second: int) -> list[float]:
        """Return the chances in a turn, at `place(brains, lives)`.

        `first` and `second` are what the two have banked.
        """
        if stage < RaceStage.LAST_BUT_ONE:
            return self._blind(stage, first, second)
        lead = max(-_WIDTH, min(first - second, _WIDTH))
        if stage is RaceStage.LAST:
            return self._last(lead)
        return self._blind(stage, lead, 0)

    def begin(self, stage: RaceStage, first: int, second: int) -> float:
        """Return the chance where a turn begins."""
        if stage < RaceStage.LAST_BUT_ONE:
            return self._begins[stage, first, second]
        return self.row(stage, first, second)[BEGIN]

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits of all its numbers to nine decimal places."""
        numbers = list(self._begins.values())
        for lead in range(-_WIDTH, _WIDTH + 1):
            numbers += self.row(RaceStage.LAST, lead, 0)
        for scores in self._reference.scores.values():
            numbers += scores
        hashed = blake2b(digest_size=8)
        for number in numbers:
            hashed.update(b"%.9f " % number)
        return hashed.hexdigest()

    def _solve(self, first: int, second: int) -> None:
        """Find the chances at both stages, which lead to each other by busts."""
        bust, *gains = self._reference.scores[BEFORE]
        a = b = 0.0
        for gain, p in enumerate(gains, 1):
            a += p * self._after(RaceStage.FIRST, first, second, gain)
            b += p * self._after(RaceStage.SECOND, first, second, gain)
        at_first = (a + bust * b) / (1.0 - bust * bust)
        at_second = b + bust * at_first
        self._begins[RaceStage.FIRST, first, second] = min(at_first, 1.0)
        self._begins[RaceStage.SECOND, first, second] = min(at_second, 1.0)

    def _after(self, stage: RaceStage, first: int, second: int, gain: int) -> float:
        """Return the chance once the seat on turn has banked so many brains."""
        if stage is RaceStage.LAST or (
            stage is RaceStage.SECOND and second + gain >= self._target
        ):
            return result(first - second - gain)
        if stage is RaceStage.SECOND:
            return self._begins[RaceStage.FIRST, first, second + gain]
        if stage is RaceStage.FIRST and first + gain < self._target:
            return self._begins[RaceStage.SECOND, first + gain, second]
        return self.begin(RaceStage.LAST, first + gain, second)

    def _banked(self, stage: RaceStage, first: int, second: int) -> list[float]:
        """Return a row in which the seat stops wherever it is."""
        by_brains = [
            self._after(stage, first, second, max(0, brains))
            for brains in range(-1, _WIDTH - 1)
        ]
        return by_brains * (FATAL_IN_HELMET + 1)

    def _work_out_blind(self, stage: RaceStage, first: int, second: int) -> list[float]:
        """Return the row of a turn in which the score is not looked at."""
        banked = self._banked(stage, first, second)
        row = banked[:]
        for node, scores in self._reference.scores.items():
            value = 0.0
            for gain, p in enumerate(scores):
                value += p * banked[gain + 1]
            row[place(*node)] = min(value, 1.0)
        return row

    def _work_out_last(self, lead: int) -> list[float]:
        """Return the row of the last turn, in which a part of it looks at the score."""
        row = self._banked(RaceStage.LAST, lead, 0)
        for node, steps in self._reference.steps.items():
            at = place(*node)
            stop = self._reference.stops(node)
            if node != BEFORE:
                stop += AWARE_PART * (1.0 - row[at] - stop)
            rolled = 0.0
            bust = 1.0
            for after, p in steps:
                rolled += p * row[place(*after)]
                bust -= p
            rolled += bust * result(lead)
            row[at] = min(stop * row[at] + (1.0 - stop) * rolled, 1.0)
        return row


def result(lead: int) -> float:
    """Return 1 for a lead, 0.5 for a tie, else 0."""
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
