"""The checks that any value must pass, and what luck is worth in games played here."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from random import Random
from statistics import fmean, variance

import pytest

from arena.games import CHANCE, Game, IllegalActionError, State, Table
from arena.games.chance import derive_seed
from arena.games.luck import Value, luck_of

TOLERANCE = 1e-9

Choose = Callable[[State, Random], str]
"""Returns the action of the seat to act."""


def at_random(state: State, rng: Random) -> str:
    """Return any legal action."""
    return rng.choice(state.legal_actions())


def a_game(
    game: Game, rng: Random, choose: Choose = at_random
) -> tuple[list[str], State]:
    """Play a game; return its history and its end."""
    state = game.new_state()
    history = []
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            history.append(state.outcome_at(rng.random()))
        else:
            history.append(choose(state, rng))
        state.apply(history[-1])
    return history, state


def check_kept(
    value: Value, histories: Sequence[list[str]], forget: Callable[[], None]
) -> None:
    """Check that luck is as by definition, whatever is kept of other games."""
    expected = [luck_of(value, history) for history in histories]
    assert [value.luck(history) for history in histories] == expected
    assert [value.luck(history) for history in reversed(histories)] == expected[::-1]
    forget()
    assert [value.luck(history) for history in histories] == expected


def scores_of(game: Game, places: Sequence[int]) -> list[float]:
    """Return the score of the first of each pair of seats: 1, 0.5 or 0."""
    return [
        1.0 if places[a] < places[b] else 0.5 if places[a] == places[b] else 0.0
        for a, b in combinations(range(game.players), 2)
    ]


def check_value(
    value: Value,
    games: int = 10,
    choose: Choose = at_random,
    max_steps: int = 500,
    seed: int = 0,
) -> None:
    """Check that `value` keeps the contract of `arena.games.luck`.

    At all positions of so many games, in which every other game draws the outcomes of
    chance evenly, so that rare ones are met too.
    """
    game = value.game
    again = type(value)(game)
    assert value.pairs == tuple(combinations(range(game.players), 2))
    assert value.version
    assert len(value.digest) == 16
    assert int(value.digest, 16) >= 0
    assert again.digest == value.digest
    for number in range(games):
        rng = Random(f"{game.name} {seed} {number}")
        state = game.new_state()
        history: list[str] = []
        luck = [0.0] * len(value.pairs)
        while len(history) < max_steps:
            check_position(value, again, state)
            if state.is_terminal():
                break
            if state.current_player() != CHANCE:
                history.append(choose(state, rng))
                state.apply(history[-1])
                continue
            expected = list(value.expected(state))
            if number % 2:
                history.append(rng.choice([x for x, _ in state.chance_outcomes()]))
            else:
                history.append(state.outcome_at(rng.random()))
            state.apply(history[-1])
            found = value.ahead(state)
            luck = [x + v - e for x, v, e in zip(luck, found, expected, strict=True)]
        assert list(luck_of(value, history)) == pytest.approx(luck, abs=TOLERANCE)
        check_luck(value, history)
        # A fresh value, which has seen no other game, says the same of the history.
        assert type(value)(game).luck(history) == value.luck(history)


def check_luck(value: Value, history: Sequence[str]) -> None:
    """Check that the value's own way to luck is as by definition, bit for bit.

    For a game, for parts of it, and where it goes on in a way that is not possible.
    """
    half = len(history) // 2
    for length in {0, min(1, half), half, len(history)}:
        assert value.luck(iter(history[:length])) == luck_of(value, history[:length])
    for wrong in ("nonsense", "stop", "roll", *history[:1]):
        for length in (half, len(history)):
            odd = [*history[:length], wrong]
            expected = _luck_or_error(partial(luck_of, value), odd)
            assert _luck_or_error(value.luck, odd) == expected


def _luck_or_error(
    luck: Callable[[list[str]], tuple[float, ...]], history: list[str]
) -> tuple[float, ...] | str:
    try:
        return luck(history)
    except IllegalActionError as error:
        return str(error)


def check_position(value: Value, again: Value, state: State) -> list[float]:
    """Check what `value`, and another one like it, say of one position."""
    before = state.key(), state.to_text()
    where = state.to_text()
    found = list(value.ahead(state))
    assert len(found) == len(value.pairs)
    assert all(0.0 <= v <= 1.0 for v in found), (where, found)
    assert list(value.ahead(state.clone())) == found, where
    assert list(again.ahead(state)) == found, where
    if state.is_terminal():
        assert found == scores_of(value.game, state.places()), where
    if state.current_player() == CHANCE:
        expected = list(value.expected(state))
        enumerated = Value.expected(value, state)
        assert expected == pytest.approx(enumerated, abs=TOLERANCE), where
        assert list(again.expected(state)) == expected, where
    assert (state.key(), state.to_text()) == before
    return found


def futures(
    state: State, choose: Choose, events: int, rng: Random
) -> Iterator[tuple[list[str], float, State]]:
    """Yield all that can happen up to so many chance events, and how likely it is."""
    history: list[str] = []
    while state.current_player() >= 0:
        history.append(choose(state, rng))
        state.apply(history[-1])
    if state.is_terminal() or not events:
        yield history, 1.0, state
        return
    for outcome, p in state.chance_outcomes():
        after = state.clone()
        after.apply(outcome)
        for rest, q, end in futures(after, choose, events - 1, rng):
            yield [*history, outcome, *rest], p * q, end


def check_mean_luck(
    value: Value, events: int, choose: Choose = at_random
) -> list[float]:
    """Check that luck has mean zero over all that so many chance events can bring.

    Return the mean score of each pair over the games that have ended by then; the
    scores without their luck have that mean too.
    """
    pairs = len(value.pairs)
    luck, score = [0.0] * pairs, [0.0] * pairs
    total = 0.0
    start = value.game.new_state()
    for history, p, end in futures(start, choose, events, Random(0)):
        total += p
        for i, x in enumerate(luck_of(value, history)):
            luck[i] += p * x
        if end.is_terminal():
            for i, x in enumerate(scores_of(value.game, end.places())):
                score[i] += p * x
    assert total == pytest.approx(1.0, abs=TOLERANCE)
    assert luck == pytest.approx([0.0] * pairs, abs=TOLERANCE)
    return score


@dataclass
class Sample:
    """Scores of the first against the second of two contestants, in pairs of games.

    The two games of a pair have the same luck and swapped seats.
    """

    raw: list[float]
    adjusted: list[float]

    @property
    def bias(self) -> float:
        """How far the adjusted mean lies from the raw one, in standard errors."""
        gaps = [a - r for a, r in zip(self.adjusted, self.raw, strict=True)]
        # The luck of a fixture is shared, so that pairs are what is independent.
        pairs = in_pairs(gaps)
        return float(fmean(pairs) / (variance(pairs) / len(pairs)) ** 0.5)

    @property
    def factor(self) -> float:
        """By how much the variance of a single game is less once luck is taken out."""
        return float(variance(self.raw) / variance(self.adjusted))

    @property
    def factor_of_pairs(self) -> float:
        """How many times fewer pairs do than two games each of a luck of its own."""
        return float(variance(self.raw) / 2 / variance(in_pairs(self.adjusted)))


def in_pairs(scores: Sequence[float]) -> list[float]:
    """Return the mean of each two neighbours."""
    return [(a + b) / 2 for a, b in zip(scores[::2], scores[1::2], strict=True)]


def play_pairs(value: Value, first: Choose, second: Choose, pairs: int) -> Sample:
    """Play pairs of games of two seats, seats swapped, each pair with its own luck."""
    game = value.game
    assert game.players == 2
    sample = Sample([], [])
    for number in range(pairs):
        seed = derive_seed("values", number)
        for swapped in (False, True):
            seats = (second, first) if swapped else (first, second)
            table = Table(game, seed)
            rng = Random(f"{number} {swapped}")
            while (seat := table.advance()) >= 0:
                table.act(seats[seat](table.state, rng))
            (score,) = scores_of(game, table.state.places())
            (luck,) = luck_of(value, table.history)
            sample.raw.append(1.0 - score if swapped else score)
            score -= luck
            sample.adjusted.append(1.0 - score if swapped else score)
    return sample
