"""The values of OX Blocks, Zombie Run! and Zombie Mania!."""

import runpy
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrix import divided
from plain_values import plain_value
from scipy.stats import t as student
from values import (
    Choose,
    a_game,
    check_kept,
    check_mean_luck,
    check_value,
    play_pairs,
)

from arena.games import CHANCE, State, get_game
from arena.games.luck import Value, chance_above
from arena.games.ox_blocks.luck import boards as _ox_blocks_boards
from arena.games.zombie_mania.luck import whole_games as _zombie_mania_games
from arena.games.zombie_mania.luck.turn_points import MOVES, turn_points
from arena.games.zombie_mania.luck.value import ZombieManiaValue

BOTS = Path(__file__).parents[3] / "bots"


def value_of(name: str, players: int = 2, **options: Any) -> Value:
    return plain_value(get_game(name, players, options))


def greedy(value: Value, slip: float = 0.0) -> Choose:
    """Return who plays what is best by the value, or slips and plays anything."""

    def choose(state: State, rng: Random) -> str:
        legal = state.legal_actions()
        if rng.random() < slip:
            return rng.choice(legal)
        return max(legal, key=lambda action: worth(state, action))

    def worth(state: State, action: str) -> float:
        seat = state.current_player()
        after = state.clone()
        after.apply(action)
        (first_ahead,) = value.ahead(after)
        return first_ahead if seat == 0 else 1.0 - first_ahead

    return choose


def swapper(low: int) -> Choose:
    """Return who swaps its highest card of Zombie Run! for lower ones."""

    def choose(state: Any, rng: Random) -> str:
        if state.phase != "place":
            return str(state.legal_actions()[0])
        seat = state.active
        hand = [c.value if c.seen_by >> seat & 1 else 6 for c in state.hands[seat]]
        worst = max(range(len(hand)), key=lambda i: hand[i])
        action = "discard"
        if state.held < hand[worst]:
            action = f"swap {worst + 1}"
            hand[worst] = state.held
        return f"{action} shout" if sum(hand) <= low else action

    return choose


@pytest.mark.parametrize(
    ("name", "players", "options", "games", "steps"),
    divided(
        [
            ("ox_blocks", 2, {}, 20, 500),
            ("ox_blocks", 2, {"removal": "must"}, 10, 500),
            ("ox_blocks", 2, {"faces": [1, 3, 0]}, 10, 500),
            ("zombie_run", 2, {}, 2, 500),
            ("zombie_run", 4, {"rounds": 2}, 2, 300),
            ("zombie_run", 3, {"hand": 5, "streets": 1, "hordes": 6}, 2, 300),
            ("zombie_run", 2, {"copies": [1] * 9, "streets": 0, "hordes": 0}, 2, 300),
            ("zombie_run", 3, {"rounds": 3, "round_cap": 2}, 2, 300),
            ("zombie_mania", 2, {}, 1, 12),
            ("zombie_mania", 3, {"tokens": 2}, 1, 8),
            ("zombie_mania", 3, {"tokens": 2}, 2, 25),
            ("zombie_mania", 2, {"tokens": 1, "games": 2}, 2, 40),
        ],
        lambda case: case[0] != "zombie_mania" or case[4] == 8,
    ),
)
def test_conformance(
    name: str, players: int, options: dict[str, Any], games: int, steps: int
) -> None:
    check_value(value_of(name, players, **options), games, max_steps=steps)


def to_the_end(state: Any, rng: Random) -> str:
    """Shout in Zombie Run! as soon as one may, else play the first legal action."""
    legal: list[str] = state.legal_actions()
    return "discard shout" if "discard shout" in legal else legal[0]


@pytest.mark.parametrize(
    ("name", "options", "events"),
    [
        ("ox_blocks", {"faces": [2, 2, 0]}, 9),
        ("ox_blocks", {}, 6),
        ("zombie_run", {"rounds": 1, "copies": [0] * 9, "hordes": 6}, 10),
        ("zombie_mania", {"tokens": 1}, 1),
    ],
)
def test_luck_has_mean_zero(name: str, options: dict[str, Any], events: int) -> None:
    check_mean_luck(value_of(name, **options), events, to_the_end)


