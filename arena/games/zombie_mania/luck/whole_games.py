"""Luck in whole games of Zombie Mania!, in few steps.

A turn goes from point to point, and the points are the same in all games.  The value of
a point depends on the standing alone, and is worked out once for each.  The game's
state is only asked what follows a turn, once for each standing.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from operator import le
from typing import Final

from arena.games.luck import NotFollowedError
from arena.games.zombie_mania import ZombieMania, ZombieManiaState
from arena.games.zombie_mania.dice import (
    DICE,
    NO_DICE,
    PAIR,
    Counts,
    can_send,
    has_zombie,
    keeps,
    movable,
    rolls,
)
from arena.games.zombie_mania.luck.turn_points import (
    MOST_WANTED,
    Outlook,
    turn_points,
    useful_pairs,
)

_CACHED_ENTRIES: Final = 1 << 17
"""Throws and values that are kept, some 30 MB; thousands of games have fewer."""

NOTHING: Final = "move 0"
"""What a turn comes to in which nothing may be moved."""

Begin = Callable[[ZombieManiaState], Sequence[float]]
"""Returns the values of all pairs before a turn, or at the end."""
EndsOf = Callable[[ZombieManiaState], "Ends"]
Ends = list[tuple[float, ...]]
"""For each pair, the values after each of `MOVES` of the seat on turn."""


def weighed(outlook: Outlook, ends: Ends) -> list[float]:
    """Return, for each pair, the mean over what the turn may come to."""
    means = []
    for values in ends:
        mean = 0.0
        for p, value in zip(outlook, values, strict=True):
            mean += p * value
        means.append(min(1.0, mean))
    return means


@dataclass(slots=True, eq=False)
class _Throw:
    """Dice as they were thrown at a point of a turn."""

    rolled: Counts
    keeping: Outlook | None
    """What is to be expected of it; None without a zombie."""
    kept: dict[str, "_Point"] = field(default_factory=dict)
    """The points that it has led to so far, by what was kept."""


class _Point:
    """A point of a turn, by the tokens of the seat and by the dice that are kept."""

    __slots__ = ("dice", "kept", "moves", "rolling", "throws", "tokens")

    def __init__(self, tokens: int, kept: Counts, dice: int) -> None:
        self.tokens: Final = tokens
        self.kept: Final = kept
        """No more than two of an icon: further ones are as good as any other."""
        self.dice: Final = dice
        """Those that are left to throw."""
        self.moves: Final = movable(kept), can_send(kept)
        """How many tokens may be moved, and whether to another seat."""
        pairs, _ = useful_pairs(kept, NO_DICE)
        self.rolling: Final = turn_points(tokens).at(pairs, dice).rolling
        self.throws: Final[dict[str, _Throw]] = {}
        """Those that were made so far."""


@dataclass(slots=True, eq=False)
class _Standing:
    """The standing of a game before a turn, or at the end."""

    state: ZombieManiaState
    is_over: bool
    begin: Sequence[float]
    """The values of all pairs."""
    ends: Ends
    start: _Point
    values: dict[int, Sequence[float]] = field(default_factory=dict)
    """The same for the outlooks that were met in the turn, by their identity: the
    tables that they are in are never given up."""
    after: dict[Hashable, "_Standing"] = field(default_factory=dict)
    """How things stand after what the turn came to, by `_Point.moves` too."""


class ManiaGames:
    """Works out luck in the games of a value."""

    def __init__(self, game: ZombieMania, begin: Begin, ends: EndsOf) -> None:
        self._game: Final = game
        self._begin: Final = begin
        self._ends: Final = ends
        self._points: dict[Hashable, _Point] = {}
        self._standings: dict[Hashable, _Standing] = {}
        self._size = 0
        """Throws and values that are known."""

    def luck(self, history: Sequence[str]) -> tuple[float, ...]:
        """Return the luck of each pair.

        Raises:
            NotFollowedError: it is no game.
        """
        if self._size > _CACHED_ENTRIES:
            self._points, self._standings, self._size = {}, {}, 0
        standing = self._standing(self._game.new_state())
        luck = [0.0] * len(standing.begin)
        begun = 0
        while begun < len(history):
            if standing.is_over:
                raise NotFollowedError
            begun, standing = self._turn(history, begun, standing, luck)
        return tuple(luck)

    def _turn(
        self, history: Sequence[str], begun: int, standing: _Standing, luck: list[float]
    ) -> tuple[int, _Standing]:
        """Add the luck of a turn; return where the next begins, and the standing.

        If the history ends with it, these do not matter.
        """
        values = standing.values
        point = standing.start
        length = len(history)
        number = begun
        while number < length:
            x = history[number]
            number += 1
            throw = point.throws.get(x) or self._throw(point, x)
            rolling, keeping = point.rolling, throw.keeping
            expected = values.get(id(rolling)) or self._value(standing, rolling)
            if keeping is None:
                after = self._after(standing, point, NOTHING)
                for i, value in enumerate(after.begin):
                    luck[i] += value - expected[i]
                return number, after
            found = values.get(id(keeping)) or self._value(standing, keeping)
            for i, value in enumerate(found):
                luck[i] += value - expected[i]
            if number == length:
                break
            x = history[number]
            number += 1
            point = throw.kept.get(x) or self._keep(point, throw, x)
            if point.dice:
                if number == length:
                    break
                x = history[number]
                number += 1
                if x == "roll":
                    continue
                if x != "stop":
                    raise NotFollowedError
            if not point.moves[0]:
                return number, self._after(standing, point, NOTHING)
            if number == length:
                break
            return number + 1, self._after(standing, point, history[number])
        return length, standing

    def _standing(self, state: ZombieManiaState) -> _Standing:
        """Return the standing before a turn, or at the end."""
        is_over = state.phase == "over"
        tokens = tuple(state.tokens)
        key = tokens, state.active, state.number, state.penalties, is_over
        found = self._standings.get(key)
        if found is None:
            has = min(max(1, tokens[state.active]), MOST_WANTED)
            start = self._point(has, NO_DICE, DICE)
            ends = [] if is_over else self._ends(state)
            found = _Standing(state, is_over, self._begin(state), ends, start)
            self._standings[key] = found
        return found

    def _after(self, standing: _Standing, point: _Point, move: str) -> _Standing:
        """Return the standing after a turn."""
        key = point.moves, move
        found = standing.after.get(key)
        if found is None:
            state = standing.state.clone()
            state.kept = point.kept
            state.phase = "move"
            if not state.is_legal(move):
                raise NotFollowedError
            state.apply(move)
            found = standing.after[key] = self._standing(state)
        return found

    def _value(self, standing: _Standing, outlook: Outlook) -> Sequence[float]:
        found = weighed(outlook, standing.ends)
        standing.values[id(outlook)] = found
        self._size += 1
        return found

    def _point(self, tokens: int, kept: Counts, dice: int) -> _Point:
        key = tokens, kept, dice
        found = self._points.get(key)
        if found is None:
            found = self._points[key] = _Point(tokens, kept, dice)
        return found

    def _throw(self, point: _Point, outcome: str) -> _Throw:
        rolled = rolls(point.dice).counts.get(outcome)
        if rolled is None:
            raise NotFollowedError
        keeping = None
        if has_zombie(rolled):
            pairs, useful = useful_pairs(point.kept, rolled)
            keeping = turn_points(point.tokens).at(pairs, point.dice).keeping[useful]
        found = point.throws[outcome] = _Throw(rolled, keeping)
        self._size += 1
        return found

    def _keep(self, point: _Point, throw: _Throw, action: str) -> _Point:
        keep = keeps().get(action)
        if keep is None or not all(map(le, keep, throw.rolled)):
            raise NotFollowedError
        kept = tuple([min(PAIR, a + b) for a, b in zip(point.kept, keep, strict=True)])
        found = self._point(point.tokens, kept, point.dice - sum(keep))
        throw.kept[action] = found
        return found
