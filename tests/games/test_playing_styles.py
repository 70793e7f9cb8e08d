"""What is counted of how seats play: against exact chances, and games by hand."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Any

import pytest

from arena.games import CHANCE, TERMINAL, Game, State, get_game
from arena.games.style import Style, StyleError, find_style

Found = dict[tuple[int, str], list[float]]
"""The values of each seat and measure, in the order in which they came."""


def style_of(name: str, players: int = 2, **options: Any) -> Style:
    found = find_style(get_game(name, players, options))
    assert found is not None
    return found


def counted(style: Style, history: Sequence[str]) -> Found:
    found: Found = defaultdict(list)
    for seat, measure, value in style.count(history):
        found[seat, measure].append(float(value))
    return found


def play(game: Game, choose: Callable[[State], str], rng: Random) -> list[str]:
    """Return the history of a game in which all seats choose alike."""
    state = game.new_state()
    history = []
    while (player := state.current_player()) != TERMINAL and len(history) < 2000:
        x = state.outcome_at(rng.random()) if player == CHANCE else choose(state)
        state.apply(x)
        history.append(x)
    return history


def test_who_stops_after_the_first_roll_busts_with_its_exact_chance() -> None:
    style = style_of("zombie_dice")
    expected: Counter[str] = Counter()
    first = style.game.new_state()
    for roll, chance in first.chance_outcomes():
        after = first.clone()
        after.apply(roll)
        # After a bust it is the other's turn already.
        history = [roll, "stop"] if after.current_player() == 0 else [roll]
        for (seat, measure), (value,) in counted(style, history).items():
            assert seat == 0
            expected[measure] += chance * value  # type: ignore[assignment]
    assert expected["busts"] == pytest.approx(94 / 3861)
    assert expected["banked"] == pytest.approx(29 / 26)
    assert expected["rolls"] == pytest.approx(1)
    assert not any(expected[f"rolls_on_{n}"] for n in range(3))
    # What it had at the stop is the same brains, seen another way.
    assert expected["brains_at_stop"] == pytest.approx(29 / 26)


def test_who_stops_at_two_shotguns_busts_as_often_as_is_known() -> None:
    """By enumeration: 0.258238 busts and 2.075955 brains a turn."""
    style = style_of("zombie_dice")
    rng = Random(5)
    values: dict[str, list[float]] = defaultdict(list)

    def choose(state: Any) -> str:
        return "stop" if state.shotguns >= 2 else "roll"

    for _ in range(400):
        found = counted(style, play(style.game, choose, rng))
        for (_, measure), own in found.items():
            values[measure] += own
    turns = len(values["busts"])
    assert turns > 4000
    mean = {measure: sum(own) / len(own) for measure, own in values.items()}
    error = sqrt(0.258238 * (1 - 0.258238) / turns)
    assert abs(mean["busts"] - 0.258238) < 4 * error
    assert abs(mean["banked"] - 2.075955) < 4 * 2 / sqrt(turns)
    # Every turn that does not bust ends by a stop, and only by one at two shotguns.
    assert len(values["brains_at_stop"]) == turns - sum(values["busts"])
    assert mean["rolls_on_0"] == mean["rolls_on_1"] == 1
    assert mean["rolls_on_2"] == 0


def test_zombie_dice_by_hand() -> None:
    style = style_of("zombie_dice", target=2)
    found = counted(
        style,
        [
            "green brain, green brain, yellow shotgun",
            "stop",  # Two brains: the last round.
            "green feet, green feet, yellow shotgun",
            "roll",  # Nothing yet, and two behind.
            "green brain, green feet, yellow shotgun",
            "stop",  # One brain is not enough.
        ],
    )
    assert found == {
        (0, "rolls_on_1"): [0],
        (0, "brains_at_stop"): [2],
        (0, "empty_stops"): [0],
        (0, "busts"): [0],
        (0, "banked"): [2],
        (0, "rolls"): [1],
        (1, "rolls_on_1"): [1],
        (1, "rolls_on_2"): [0],
        (1, "gives_up"): [0, 1],
        (1, "brains_at_stop"): [1],
        (1, "empty_stops"): [0],
        (1, "busts"): [0],
        (1, "banked"): [1],
        (1, "rolls"): [2],
    }


@pytest.mark.parametrize(
    "options",
    [{}, {"preset": "direct_to_video_sequel", "bus": True}, {"cup": "none"}],
    ids=["base", "heroes and bus", "no recycling"],
)
def test_what_turns_of_zombie_dice_bank_is_the_score(options: dict[str, Any]) -> None:
    style = style_of("zombie_dice", 3, **options)
    rng = Random(3)
    for _ in range(20):
        history = play(style.game, lambda s: rng.choice(s.legal_actions()), rng)
        state = style.game.new_state()
        for x in history:
            state.apply(x)
        found = counted(style, history)
        assert [sum(found[seat, "banked"]) for seat in range(3)] == state.scores()
        for seat in range(3):
            assert len(found[seat, "busts"]) == len(found[seat, "rolls"])
            # A roll is a decision to roll on, but for the first one of a turn.
            on = sum(sum(found[seat, f"rolls_on_{n}"]) for n in range(3))
            assert sum(found[seat, "rolls"]) == on + len(found[seat, "rolls"])


@pytest.mark.parametrize("name", ["zombie_dice"])
def test_measures_have_names_of_their_own(name: str) -> None:
    measures = style_of(name).measures
    assert len({measure.name for measure in measures}) == len(measures)
    for measure in measures:
        assert measure.about.endswith(".")
        assert not measure.title.endswith(".")


def test_a_history_of_another_game_is_refused_in_a_sentence() -> None:
    with pytest.raises(StyleError, match="game zombie_dice: its playing style") as e:
        style_of("zombie_dice").count(["X", "place b2"])
    assert "IllegalActionError" in str(e.value)
