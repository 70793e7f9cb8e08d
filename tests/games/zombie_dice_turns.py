"""Exact turns and games of Zombie Dice, worked out from what its State does.

A position of a turn is how the dice lie, its layout, with the brains noted.  Brains
that are noted change nothing but the score, so layouts are found without them, and
numbers by position are arrays over the layouts, one for each number of noted brains.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from arena.games import CHANCE, TERMINAL, get_game
from arena.games.zombie_dice import ZombieDiceState

Array = NDArray[np.float64]

T = TypeVar("T")

Chances = defaultdict[T, float]
"""Probabilities that add up."""

Policy = Callable[[Any, Any], Any]
"""Says whether to stop with so many brains and shotguns, arrays of both."""

BUST = -1
"""Stands for a bust among the scores of a turn."""

DICE = 13
"""More brains than these can't lie on the table in the games looked at here."""

_LOST, _WON = -1, -2
"""Stand for the ends of a game for seat 0 where else the number of a node does."""


class Turns:
    """All turns of a seat with these options, for dice of a single brain each."""

    def __init__(self, **options: Any) -> None:
        game = get_game("zombie_dice", 2, {"target": 10**6, **options})
        first = game.new_state()
        assert isinstance(first, ZombieDiceState)
        self._numbers: dict[Hashable, int] = {first.key(): 0}
        found: list[ZombieDiceState | int] = [first]
        bust: Chances[int] = defaultdict(float)
        again: Chances[int] = defaultdict(float)
        steps: defaultdict[int, Chances[tuple[int, int]]]
        steps = defaultdict(lambda: defaultdict(float))
        for i, state in enumerate(found):
            if isinstance(state, int):
                continue
            rolling = state.clone()
            if rolling.current_player() != CHANCE:
                rolling.apply("roll")
            for outcome, p in rolling.chance_outcomes():
                after = rolling.clone()
                after.apply(outcome)
                if after.current_player() == 0:
                    noted, after.turn.noted = after.turn.noted, 0
                    after.turn.brains -= noted
                    j = self._number(after.key(), after, found)
                    if i == j and not noted:
                        again[i] += p
                    else:
                        steps[noted][i, j] += p
                elif banked := after.banked[0]:
                    steps[0][i, self._number(("stopped", banked), banked, found)] += p
                else:
                    bust[i] += p
        self._arrange(found, bust, again, steps)

    def _number(
        self,
        key: Hashable,
        state: ZombieDiceState | int,
        found: list[ZombieDiceState | int],
    ) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(found)
            found.append(state)
        return self._numbers[key]

    def _arrange(
        self,
        found: list[ZombieDiceState | int],
        bust: Chances[int],
        again: Chances[int],
        steps: dict[int, Chances[tuple[int, int]]],
    ) -> None:
        """Order the layouts so that each roll leads to a later one or to more noted.

        A roll adds brains or shotguns or ends in three feet, else it changes nothing,
        and then it is made again.
        """
        size = len(found)
        where = [
            (DICE + 3, 0, 0, state)
            if isinstance(state, int)
            else (
                state.brains + state.shotguns if i else -1,
                sum(state.turn.hand),
                state.shotguns,
                state.brains,
            )
            for i, state in enumerate(found)
        ]
        order = sorted(range(size), key=where.__getitem__)
        place = np.argsort(order)
        self.brains = np.array([where[i][3] for i in order])
        self.shotguns = np.array([where[i][2] for i in order])
        self.goes_on = np.array([isinstance(found[i], ZombieDiceState) for i in order])
        """Whether there is a choice: False where a seat had to stop."""
        levels = [where[i][:2] for i in order]
        firsts = [i for i in range(size) if not i or levels[i] != levels[i - 1]]
        self._levels = [
            slice(start, stop)
            for start, stop in zip(firsts, [*firsts[1:], size], strict=True)
        ]
        once = np.ones(size)
        for i, p in again.items():
            once[place[i]] -= p
        self._bust = np.zeros(size)
        for i, p in bust.items():
            self._bust[place[i]] = p / once[place[i]]
        self._noting = {}
        for noted, ways in steps.items():
            row, column = place[np.array(list(ways)).T]
            p = np.array(list(ways.values())) / once[row]
            matrix = csr_array((p, (row, column)), shape=(size, size))
            if noted:
                self._noting[noted] = matrix
            else:
                assert all(
                    levels[i] < levels[j] for i, j in zip(row, column, strict=True)
                )
                self._plain = [matrix[level] for level in self._levels]

    def _noted(self, most: int) -> list[int]:
        """Return every number of noted brains up to `most`, ascending."""
        found = {0}
        for n in range(most + 1):
            if n in found:
                found.update(n + more for more in self._noting if n + more <= most)
        return sorted(found)

    def best(self, bank: Array, bust: Array, beyond: Array, most: int) -> Array:
        """Return the most that a turn is worth, for several payoffs at once.

        `bank[b]` are the payoffs for b brains banked, b = 0 to `most` + 2 * `DICE`;
        `bust` those for a bust.  A position with more than `most` brains noted and
        b brains in all is taken to be worth `beyond[b]`.
        """
        worth: dict[int, Array] = {}
        for noted in reversed(self._noted(most)):
            value = bank[self.brains + noted]
            roll = np.outer(self._bust, bust)
            for more, matrix in self._noting.items():
                total = noted + more
                roll += matrix @ (
                    worth[total] if total <= most else beyond[self.brains + total]
                )
            roll[~self.goes_on] = -np.inf
            levels = zip(self._levels[::-1], self._plain[::-1], strict=True)
            for level, matrix in levels:
                rest = value[level]
                np.maximum(rest, roll[level] + matrix @ value, out=rest)
            # The first roll of a turn is compulsory.
            value[0] = roll[0] + self._plain[0] @ value
            worth[noted] = value
        found: Array = worth[0][0]
        return found

    def scores(self, stops: Policy, most: int) -> dict[int, float]:
        """Return the probability of each score of a turn, `BUST` among them.

        A seat stops where it has noted more than `most` brains.
        """
        reach = {0: np.zeros(len(self.brains))}
        reach[0][0] = 1.0
        scores: defaultdict[int, float] = defaultdict(float)
        for noted in range(most + 1 + DICE):
            if noted not in reach:
                continue
            mass = reach.pop(noted)
            brains = self.brains + noted
            ends = ~self.goes_on | stops(brains, self.shotguns) | (noted > most)
            ends[0] = False
            rolled = np.where(ends, 0.0, 1.0)
            for level, matrix in zip(self._levels, self._plain, strict=True):
                mass += matrix.T @ (mass * rolled)[level]
            rolled *= mass
            for more, matrix in self._noting.items():
                if noted <= most:
                    into = reach.setdefault(noted + more, np.zeros(len(brains)))
                    into += matrix.T @ rolled
            scores[BUST] += float(self._bust @ rolled)
            for score, p in enumerate(np.bincount(brains, mass - rolled)):
                scores[score] += float(p)
        return scores


