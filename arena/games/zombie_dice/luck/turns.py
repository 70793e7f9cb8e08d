"""Exact turns of Zombie Dice.

The dice are those of the base game or like them, with single brains, single shotguns
and feet, under any rule for the cup.  The numbers are sums of products in a fixed
order, so that they are the same on every machine.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import comb, prod
from typing import Final, NamedTuple

from arena.games.zombie_dice import ZombieDice
from arena.games.zombie_dice.dice import FATAL, ROLLED, Counts, plus

Policy = Callable[[int, int], bool]
"""Says whether a seat stops with so many brains and shotguns in its turn."""

_NEGLIGIBLE_CHANCE: Final = 1e-12
"""A position that is less likely counts as stopped at: else turns would have no end."""

_LEVELS_PER_BRAIN: Final = ROLLED + 1
"""A brain or shotgun weighs more than all feet."""


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
    """Grows from position to position, by `_LEVELS_PER_BRAIN` for each brain."""


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
                ends = level >= 0 and (
                    p < _NEGLIGIBLE_CHANCE or stops(brains, shotguns)
                )
                roll = None if ends else self.roll(number)
                yield Visit(number, brains, p, roll is None)
                if roll is None:
                    continue
                for lie, gained, chance, above in roll.steps:
                    after = levels[above + brains * _LEVELS_PER_BRAIN]
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
            return lie.brains, plus(lie.hand, lie.cup), self._none
        return plus(lie.cup, lie.brains), lie.hand, self._none

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
            lying = plus(brain_dice, brains) if gained else brain_dice
            after = (left, feet, lying, total)
            found = numbers.get(after)
            if found is None:
                found = self._number(Lie(*after))
            # A brain die that went back may come to lie as before: one brain more.
            if found == number and not gained:
                again += p
                continue
            steps[found, gained, (gained + total) * _LEVELS_PER_BRAIN + in_hand] += p
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
            for fallen, p in self._fall(plus(hand, drawn)).items()
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
                    longer[plus(b, die), s, f] += p * brains / faces
                    longer[b, s + 1, f] += p * shotguns / faces
                    longer[b, s, plus(f, die)] += (
                        p * (faces - brains - shotguns) / faces
                    )
                found = longer
        return found
