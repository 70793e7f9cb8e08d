"""The pages keep to what the program does."""

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.games import game_paths
from arena.league.config import (
    AnchorSettings,
    BotSettings,
    GameSettings,
    LeagueSettings,
    load_config,
)
from arena.referee.record import Limits

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CONFIGS = (ROOT / "configs" / "README.md").read_text()


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of a page in one language."""
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("code", blocks(README, "python"))
def test_the_readmes_code_runs(code: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_the_readme_names_every_game_and_page() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE)) == set(game_paths())
    for page in re.findall(r"\]\((?!https)([^)]+)\)", README + CONFIGS):
        assert (ROOT / page).exists() or (ROOT / "configs" / page).exists()


@pytest.mark.parametrize(
    "settings", [LeagueSettings, GameSettings, BotSettings, AnchorSettings, Limits]
)
def test_every_setting_is_explained(settings: type[msgspec.Struct]) -> None:
    for key in settings.__struct_fields__:
        assert f"`{key}`" in CONFIGS


def test_the_limits_in_the_table_are_those_in_force() -> None:
    table = CONFIGS.split("### `limits`")[1]
    rows = re.findall(r"^\| `(\w+)` \| [\w ]+ \| ([\d.]+) \|", table, re.MULTILINE)
    assert msgspec.convert(dict(rows), Limits, strict=False) == Limits()
    assert [key for key, _ in rows] == list(Limits.__struct_fields__)


def test_the_smallest_league_is_one(tmp_path: Path) -> None:
    smallest, bots = blocks(CONFIGS, "yaml")
    path = tmp_path / "league.yaml"
    path.write_text(smallest + bots)
    config = load_config(path)
    assert [game.label for game in config.games] == ["zombie_dice"]
    assert [bot.name for bot in config.bots] == [None, "cautious_1", "cautious_4"]


def test_the_classrooms_limits_are_the_defaults() -> None:
    config = load_config(ROOT / "configs" / "classroom.yaml")
    assert config.limits == Limits()
    assert {game.spec.name for game in config.games} == set(game_paths())


def test_continuous_integration_runs_the_readmes_tests() -> None:
    assert "python -m pytest" in README
    assert "python -m pytest" in (ROOT / ".ci" / "run").read_text()
