"""`arena check` says beforehand what a league would say."""

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from commands import Course

from arena.check.file_check import _settings
from arena.check.trial import Trial
from arena.check.trial_text import progress_text
from arena.cli import EXIT_INTERRUPTED, cli
from arena.cli.check import command
from arena.errors import ConfigError
from arena.league.config.league_file import load_config
from arena.league.config.settings import BotSettings
from arena.league.results.store import Store

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
    careful, hasty = done.out.split("Careful: no fault in 10 games")
    assert "the limit is 60 s, with 60 s in reserve" in " ".join(careful.split())
    assert "those of small.yaml" in careful
    results, _, _ = careful.partition("decisions")
    rows = {line.split()[0]: line.split()[1:3] for line in results.splitlines() if line}
    # With each kind of partner a fixture, which has a game for each seat.
    assert rows["trio"] == ["6", "0"]
    assert rows["ox_blocks"] == ["4", "0"]
    assert "two.py:11: its process says 'IndexError: list" in hasty
    assert "return obs.legal_actions[99]" in hasty
    assert hasty.endswith("\nHasty would forfeit: ox_blocks (crash, in 1 of 1 game).\n")
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
    assert "forfeit" not in done.out
    last = done.out.splitlines()[-1]
    assert last == "broken.py would not be entered."
    assert not (course.results("check") / "broken").exists()


def test_a_file_that_is_entered_and_can_not_be_read_forfeits(course: Course) -> None:
    text = "class A(Bot):\n    def act(self, obs):\n        return (\n"
    (course.folder / "unclosed.py").write_text(text)
    done = course.arena("check", "unclosed.py")
    assert done.code == 1
    assert done.out.startswith("unclosed.py forfeits: start_failure: unclosed.py:3: ")
    last = done.out.splitlines()[-1]
    assert last == "unclosed.py would be entered, and forfeit all its games."


def test_a_program_is_tried_as_it_is_played(course: Course) -> None:
    """This one repeats what it reads, which answers all but `act`."""
    (course.folder / "echo.txt").write_text("")
    for verb, *rest in (("check",), ("play", "zombie_dice", "two:Careful")):
        done = course.arena(verb, *rest, "echo.txt=cat")
        assert done.code == (verb == "check")
        told = 'echo forfeits: invalid_reply: answered "act" without an "action": '
        assert told in " ".join(done.out.split())
    done = course.arena("check", "echo.txt=cat --no-such-option")
    assert done.out.startswith("echo.txt forfeits: start_failure: exited with status 1")
    assert "what it printed last:" in done.out
    assert done.out.endswith(
        "\necho.txt would be entered, and forfeit all its games.\n"
    )


RARE = """\
from arena import Bot


class Rare(Bot):
    def ox_blocks(self, obs):
        if self.rng.random() < 0.004:
            return obs.nothing
        return self.rng.choice(obs.legal_actions)
"""


@pytest.mark.exhaustive
def test_a_rare_crash_is_found_by_more_games(course: Course) -> None:
    (course.folder / "rare.py").write_text(RARE)
    done = course.arena("check", "rare.py", "--games", "500")
    assert done.code == 1
    replay = next(x.split() for x in done.out.splitlines() if "arena replay" in x)
    forfeits = re.search(r"ox_blocks \(crash, in (\d+) of 1000 games\)", done.out)
    assert forfeits is not None
    assert 1 <= int(forfeits[1]) <= 100
    again = " ".join(course.arena(*replay[1:]).out.split())
    assert "has no attribute 'nothing'" in again


@pytest.mark.exhaustive
def test_what_was_seen_until_ctrl_c_is_told_and_kept(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def progress(trial: Trial) -> str:
        nonlocal calls
        calls += 1
        if calls == 10:
            os.kill(os.getpid(), signal.SIGINT)
        return progress_text(trial)

    monkeypatch.setattr("arena.cli.check.progress_text", progress)
    monkeypatch.chdir(course.folder)
    words = ["check", "two:Careful", "--games", "10000", "--results", "interrupted"]
    done = CliRunner().invoke(cli, words, standalone_mode=False)
    assert done.return_value == EXIT_INTERRUPTED
    seen = re.fullmatch(
        r"interrupted: Careful has played (\d+) games \(zombie_dice (\d+) of 20000\) "
        r"without a fault",
        " ".join(done.output.split()),
    )
    assert seen is not None
    assert seen[1] == seen[2]
    with Store.read(course.folder / "interrupted") as store:
        assert len(list(store.records())) == int(seen[1]) >= 9


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
