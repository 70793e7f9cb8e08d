"""The parts of a game are found by their names in its folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.games.luck import value_class
from arena.games.position_fields import PositionError
from arena.games.registry import GAMES, game_file, game_part
from arena.testing import position

PIG = Path(__file__).parents[1] / "packages" / "pig" / "arena_pig"


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of packages, sound and others."""
    for name, path in {
        "pig": "arena_pig:Pig",
        "alone": "arena_pig.game:Pig",
        "gone": "no_such_module.pig:Pig",
    }.items():
        monkeypatch.setitem(GAMES._paths, name, path)


@pytest.mark.usefixtures("known")
def test_parts_are_found_by_name() -> None:
    found = game_part("pig", "positions")
    assert found is not None
    assert found.__name__ == "arena_pig.positions"
    assert game_part("pig", "strategy") is None
    assert game_file("pig", "partner.py") == PIG / "partner.py"
    assert game_file("pig", "drawing.css") is None
    value = value_class("pig")
    assert value is not None
    assert value.__name__ == "PigValue"


@pytest.mark.usefixtures("known")
def test_a_game_in_a_single_module_has_none() -> None:
    assert game_part("alone", "positions") is None
    assert game_file("alone", "partner.py") is None
    assert value_class("alone") is None


@pytest.mark.usefixtures("known")
def test_a_game_that_is_not_there_has_none() -> None:
    assert game_part("chess", "luck") is None
    assert game_file("chess", "partner.py") is None
    assert game_file("gone", "partner.py") is None
    with pytest.raises(ModuleNotFoundError):
        game_part("gone", "luck")


@pytest.mark.usefixtures("known")
def test_positions_that_can_not_be_imported_are_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(name: str, part: str) -> None:
        raise ImportError(f"no {part}")

    monkeypatch.setattr("arena.testing.observations.game_part", fail)
    with pytest.raises(PositionError) as caught:
        position("pig", points=5)
    problem = "its positions can't be used: ImportError: no positions"
    assert str(caught.value) == f"position: pig: {problem}"
    assert position("pig", "4").points == 4


def test_a_file_is_found_without_the_game() -> None:
    code = (
        "import sys\n"
        "from arena.games.registry import game_file\n"
        "assert game_file('zombie_dice', 'drawing.js')\n"
        "assert 'arena.games.zombie_dice' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
