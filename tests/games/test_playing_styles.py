"""What is counted of how seats play: against exact chances, and games by hand."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Any

import pytest

from arena.games import CHANCE, TERMINAL, Game, State, get_game
from arena.games.registry import GAMES, OUR_GAMES
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


def test_who_draws_level_in_the_last_round_does_not_give_up() -> None:
    style = style_of("zombie_dice", target=1)
    feet, level = (
        "green feet, green feet, red feet",
        "green brain, green feet, red feet",
    )
    assert counted(style, [level, "stop", level, "stop"])[1, "gives_up"] == []
    assert counted(style, [level, "stop", feet, "stop"])[1, "gives_up"] == [1]
    # Nobody has reached the target yet.
    assert counted(style, [feet, "stop", level, "stop"])[0, "gives_up"] == []


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


def test_ox_blocks_by_hand() -> None:
    style = style_of("ox_blocks")
    history = [
        *("X", "place b2"),  # The centre.
        *("O", "place a1"),
        *("X", "place c1"),  # X is short of a3.
        *("X", "place a3"),  # O has thrown X with six cells free: gives it away.
    ]
    assert counted(style, history) == {
        (0, "centre"): [1],
        (1, "gives_away"): [1],
    }
    history[-1:] = [
        "place a2",  # X is short of c2 as well, and of a3 no more or less.
        *("O", "place c2"),  # X has thrown O, and fills a gap of its own.
        *("open", "remove b2"),  # O removes where both lines meet.
        *("X", "place b2"),  # X is short of a3 again.
        *("O", "place b1"),  # O can't win, and leaves the gap.
        *("X", "place a3"),
    ]
    assert counted(style, history) == {
        (0, "centre"): [1, 1],
        (1, "gives_away"): [0],
        (0, "spoils"): [1],
        (1, "removes"): [1],
        (1, "breaks"): [1],
        (1, "blocks"): [0],
        (0, "wins"): [1],
    }


def test_what_ox_blocks_does_not_count() -> None:
    style = style_of("ox_blocks")
    history = [
        *("X", "place a1", "O", "place c3", "X", "place b1"),
        # A block that is in no line of two; X is still short of c1.
        *("X", "place c2", "open", "remove c3", "open", "remove c2"),
    ]
    found = counted(style, history)
    assert found[1, "gives_away"] == [0]
    assert found[1, "breaks"] == [0]
    # Two cells are left, and both complete a line of X: there is no choice.
    forced = [
        *("X", "place a1", "O", "place c2", "X", "place b1", "O", "place a2"),
        *("X", "place b3", "O", "place a3", "X", "place c3", "X", "place c1"),
    ]
    state = style.game.new_state()
    for x in forced[:-1]:
        state.apply(x)
    assert state.legal_actions() == ["place c1", "place b2"]
    assert (1, "gives_away") not in counted(style, forced)


def test_zombie_run_by_hand() -> None:
    style = style_of("zombie_run", rounds=1)
    deal = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]  # Ana 1 3 5 7, Ben 2 4 6 8.
    history = [
        *(*deal, "peek 1 2", "peek 1 2"),
        *("draw", "0", "swap 3"),  # For a 5 that it has not seen.
        *("take", "swap 2"),  # The 5 for its 4, which is higher.
        *("draw", "9", "discard"),
        *("draw", "1", "swap 1 shout"),  # For its 2: 1 5 6 8 against 1 3 0 7.
    ]
    assert counted(style, history) == {
        (0, "takes"): [0, 0],
        (0, "keeps"): [1, 0],
        (0, "blind"): [1],
        (1, "takes"): [1, 0],
        (1, "keeps"): [1],
        (1, "blind"): [0, 0],
        (1, "raises"): [1, 0],
        (0, "scored"): [11],
        (1, "scored"): [40],
        (0, "shouts"): [0],
        (1, "shouts"): [1],
        (1, "right_shouts"): [0],
        (1, "hand_at_shout"): [20],
    }


def test_what_rounds_of_zombie_run_score_is_the_score() -> None:
    style = style_of("zombie_run", 3)
    rng = Random(2)
    history = play(style.game, lambda s: rng.choice(s.legal_actions()), rng)
    state = style.game.new_state()
    for x in history:
        state.apply(x)
    found = counted(style, history)
    assert [sum(found[seat, "scored"]) for seat in range(3)] == state.scores()
    assert all(len(found[seat, "shouts"]) == 5 for seat in range(3))


def test_a_first_throw_of_zombie_mania_is_lost_with_its_exact_chance() -> None:
    """Eight dice show no zombie in 1 of 2^8 throws."""
    style = style_of("zombie_mania")
    lost = kept = pairs = 0.0
    first = style.game.new_state()
    for throw, chance in first.chance_outcomes():
        after = first.clone()
        after.apply(throw)
        if after.current_player() != 0:
            history = [throw]
        else:
            # All eight dice, so that there is no roll to decide on.
            history = [throw, after.legal_actions()[-1]]
            after.apply(history[-1])
            if "move 0" in after.legal_actions():
                pairs += chance
                history.append("move 0")
        found = counted(style, history)
        lost += chance * sum(found[0, "busts"])
        kept += chance * sum(found[0, "kept"])
        assert found[0, "throws"] == found[0, "empty"] == [1]
    assert lost == pytest.approx(2**-8)
    assert kept == pytest.approx(8 * (1 - 2**-8))
    assert 0 < pairs < 0.395323  # Two gravestones alone move nothing.


def test_zombie_mania_by_hand() -> None:
    style = style_of("zombie_mania", 3)
    throw = "blue blue green gravestone gravestone building building x2"
    history = [
        throw,
        "keep blue blue gravestone gravestone building building",
        "roll",  # Though one could be moved already.
        "blue green",
        "keep blue",
        "stop",
        "move 1 seat 2",
        throw,
        "keep blue",
        "stop",  # Too early.
        throw,
        "keep blue blue",
        "roll",
        "gravestone gravestone gravestone building building x2",
        throw,
        "keep blue blue gravestone gravestone",
        "stop",
        "move 1 graveyard",  # Without buildings there is no choice where to.
    ]
    assert counted(style, history) == {
        (0, "kept"): [6, 1, 4],
        (0, "pushes"): [1, 0, 0],
        (0, "sends"): [1],
        (0, "busts"): [0, 0],
        (0, "moved"): [1, 1],
        (0, "empty"): [0, 0],
        (0, "throws"): [2, 1],
        (1, "kept"): [1],
        (1, "gives_up"): [1],
        (1, "busts"): [0],
        (1, "moved"): [0],
        (1, "empty"): [1],
        (1, "throws"): [1],
        (2, "kept"): [2],
        (2, "gives_up"): [0],
        (2, "busts"): [1],
        (2, "moved"): [0],
        (2, "empty"): [1],
        (2, "throws"): [2],
    }


def test_pig_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The style of a package's game is found and counted as ours are."""
    monkeypatch.setitem(GAMES._paths, "pig", "arena_pig:Pig")
    found = counted(style_of("pig"), ["6", "hold", "2", "roll", "1"])
    assert found == {
        (0, "holds_at"): [6],
        (0, "busts"): [0],
        (0, "banked"): [6],
        (1, "busts"): [1],
        (1, "banked"): [0],
    }