class Race:
    """A game of two seats that play it to its end as well as it can be played.

    Its nodes are the states in which a turn begins.  Those of a seat are one node if
    whatever the turn scores leads them to the same ones.
    """

    def __init__(self, turns: Turns, most: int, **options: Any) -> None:
        self._turns = turns
        self._most = most
        first = get_game("zombie_dice", 2, options).new_state()
        assert isinstance(first, ZombieDiceState)
        numbers: dict[Hashable, int] = {first.key(): 0}
        states = [first]
        rows = []
        for state in states:
            row = []
            for brains in (BUST, *range(most + 2 * DICE + 1)):
                after = end_turn(state, brains)
                if after.current_player() == TERMINAL:
                    row.append(_WON if after.returns()[0] else _LOST)
                    continue
                if after.key() not in numbers:
                    numbers[after.key()] = len(states)
                    states.append(after)
                row.append(numbers[after.key()])
            rows.append(row)
        same: dict[Hashable, int] = {}
        node = [
            same.setdefault((state.seat, *row), i)
            for i, (state, row) in enumerate(zip(states, rows, strict=True))
        ]
        self._next = np.array([[n if n < 0 else node[n] for n in row] for row in rows])
        groups: defaultdict[int, tuple[list[int], list[int]]]
        groups = defaultdict(lambda: ([], []))
        for i in same.values():
            state = states[i]
            is_last = state.final_round or bool(state.tied)
            groups[10**6 if is_last else sum(state.banked)][state.seat].append(i)
        self._groups = [groups[total] for total in sorted(groups, reverse=True)]
        """Nodes by seat that lead to each other or to those of earlier groups."""
        self._value = np.full(len(rows) + 2, 0.5)
        self._value[_LOST], self._value[_WON] = 0.0, 1.0

    def first_wins(self, favoured: int, tolerance: float) -> float:
        """Return the chance of seat 0 to win, or a bound on it.

        Where a seat has noted more than `most` brains, it has won if it is `favoured`,
        and has banked them otherwise.  The one is never less than what it could have
        reached, the other never more.
        """
        value = self._value
        for group in self._groups:
            nodes = list(chain(*group))
            while True:
                start = value[nodes]
                self._improve(value, group, favoured)
                middle = value[nodes]
                self._improve(value, group, favoured)
                last = middle - start
                step = value[nodes] - middle
                # A step shrinks by the same ratio each time, unless the best play
                # becomes another; so the sum of those to come is known.
                ratio = np.divide(step, last, out=np.zeros_like(step), where=last != 0)
                ratio = np.clip(ratio, 0.0, 0.5)
                rest = step * ratio / (1 - ratio)
                value[nodes] += rest
                if max(abs(rest)) < tolerance:
                    break
        return float(value[0])

    def _improve(
        self, value: Array, group: tuple[list[int], list[int]], favoured: int
    ) -> None:
        for seat in (1, 0):
            if not group[seat]:
                continue
            payoff = value[self._next[group[seat]]].T
            payoff = 1 - payoff if seat else payoff
            bust, bank = payoff[0], payoff[1:]
            beyond = np.ones_like(bank) if seat == favoured else bank
            best = self._turns.best(bank, bust, beyond, self._most)
            value[group[seat]] = 1 - best if seat else best


def end_turn(state: ZombieDiceState, brains: int) -> ZombieDiceState:
    """Return what comes after a turn that scores so many brains, or is a bust."""
    after = state.clone()
    if brains == BUST:
        after.apply("yellow shotgun, yellow shotgun, yellow shotgun")
    else:
        after.apply("yellow feet, yellow feet, yellow feet")
        after.turn.brains = brains
        after.apply("stop")
    return after
