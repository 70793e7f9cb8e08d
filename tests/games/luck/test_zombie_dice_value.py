"""The value of Zombie Dice keeps the contract, is exact where it says so, and pays."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import cache
from itertools import product
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest
from exact_scores import Scores, chance_to_win, scores_in, turn_scores
from hypothesis import given
from hypothesis import strategies as st
from matrix import divided
from values import (
    Choose,
    a_game,
    at_random,
    check_kept,
    check_luck,
    check_mean_luck,
    check_position,
    check_value,
    in_pairs,
    play_pairs,
)

from arena.games import CHANCE, State, Table, get_game
from arena.games.chance import derive_seed
from arena.games.luck import luck_of
from arena.games.zombie_dice import ZombieDice, ZombieDiceState
from arena.games.zombie_dice.luck import whole_games as _zombie_dice_games
from arena.games.zombie_dice.luck.race import MOST_TARGET, Race, place
from arena.games.zombie_dice.luck.race import RaceStage as Stage
from arena.games.zombie_dice.luck.reference import BEFORE, Reference
from arena.games.zombie_dice.luck.reference import reference as reference_of
from arena.games.zombie_dice.luck.turns import Policy, Turns
from arena.games.zombie_dice.luck.value import ZombieDiceValue

SEQUEL: dict[str, Any] = {"preset": "direct_to_video_sequel"}
EVERYTHING: dict[str, Any] = {**SEQUEL, "bus": True, "horde": True}
SHORT: dict[str, Any] = {"dice": {"green": 2, "red": 2}, "target": 3}
TWO_KINDS = {"green": 6, "red": 5}
"""Their turns are soon worked out."""


def zombie_dice(players: int = 2, **options: Any) -> ZombieDice:
    game = get_game("zombie_dice", players, options)
    assert isinstance(game, ZombieDice)
    return game


def stops_at(brains: int, shotguns: int = 2) -> Policy:
    """Return the policy that stops with so many of the one or of the other."""
    return lambda b, s: b >= brains or s >= shotguns


def plays(policy: Policy) -> Choose:
    """Return a seat that plays it."""

    def choose(state: State, rng: Random) -> str:
        assert isinstance(state, ZombieDiceState)
        return "stop" if policy(state.brains, state.shotguns) else "roll"

    return choose


NEVER = 10**6
TWO_SHOTGUNS = stops_at(NEVER)


def simple(brains: int, shotguns: int) -> bool:
    """Stop at two shotguns, but not without a brain."""
    return shotguns >= 2 and brains > 0


# Turns, exactly


@cache
def turns_with(cup: str) -> Turns:
    return Turns(zombie_dice(cup=cup))


@cache
def exact_scores(policy: Policy, cup: str) -> Scores:
    return scores_in(turns_with(cup), policy)


@pytest.mark.parametrize(
    ("cup", "policy", "mean", "bust"),
    divided(
        [
            ("literal", TWO_SHOTGUNS, 2.075955, 0.258238),
            ("literal", simple, 2.135385, 0.323757),
            ("none", TWO_SHOTGUNS, 2.087459, None),
            ("none", simple, 2.146889, None),
        ],
        lambda case: case[:2] == ("none", simple),
    ),
)
def test_turns_of_known_policies_score_what_is_known(
    cup: str, policy: Policy, mean: float, bust: float | None
) -> None:
    scores = exact_scores(policy, cup)
    assert scores.mean == pytest.approx(mean, abs=5e-7)
    if bust is not None:
        assert scores.bust == pytest.approx(bust, abs=5e-7)


def test_the_first_roll_is_compulsory_and_exact() -> None:
    scores = turn_scores(stops_at(0))
    assert scores.bust == pytest.approx(94 / 3861, abs=1e-15)
    assert scores.banked[3] == pytest.approx(64 / 1287, abs=1e-15)
    assert scores.mean == pytest.approx(29 / 26, abs=1e-15)
    assert len(scores.banked) == 4


def test_each_rule_for_the_cup_is_that_of_the_game() -> None:
    """With few dice the rules differ much.  All turns are followed in the game."""
    for model, policy in product(
        ("literal", "needed", "rest_first", "none"), (stops_at(3), stops_at(4, 1))
    ):
        game = zombie_dice(dice={"green": 3, "yellow": 1}, cup=model, target=100)
        found = scores_in(Turns(game), policy)
        expected: defaultdict[int, float] = defaultdict(float)
        states: dict[Hashable, tuple[ZombieDiceState, float]]
        states = {0: (game.new_state(), 1.0)}
        while sum(p for _, p in states.values()) > 1e-12:
            followers: dict[Hashable, tuple[ZombieDiceState, float]] = {}
            for state, p in states.values():
                if state.seat == 1:
                    expected[state.banked[0]] += p
                    continue
                if state.player != CHANCE and policy(state.brains, state.shotguns):
                    expected[state.brains] += p
                    continue
                if state.player != CHANCE:
                    state.apply("roll")
                for outcome, q in state.chance_outcomes():
                    after = state.clone()
                    after.apply(outcome)
                    _, so_far = followers.get(after.key(), (after, 0.0))
                    followers[after.key()] = after, so_far + p * q
            states = followers
        for brains, p in enumerate(found.banked):
            assert p == pytest.approx(expected.pop(brains, 0.0), abs=1e-9), model
        assert not expected


def test_dice_with_other_effects_have_no_exact_turns() -> None:
    with pytest.raises(ValueError, match="expected the dice of the base game"):
        Turns(zombie_dice(horde=True))


# Games between policies, exactly


@pytest.mark.exhaustive
def test_two_shotguns_beat_one_as_often_as_is_known() -> None:
    one = exact_scores(stops_at(NEVER, 1), "literal").banked
    two = exact_scores(TWO_SHOTGUNS, "literal").banked
    assert chance_to_win(two, one) == pytest.approx(0.661111, abs=5e-7)
    assert chance_to_win(one, two) == pytest.approx(1 - 0.661111, abs=5e-7)


scores = st.lists(st.floats(0.01, 1.0), min_size=2, max_size=6).map(
    lambda weights: tuple(w / sum(weights) for w in weights)
)


def chance_by_hand(
    first: Sequence[float], second: Sequence[float], target: int, rounds: int
) -> float:
    """Return the chance that the first wins, round by round from the end."""
    both = [
        (i, j, p * q) for (i, p), (j, q) in product(enumerate(first), enumerate(second))
    ]
    leads = sum(p for i, j, p in both if i > j)
    ties = sum(p for i, j, p in both if i == j)
    after_tie = leads / (1 - ties)
    if rounds:
        after_tie = leads * sum(ties**i for i in range(rounds)) + ties**rounds / 2

    @cache
    def ahead(a: int, b: int) -> float:
        if max(a, b) >= target:
            return after_tie if a == b else float(a > b)
        on = sum(p * ahead(a + i, b + j) for i, j, p in both if i or j)
        return on / (1 - first[0] * second[0])

    return ahead(0, 0)


@given(first=scores, second=scores, target=st.integers(1, 6), rounds=st.integers(0, 2))
def test_seats_are_alike_to_who_does_not_look_at_the_score(
    first: Sequence[float], second: Sequence[float], target: int, rounds: int
) -> None:
    won = chance_to_win(first, second, target, rounds)
    assert won == pytest.approx(chance_by_hand(first, second, target, rounds))
    assert chance_to_win(second, first, target, rounds) == pytest.approx(1 - won)
    assert chance_to_win(first, first, target, rounds) == pytest.approx(0.5)


# The contract


KINDS: dict[str, tuple[int, dict[str, Any]]] = {
    "base": (2, {}),
    "at a table of three": (3, {}),
    "at a table of five to a near target": (5, {"target": 3}),
    "with a limit of tiebreaker rounds": (2, {"target": 1, "tiebreak_rounds": 1}),
    "with three tied": (3, {"target": 1, "tiebreak_rounds": 2}),
    "two kinds of dice that never return": (2, {"dice": TWO_KINDS, "cup": "none"}),
    "the rest of two kinds first": (2, {"dice": TWO_KINDS, "cup": "rest_first"}),
    "as many dice of two kinds as needed": (2, {"dice": TWO_KINDS, "cup": "needed"}),
    "brain dice never return": (2, {"cup": "none"}),
    "the rest of the cup first": (2, {"cup": "rest_first"}),
    "as many dice as needed": (2, {"cup": "needed"}),
    "All-Yellow": (2, {"preset": "all_yellow"}),
    "too few dice": (3, SHORT),
    "too few dice that do not return": (2, {**SHORT, "cup": "none"}),
    "too few dice of one kind": (2, {"dice": {"red": 5}, "target": 2}),
}
EXPANDED: dict[str, tuple[int, dict[str, Any]]] = {
    "big summer": (2, {"preset": "big_summer_action_movie"}),
    "santa": (2, {"preset": "santa_claus_meets_the_zombies", "faces": "manual"}),
    "sequel": (3, SEQUEL),
    "first rescue only": (2, {**SEQUEL, "rescue": "first_only"}),
    "bus": (2, {"bus": True, "reboard": True}),
    "horde": (3, {"horde": True, "target": 5}),
    "heroes without a cup": (2, {**SEQUEL, "cup": "none"}),
    "few dice and a hero": (2, {"dice": {"green": 3, "hunk": 1}, "horde": True}),
    "everything": (2, {**EVERYTHING, "target": 6}),
    "everything late": (
        2,
        {**EVERYTHING, "energy_drink": "later_rolls", "yielded_green": "brains"},
    ),
}
MECHANISMS = (
    *("base", "with three tied", "two kinds of dice that never return"),
    *("the rest of two kinds first", "too few dice", "sequel", "everything"),
)


@pytest.mark.parametrize(
    ("kind", "steps"),
    divided(
        [
            *((kind, 60) for kind in KINDS),
            *((kind, steps) for kind in EXPANDED for steps in (10, 20)),
        ],
        lambda x: x[0] in MECHANISMS and x[1] != 20,
    ),
)
def test_it_keeps_the_contract(kind: str, steps: int) -> None:
    players, options = (KINDS | EXPANDED)[kind]
    value = ZombieDiceValue(zombie_dice(players, **options))
    check_value(value, games=2, max_steps=steps)


def test_ruling_6_the_last_tiebreaker_round_is_not_like_the_one_before() -> None:
    game = zombie_dice(2, preset="all_yellow", target=1, tiebreak_rounds=2)
    value, again = ZombieDiceValue(game), ZombieDiceValue(game)
    state = game.new_state()
    brain = "yellow brain, yellow feet, yellow feet"
    bust = "yellow shotgun, yellow shotgun, yellow shotgun"
    for x in (brain, "stop", brain, "stop", bust, bust, bust):
        check_position(value, again, state)
        state.apply(x)
    # Another bust makes them share the win, not play on as in the round before.
    assert (state.tiebreak_round, state.seat) == (2, 1)
    check_position(value, again, state)


def test_rulings_21_and_29_green_dice_count_under_an_energy_drink() -> None:
    """Played at random it hardly happens that a seat has drunk and is on the bus."""
    game = zombie_dice(2, **SEQUEL, bus=True, yielded_green="brains")
    state = game.new_state()
    state.apply("green brain, green brain, green shotgun")
    state.turn.energy_drink = True
    state.apply("roll bus")
    check_position(ZombieDiceValue(game), ZombieDiceValue(game), state)


def test_a_value_that_has_forgotten_what_it_kept_says_the_same() -> None:
    value = ZombieDiceValue(zombie_dice(2, **SEQUEL, target=99))
    again = ZombieDiceValue(value.game)
    rng = Random(0)
    state = value.game.new_state()
    for _ in range(10):
        # What is kept about rolls depends neither on scores nor on the past.
        check_position(value, again, state)
        value._rolls._brought.clear()
        steps = state.legal_actions() or [x for x, _ in state.chance_outcomes()]
        state.apply(rng.choice(steps))


@pytest.mark.parametrize("players", [2, 3])
def test_luck_is_the_same_whatever_is_kept_of_other_games(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = ZombieDiceValue(zombie_dice(players))
    histories = [a_game(value.game, Random(number))[0] for number in range(20)]
    check_kept(
        value,
        histories,
        lambda: monkeypatch.setattr(_zombie_dice_games, "_CACHED_ENTRIES", 3),
    )
    assert len(value._games._standings) < 100


@pytest.mark.parametrize(
    "dice", [{"green": 99}, {"green": 1, "yellow": 99}, {"yellow": 2, "red": 99}]
)
def test_luck_is_the_same_with_as_many_dice_as_there_may_be(
    dice: dict[str, int],
) -> None:
    value = ZombieDiceValue(zombie_dice(dice=dice))
    for number in range(6):
        check_luck(value, a_game(value.game, Random(number))[0])


def test_luck_is_the_same_with_more_brains_than_a_row_holds() -> None:
    value = ZombieDiceValue(zombie_dice(preset="all_yellow", target=99))
    brains = "yellow brain, yellow brain, yellow brain"
    shotgun = "yellow brain, yellow shotgun, yellow feet"
    more = [brains, "roll"] * 12
    for end in ([brains, "stop"], [shotgun, "stop", brains], [shotgun, "roll"]):
        check_luck(value, [*more, *end])


@pytest.mark.parametrize(
    ("events", "players", "options"),
    [
        (3, 2, {"dice": {"green": 5}, "target": 1}),
        (2, 3, {**SHORT, "target": 1}),
        (1, 2, {}),
        (1, 2, SEQUEL),
    ],
)
def test_its_luck_has_mean_zero(
    events: int, players: int, options: dict[str, Any]
) -> None:
    value = ZombieDiceValue(zombie_dice(players, **options))
    check_mean_luck(value, events)


def test_a_target_too_high_is_refused() -> None:
    with pytest.raises(ValueError, match="a target of at most 200 brains; found 201"):
        ZombieDiceValue(zombie_dice(target=MOST_TARGET + 1))


def test_its_numbers_are_those_of_its_version() -> None:
    assert ZombieDiceValue.version == "1"
    for options, digest in (({}, "4e82a0b62ce6d374"), (SEQUEL, "34d16b6a2762a64d")):
        assert ZombieDiceValue(zombie_dice(**options)).digest == digest


# The reference


@pytest.fixture(scope="module")
def reference() -> Reference:
    return reference_of(zombie_dice())


@pytest.mark.parametrize("turns", divided((2_000, 20_000), lambda n: n == 2_000))
def test_the_reference_scores_what_its_rolls_and_stops_make(
    reference: Reference, turns: int
) -> None:
    """Its turns are played many times, from its steps alone."""
    rng = Random(1)
    banked = [0] * len(reference.scores[BEFORE])
    for _ in range(turns):
        node = BEFORE
        while rng.random() >= reference.stops(node):
            u = rng.random()
            for after, p in reference.steps[node]:
                u -= p
                if u < 0.0:
                    node = after
                    break
            else:
                node = (0, 0)
                break
        banked[node[0]] += 1
    for n, p in zip(banked, reference.scores[BEFORE], strict=True):
        assert abs(n / turns - p) <= 4 * (p * (1 - p) / turns) ** 0.5
    assert sum(reference.scores[BEFORE]) == pytest.approx(1.0)


def test_a_first_roll_of_the_reference_is_exact(reference: Reference) -> None:
    first = dict(reference.steps[BEFORE])
    assert first[1, 2] == pytest.approx(2 / 9)
    assert first[3, 3] == pytest.approx(64 / 1287)
    assert 1 - sum(first.values()) == pytest.approx(94 / 3861)


def test_who_begins_a_turn_is_worth_what_its_scores_are(reference: Reference) -> None:
    """The value of a turn that begins is the mean over what it banks."""
    race = Race(reference, 13)
    scores = reference.scores[BEFORE]

    def first(a: int, b: int) -> float:
        return race.begin(Stage.FIRST, a, b)

    def second(a: int, b: int) -> float:
        return race.begin(Stage.LAST if a >= 13 else Stage.SECOND, a, b)

    def end(a: int, b: int) -> float:
        return first(a, b) if b < 13 else (1 + (a > b) - (a < b)) / 2

    for a, b in product(range(13), repeat=2):
        mean = sum(p * second(a + gain, b) for gain, p in enumerate(scores))
        assert first(a, b) == pytest.approx(mean)
        mean = sum(p * end(a, b + gain) for gain, p in enumerate(scores))
        assert second(a, b) == pytest.approx(mean)


def test_more_brains_are_worth_more(reference: Reference) -> None:
    race = Race(reference, 13)
    for stage, lead in product((Stage.LAST_BUT_ONE, Stage.LAST), range(-40, 41)):
        row = race.row(stage, lead, 0)
        assert 0.0 <= min(row) <= max(row) <= 1.0
    for stage, first, second in (
        (Stage.FIRST, 4, 7),
        (Stage.LAST_BUT_ONE, 9, 13),
    ):
        row = race.row(stage, first, second)
        for lives in (1, 2, 3):
            worth = [row[place(brains, lives)] for brains in range(1, 15)]
            assert worth == sorted(worth)
            assert worth[0] < worth[-1]
    row = race.row(Stage.LAST, 15, 10)
    assert row[place(4, 1)] == 1.0
    assert row[place(5, 1)] == 0.5
    assert row[place(6, 1)] == 0.0


# What it is for


@pytest.mark.parametrize(
    ("other", "pairs", "factor", "factor_of_pairs"),
    divided(
        [(stops_at(3), 60, 5, 6), (TWO_SHOTGUNS, 300, 8, 10)],
        lambda case: case[1] == 60,
    ),
)
def test_it_leaves_the_mean_and_takes_most_of_the_scatter(
    other: Policy, pairs: int, factor: float, factor_of_pairs: float
) -> None:
    value = ZombieDiceValue(zombie_dice())
    four = stops_at(4)
    sample = play_pairs(value, plays(four), plays(other), pairs)
    banked = [exact_scores(policy, "literal").banked for policy in (four, other)]
    truth = chance_to_win(*banked)
    assert abs(sample.bias) < 3
    adjusted = in_pairs(sample.adjusted)
    assert abs(fmean(adjusted) - truth) < 3 * stdev(adjusted) / len(adjusted) ** 0.5
    assert sample.factor > factor
    assert sample.factor_of_pairs > factor_of_pairs


def test_a_record_is_enough_to_know_every_distribution_again() -> None:
    game = zombie_dice(3, target=4)
    value = ZombieDiceValue(game)
    table = Table(game, derive_seed("a record"))
    rng = Random(0)
    drawn = []
    luck = [0.0] * 3
    while not table.is_over():
        if table.state.current_player() != CHANCE:
            table.act(at_random(table.state, rng))
            continue
        before = value.expected(table.state)
        drawn.append(table.state.chance_outcomes())
        table.happen(rng.choice(drawn[-1])[0])
        for i, after in enumerate(value.ahead(table.state)):
            luck[i] += after - before[i]
    state = game.new_state()
    for x in table.history:
        if state.current_player() == CHANCE:
            assert state.chance_outcomes() == drawn.pop(0)
        state.apply(x)
    assert not drawn
    assert luck_of(ZombieDiceValue(game), table.history) == pytest.approx(luck)
