"""Zombie Mania!: its rulings 57 to 69, its probabilities, what holds in any game."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zombie_manias import ICONS, NOTHING, dice, keep, play, stop_with, zombie_mania

from arena.games import CHANCE, TERMINAL, State


def graveyard(*amounts: int) -> list[str]:
    return ["move 0", *(f"move {n} graveyard" for n in amounts)]


@pytest.mark.parametrize("left", range(1, 9))
def test_throws_of_the_dice(left: int) -> None:
    """Ruling 57: six icons, one on each face, alike on all dice."""
    state = zombie_mania().new_state()
    if left < 8:
        keep(state, f"{8 - left} blue")
        state.apply("roll")
    odds = dict(state.chance_outcomes())
    assert sum(odds.values()) == pytest.approx(1.0, abs=1e-12)
    assert min(odds.values()) > 0.0
    for icon in ICONS:
        assert odds[" ".join([icon] * left)] == pytest.approx(6.0**-left)
        mean = sum(p * outcome.split().count(icon) for outcome, p in odds.items())
        assert mean == pytest.approx(left / 6)
    no_zombie = sum(p for outcome, p in odds.items() if not zombies(outcome))
    assert no_zombie == pytest.approx(2.0**-left)


def zombies(outcome: str) -> int:
    return sum(outcome.split().count(icon) for icon in ICONS[:3])


@pytest.mark.parametrize("icon", ICONS)
def test_chance_of_a_pair_in_the_first_throw(icon: str) -> None:
    """Ruling 57: at least two of eight dice show a given icon."""
    odds = zombie_mania().new_state().chance_outcomes()
    assert len(odds) == 1287
    pair = sum(p for outcome, p in odds if outcome.split().count(icon) >= 2)
    assert pair == pytest.approx(0.395323, abs=5e-7)


def test_outcome_at_follows_the_outcomes() -> None:
    state = zombie_mania().new_state()
    points = [i / 997 for i in range(997)] + [1.0 - 2.0**-53]
    for u in points:
        assert state.outcome_at(u) == State.outcome_at(state, u)


def test_a_throw_without_zombies_ends_the_turn() -> None:
    """Ruling 58: nothing is scored, whatever was kept."""
    state = zombie_mania().new_state()
    keep(state, "2 gravestone, 2 blue, 2 brown")
    state.apply("roll")
    state.apply("building x2")
    assert state.observation(0).tokens == (12, 12)
    assert state.observation(0).kept == ()
    assert state.current_player() == CHANCE
    assert state.chance_stream() == "seat 1 turn 1 roll 1"
    assert state.chance_outcomes()[0][0] == "blue " * 7 + "blue"


def test_at_least_one_zombie_must_be_kept() -> None:
    """Ruling 58, step 1 of a turn: then any others of this throw."""
    state = zombie_mania().new_state()
    keep(state, "5 blue")
    state.apply("roll")
    state.apply("green gravestone gravestone")
    assert state.legal_actions() == [
        "keep green",
        "keep green gravestone",
        "keep green gravestone gravestone",
    ]


@settings(derandomize=True, max_examples=50)
@given(st.lists(st.sampled_from(ICONS), min_size=8, max_size=8))
def test_any_part_of_a_throw_with_a_zombie_may_be_kept(icons: list[str]) -> None:
    """Ruling 58, step 1 of a turn: and nothing else, in the order of the ids."""
    thrown = sorted(icons, key=ICONS.index)
    parts = {
        part
        for size in range(1, 9)
        for part in combinations(thrown, size)
        if {"blue", "green", "brown"}.intersection(part)
    }
    state = zombie_mania().new_state()
    state.apply(" ".join(thrown))
    expected = {f"keep {' '.join(part)}" for part in parts}
    legal = state.legal_actions()
    assert set(legal) == expected
    assert legal == sorted(legal, key=state.game.action_id)
    assert {x for x in state.game.actions if state.is_legal(x)} == expected


def test_kept_dice_are_locked() -> None:
    """Ruling 59: only the other dice are thrown again."""
    state = zombie_mania().new_state()
    keep(state, "3 blue, 2 gravestone")
    assert state.legal_actions() == ["roll", "stop"]
    state.apply("roll")
    assert {len(outcome.split()) for outcome, _ in state.chance_outcomes()} == {3}
    assert state.chance_stream() == "seat 0 turn 1 roll 2"
    keep(state, "1 brown")
    observed = state.observation(0)
    assert observed.kept == tuple(dice("3 blue, 1 brown, 2 gravestone").split())
    assert observed.dice_left == 2


@pytest.mark.parametrize(
    ("first", "last", "legal"),
    [
        ("4 blue, 2 gravestone", "2 brown", graveyard(1, 2, 3)),
        ("4 blue, 2 gravestone", "1 brown, 1 x2", graveyard(1)),
        ("6 green", "1 green, 1 x2", []),
    ],
)
def test_eight_kept_dice_stop_the_turn(first: str, last: str, legal: list[str]) -> None:
    """Ruling 59: no new throw; the move follows, if there is one to choose."""
    state = zombie_mania().new_state()
    keep(state, first)
    state.apply("roll")
    keep(state, last)
    assert state.legal_actions() == legal
    assert state.current_player() == (0 if legal else CHANCE)
    assert state.observation(0).turn == (1 if legal else 2)


@pytest.mark.parametrize(
    ("kept", "most"),
    [
        # Ruling 60: fewer than two gravestones.
        ("2 blue, 2 green, 2 brown, 1 gravestone", 0),
        ("2 blue, 2 brown, 2 x2", 0),
        # Ruling 61: an icon counts with two dice; a third adds nothing; in sum.
        ("2 gravestone, 1 blue, 1 green, 1 brown, 2 x2", 0),
        ("2 gravestone, 2 blue", 1),
        ("2 gravestone, 2 green", 1),
        ("2 gravestone, 6 blue", 1),
        ("4 gravestone, 4 brown", 2),
        ("2 gravestone, 2 blue, 2 green", 2),
        ("2 gravestone, 2 green, 2 brown", 3),
        ("2 gravestone, 2 blue, 2 green, 2 brown", 4),
        # Ruling 61: x2 doubles the sum, once.
        ("2 gravestone, 2 blue, 1 x2", 1),
        ("2 gravestone, 2 blue, 2 x2", 2),
        ("2 gravestone, 2 blue, 4 x2", 2),
        ("2 gravestone, 2 blue, 2 green, 2 x2", 4),
        ("2 gravestone, 2 blue, 2 brown, 2 x2", 6),
    ],
)
def test_tokens_that_may_be_moved(kept: str, most: int) -> None:
    """Rulings 60, 61, 63: from none to all of them, to the graveyard."""
    state = play(zombie_mania(), kept)
    if most == 0:
        assert state.chance_stream() == "seat 1 turn 1 roll 1"
    else:
        assert state.current_player() == 0
        assert state.observation(0).movable == most
        assert state.legal_actions() == graveyard(*range(1, most + 1))


@pytest.mark.parametrize(
    ("kept", "move", "tokens"),
    [
        ("1 gravestone, 2 blue, 2 brown", None, (12, 12, 12)),
        ("2 gravestone, 4 blue", "move 1 graveyard", (11, 12, 12)),
        ("2 gravestone, 2 green, 2 brown, 2 x2", "move 6 graveyard", (6, 12, 12)),
        ("2 gravestone, 2 building, 2 brown", "move 2 seat 2", (10, 12, 14)),
    ],
)
def test_examples_of_the_leaflet(
    kept: str, move: str | None, tokens: tuple[int, ...]
) -> None:
    """Rulings 60 to 62, as the leaflet's four examples show them."""
    state = play(zombie_mania(3), f"{kept}: {move}" if move else kept)
    assert state.observation(1).tokens == tokens
    assert state.observation(1).graveyard == 36 - sum(tokens)
    assert state.chance_stream() == "seat 1 turn 1 roll 1"