@pytest.mark.exhaustive
def test_luck_in_zombie_mania_is_the_same_whatever_is_kept_of_other_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    value = value_of("zombie_mania", 3, tokens=4, games=2)
    assert isinstance(value, ZombieManiaValue)
    histories = [a_game(value.game, Random(number))[0] for number in range(12)]
    check_kept(
        value,
        histories,
        lambda: monkeypatch.setattr(_zombie_mania_games, "_CACHED_ENTRIES", 3),
    )
    assert value._followed._size < 500


@pytest.mark.parametrize(
    ("name", "players", "options", "digest"),
    [
        ("ox_blocks", 2, {}, "c7b0b02603bddb99"),
        ("ox_blocks", 2, {"removal": "must"}, "ca7a1d938bc0c2e2"),
        ("zombie_run", 2, {}, "9bd667edba881956"),
        ("zombie_run", 2, {"hand": 5}, "be5d23cd83a977f9"),
        ("zombie_mania", 2, {}, "4ed0c45f17c7e928"),
        ("zombie_mania", 2, {"games": 3, "tokens": 4}, "be0a52c2f76ba3e9"),
    ],
)
def test_numbers_change_with_the_version_only(
    name: str, players: int, options: dict[str, Any], digest: str
) -> None:
    value = value_of(name, players, **options)
    assert (value.version, value.digest) == ("1", digest)


