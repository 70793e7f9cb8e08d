"""What games refuse: options, numbers of seats, and what is not possible."""

from typing import Any

import pytest
from zombie_dice_positions import FEET, GREENS, REDS, YELLOWS
from zombie_manias import NOTHING, dice

from arena.games import CHANCE, GameSpecError, IllegalActionError, get_game


@pytest.mark.parametrize(
    ("game", "options", "key", "problem"),
    [
        ("ox_blocks", {"size": 5}, "size", "found 5"),
        ("ox_blocks", {"size": "3"}, "size", "found '3'"),
        ("ox_blocks", {"removal": "never"}, "removal", "found 'never'"),
        ("ox_blocks", {"faces": [0, 2, 2]}, "faces", "a whole number >= 1; found"),
        ("ox_blocks", {"faces": [2, 0, 2]}, "faces", "a whole number >= 1; found"),
        ("ox_blocks", {"faces": [2, 2, -1]}, "faces", "a whole number >= 0; found"),
        ("ox_blocks", {"faces": [2, 2]}, "faces", "length 3"),
        ("ox_blocks", {"faces": 2}, "faces", "found 2"),
        ("ox_blocks", {"sise": 4}, "sise", "did you mean 'size'"),
        ("zombie_run", {"rounds": 0}, "rounds", ">= 1"),
        ("zombie_run", {"rounds": 51}, "rounds", "<= 50"),
        ("zombie_run", {"hand": 3}, "hand", "found 3"),
        ("zombie_run", {"hand": 7}, "hand", "found 7"),
        (
            "zombie_run",
            {"must_swap_from_discard": "no"},
            "must_swap_from_discard",
            "'no'",
        ),
        ("zombie_run", {"copies": [5] * 8}, "copies", "length >= 9"),
        ("zombie_run", {"copies": [5] * 8 + [-1]}, "copies", ">= 0"),
        ("zombie_run", {"streets": -1}, "streets", ">= 0"),
        ("zombie_run", {"hordes": 1.5}, "hordes", "found 1.5"),
        ("zombie_run", {"round_cap": 0}, "round_cap", ">= 1"),
        ("zombie_run", {"horde": 15}, "horde", "did you mean 'hordes'"),
        ("zombie_mania", {"tokens": 0}, "tokens", ">= 1"),
        ("zombie_mania", {"tokens": "12"}, "tokens", "found '12'"),
        ("zombie_mania", {"tokens": 1.5}, "tokens", "found 1.5"),
        ("zombie_mania", {"games": 0}, "games", ">= 1"),
        ("zombie_mania", {"games": 1001}, "games", "<= 1000"),
        ("zombie_mania", {"games": True}, "games", "found True"),
        ("zombie_mania", {"dice": 8}, "dice", "unknown key"),
    ],
)
def test_options(game: str, options: dict[str, Any], key: str, problem: str) -> None:
    with pytest.raises(GameSpecError, match=problem) as caught:
        get_game(game, 2, options)
    assert caught.value.key == f"options.{key}"


@pytest.mark.parametrize(
    ("game", "options", "fewest", "most"),
    [
        ("ox_blocks", {}, 2, 2),
        ("zombie_mania", {}, 2, 5),
        # Ruling 56: so many hands can be dealt, and a card is left to turn up.
        ("zombie_run", {"hand": 4}, 2, 18),
        ("zombie_run", {"hand": 5}, 2, 14),
        ("zombie_run", {"hand": 6}, 2, 12),
        ("zombie_run", {"copies": [1] * 9, "streets": 0, "hordes": 0}, 2, 2),
    ],
)
def test_players(game: str, options: dict[str, Any], fewest: int, most: int) -> None:
    for players in (fewest, most):
        assert get_game(game, players, options).players == players
    for players in (fewest - 1, most + 1):
        with pytest.raises(GameSpecError) as caught:
            get_game(game, players, options)
        assert caught.value.key == "players"


