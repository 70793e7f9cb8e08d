"""What referee, records and search rely on in the state of Zombie Dice."""

from math import fsum
from random import Random
from typing import Any

import pytest
from msgspec.structs import force_setattr
from zombie_dice_positions import (
    DEAD,
    FEET,
    GREENS,
    SANTA,
    SEQUEL,
    TWO_SHOT,
    make,
    new,
    play,
    see,
    wander,
)

from arena.games import CHANCE, TERMINAL, Event, Table, derive_seed, get_game
from arena.games.zombie_dice import ZombieDiceObservation
from arena.games.zombie_dice.turn import Turn


@pytest.mark.parametrize("options", [{}, SEQUEL | {"bus": True, "horde": True}])
def test_a_clone_is_like_the_original_wherever_it_is_made(
    options: dict[str, Any],
) -> None:
    rng = Random(2)
    for _ in range(20):
        for state in wander(new(3, target=3, **options), rng, 60):
            copy = state.clone()
            for name in Turn.__slots__:
                assert getattr(copy.turn, name) == getattr(state.turn, name)
            assert copy.observation(1) == state.observation(1)
            assert copy.to_text() == state.to_text()
            assert copy.chance_outcomes() == state.chance_outcomes()


def test_each_observation_is_a_new_one() -> None:
    game = make(**SEQUEL)
    state = game.new_state()
    for moves in ([], [FEET], ["roll"]):
        play(state, *moves)
        before = state.observation(0)
        seen = state.observation(0)
        force_setattr(seen, "events", (Event(CHANCE, FEET),))
        force_setattr(seen, "time_left", 0.5)
        assert state.observation(0) == before == state.clone().observation(0)
        assert before.events == ()
    assert game.new_state().observation(0).events == ()


def test_both_seats_and_all_decisions_share_their_luck() -> None:
    seed = derive_seed("fixture")
    luck: dict[str, dict[str, str]] = {}
    for name, most in (("shy", 1), ("bold", 5)):
        table = Table(get_game("zombie_dice"), seed)
        luck[name] = {}
        names = []
        while (seat := table.advance()) != TERMINAL:
            seen = table.observe(1.0)
            assert isinstance(seen, ZombieDiceObservation)
            if seen.rolls == 1:
                names.append((seat, seen.round))
                luck[name][f"{seat} {seen.round}"] = seen.events[-1].text
            table.act("roll" if seen.rolls < most and seen.shotguns < 2 else "stop")
        assert len(names) == len(set(names))
    shared = luck["shy"].keys() & luck["bold"].keys()
    assert len(shared) >= 4
    assert all(luck["shy"][turn] == luck["bold"][turn] for turn in shared)


def test_streams_are_named_by_seat_turn_and_roll() -> None:
    state = new(target=3)
    names = []
    for moves in ([FEET, "roll"], [FEET, "stop"], [DEAD], [GREENS, "stop"]):
        names.append(state.chance_stream())
        play(state, *moves)
    names.append(state.chance_stream())
    assert names == [
        "seat 0 turn 1 roll 1",
        "seat 0 turn 1 roll 2",
        "seat 1 turn 1 roll 1",
        "seat 0 turn 2 roll 1",
        "seat 1 turn 2 roll 1",
    ]


def test_lower_numbers_are_luckier_rolls() -> None:
    state = new()
    worth = [o.count("brain") - o.count("shotgun") for o, _ in state.chance_outcomes()]
    assert worth == sorted(worth, reverse=True)
    assert [state.outcome_at(u) for u in (0.0, 1 - 2**-53)] == [
        state.chance_outcomes()[0][0],
        state.chance_outcomes()[-1][0],
    ]
    total = 0.0
    for outcome, p in state.chance_outcomes():
        assert state.outcome_at(total + p / 2) == outcome
        total += p


def test_the_probability_of_a_bust_agrees_with_the_chances() -> None:
    for state in wander(new(target=10**6), Random(5), 2000):
        if state.current_player() == CHANCE:
            continue
        rolling = state.clone()
        rolling.apply("roll")
        left = 3 - state.observation(0).shotguns
        bust = fsum(
            p for o, p in rolling.chance_outcomes() if o.count("shotgun") >= left
        )
        seen = state.observation(0)
        assert seen.bust_probability() == pytest.approx(bust, abs=1e-12)