@pytest.mark.parametrize("name", OUR_GAMES)
def test_measures_are_few_and_have_names_of_their_own(name: str) -> None:
    measures = style_of(name).measures
    assert 4 <= len(measures) <= 10
    assert len({measure.name for measure in measures}) == len(measures)
    assert len({measure.title for measure in measures}) == len(measures)
    for measure in measures:
        assert measure.about.endswith(".")
        assert not measure.title.endswith(".")


@pytest.mark.parametrize("name", OUR_GAMES)
def test_every_measure_is_counted_some_time(name: str) -> None:
    """Among random seats, with the expansions where there are any."""
    options = {"bus": True} if name == "zombie_dice" else {}
    style = style_of(name, **options)
    rng = Random(1)
    seen = set()
    for _ in range(40):
        history = play(style.game, lambda s: rng.choice(s.legal_actions()), rng)
        for (_, measure), values in counted(style, history).items():
            shares = next(m.is_share for m in style.measures if m.name == measure)
            assert not shares or {*values} <= {0, 1}
            seen.add(measure)
    assert seen == {measure.name for measure in style.measures}


def test_a_history_of_another_game_is_refused_in_a_sentence() -> None:
    with pytest.raises(StyleError, match="game zombie_dice: its playing style") as e:
        style_of("zombie_dice").count(["X", "place b2"])
    assert "IllegalActionError" in str(e.value)
    with pytest.raises(StyleError) as e:
        style_of("zombie_dice").count(["X" * 10**6])
    assert len(str(e.value)) < 300
