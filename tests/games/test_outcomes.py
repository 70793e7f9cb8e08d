"""What an event has come to, in words: bust or banked, and the like in each game."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest

from arena.games import CHANCE, TERMINAL, Observation, Replay, State, get_game
from arena.games.registry import GAMES
from arena.reports.replay.drawings import Drawing, find_drawing, with_names
from arena.reports.replay.frames import frames
from arena.reports.replay.story import GameStory, story_lines

Events = Iterator[tuple[State, str, State, Observation, str]]
"""The state before, the event, the state after, what was seen then, and the outcome."""


def drawing_of(name: str, players: int = 2, **options: Any) -> Drawing:
    found = find_drawing(get_game(name, players, options))
    assert found is not None
    return found


def walk(drawing: Drawing, choose: Callable[[State], str], rng: Random) -> Events:
    """Yield the events of a game, at most 600."""
    state = drawing.game.new_state()
    for _ in range(600):
        player = state.current_player()
        if player == TERMINAL:
            return
        old, before = state.clone(), state.observation(0)
        x = state.outcome_at(rng.random()) if player == CHANCE else choose(state)
        state.apply(x)
        after = state.observation(0)
        yield old, x, state, after, drawing.outcome(before, x, after)


def outcomes(drawing: Drawing, history: Sequence[str]) -> list[str]:
    """Return what each event of a history has come to."""
    found = [""] * len(history)
    for position, outcome in frames(Replay(drawing.game, history), drawing).outcomes:
        found[position - 1] = outcome
    return found


EXPANSIONS = [
    {},
    {"bus": True},
    {"horde": True, "bus": True},
    {"preset": "direct_to_video_sequel", "bus": True, "faces": "manual"},
    {"cup": "none"},
]


@pytest.mark.parametrize("number", range(len(EXPANSIONS)))
def test_a_turn_of_zombie_dice_is_bust_or_banked_as_the_rules_have_it(
    number: int,
) -> None:
    drawing = drawing_of("zombie_dice", 3, **EXPANSIONS[number])
    rng = Random(number)
    told = set()
    for _ in range(30):
        events = walk(drawing, lambda s: rng.choice(s.legal_actions()), rng)
        for old, _, new, _, outcome in events:
            old_any: Any = old
            new_any: Any = new
            seat = old_any.seat
            gain = new_any.banked[seat] - old_any.banked[seat]
            is_over = (new_any.seat, new_any.round) != (seat, old_any.round)
            is_over |= new.is_terminal()
            # Whatever was thrown, a turn has an outcome when it ends, and only then.
            assert bool(outcome) == (is_over or gain != 0)
            told.add(outcome.split()[0].rstrip(",") if outcome else "")
            if outcome.startswith("banks") and gain:
                assert outcome.split()[1:5] == [
                    f"{gain}",
                    "brain," if gain == 1 else "brains,",
                    "has",
                    f"{new_any.banked[seat]}",
                ]
            elif outcome.startswith("bust"):
                assert gain <= 0
                assert old.current_player() == CHANCE
    assert told >= {"", "bust", "banks"}


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        (
            ["green brain, green brain, yellow shotgun", "stop"],
            "banks 2 brains, has 2",
        ),
        (["green feet, green feet, yellow feet", "stop"], "banks nothing, has 0"),
        (["yellow shotgun, yellow shotgun, red shotgun"], "bust"),
        (
            [
                "green brain, yellow shotgun, red shotgun",
                "roll",
                "green brain, yellow brain, yellow shotgun",
            ],
            # What `stop` would have banked.
            "bust, loses 1 brain",
        ),
    ],
    ids=["banked", "nothing", "first roll", "later"],
)
def test_zombie_dice_by_hand(history: list[str], expected: str) -> None:
    *others, last = outcomes(drawing_of("zombie_dice"), history)
    assert last == expected
    assert not any(others)


@pytest.mark.parametrize(
    ("feet", "roll", "expected"),
    [
        ("green feet, green feet", "green feet, green feet", "banks nothing, has 0"),
        ("green feet, green feet", "green brain, green feet", "banks 1 brain, has 1"),
        ("green feet, yellow feet", "green shotgun, yellow shotgun", "bust"),
    ],
    ids=["nothing", "banked", "fatal"],
)
def test_the_stop_sign_of_the_bus_banks_unless_the_roll_is_fatal(
    feet: str, roll: str, expected: str
) -> None:
    drawing = drawing_of("zombie_dice", bus=True)
    history = [f"{feet}, red shotgun", "roll bus", f"{roll}, bus stop"]
    assert outcomes(drawing, history) == ["", "", expected]
    # Under this sign the shotguns are undone, and the turn goes on.
    history[-1] = f"{roll}, bus yield"
    assert outcomes(drawing, history) == ["", "", ""]


def test_ox_blocks_by_hand() -> None:
    drawing = drawing_of("ox_blocks")
    history = ["open", "X", "place a1", "X", "place b1", "X", "place c1"]
    first, *others, last = outcomes(drawing, history)
    assert first == "there is no block to remove"
    assert not any(others)
    # Whoever has placed its last block.
    assert last == "a line of X: {0} wins"
    assert with_names(last, ["Ana", "Ben"]) == "a line of X: Ana wins"


def test_a_full_board_is_a_draw() -> None:
    drawing = drawing_of("ox_blocks")
    cells = ["a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3", "b3"]
    faces = ["X", "O", "X", "X", "O", "O", "O", "X", "X"]
    history = [x for f, c in zip(faces, cells, strict=True) for x in (f, f"place {c}")]
    told = outcomes(drawing, history)
    assert told[-1] == "the board is full: a draw"
    assert not any(told[:-1])


def test_a_round_of_zombie_run_is_told_seat_by_seat() -> None:
    drawing = drawing_of("zombie_run", 3)
    rng = Random(2)
    sums = [0, 0, 0]
    rounds = doubled = 0
    for old, x, new, after, outcome in walk(
        drawing, lambda s: rng.choice(s.legal_actions()), rng
    ):
        if new.scores() == old.scores():
            assert outcome == "", x
            continue
        rounds += 1
        start, _, gains = outcome.partition(": ")
        assert start == "the round is over"
        for seat, told in enumerate(gains.split(", ")):
            name, gain, *how = told.split(" ", 2)
            assert name == f"{{{seat}}}"
            sums[seat] += int(gain)
            hand = sum(after.revealed[seat])  # type: ignore[attr-defined]
            assert how == ([f"({hand} doubled)"] if int(gain) == 2 * hand else [])
            doubled += bool(how)
        assert sums == new.scores()
    assert rounds == 5
    assert doubled


@pytest.mark.parametrize("games", [1, 3])
def test_a_turn_of_zombie_mania_is_told_when_it_ends(games: int) -> None:
    drawing = drawing_of("zombie_mania", 3, games=games, tokens=2)
    rng = Random(1)
    endings = []
    for old, x, new, _, outcome in walk(
        drawing, lambda s: rng.choice(s.legal_actions()), rng
    ):
        before, state = (vars_of(each) for each in (old, new))
        assert bool(outcome) == (before != state)
        if outcome.startswith("no zombie"):
            assert old.current_player() == CHANCE
        elif outcome.startswith("has "):
            assert x.startswith("move ")
        if ";" in outcome:
            endings.append(outcome.partition("; ")[2])
    assert new.is_terminal()
    assert len(endings) == games
    if games == 1:
        winner = new.places().index(1)
        assert endings == [f"{{{winner}}} has no tokens and wins"]
    else:
        gains = [
            [int(gain.partition("+")[2]) for gain in each.split(", ")]
            for each in endings
        ]
        assert [sum(own) for own in zip(*gains, strict=True)] == new.scores()
        assert endings[1].startswith("game 2 is over: {0} +")


def vars_of(state: Any) -> tuple[int, int]:
    """Return the game of the series and its turn."""
    return state.number, state.turns


def test_a_game_without_outcomes_is_told_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And one whose outcomes fail: a story is a story all the same."""
    monkeypatch.setitem(GAMES._paths, "pig", "arena_pig:Pig")
    game = get_game("pig", 2, {"target": 20})
    history = ["6", "hold", "2", "roll", "1"]

    def story() -> list[str]:
        lines = story_lines(GameStory(Replay(game, history), ["{1}", "Ben"]))
        return [line.strip() for line in lines if "→" in line]

    assert story() == ["→ banks 6 points, has 6", "→ bust, loses 2 points"]
    for broken in (lambda *x: 1 / 0, lambda *x: 7, lambda *x: exit("away")):
        monkeypatch.setattr("arena_pig.drawing.outcome", broken)
        assert story() == []
    monkeypatch.setattr("arena_pig.drawing.outcome", lambda *x: "{0}, {1} and {7}")
    # What a name holds is no number of a seat.
    assert story()[0] == "→ {1}, Ben and {7}"
    monkeypatch.delattr("arena_pig.drawing.outcome")
    assert story() == []
