"""The value of Zombie Mania!: the turn under way, and the race that follows."""

from collections.abc import Iterable
from contextlib import suppress
from functools import cache, cached_property
from hashlib import blake2b
from typing import Final, NamedTuple

from arena.games import Game
from arena.games.luck import Luck, NotFollowedError, chance_above
from arena.games.zombie_mania import ZombieMania, ZombieManiaState
from arena.games.zombie_mania.luck.races import (
    Payoff,
    Races,
    ahead,
    lead,
    lead_squared,
)
from arena.games.zombie_mania.luck.turn_points import (
    MOST_WANTED,
    MOVES,
    Outlook,
    turn_points,
)
from arena.games.zombie_mania.luck.whole_games import Ends, ManiaGames

MOST_TOKENS: Final = 30
"""With more of them the tables would take more than a few seconds."""

Values = tuple[float, ...]
"""The value of each pair of seats."""


class ZombieManiaValue(Luck):
    """Supposes that all play a good turn and send what they can to the leader.

    It knows the tokens, whose turn it is, the dice of the turn, and in a series the
    penalty points.  What a turn comes to, and how a race of two seats ends, is worked
    out exactly for one way to play.  Of more seats each pair has a race of its own,
    which that other seat may end that is nearest to its end.  Of a series the points of
    the games to come are added up as if they were spread evenly around their mean.
    It takes about two seconds to prepare, once in a process for the same options.

    Raises:
        ValueError: each seat has more than 30 tokens.
    """

    version = "1"
    game: ZombieMania

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._games: int = game.options.games
        if self.game.setup.tokens > MOST_TOKENS:
            raise ValueError(
                "zombie_mania: options.tokens: luck is known for up to "
                f"{MOST_TOKENS}; found {self.game.setup.tokens}"
            )
        payoffs = (ahead,) if self._games == 1 else (lead, lead_squared)
        self._races = [_races(self.game.setup.tokens, x) for x in payoffs]
        self._orders = [
            [_order(a, b, seat, game.players) for a, b in self.pairs]
            for seat in range(game.players)
        ]
        self._followed = ManiaGames(self.game, self._before_turn, self._ends_of)

    @cached_property
    def digest(self) -> str:
        numbers = [p for tokens in range(1, MOST_WANTED + 1) for p in _start(tokens)]
        for races in self._races:
            for table in races.tables:
                for row in table:
                    numbers += row
        text = " ".join(f"{number:.9f}" for number in numbers)
        return blake2b(text.encode(), digest_size=8).hexdigest()

    def luck(self, history: Iterable[str]) -> tuple[float, ...]:
        history = tuple(history)
        with suppress(NotFollowedError):
            return self._followed.luck(history)
        state = self.game.new_state()
        for x in history:
            state.apply(x)
        raise AssertionError("what can be played can be followed")

    def _before_turn(self, state: ZombieManiaState) -> Values:
        """Return the values before a turn, or at the end."""
        if state.phase == "over":
            return self._compare(state.places())
        return self._begin(
            tuple(state.tokens), state.active, state.number, state.penalties
        )

    def _ends_of(self, state: ZombieManiaState) -> Ends:
        """Return the values after each of `MOVES` of the seat on turn."""
        seat, tokens, penalties = state.active, state.tokens, state.penalties
        rivals = [other for other in range(len(tokens)) if other != seat]
        leader = min(rivals, key=lambda other: penalties[other] + tokens[other])
        following = (seat + 1) % len(tokens)
        ends = []
        for amount, sent in MOVES:
            after = tokens[:]
            amount = min(amount, after[seat])
            after[seat] -= amount
            if sent:
                after[leader] += amount
            ends.append(self._begin(tuple(after), following, state.number, penalties))
        return list(zip(*ends, strict=True))

    def _begin(
        self,
        tokens: tuple[int, ...],
        seat: int,
        number: int,
        penalties: tuple[int, ...],
    ) -> Values:
        """Return the values where `seat` is to begin a turn, or has none to begin."""
        if not tokens[seat]:
            penalties = tuple(map(int.__add__, penalties, tokens))
            if number == self._games:
                points = list(penalties)
                if number == 1:
                    points[seat] = -1
                return self._compare(points)
            tokens = (self.game.setup.tokens,) * len(tokens)
            seat = number % len(tokens)
            number += 1
        races = self._races
        values = []
        for (a, _), race in zip(self.pairs, self._orders[seat], strict=True):
            third = None
            for other, later in race.others:
                if third is None or (tokens[other], later) < third:
                    third = tokens[other], later
            mine, theirs = tokens[race.first], tokens[race.second]
            found = races[0].of(mine, theirs, third)
            if self._games == 1:
                found = min(1.0, found)  # Probabilities sum to 1 but for rounding.
            else:
                square = races[1].of(mine, theirs, third)
                lead = penalties[race.second] - penalties[race.first] + found
                variance = square - found * found
                variance += (self._games - number) * self._variance
                found = chance_above(lead, max(variance, 1.0))
            values.append(found if race.first == a else 1.0 - found)
        return tuple(values)

    @cached_property
    def _variance(self) -> float:
        """The variance of the lead that a game of a series brings."""
        start = self.game.setup.tokens
        mean, square = (
            races.of(start, start, (start, 1) if self.game.players > 2 else None)
            for races in self._races
        )
        return square - mean * mean

    def _compare(self, points: Iterable[int]) -> Values:
        points = tuple(points)
        return tuple(ahead(points[a], points[b]) for a, b in self.pairs)


class _Order(NamedTuple):
    """In which order a pair of seats and the others move."""

    first: int
    second: int
    others: list[tuple[int, int]]
    """Each other seat, with 0 if it moves before the two, 1 if later."""


def _order(a: int, b: int, seat: int, players: int) -> _Order:
    """Return the order of a pair where it is the turn of `seat`."""
    order = [(seat + i) % players for i in range(players)]
    first, second = sorted((a, b), key=order.index)
    others = [
        (other, int(order.index(other) > order.index(first)))
        for other in order
        if other not in (a, b)
    ]
    return _Order(first, second, others)


def _start(tokens: int) -> Outlook:
    return turn_points(tokens).start.rolling


@cache
def _races(tokens: int, payoff: Payoff) -> Races:
    return Races(tokens, payoff)