@pytest.mark.parametrize(
    ("name", "options", "problem"),
    [
        ("ox_blocks", {"size": 4}, "options.size: luck is known for 3; found 4"),
        ("zombie_mania", {"tokens": 31}, "options.tokens: .* up to 30; found 31"),
    ],
)
def test_what_has_no_value(name: str, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: {problem}"):
        value_of(name, **options)


PLAYERS: dict[str, Callable[[Value], tuple[Choose, Choose]]] = {
    "ox_blocks": lambda value: (greedy(value), greedy(value, slip=0.2)),
    "zombie_run": lambda value: (swapper(low=12), swapper(low=8)),
    "zombie_mania": lambda value: (greedy(value), greedy(value, slip=0.1)),
}


@pytest.mark.parametrize(
    ("name", "pairs", "factor", "factor_of_pairs"),
    divided(
        [
            ("ox_blocks", 60, 8.0, 8.0),
            ("zombie_run", 30, 1.8, 2.0),
            ("zombie_mania", 10, 1.8, 2.0),
            ("ox_blocks", 400, 12.0, 12.0),
            ("zombie_run", 120, 2.0, 2.4),
            ("zombie_mania", 40, 2.2, 2.8),
        ],
        lambda case: case[1] <= 60 and case[1] != 40,
    ),
)
def test_luck_is_taken_out(
    name: str, pairs: int, factor: float, factor_of_pairs: float
) -> None:
    """The mean stays, within 3 standard errors; the variance is a fraction of it."""
    value = value_of(name)
    sample = play_pairs(value, *PLAYERS[name](value), pairs)
    assert abs(sample.bias) < 3
    assert sample.factor > factor
    assert sample.factor_of_pairs > factor_of_pairs


@pytest.mark.parametrize(
    "options", [{"faces": [2, 3, 2]}, {"removal": "must"}], ids=["odd faces", "must"]
)
def test_ox_blocks_is_solved(options: dict[str, Any]) -> None:
    """What is asked of each position by itself leaves only one value for all."""
    value = value_of("ox_blocks", **options)
    for seed in range(20):
        rng = Random(seed)
        state = value.game.new_state()
        while not state.is_terminal():
            (found,) = value.ahead(state)
            if state.current_player() == CHANCE:
                assert found == pytest.approx(value.expected(state)[0], abs=2e-4)
                state.apply(rng.choice([x for x, _ in state.chance_outcomes()]))
                continue
            after = [state.clone() for _ in state.legal_actions()]
            for child, action in zip(after, state.legal_actions(), strict=True):
                child.apply(action)
            values = [value.ahead(child)[0] for child in after]
            best = min(values) if state.current_player() else max(values)
            assert found == pytest.approx(0.7 * best + 0.3 * fmean(values), abs=1e-12)
            state = rng.choice(after)


@pytest.mark.exhaustive
def test_ox_blocks_without_slips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the opening is worth what optimal play gets: tests/games has 0.519087."""
    monkeypatch.setattr(_ox_blocks_boards, "SLIP_CHANCE", 0.0)
    boards = _ox_blocks_boards.solved.__wrapped__((1 / 3,) * 3, True)
    assert boards(0, 0, 0) == pytest.approx(0.519087, abs=1e-4)


@pytest.mark.parametrize(
    ("pairs", "dice"),
    divided(
        [((2, 1, 0, 2, 0, 1), 2), ((1, 0, 1, 1, 0, 0), 5), ((0,) * 6, 8)],
        lambda case: case[1] < 8,
    ),
)
def test_turn_of_zombie_mania_is_worth_what_a_planner_makes_of_it(
    pairs: tuple[int, ...], dice: int
) -> None:
    """`bots/teams/zombie_mania.py` works the same out by itself."""
    worth = runpy.run_path(str(BOTS / "teams" / "zombie_mania.py"))["worth"]
    expected = worth(pairs, dice, 4)
    assert turn_points(4).at(pairs, dice).worth == pytest.approx(expected, abs=1e-9)


def test_outlooks_of_zombie_mania_are_distributions() -> None:
    for point in turn_points(3)._points.values():
        for outlook in (point.deciding, point.rolling, *point.keeping.values()):
            assert len(outlook) == len(MOVES)
            assert min(outlook) >= 0.0
            assert sum(outlook) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("tokens", [3, 12])
def test_race_of_zombie_mania_is_solved(tokens: int) -> None:
    """At the beginning of a turn the value is the mean of what the turn brings."""
    value = value_of("zombie_mania", tokens=tokens)
    rng = Random(1)
    for _ in range(40):
        state: Any = value.game.new_state()
        state.tokens = [rng.randint(1, tokens) for _ in range(2)]
        state.turns = rng.randint(0, 1)
        assert value.ahead(state) == pytest.approx(value.expected(state), abs=1e-4)


def test_third_seat_of_zombie_mania_ends_the_race() -> None:
    value = value_of("zombie_mania", 3)
    state: Any = value.game.new_state()
    for tokens, low, high in (
        # Seat 2 ends the game before seat 0, which is behind, can send it much more.
        ([9, 5, 0], 0.0, 0.2),
        # Seat 0 can hardly lose its lead in a turn of each.
        ([4, 12, 0], 0.99, 1.0),
        # With time left, it can.
        ([4, 12, 12], 0.8, 0.99),
    ):
        state.tokens = tokens
        assert low <= value.ahead(state)[0] < high, tokens


@given(
    hands=st.lists(st.sampled_from([*range(10), 15]), min_size=8, max_size=8),
    totals=st.tuples(*[st.integers(0, 60)] * 2),
    number=st.integers(1, 5),
)
def test_low_totals_are_ahead_in_zombie_run(
    hands: list[int], totals: tuple[int, int], number: int
) -> None:
    value = value_of("zombie_run")
    state: Any = value.game.new_state()
    deal = iter(hands)
    while state.phase == "deal":
        state.draw = [15] * 16
        state.apply(str(next(deal)))
    state.phase = "pick"
    state.round = number
    state.totals = list(totals)
    (found,) = value.ahead(state)
    state.totals[0] += 1
    (more,) = value.ahead(state)
    assert more < found
    state.totals = list(reversed(totals))
    state.hands.reverse()
    assert value.ahead(state)[0] == pytest.approx(1.0 - found, abs=1e-12)


def test_curve_is_that_of_student() -> None:
    for variance in (0.25, 4.0, 300.0):
        leads = [x / 4 for x in range(-200, 201)]
        curve = [chance_above(lead, variance) for lead in leads]
        expected = student(4).cdf([lead / variance**0.5 for lead in leads])
        assert curve == pytest.approx(list(expected), abs=1e-12)
        assert all(a < b for a, b in pairwise(curve))
