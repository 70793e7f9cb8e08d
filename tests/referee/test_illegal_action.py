"""The message about an action that was not legal."""

import pytest

from arena.games import State, Table, get_game
from arena.referee.illegal_action import why_illegal


def position(game: str, *history: str) -> State:
    """Return the state that chance outcomes and actions lead to."""
    state = get_game(game).new_state()
    for step in history:
        state.apply(step)
    return state


BLOCKS = ("X",)
BY_INDEX = "for an index write obs.legal_actions[4], which was 'place b2'"
CASES = [
    ("ox_blocks", BLOCKS, "Place B2", "it is spelt 'place b2'"),
    ("ox_blocks", BLOCKS, " place b2 ", "it is spelt 'place b2'"),
    ("ox_blocks", BLOCKS, "place_b2", "it is spelt 'place b2'"),
    ("ox_blocks", BLOCKS, "b2 place", "did you mean 'place b2'?"),
    ("ox_blocks", BLOCKS, "b2", "did you mean 'place b2'?"),
    ("ox_blocks", BLOCKS, "I place it on b2", "did you mean 'place b2'?"),
    ("ox_blocks", BLOCKS, "place", "choose one of legal_actions"),
    ("ox_blocks", BLOCKS, "place b2 or c3", "choose one of legal_actions"),
    ("ox_blocks", BLOCKS, "place a1 b1", "choose one of legal_actions"),
    ("ox_blocks", BLOCKS, "4", BY_INDEX),
    ("ox_blocks", BLOCKS, "9", "choose one of legal_actions"),
    ("ox_blocks", BLOCKS, "-1", "choose one of legal_actions"),
    ("ox_blocks", BLOCKS, "\N{SUPERSCRIPT TWO}", "choose one of legal_actions"),
    ("ox_blocks", BLOCKS, "None", "it is the text of None: the action had no text"),
    ("ox_blocks", BLOCKS, "['place a1']", "it is spelt 'place a1'"),
    ("ox_blocks", BLOCKS, "plce b2", "did you mean 'place b2'?"),
    ("ox_blocks", BLOCKS, "place d4", "choose one of legal_actions"),
    ("ox_blocks", BLOCKS, "remove b2", "not now: choose one of legal_actions"),
    ("ox_blocks", BLOCKS, "", "choose one of legal_actions"),
    (
        "ox_blocks",
        BLOCKS,
        "roll",
        "that is an action of zombie_dice, and this is ox_blocks",
    ),
    (
        "ox_blocks",
        BLOCKS,
        "keep blue",
        "that is an action of zombie_mania, and this is ox_blocks",
    ),
    (
        "ox_blocks",
        (*BLOCKS, "place b2", "X"),
        "place b2",
        "not now: choose one of legal_actions",
    ),
]


@pytest.mark.parametrize(("game", "history", "action", "reason"), CASES)
def test_what_was_meant_is_said(
    game: str, history: tuple[str, ...], action: str, reason: str
) -> None:
    told = why_illegal(action, position(game, *history))
    assert told.startswith(f"played {action!r}; legal were 'place a1', 'place b1', ")
    assert told.endswith(f" in all) ({reason})")


@pytest.mark.parametrize(
    ("game", "action", "reason"),
    [
        ("zombie_run", "swap 1", "not in the phase 'peek': look at phase first"),
        ("zombie_run", "Peek 1 2", "it is spelt 'peek 1 2'"),
        ("zombie_mania", "roll", "not in the phase 'keep': look at phase first"),
    ],
)
def test_an_action_of_another_phase(game: str, action: str, reason: str) -> None:
    table = Table(get_game(game), b"seed")
    table.advance()
    assert why_illegal(action, table.state).endswith(f"({reason})")


def test_a_long_action_is_cut() -> None:
    state = position("ox_blocks", *BLOCKS)
    assert len(why_illegal("x" * 10**6, state)) < 300


def test_three_legal_actions_are_all_there_are() -> None:
    thrown = "X place a1, O place b1, X place b2, O place a2, X place c2, O place c3, X"
    history = thrown.replace(" place", ", place").split(", ")
    told = why_illegal("pass", position("ox_blocks", *history))
    assert told.startswith(
        "played 'pass'; legal were 'place c1', 'place a3', 'place b3' (not now: "
    )
