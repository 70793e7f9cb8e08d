"""Pig keeps the contract of arena, and its own rules."""

import pytest
from arena_pig import Pig

from arena.games.conformance import check_game


@pytest.mark.parametrize("players", [2, 3, 10])
def test_it_keeps_the_contract(players: int) -> None:
    check_game(Pig(players, Pig.parse_options({"target": 20})))


def test_ruling_1_nobody_gets_another_turn_once_the_target_is_reached() -> None:
    state = Pig(3, Pig.parse_options({"target": 6})).new_state()
    for x in ("2", "hold", "5", "roll", "1", "3", "roll", "3", "hold"):
        state.apply(x)
    assert state.is_terminal()
    assert state.scores() == [2.0, 0.0, 6.0]
    assert state.returns() == [0.0, 0.0, 1.0]
