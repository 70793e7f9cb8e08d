"""Exact turns of Zombie Dice, and exact games between two who never look at the score.

The dice are those of the base game or like them, with single brains, single shotguns
and feet, under any rule for the cup.  The numbers are sums of products in a fixed
order, so that they are the same on every machine.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from math import comb, prod
from operator import add
from typing import Final, NamedTuple

from arena.games import get_game
from arena.games.zombie_dice import ZombieDice
from arena.games.zombie_dice.dice import FATAL, ROLLED

Policy = Callable[[int, int], bool]
"""Says whether a seat stops with so many brains and shotguns in its turn."""

Counts = tuple[int, ...]

_NEGLIGIBLE: Final = 1e-12
"""A position that is less likely counts as stopped at: else turns would have no end."""


_LEVEL: Final = ROLLED + 1
"""A brain or shotgun weighs more than all feet."""


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


class Lie(NamedTuple):
    """How the dice lie between two rolls, by kind; all others lie as shotguns."""

    cup: Counts
    hand: Counts
    """Feet."""
    brains: Counts
    """Dice that can still go back to the cup."""
    shotguns: int


class Step(NamedTuple):
    """What a roll may lead to: the number of the next lie, brains gained, chance."""

    lie: int
    brains: int
    p: float
    level: int
    """Grows from each position of a turn to the next, by `_LEVEL` for each brain."""


class Roll(NamedTuple):
    """What a roll that is repeated while nothing changes leads to."""

    bust: float
    steps: tuple[Step, ...]


class Visit(NamedTuple):
    """A position of a turn, and how likely a turn comes to it."""

    lie: int
    brains: int
    p: float
    stops: bool


class Turns:
    """All turns with the dice of a game, each lie of the dice worked out once.

    Raises:
        ValueError: there are other effects than brains, shotguns and feet.
    """

    def __init__(self, game: ZombieDice) -> None:
        if game.setup.has_special_dice:
            raise ValueError("expected the dice of the base game, without expansions")
        kinds = [k for k, n in enumerate(game.setup.dice) if n]
        faces = [game.setup.kinds[k].faces for k in kinds]
        self._faces = [(f.count("brain"), f.count("shotgun"), len(f)) for f in faces]
        self._none: Counts = (0,) * len(kinds)
        self._model = game.options.cup
        dice = tuple(game.setup.dice[k] for k in kinds)
        self.lies: list[Lie] = []
        """Every lie that was met so far, the one before the first roll at first."""
        self._numbers: dict[tuple[Counts, Counts, Counts, int], int] = {}
        self._number(Lie(dice, self._none, self._none, 0))
        self.roll = cache(self._work_out_roll)
        """What a roll from the lie of a number leads to; None if dice are too few."""
        self._fall = cache(self._work_out_fall)
        self._throw = cache(self._work_out_throw)

    def scores(self, stops: Policy) -> Scores:
        """Return the exact scores of the turns of this policy.

        Rolls of less than 1 in 10^12 turns count as not made.
        """
        banked: defaultdict[int, float] = defaultdict(float)
        total = 0.0
        for visit in self.visits(stops):
            if visit.stops:
                banked[visit.brains] += visit.p
                total += visit.p
        bust = 1.0 - total
        banked[0] += bust
        return Scores(tuple(banked[b] for b in range(max(banked) + 1)), bust)

    def visits(self, stops: Policy) -> Iterator[Visit]:
        """Yield all positions to which turns of this policy come, each once.

        Positions come before all to which they lead.
        """
        # A roll adds brains or shotguns, or else it leaves more feet in hand.
        levels: defaultdict[int, defaultdict[tuple[int, int], float]]
        levels = defaultdict(lambda: defaultdict(float))
        levels[-1][0, 0] = 1.0
        while levels:
            level = min(levels)
            for (number, brains), p in levels.pop(level).items():
                shotguns = self.lies[number].shotguns
                # The first roll is compulsory (ruling 8).
                ends = level >= 0 and (p < _NEGLIGIBLE or stops(brains, shotguns))
                roll = None if ends else self.roll(number)
                yield Visit(number, brains, p, roll is None)
                if roll is None:
                    continue
                for lie, gained, chance, above in roll.steps:
                    after = levels[above + brains * _LEVEL]
                    after[lie, brains + gained] += p * chance

    def _number(self, lie: Lie) -> int:
        number = self._numbers.setdefault(lie, len(self.lies))
        if number == len(self.lies):
            self.lies.append(lie)
        return number

    def _refill(self, lie: Lie) -> tuple[Counts, Counts, Counts]:
        """Return cup, dice to roll and brain dice once the cup is full (ruling 1)."""
        left, needed = sum(lie.cup), ROLLED - sum(lie.hand)
        is_short = left < (ROLLED if self._model == "literal" else needed)
        if not needed or not is_short or self._model == "none":
            return lie.cup, lie.hand, lie.brains
        if self._model == "rest_first":
            return lie.brains, _plus(lie.hand, lie.cup), self._none
        return _plus(lie.cup, lie.brains), lie.hand, self._none

    def _work_out_roll(self, number: int) -> Roll | None:
        lie = self.lies[number]
        cup, hand, brain_dice = self._refill(lie)
        if sum(cup) + sum(hand) < ROLLED:
            return None
        bust = again = 0.0
        steps: defaultdict[tuple[int, int, int], float] = defaultdict(float)
        numbers = self._numbers
        for left, brains, shotguns, feet, gained, in_hand, p in self._throw(cup, hand):
            total = lie.shotguns + shotguns
            if total >= FATAL:
                bust += p
                continue
            lying = _plus(brain_dice, brains) if gained else brain_dice
            after = (left, feet, lying, total)
            found = numbers.get(after)
            if found is None:
                found = self._number(Lie(*after))
            # A brain die that went back may come to lie as before: one brain more.
            if found == number and not gained:
                again += p
                continue
            steps[found, gained, (gained + total) * _LEVEL + in_hand] += p
        once = 1.0 - again
        return Roll(
            bust / once,
            tuple(
                Step(lie, n, p / once, level) for (lie, n, level), p in steps.items()
            ),
        )

    def _work_out_throw(
        self, cup: Counts, hand: Counts
    ) -> list[tuple[Counts, Counts, int, Counts, int, int, float]]:
        """Return each way to draw and roll, and how likely it is.

        What is left in the cup, brains, shotguns, feet; how many brains and feet.
        """
        needed = ROLLED - sum(hand)
        ways = comb(sum(cup), needed)
        return [
            (
                left,
                *fallen,
                sum(fallen[0]),
                sum(fallen[2]),
                prod(map(comb, cup, drawn)) / ways * p,
            )
            for drawn in product(*(range(min(n, needed) + 1) for n in cup))
            if sum(drawn) == needed
            for left in [tuple(n - m for n, m in zip(cup, drawn, strict=True))]
            for fallen, p in self._fall(_plus(hand, drawn)).items()
        ]

    def _work_out_fall(self, dice: Counts) -> dict[tuple[Counts, int, Counts], float]:
        """Return brains, shotguns and feet that these dice show, and how likely."""
        found = {(self._none, 0, self._none): 1.0}
        for kind, n in enumerate(dice):
            brains, shotguns, faces = self._faces[kind]
            die = tuple(int(k == kind) for k in range(len(dice)))
            for _ in range(n):
                longer: defaultdict[tuple[Counts, int, Counts], float]
                longer = defaultdict(float)
                for (b, s, f), p in found.items():
                    longer[_plus(b, die), s, f] += p * brains / faces
                    longer[b, s + 1, f] += p * shotguns / faces
                    longer[b, s, _plus(f, die)] += (
                        p * (faces - brains - shotguns) / faces
                    )
                found = longer
        return found


def turn_scores(stops: Policy) -> Scores:
    """Return the exact scores of a turn of the base game for this policy.

    The policy may look at nothing but the brains and shotguns of the turn.
    """
    return _base_turns().scores(stops)


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


def _plus(a: Counts, b: Counts) -> Counts:
    return tuple(map(add, a, b))
