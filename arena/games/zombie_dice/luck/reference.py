"""The imaginary player of Zombie Dice on whose turns the value of a position rests.

It stops with a probability that depends on the brains and lives of its turn, between
those of cautious players and of greedy ones, so that it is not far from any.  In the
last turn of a game half of it looks at the score.

Lives are the shotguns that still lead to the end of a turn: three before any has come.
A turn is taken to depend on brains and lives alone.  For the dice of the base game the
chances of a roll are the mean over all ways in which the dice may lie, each as likely
as turns make it that roll on up to `ENOUGH_BRAINS` or two shotguns.  With expansions
they are those of the first roll, without what the dice do to each other.
"""

from collections import defaultdict
from collections.abc import Hashable
from typing import Final

from arena.games.zombie_dice import ZombieDice
from arena.games.zombie_dice.dice import FATAL, FATAL_IN_HELMET
from arena.games.zombie_dice.luck.turns import Turns

Node = tuple[int, int]
"""Brains and lives of a turn."""

BEFORE: Final[Node] = (-1, FATAL)
"""Stands for a turn that begins."""

ENOUGH_BRAINS: Final = 8
"""Brains with which it always stops."""

AWARE_PART: Final = 0.5
"""The part of it that looks at the score in the last turn of a game."""

_STOP_CHANCES: Final = {
    1: (0.3, 1.0),
    2: (0.0, 0.0, 0.0, 0.1, 0.3, 0.5, 0.6, 0.7),
    3: (0.0, 0.0, 0.0, 0.0, 0.1, 0.3, 0.4, 0.5),
}
"""The probability to stop by lives, with 0, 1, 2, … brains; the last for all more."""

Steps = dict[Node, tuple[tuple[Node, float], ...]]


class Reference:
    """Its turns with the dice of a game."""

    def __init__(self, game: ZombieDice) -> None:
        rough = game.setup.has_special_dice
        steps = _rough_steps(game) if rough else _exact_steps(game)
        # A step adds brains, or else it takes lives.
        order = sorted(steps, key=lambda node: (-node[0], node[1]))
        self.steps: Final[Steps] = {node: steps[node] for node in order}
        """Where a roll leads and how likely, each node after those to which it leads.

        What is missing to 1 is a bust.  At all other nodes it stops.
        """
        self.scores: Final = self._work_out_scores()
        """The probability to bank 0, 1, 2, … brains from each node of `steps`."""

    def stops(self, node: Node) -> float:
        """Return the probability to stop where it does not look at the score."""
        brains, lives = node
        if node not in self.steps:
            return 1.0
        by_brains = _STOP_CHANCES[min(lives, FATAL)]
        return by_brains[min(brains, len(by_brains) - 1)] if brains >= 0 else 0.0

    def _work_out_scores(self) -> dict[Node, tuple[float, ...]]:
        most = max(after[0] for steps in self.steps.values() for after, _ in steps)
        found: dict[Node, tuple[float, ...]] = {}
        for node, steps in self.steps.items():
            stop = self.stops(node)
            banked = [0.0] * (most + 1)
            left = 1.0
            for after, p in steps:
                left -= p
                if after in found:
                    for brains, q in enumerate(found[after]):
                        banked[brains] += (1.0 - stop) * p * q
                else:
                    banked[after[0]] += (1.0 - stop) * p
            banked[0] += (1.0 - stop) * left
            banked[max(0, node[0])] += stop
            found[node] = tuple(banked)
        return found


_made: dict[Hashable, Reference] = {}


def reference(game: ZombieDice) -> Reference:
    """Return the reference for the dice of this game, made once for the same dice."""
    key = (
        game.setup.dice,
        game.setup.kinds,
        game.options.cup,
        game.setup.has_special_dice,
    )
    if key not in _made:
        _made[key] = Reference(game)
    return _made[key]


def _exact_steps(game: ZombieDice) -> Steps:
    turns = Turns(game)
    reach: defaultdict[Node, float] = defaultdict(float)
    flow: defaultdict[Node, defaultdict[Node, float]]
    flow = defaultdict(lambda: defaultdict(float))
    for visit in turns.visits(
        lambda b, s: b >= ENOUGH_BRAINS or (s == FATAL - 1 and b > 0)
    ):
        roll = turns.roll(visit.lie)
        if visit.stops or roll is None:
            continue
        is_first = visit.lie == 0
        lives = FATAL - turns.lies[visit.lie].shotguns
        node = BEFORE if is_first else (visit.brains, lives)
        reach[node] += visit.p
        for step in roll.steps:
            lives = FATAL - turns.lies[step.lie].shotguns
            flow[node][visit.brains + step.brains, lives] += visit.p * step.p
    return {
        node: _without_loop(node, {x: p / reach[node] for x, p in after.items()})
        for node, after in flow.items()
    }


def _rough_steps(game: ZombieDice) -> Steps:
    first: defaultdict[tuple[int, int], float] = defaultdict(float)
    table = game.setup.first_roll
    for text, p in table.outcomes():
        found = table.find(text)
        assert found is not None
        thrown = found[0]
        if not thrown.horde:
            brains = sum(thrown.brain_dice) + sum(thrown.extra)
            first[brains, thrown.shotguns] += p
    nodes = [
        (b, lives)
        for b in range(ENOUGH_BRAINS)
        for lives in range(2, FATAL_IN_HELMET + 1)
    ]
    steps = {}
    for node in (BEFORE, (0, 1), *nodes):
        after: defaultdict[Node, float] = defaultdict(float)
        for (brains, shotguns), p in first.items():
            lives = node[1] - shotguns
            if lives > 0:
                after[max(0, node[0]) + brains, lives] += p
        steps[node] = _without_loop(node, after)
    return steps


def _without_loop(
    node: Node, after: dict[Node, float]
) -> tuple[tuple[Node, float], ...]:
    """Return the steps of a roll that is repeated until something changes."""
    once = 1.0 - after.pop(node, 0.0)
    return tuple((found, p / once) for found, p in after.items())