@pytest.mark.parametrize(
    ("moves", "action"),
    [
        ((TWO_SHOT,), "roll"),
        ((TWO_SHOT,), "roll bus"),
        (("green brain, red shotgun, santa feet",), "roll bus"),
        (("green brain, red shotgun, santa helmet",), "roll"),
        (("green brain, red shotgun, santa helmet",), "roll bus"),
        ((TWO_SHOT, "yellow feet, red feet, bus yield"), "roll bus"),
        ((TWO_SHOT, "yellow feet, red feet, bus yield"), "leave bus"),
    ],
)
def test_the_probability_of_a_bust_is_that_of_losing_the_turn(
    moves: tuple[str, ...], action: str
) -> None:
    # A helmet and a yield sign in the roll save the seat; a stop sign banks.
    state = play(new(**SANTA, bus=True), *moves)
    rolling = play(state.clone(), action)
    bust = 0.0
    for outcome, p in rolling.chance_outcomes():
        after = play(rolling.clone(), outcome)
        bust += p * (see(after).turn == 1 and after.scores() == [0, 0])
    assert 0.001 < bust < 0.9
    assert state.bust_probability(action) == pytest.approx(bust, abs=1e-12)
    seen = state.observation(0)
    assert seen.bust_probability(action) == state.bust_probability(action)


@pytest.mark.parametrize(
    ("moves", "action"),
    [
        ((), "roll"),
        ((GREENS,), "stop"),
        ((GREENS,), "leave bus"),
        ((FEET,), "roll bus"),
        ((GREENS, "red feet, red feet, bus brain"), "roll"),
        (
            (
                "green brain, green brain, yellow brain",
                "red feet, red feet, bus run over",
            ),
            "roll",
        ),
    ],
)
def test_only_a_legal_way_to_roll_has_a_probability_of_a_bust(
    moves: tuple[str, ...], action: str
) -> None:
    state = play(new(bus=True), *moves)
    with pytest.raises(ValueError, match=f"'{action}' is no legal way to roll here"):
        state.bust_probability(action)


def test_the_key_forgets_how_the_position_came_about() -> None:
    state = play(new(), "green brain, green feet, red feet")
    again = play(state.clone(), "green feet, yellow feet, red feet", "roll")
    assert play(again.clone(), "green feet, yellow feet, red feet", "roll").key() == (
        again.key()
    )


@pytest.mark.parametrize(("cup_model", "same"), [("literal", False), ("none", True)])
def test_the_key_tells_brain_dice_apart_if_they_can_return(
    cup_model: str, same: bool
) -> None:
    keys = {
        play(new(cup=cup_model), roll).key()
        for roll in (
            "green brain, yellow feet, red shotgun",
            "green shotgun, yellow feet, red brain",
        )
    }
    assert (len(keys) == 1) == same


ALL: dict[str, Any] = {**SEQUEL, "bus": True, "horde": True}
DICE_TO_LOSE = ["lose green", "lose yellow", "lose red"]


@pytest.mark.parametrize(
    ("options", "actions"),
    [
        ({}, ["roll", "stop"]),
        ({**SEQUEL, "horde": True}, ["roll", "stop"]),
        ({"bus": True}, ["roll", "stop", "roll bus", "leave bus", *DICE_TO_LOSE]),
        (
            {"bus": True, "preset": "all_yellow"},
            ["roll", "stop", "roll bus", "leave bus"],
        ),
        (
            ALL,
            [
                *["roll", "stop", "roll bus", "leave bus", *DICE_TO_LOSE],
                *["lose hunk", "lose hottie", "lose santa", "lose horde"],
            ],
        ),
    ],
)
def test_the_actions_by_their_ids(options: dict[str, Any], actions: list[str]) -> None:
    game = make(**options)
    assert list(game.actions) == actions
    assert [game.action_id(action) for action in actions] == list(range(len(actions)))


def test_the_legal_actions_and_the_default_action_of_each_phase() -> None:
    def look() -> tuple[list[str], str]:
        legal = state.legal_actions()
        assert [a for a in state.game.actions if state.is_legal(a)] == legal
        return legal, state.game.default_action(state) if legal else ""

    state = new(**ALL)
    assert look() == ([], "")
    play(state, "green brain, red brain, hottie brain")
    assert look() == (["roll", "stop", "roll bus"], "stop")
    play(state, "roll bus")
    assert look() == ([], "")
    play(state, "green brain, yellow brain, bus shotgun")
    assert look() == (["stop", "roll bus", "leave bus"], "stop")
    left = play(state.clone(), "leave bus")
    assert left.legal_actions() == []
    play(left, FEET)
    assert left.legal_actions() == ["roll", "stop"]
    play(state, "green brain, santa feet, bus run over")
    assert look() == ([*DICE_TO_LOSE, "lose hottie"], "lose green")
    play(state, "lose yellow")
    assert look() == (["roll", "stop"], "stop")


