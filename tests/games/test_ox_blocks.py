"""OX Blocks: its rulings 37 to 45, its exact value, what holds in any game."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.games import CHANCE, TERMINAL, Game, game_paths, get_game

FULL_WITHOUT_LINE = {
    "a1": "X", "b1": "O", "c1": "X",
    "a2": "X", "b2": "O", "c2": "O",
    "a3": "O", "b3": "X", "c3": "X",
}  # fmt: skip


def ox_blocks(**options: Any) -> Any:
    return get_game("ox_blocks", 2, options)


def play(game: Game, *steps: str) -> Any:
    state: Any = game.new_state()
    for step in steps:
        state.apply(step)
    return state


def build(blocks: dict[str, str]) -> list[str]:
    return [step for cell, face in blocks.items() for step in (face, f"place {cell}")]


@pytest.mark.parametrize(
    ("size", "cells", "lines"),
    [(3, "a1 b1 c1 a2 b2 c2 a3 b3 c3", 8), (4, "a1 b1 c1 d1 a2 b2 c2 d2", 10)],
)
def test_board_blocks_and_lines(size: int, cells: str, lines: int) -> None:
    """Ruling 37: as many blocks as cells, lines as long as the board."""
    game = ox_blocks(size=size)
    state = play(game, "X")
    places = [f"place {cell}" for cell in cells.split()]
    assert state.legal_actions()[: len(places)] == places
    assert len(state.legal_actions()) == size * size
    assert len(game.lines) == lines
    assert {len(line) for line in game.lines} == {size}
    assert game.num_actions == 2 * size * size + 1


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize(
    ("faces", "odds"),
    [
        (None, {"X": 1 / 3, "O": 1 / 3, "open": 1 / 3}),
        ([3, 2, 1], {"X": 1 / 2, "O": 1 / 3, "open": 1 / 6}),
        ((1, 1, 0), {"X": 1 / 2, "O": 1 / 2}),
    ],
)
def test_faces_of_a_block(
    faces: Sequence[int] | None, odds: dict[str, float], size: int
) -> None:
    """Ruling 37: X X O O open open, unless the option says otherwise."""
    game = ox_blocks(size=size, faces=faces) if faces else ox_blocks(size=size)
    assert game.new_state().chance_outcomes() == list(odds.items())


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize(("symbol", "winner"), [("X", 0), ("O", 1)])
def test_every_line_wins_for_its_symbol(size: int, symbol: str, winner: int) -> None:
    """Rulings 40, 41: both seats build it; who completes it does not matter."""
    game = ox_blocks(size=size)
    for line in game.lines:
        for last in range(size):
            cells = [*line[:last], *line[last + 1 :], line[last]]
            steps = build(dict.fromkeys(cells, symbol))
            state = play(game, *steps[:-1])
            assert not state.is_terminal()
            state.apply(steps[-1])
            assert state.current_player() == TERMINAL
            returns = [1.0, 0.0] if winner == 0 else [0.0, 1.0]
            assert state.returns() == state.scores() == returns
            assert state.places() == [1 + winner, 2 - winner]


@pytest.mark.parametrize("opening", [[], ["open"]])
def test_completing_the_line_of_the_other_loses(opening: list[str]) -> None:
    """Ruling 41: the symbol wins, from whichever seat it is thrown."""
    line = build({"a1": "O", "b1": "O", "c1": "O"})
    state = play(ox_blocks(), *opening, *line[:-1])
    assert state.current_player() == len(opening)
    state.apply(line[-1])
    assert state.returns() == [0.0, 1.0]


def test_three_blocks_of_a_four_cell_line_do_not_win() -> None:
    """Ruling 37: a line of the larger board has four cells."""
    state = play(ox_blocks(size=4), *build(dict.fromkeys(["a1", "b1", "c1"], "X")))
    assert state.current_player() == CHANCE


def test_full_board_without_a_line_is_a_draw() -> None:
    """Ruling 38: no block is left to throw."""
    state = play(ox_blocks(), *build(FULL_WITHOUT_LINE))
    assert state.current_player() == TERMINAL
    assert state.returns() == state.scores() == [0.5, 0.5]
    assert state.places() == [1, 1]
    assert state.chance_outcomes() == []


def test_last_block_can_complete_a_line() -> None:
    """Ruling 38: a full board with a line is won."""
    blocks = dict(FULL_WITHOUT_LINE)
    del blocks["b2"]
    state = play(ox_blocks(), *build(blocks), "X", "place b2")
    assert state.returns() == [1.0, 0.0]


@pytest.mark.parametrize("removal", ["optional", "must"])
@pytest.mark.parametrize(
    ("steps", "legal"),
    [
        # Seat 0 throws open: the other, O, has a block.
        ("O, place b2, X, place a1, open", "remove b2, pass"),
        ("O, place b2, O, place c3, open", "remove b2, remove c3, pass"),
        # Seat 1 throws open: the other, X, has blocks.
        ("X, place c1, open", "remove c1, pass"),
        # The other has none: one's own must go, and there is no pass.
        ("X, place a1, X, place a2, open", "remove a1, remove a2"),
        ("O, place c3, open", "remove c3"),
    ],
)
def test_open_face(steps: str, legal: str, removal: str) -> None:
    """Ruling 39, and 40: whose a block is depends on its symbol, not on who threw."""
    state = play(ox_blocks(removal=removal), *steps.split(", "))
    expected = legal.split(", ")
    if removal == "must" and "pass" in expected:
        expected.remove("pass")
    assert state.legal_actions() == expected


def test_open_face_on_an_empty_board_passes_the_turn() -> None:
    """Ruling 39: there is nothing to decide."""
    state = ox_blocks().new_state()
    streams = []
    for _ in range(4):
        assert state.current_player() == CHANCE
        streams.append(state.chance_stream())
        state.apply("open")
    assert streams == [
        "seat 0 throw 1",
        "seat 1 throw 1",
        "seat 0 throw 2",
        "seat 1 throw 2",
    ]
    state.apply("X")
    assert state.current_player() == 0


@pytest.mark.parametrize("action", ["remove a1", "pass"])
def test_open_throw_ends_the_turn(action: str) -> None:
    """Ruling 42: the next throw is the other's; the block is thrown again."""
    state = play(ox_blocks(), "X", "place a1", "open", action)
    assert state.current_player() == CHANCE
    assert state.chance_stream() == "seat 0 throw 2"
    state.apply("O")
    assert state.is_legal("place a1") == (action == "remove a1")


