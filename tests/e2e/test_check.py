"""`arena check` says beforehand what a league would say."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from commands import Course

from arena.check.file_check import _settings
from arena.cli import cli
from arena.cli.check import command
from arena.errors import ConfigError
from arena.league.config.league_file import load_config
from arena.league.config.settings import BotSettings

TWO = """\
from arena import Bot


class Careful(Bot):
    def act(self, obs):
        return obs.legal_actions[0]


class Hasty(Bot):
    def ox_blocks(self, obs):
        return obs.legal_actions[99]
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Some bots, and a league."""
    course = Course(tmp_path_factory.mktemp("check") / "course")
    (course.bots / "two.py").write_text(TWO)
    (course.bots / "broken.py").write_text("from arena import Bott\n")
    trio = {"game": "zombie_dice", "players": 3, "label": "trio"}
    course.write_league(trio, "ox_blocks", bots=["bots"], most_bots=1)
    return course


def test_all_bots_of_a_file_are_tried_by_the_terms_of_a_league(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = course.arena("check", "two", "--league", "small.yaml", "--games", "1")
    assert done.code == 1
    assert done.err == (
        "note: two.py: has 2 bots, and in this league nobody may bring more than 1: "
        "the others would be left out\n"
    )
    careful, hasty = done.out.split("Careful would play without a fault.\n")
    assert "the limit is 60 s, with 60 s in reserve" in " ".join(careful.split())
    assert "those of small.yaml" in careful
    results, _, _ = careful.partition("decisions")
    rows = {line.split()[0]: line.split()[1:3] for line in results.splitlines() if line}
    # With each kind of partner a fixture, which has a game for each seat.
    assert rows["trio"] == ["6", "0"]
    assert rows["ox_blocks"] == ["4", "0"]
    assert "two.py:11: its process says 'IndexError: list" in hasty
    assert "return obs.legal_actions[99]" in hasty
    assert hasty.endswith("\nHasty would forfeit: ox_blocks (crash).\n")
    # The command that is printed shows the same fault again.
    replay = next(x.split() for x in hasty.splitlines() if "arena replay" in x)
    monkeypatch.chdir(course.folder)
    again = CliRunner().invoke(cli, replay[1:])
    assert again.exit_code == 0
    assert "it reproduces" in again.output
    assert "two.py:11: its process says 'IndexError: list" in again.output


def test_a_file_that_is_not_read_is_explained(course: Course) -> None:
    done = course.arena("check", "broken")
    assert done.code == 1
    assert 'broken.py:1: its process says "ImportError: cannot import name' in done.out
    last = done.out.splitlines()[-1]
    assert last == "broken.py would not be entered: the league finds no bot in it."
    assert not (course.results("check") / "broken").exists()


def test_the_parameters_are_those_of_the_league(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    careful = {"file": "two.py", "bot": "Careful", "params": {"brains": 2}}
    league = {"name": "x", "games": ["ox_blocks"], "bots": [careful]}
    (tmp_path / "x.yaml").write_text(yaml.safe_dump(league))
    config = load_config(tmp_path / "x.yaml")

    def entered(bot: str | None) -> list[tuple[str | None, dict[str, Any]]]:
        named = BotSettings(file=str(file), bot=bot)
        return [(s.bot, s.params) for s in _settings(named, config)]

    assert entered(None) == entered("Careful") == [("Careful", {"brains": 2})]
    assert entered("Hasty") == [("Hasty", {})]


def test_a_program_starts_as_the_league_says(tmp_path: Path) -> None:
    file = tmp_path / "bot.js"
    file.write_text("")
    item = {"file": "bot.js", "command": "node bot.js", "params": {"brains": 2}}
    other = {"file": "bot.js", "command": "node bot.js --bold", "name": "bold"}
    league = {"name": "x", "games": ["ox_blocks"], "bots": [item, other]}
    (tmp_path / "x.yaml").write_text(yaml.safe_dump(league))
    config = load_config(tmp_path / "x.yaml")

    def entered(command: str | None) -> list[tuple[Any, dict[str, Any]]]:
        named = BotSettings(file=str(file), command=command)
        return [(s.command, s.params) for s in _settings(named, config)]

    assert entered(None) == [("node bot.js", {"brains": 2}), (other["command"], {})]
    assert entered("node  'bot.js'") == [("node bot.js", {"brains": 2})]
    assert entered("deno run bot.js") == [("deno run bot.js", {})]


def test_what_can_not_be_tried_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "bot.c"
    program.write_text("int main(void) {}\n")
    for bot, expected in (
        (str(program), "compile it first, with cc -O2 -o bot bot.c in its folder"),
        (f"{program}=no_such_program", "no program 'no_such_program' is found on the"),
        (str(tmp_path), "is a folder without a Python file"),
    ):
        result = CliRunner().invoke(command, [bot], standalone_mode=False)
        assert isinstance(result.exception, ConfigError)
        assert str(result.exception).startswith(f"{bot}: ")
        assert expected in str(result.exception)


@pytest.mark.exhaustive
def test_no_name_of_a_file_leads_out_of_the_folder_of_checks(course: Course) -> None:
    (course.folder / "...py").write_text(TWO)
    assert course.arena("check", "./...py:Careful").code == 0
    assert (course.folder / "results/check/_/league.sqlite").is_file()
    assert not (course.folder / "results/league.sqlite").exists()