@pytest.mark.parametrize(("building", "targets"), [(1, []), (2, ["seat 0", "seat 2"])])
def test_buildings_send_all_to_one_seat(building: int, targets: list[str]) -> None:
    """Ruling 62: the graveyard or one other seat, for all tokens of the turn."""
    state = play(zombie_mania(3), NOTHING)
    stop_with(state, f"2 gravestone, 2 brown, {building} building")
    assert state.current_player() == 1
    assert state.observation(1).can_send == bool(targets)
    assert state.legal_actions() == [
        *graveyard(1, 2),
        *(f"move {n} {target}" for target in targets for n in (1, 2)),
    ]


@pytest.mark.parametrize("tokens", [1, 3, 5])
def test_ruling_63_no_more_tokens_than_one_has(tokens: int) -> None:
    state = play(zombie_mania(tokens=tokens), "2 gravestone, 2 blue, 2 brown, 2 x2")
    assert state.legal_actions() == graveyard(*range(1, tokens + 1))


def test_nothing_need_be_moved() -> None:
    """Ruling 63: none is one action, without a target."""
    game = zombie_mania()
    state = play(game, "2 gravestone, 2 building, 2 brown: move 0")
    assert state.observation(0).tokens == (12, 12)
    assert [x for x in game.actions if x.startswith("move 0")] == ["move 0"]


