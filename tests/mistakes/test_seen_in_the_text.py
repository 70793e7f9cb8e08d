"""Mistakes that are seen in the text of a file, without running it."""

import re
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner
from documents import BOTS
from kept import KEPT, TWICE

from arena.check.shared_state import shared_state
from arena.cli.bots import command as bots_command


def test_two_bots_of_one_name_are_both_entered_and_told(tmp_path: Path) -> None:
    """What `arena bots` says; `arena league` notes the same."""
    text = "from arena import Bot\n\n\n" + 2 * dedent("""
        class MyBot(Bot):
            name = "my_bot"

            def zombie_dice(self, obs):
                return "stop"
        """)
    folders = tmp_path / "ana", tmp_path / "ben"
    for folder in folders:
        folder.mkdir()
        (folder / "my_bot.py").write_text(text)
    file = tmp_path / "league.yaml"
    file.write_text("name: x\ngames: [zombie_dice]\nbots: [ana, ben]\n")
    result = CliRunner(env={"COLUMNS": "300"}).invoke(bots_command, [str(file)])
    shown, _, notes = result.output.partition("note: ")
    assert re.findall(r"^(.*?)  ", shown, re.M)[2:] == [
        "ana",
        "ben",
    ]
    assert [line.removeprefix("note: ") for line in notes.splitlines()] == [
        f"ana/my_bot.py: {TWICE}",
        f"ben/my_bot.py: {TWICE}",
        "ben/my_bot.py: is called like ana/my_bot.py; its bots are entered as "
        "ben/my_bot:CLASS; rename one of the files",
        "the name 'my_bot' is taken more than once; the tables say ben, ana; give "
        "each bot a name of its own",
    ]


OF_ALL = "for all games that run at the same time; keep it in self, made in start()"
ONE = "one for all games that run at the same time; keep it in self, made in start()"


def test_what_is_kept_between_games_is_found_in_the_text(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text(KEPT)
    assert shared_state(file) == [
        (
            20,
            "the default of cache is made once and shared by all calls; write "
            "cache=None and make it inside zombie_dice()",
        ),
        (
            20,
            "the default of memory is made once and shared by all calls; write "
            "memory=None and make it inside zombie_dice()",
        ),
        (21, f"global rounds is {ONE}"),
        (23, f"seen belongs to the file and is changed here {OF_ALL}"),
        (24, f"table belongs to the file and is changed here {OF_ALL}"),
        (25, f"games is kept in the class MyBot, {ONE}"),
        (26, f"history belongs to the class MyBot and is changed here {OF_ALL}"),
        (28, f"grid belongs to the class MyBot and is changed here {OF_ALL}"),
    ]


@pytest.mark.parametrize("text", ["x = (", "a" * 100_000 + "=", "\0", "(" * 500])
def test_of_a_file_that_is_no_python_nothing_is_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / "it.py").write_text(text)
    assert shared_state(tmp_path / "it.py") == []
    assert shared_state(tmp_path / "missing.py") == []


def test_bots_to_learn_from_keep_nothing() -> None:
    assert not any(shared_state(file) for file in BOTS.rglob("*.py"))