LINE = ["X", "place a1", "X", "place b1", "X", "place c1"]
LOOKS = [*"012345678", "peek 1 2", "peek 1 2"]
KEEP = [
    dice("2 blue, 2 gravestone, 2 building, 2 brown"),
    "keep blue blue gravestone gravestone building building",
]
MOVED = [*KEEP, "stop", "move 1 graveyard", dice(NOTHING)]


@pytest.mark.parametrize(
    ("game", "options", "steps", "impossible"),
    [
        ("zombie_dice", {}, [], ["roll", "stop", "green brain"]),
        ("zombie_dice", {}, [], ["yellow feet, green brain, red feet"]),
        ("zombie_dice", {}, [FEET], [GREENS, "Roll", ""]),
        ("zombie_dice", {}, [FEET, "roll"], [YELLOWS]),
        ("zombie_dice", {}, [REDS, "roll"], [REDS]),
        ("zombie_dice", {"target": 3}, [GREENS, "stop", FEET, "stop"], ["stop"]),
        ("ox_blocks", {}, [], ["place a1", "pass", "o", ""]),
        ("ox_blocks", {}, ["X"], ["X", "place d1", "place a4", "remove a1", "pass"]),
        ("ox_blocks", {}, ["X"], ["place  a1"]),
        ("ox_blocks", {}, [*LINE[:2], "X"], ["place a1"]),
        ("ox_blocks", {}, [*LINE[:2], "open"], ["remove b1", "place b1"]),
        ("ox_blocks", {}, [*LINE[:4], "open"], ["pass", "remove c1"]),
        ("ox_blocks", {}, LINE, ["X", "place a2", "pass"]),
        ("zombie_run", {}, [], ["10", "-1", "07", "draw"]),
        ("zombie_run", {}, ["7"] * 5, ["7"]),
        ("zombie_run", {}, LOOKS[:9], ["peek 2 1", "draw"]),
        ("zombie_run", {}, LOOKS[:10], ["peek 1 5"]),
        ("zombie_run", {}, LOOKS, ["peek 3 4", "discard", "shout", "draw shout"]),
        ("zombie_run", {}, LOOKS, ["take shout", "swap 1 shout"]),
        ("zombie_run", {}, [*LOOKS, "draw"], ["take"]),
        ("zombie_run", {}, [*LOOKS, "take"], ["swap 5"]),
        ("zombie_mania", {}, [], ["blue", "x2 blue", "roll", "keep blue", "", "8 x2"]),
        ("zombie_mania", {}, KEEP[:1], ["keep", "keep gravestone", "keep green"]),
        ("zombie_mania", {}, KEEP[:1], ["keep blue blue blue", "roll", "stop", "blue"]),
        ("zombie_mania", {}, KEEP[:1], ["keep gravestone blue", "keep  blue"]),
        ("zombie_mania", {}, KEEP, ["keep blue", "move 0", "Roll", "blue x2"]),
        ("zombie_mania", {"tokens": 1}, MOVED[:3], ["move 0 graveyard", "move 1"]),
        ("zombie_mania", {"tokens": 1}, MOVED[:3], ["move 2 graveyard", "stop"]),
        ("zombie_mania", {"tokens": 1}, MOVED[:3], ["move 1 seat 0", "move 2 seat 1"]),
        ("zombie_mania", {"tokens": 1}, MOVED[:3], ["move 1 seat 2"]),
        ("zombie_mania", {"tokens": 1}, MOVED[:3], ["move -1 graveyard"]),
        ("zombie_mania", {"tokens": 1}, MOVED, ["roll", "stop", "move 0"]),
        ("zombie_mania", {"tokens": 1}, MOVED, [dice(NOTHING)]),
    ],
)
def test_what_is_not_possible_changes_nothing(
    game: str, options: dict[str, Any], steps: list[str], impossible: list[str]
) -> None:
    state = get_game(game, 2, options).new_state()
    for step in steps:
        state.apply(step)
    before = state.key(), state.legal_actions(), state.observation(0)
    for x in impossible:
        assert not state.is_legal(x) or state.current_player() == CHANCE
        with pytest.raises(IllegalActionError, match=f"{game}: expected"):
            state.apply(x)
        assert (state.key(), state.legal_actions(), state.observation(0)) == before