def test_ruling_64_an_empty_mat_wins_when_its_turn_begins() -> None:
    state = play(zombie_mania(3, tokens=1), "2 gravestone, 2 blue: move 1 graveyard")
    assert state.observation(0).tokens == (0, 1, 1)
    assert not state.is_terminal()
    state.apply(dice(NOTHING))
    assert not state.is_terminal()
    state.apply(dice(NOTHING))
    assert state.current_player() == TERMINAL
    assert state.places() == [1, 2, 2]
    assert state.returns() == [1.0, 0.0, 0.0]


def test_an_empty_mat_can_be_sent_tokens() -> None:
    """Ruling 64: so that its turn begins as any other."""
    state = play(
        zombie_mania(tokens=1),
        "2 gravestone, 2 blue: move 1 graveyard",
        "2 gravestone, 2 blue, 2 building: move 1 seat 0",
    )
    assert state.observation(0).tokens == (1, 0)
    assert state.chance_stream() == "seat 0 turn 2 roll 1"
    state.apply(dice(NOTHING))
    assert state.returns() == [0.0, 1.0]


@pytest.mark.parametrize(("zombie", "most"), [("blue", 2), ("green", 2), ("brown", 4)])
def test_ruling_65_x2_doubles_what_is_sent(zombie: str, most: int) -> None:
    state = play(zombie_mania(), f"2 gravestone, 2 building, 2 x2, 2 {zombie}")
    assert state.legal_actions()[-1] == f"move {most} seat 1"
    state.apply(f"move {most} seat 1")
    assert state.observation(0).tokens == (12 - most, 12 + most)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_seat_0_begins_and_turns_go_round(players: int) -> None:
    """Ruling 66: the league rotates the seats, the game does not."""
    state = zombie_mania(players).new_state()
    for turn in (1, 2):
        for seat in range(players):
            assert state.chance_stream() == f"seat {seat} turn {turn} roll 1"
            keep(state, "1 blue")
            assert state.current_player() == seat
            state.apply("stop")


def test_tokens_left_are_penalty_points() -> None:
    """Ruling 67: fewest are best; only who begins a turn without any wins."""
    state = play(
        zombie_mania(4, tokens=2),
        "2 gravestone, 2 brown: move 2 graveyard",
        "2 gravestone, 2 blue: move 1 graveyard",
        "2 gravestone, 2 brown, 2 building: move 2 seat 1",
    )
    assert state.scores() == [0.0, 3.0, 0.0, 2.0]
    assert state.places() == [1, 4, 1, 3]
    state.apply(dice(NOTHING))
    assert state.is_terminal()
    assert state.places() == [1, 4, 2, 3]
    assert state.returns() == [1.0, 0.0, 0.0, 0.0]


