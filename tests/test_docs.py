"""The pages keep to what the program does."""

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.errors import ConfigError
from arena.games import game_paths
from arena.games.zombie_dice import PRESETS
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
LEAGUES = sorted((ROOT / "configs").glob("*.yaml"))


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
    rows = re.findall(r"^\| `(\w+)` \| [\w ]+ \| ([\d.]+|true) \|", table, re.MULTILINE)
    assert msgspec.convert(dict(rows), Limits, strict=False) == Limits()
    assert [key for key, _ in rows] == list(Limits.__struct_fields__)


def test_the_smallest_league_is_one(tmp_path: Path) -> None:
    smallest, _, bots = blocks(CONFIGS, "yaml")
    path = tmp_path / "league.yaml"
    path.write_text(smallest + bots)
    config = load_config(path)
    assert [game.label for game in config.games] == ["zombie_dice"]
    assert [bot.name for bot in config.bots] == [None, "cautious_1", "cautious_4"]


def test_the_variants_of_a_game_are_a_league(tmp_path: Path) -> None:
    _, variants, _ = blocks(CONFIGS, "yaml")
    path = tmp_path / "league.yaml"
    path.write_text(f"name: variants\n{variants}")
    labels = [game.label for game in load_config(path).games]
    assert labels == ["zombie_dice", "sequel", "bus for four"]


@pytest.mark.parametrize(
    "options", ["{reboard: true}", "{preset: all_yellow, dice: {green: 5}}"]
)
def test_contradictions_are_refused_in_the_words_of_the_page(
    options: str, tmp_path: Path
) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(f"name: x\ngames: [{{game: zombie_dice, options: {options}}}]\n")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert f"    {str(caught.value).replace(str(path), path.name)}\n" in CONFIGS


@pytest.mark.parametrize("path", LEAGUES, ids=lambda path: path.name)
def test_every_league_in_the_folder_loads_and_is_introduced(path: Path) -> None:
    config = load_config(path)
    assert config.name == path.stem  # So its results are found under its name.
    assert f"[`{path.name}`]({path.name})" in CONFIGS
    assert f"arena league configs/{path.name}" in path.read_text()


def test_the_league_of_expansions_shows_them_all() -> None:
    games = load_config(ROOT / "configs" / "expansions.yaml").games
    options = [game.spec.options for game in games]
    assert {o["preset"] for o in options} == set(PRESETS) - {"all_yellow"}
    assert {(o["bus"], o["horde"]) for o in options} >= {
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    }
    assert {game.spec.players for game in games} == {2, 4}


def test_the_classrooms_limits_are_the_defaults() -> None:
    config = load_config(ROOT / "configs" / "classroom.yaml")
    assert config.limits == Limits()
    assert {game.spec.name for game in config.games} == set(game_paths())


def test_continuous_integration_runs_the_readmes_tests() -> None:
    assert "python -m pytest" in README
    assert "python -m pytest" in (ROOT / ".ci" / "run").read_text()