def test_removed_block_fills_the_board_again() -> None:
    """Ruling 42: nine blocks lie on the board although one was taken off."""
    blocks = dict(FULL_WITHOUT_LINE)
    first = build({"a1": blocks.pop("a1")})
    state = play(ox_blocks(), *first, "open", "remove a1", *build(blocks), *first)
    assert state.is_terminal()
    assert state.returns() == [0.5, 0.5]


def test_ruling_43_endless_game_is_adjudicated_a_draw() -> None:
    game = ox_blocks()
    state = game.new_state()
    for _ in range(game.max_decisions // 2):
        for step in ("X", "place b2", "open", "remove b2"):
            state.apply(step)
    assert game.max_decisions == 1000
    assert not state.is_terminal()
    assert state.places() == [1, 1]
    assert game.adjudicate(state) == state.scores() == [0.5, 0.5]
    with pytest.raises(ValueError, match="at the end only"):
        state.returns()


def test_seat_0_plays_x_and_starts() -> None:
    """Ruling 44: the league swaps seats, the game does not."""
    state = play(ox_blocks(), "O")
    assert state.current_player() == 0
    symbols = [state.observation(seat).symbol for seat in (0, 1)]
    assert symbols == ["X", "O"]


def test_ruling_45_the_leaflets_are_of_two_games() -> None:
    assert {"ox_blocks", "zombie_dice"} <= set(game_paths())


def test_observation_and_text() -> None:
    state = play(ox_blocks(), "O", "place b1", "X", "place c3", "open")
    observed: Any = state.observation(0)
    assert observed.board == (".", "O", ".", ".", ".", ".", ".", ".", "X")
    assert [observed.at(cell) for cell in ("b1", "c3", "a3")] == ["O", "X", "."]
    assert (observed.thrown, observed.throws) == ("open", 3)
    assert observed.legal_actions == ["remove b1", "pass"]
    assert str(state) == "  a b c\n1 . O .\n2 . . .\n3 . . X\nX has thrown open"
    assert state.game.default_action(state) == "pass"
    state.apply("pass")
    state.apply("O")
    assert state.game.default_action(state) == "place a1"


def test_lists_are_the_callers_own() -> None:
    """Whoever changes one changes no game."""
    for steps in ([], ["X"], ["X", "place a1", "open"]):
        before = play(ox_blocks(), *steps)
        state = before.clone()
        state.legal_actions().clear()
        state.chance_outcomes().clear()
        assert state.legal_actions() == before.legal_actions()
        assert len(state.legal_actions() or state.chance_outcomes()) > 1


@pytest.mark.parametrize("faces", [(2, 2, 2), (3, 1, 2), (1, 4, 0)])
@pytest.mark.parametrize("removal", ["optional", "must"])
@pytest.mark.parametrize("size", [3, 4])
def test_what_holds_in_any_game(
    size: int, removal: str, faces: tuple[int, ...]
) -> None:
    game = ox_blocks(size=size, removal=removal, faces=faces)
    for seed in range(20):
        rng = Random(seed)
        state = game.new_state()
        throws = 0
        boards = [state.observation(0).board]
        while (player := state.current_player()) != TERMINAL:
            seen = state.observation(rng.randrange(2))
            assert seen.sample_state(rng).key() == state.key()
            if player == CHANCE:
                throws += 1
                state.apply(state.outcome_at(rng.random()))
                continue
            assert player == (throws - 1) % 2
            state.apply(rng.choice(state.legal_actions()))
            boards.append(state.observation(0).board)
        assert sum(state.returns()) == 1.0
        for board, next_board in pairwise(boards):
            changed = sum(a != b for a, b in zip(board, next_board, strict=True))
            assert changed <= 1
        full = "." not in boards[-1]
        assert full or sorted(state.returns()) == [0.0, 1.0]


def test_exact_value() -> None:
    """Both play to win, removal optional: seat 0 gets 0.519087 of the game."""
    assert solve(ox_blocks()) == pytest.approx(0.519087, abs=5e-7)


def solve(game: Game) -> float:
    """Return what seat 0 gets if both seats play for all they can get.

    The positions that can be reached are numbered by key; values are iterated
    until they stand still, as removals lead back to earlier positions.
    """
    numbers = {game.new_state().key(): 0}
    states = [game.new_state()]
    chance: list[tuple[int, list[int], list[float]]] = []
    decisions: tuple[list[tuple[int, list[int]]], ...] = ([], [])
    values = []
    for number, state in enumerate(states):
        outcomes = state.chance_outcomes()
        after = []
        for x in state.legal_actions() or [outcome for outcome, _ in outcomes]:
            child = state.clone()
            child.apply(x)
            key = child.key()
            if key not in numbers:
                numbers[key] = len(states)
                states.append(child)
            after.append(numbers[key])
        player = state.current_player()
        values.append(state.returns()[0] if player == TERMINAL else 0.5)
        if player == CHANCE:
            chance.append((number, after, [p for _, p in outcomes]))
        elif player != TERMINAL:
            decisions[player].append((number, after))

    value = np.array(values)
    throws = np.array([number for number, _, _ in chance])
    thrown = np.array([after for _, after, _ in chance])
    odds = np.array([p for _, _, p in chance])
    choices = [
        (
            best,
            np.array([number for number, _ in nodes]),
            np.array([number for _, after in nodes for number in after]),
            np.cumsum([0] + [len(after) for _, after in nodes[:-1]]),
        )
        for best, nodes in zip((np.maximum, np.minimum), decisions, strict=True)
    ]
    change = 1.0
    while change > 1e-12:
        before = value[throws]
        for best, deciding, following, starts in choices:
            value[deciding] = best.reduceat(value[following], starts)
        value[throws] = (value[thrown] * odds).sum(axis=1)
        change = np.abs(value[throws] - before).max()
    return float(value[0])