def test_endless_game_is_adjudicated_by_tokens() -> None:
    """Ruling 68: seats that never score; those with fewest tokens share it."""
    game = zombie_mania(3)
    state = play(game, NOTHING, "2 gravestone, 2 blue: move 1 graveyard")
    for _ in range(game.max_decisions // 2):
        keep(state, "1 green")
        state.apply("stop")
    assert game.max_decisions == 3000
    assert not state.is_terminal()
    assert game.adjudicate(state) == [0.0, 1.0, 0.0]
    assert game.adjudicate(game.new_state()) == [1 / 3] * 3


@pytest.mark.parametrize(("players", "tokens"), [(2, 12), (3, 12), (4, 10), (5, 8)])
def test_ruling_69_tokens_at_the_start(players: int, tokens: int) -> None:
    observed = zombie_mania(players).new_state().observation(0)
    assert observed.tokens == (tokens,) * players
    assert observed.graveyard == 0
    assert players * tokens <= 40
    observed = zombie_mania(players, tokens=3).new_state().observation(0)
    assert observed.tokens == (3,) * players


def test_the_most_a_turn_can_move() -> None:
    """Rulings 61, 62, 65: six to the graveyard, four to a seat, whatever is kept."""
    game = zombie_mania()
    keeps = [x for x in game.actions if x.startswith("keep ")]
    assert len(keeps) == 2838
    amounts: dict[str, set[int]] = {"graveyard": set(), "seat": set()}
    for action in keeps:
        state = game.new_state()
        counts = Counter(action.split()[1:])
        stop_with(state, ", ".join(f"{n} {icon}" for icon, n in counts.items()))
        for move in state.legal_actions():
            if move != "move 0":
                _, amount, target, *_ = move.split()
                amounts[target].add(int(amount))
    assert amounts == {"graveyard": {1, 2, 3, 4, 5, 6}, "seat": {1, 2, 3, 4}}


def test_default_action_does_least() -> None:
    """A forfeited seat keeps one zombie, stops, and moves nothing."""
    game = zombie_mania()
    state = game.new_state()
    state.apply(dice("2 green, 2 brown, 4 gravestone"))
    assert game.default_action(state) == "keep green"
    state.apply("keep green green gravestone gravestone")
    assert game.default_action(state) == "stop"
    state.apply("stop")
    assert game.default_action(state) == "move 0"


def test_ids_are_in_the_documented_order() -> None:
    actions = zombie_mania(3).actions
    assert actions[:4] == ("keep blue", "keep green", "keep brown", "keep blue blue")
    assert actions[2838:2841] == ("roll", "stop", "move 0")
    assert actions[2841:2847] == tuple(f"move {n} graveyard" for n in range(1, 7))
    assert actions[2847:] == tuple(
        f"move {n} seat {seat}" for seat in range(3) for n in range(1, 5)
    )


def test_key_is_equal_where_more_dice_of_an_icon_make_no_difference() -> None:
    """Ruling 61: beyond a pair only the number of dice left counts."""
    keys = []
    for kept in (
        "4 blue, 2 brown",
        "2 blue, 4 brown",
        "2 blue, 3 brown",
        "5 blue, 1 brown",
    ):
        state = zombie_mania().new_state()
        keep(state, kept)
        keys.append(state.key())
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_observation_and_text() -> None:
    state = play(zombie_mania(), NOTHING)
    keep(state, "2 blue, 2 gravestone")
    state.apply("roll")
    state.apply("green green x2 x2")
    observed = state.observation(1)
    assert observed.phase == "keep"
    assert observed.rolled == ("green", "green", "x2", "x2")
    assert observed.kept == ("blue", "blue", "gravestone", "gravestone")
    assert (observed.turn, observed.roll, observed.dice_left) == (2, 2, 4)
    assert observed.movable == 1
    assert str(state).splitlines() == [
        "tokens  seat 0: 12, seat 1: 12, graveyard: 0",
        "kept    blue blue gravestone gravestone",
        "rolled  green green x2 x2",
        "seat 1 must keep a zombie",
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("players", "tokens"), [(2, 3), (3, None), (5, 2)])
def test_what_holds_in_any_game(players: int, tokens: int | None, seed: int) -> None:
    game = zombie_mania(players, tokens=tokens)
    rng = Random(seed)
    state = game.new_state()
    total = sum(state.observation(0).tokens)
    for _ in range(400):
        observed = state.observation(rng.randrange(players))
        assert sum(observed.tokens) + observed.graveyard == total
        assert min(observed.tokens) >= 0
        assert len(observed.rolled) in (0, 8 - len(observed.kept))
        assert observed.sample_state(rng).key() == state.key()
        player = state.current_player()
        if player == TERMINAL:
            break
        if player == CHANCE:
            outcome = state.outcome_at(rng.random())
            assert len(outcome.split()) == observed.dice_left
            state.apply(outcome)
            if zombies(outcome):
                assert state.observation(0).rolled == tuple(outcome.split())
            assert (state.current_player() >= 0) == (zombies(outcome) > 0)
            continue
        legal = state.legal_actions()
        # Many dice and most tokens, so that games move on.
        state.apply(rng.choice(legal[len(legal) // 2 :]))