FULL_TABLE = (
    "green feet, hunk double brain, santa energy drink",
    "red shotgun, horde hoard of 3, bus brain and shotgun",
)


def test_a_clone_of_a_full_table_is_independent() -> None:
    state = play(new(**ALL), *FULL_TABLE)
    before, key = see(state), state.key()
    for roll in (
        "red brain, hottie shotgun, bus brain",
        "green feet, yellow brain, bus run over",
        "yellow shotgun, red feet, bus yield",
        "green brain, red brain, bus stop",
    ):
        copy = play(state.clone(), "roll bus")
        assert copy.clone().key() == copy.key()
        play(copy, roll)
        assert see(state) == before
        assert state.key() == key


TWO_FEET = "green feet, green feet"
SHOT = f"{TWO_FEET}, red shotgun"


def test_the_key_tells_apart_what_may_still_matter() -> None:
    tables: tuple[tuple[str, ...], ...] = (
        # The same dice lie out, with as many brains and shotguns.
        ("green brain, yellow feet, red shotgun",),
        ("green shotgun, yellow feet, red brain",),
        ("hunk feet, hottie feet, santa helmet",),
        ("hunk feet, hottie feet, santa energy drink",),
        ("hunk double shotgun, hottie feet, santa energy drink",),
        ("hunk double shotgun, hottie feet, santa helmet",),
        ("hunk shotgun, hottie feet, santa shotgun",),
        # The bus waits, is boarded, and is gone.
        (SHOT,),
        (SHOT, "green feet, green feet, bus yield"),
        (SHOT, "green feet, green feet, bus run over"),
        # The bus is gone, and has run a brain over or not.
        ("green brain, green feet, yellow brain", f"{TWO_FEET}, bus run over"),
        (
            *("green brain, green feet, green feet", f"{TWO_FEET}, bus yield"),
            *("leave bus", f"{TWO_FEET}, yellow brain"),
        ),
        # As many dice are rolled, the bus among them or not.
        (SHOT, "roll"),
        (SHOT, "roll bus"),
    )
    keys = [play(new(**ALL), *moves).key() for moves in tables]
    assert len(set(keys)) == len(keys)


def test_the_key_forgets_whether_brains_were_feet() -> None:
    keys = {
        play(new(**ALL), f"green {face}, hunk feet, santa energy drink").key()
        for face in ("brain", "feet")
    }
    assert len(keys) == 1


def test_the_position_in_words() -> None:
    state = play(new(), "green brain, yellow feet, red shotgun")
    assert state.to_text() == (
        "round 1, seat 0, roll 1: roll or stop?\n"
        "banked      seat 0: 0, seat 1: 0   (target 13)\n"
        "this turn   brains: 1, shotguns: 1, feet: 1 yellow\n"
        "cup         5 green, 3 yellow, 2 red"
    )


@pytest.mark.parametrize(
    ("moves", "first", "table"),
    [
        (
            (),
            "round 1, seat 0, roll 0: rolling",
            "brain dice: none; noted: 0; bus: waiting",
        ),
        (
            FULL_TABLE,
            "round 1, seat 0, roll 2: stop or roll bus or leave bus?",
            "brain dice: 1 green, 1 hunk, 1 horde; noted: 1; "
            "more than one brain: hunk, horde; aside: 1 santa; "
            "energy drink; bus: boarded",
        ),
        (
            (*FULL_TABLE, "roll bus"),
            "round 1, seat 0, roll 2: rolling with the bus",
            "brain dice: 1 green, 1 hunk, 1 horde; noted: 1; "
            "more than one brain: hunk, horde; aside: 1 santa; "
            "energy drink; bus: boarded",
        ),
        (
            (
                "green brain, yellow brain, santa helmet",
                "green feet, red feet, bus run over",
            ),
            "round 1, seat 0, roll 2: which brain is lost?",
            "brain dice: 1 green, 1 yellow; noted: 0; aside: 1 santa; "
            "helmet; bus: gone",
        ),
    ],
)
def test_the_table_in_words(moves: tuple[str, ...], first: str, table: str) -> None:
    lines = play(new(**ALL), *moves).to_text().splitlines()
    assert lines[0] == first
    assert lines[-1] == f"table       {table}"
