"""Exact turns and games of Zombie Dice between two who never look at the score."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from arena.games import get_game
from arena.games.zombie_dice import ZombieDice
from arena.games.zombie_dice.luck.turns import Policy, Turns


class Scores(NamedTuple):
    """How likely each score of a turn is."""

    banked: tuple[float, ...]
    """The probability to bank 0, 1, 2, … brains; a bust banks 0."""
    bust: float
    """The probability of a bust."""

    @property
    def mean(self) -> float:
        """Brains banked in a turn, on average."""
        total = 0.0
        for brains, p in enumerate(self.banked):
            total += brains * p
        return total


def scores_in(turns: Turns, stops: Policy) -> Scores:
    """Return the exact scores of the turns of this policy.

    Rolls of less than 1 in 10^12 turns count as not made.
    """
    banked: defaultdict[int, float] = defaultdict(float)
    total = 0.0
    for visit in turns.visits(stops):
        if visit.stops:
            banked[visit.brains] += visit.p
            total += visit.p
    bust = 1.0 - total
    banked[0] += bust
    return Scores(tuple(banked[b] for b in range(max(banked) + 1)), bust)


def turn_scores(stops: Policy) -> Scores:
    """Return the exact scores of a turn of the base game for this policy.

    The policy may look at nothing but the brains and shotguns of the turn.
    """
    return scores_in(_base_turns(), stops)


def chance_to_win(
    first: Sequence[float],
    second: Sequence[float],
    target: int = 13,
    tiebreak_rounds: int = 0,
) -> float:
    """Return the exact chance that seat 0 wins, a shared win being half.

    `first` and `second` are the `Scores.banked` of the policies in seats 0 and 1 of a
    game of two; `tiebreak_rounds` is the option, 0 for as many as it takes.
    """
    leads, ties = _one_round(first, second)
    after_tie = 0.5
    if tiebreak_rounds:
        for _ in range(tiebreak_rounds):
            after_tie = leads + ties * after_tie
    elif ties < 1.0:
        after_tie = leads / (1.0 - ties)
    total = 0.0
    reach: dict[tuple[int, int], float] = {(0, 0): 1.0}
    # Rounds in which nobody scores change nothing: what follows is shared out among
    # the rest.
    rest = 1.0 - first[0] * second[0]
    for level in range(2 * target - 1):
        for mine in range(max(0, level - target + 1), min(level, target - 1) + 1):
            p = reach.pop((mine, level - mine), 0.0) / rest
            for gain, q in enumerate(first):
                for other, r in enumerate(second):
                    if not gain and not other:
                        continue
                    a, b = mine + gain, level - mine + other
                    if max(a, b) < target:
                        reach[a, b] = reach.get((a, b), 0.0) + p * q * r
                    elif a > b:
                        total += p * q * r
                    elif a == b:
                        total += p * q * r * after_tie
    return total


def _one_round(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return the chances that the first scores more, and that both score the same."""
    leads = ties = 0.0
    for mine, p in enumerate(first):
        for other, q in enumerate(second):
            if mine > other:
                leads += p * q
            elif mine == other:
                ties += p * q
    return leads, ties


@cache
def _base_turns() -> Turns:
    game = get_game("zombie_dice", 2)
    assert isinstance(game, ZombieDice)
    return Turns(game)
