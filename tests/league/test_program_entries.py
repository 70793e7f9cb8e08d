"""Programs in a league's file: what starts them, and the entries that they become."""

import os
import shlex
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import trio
from hand_ins import taken_in
from hypothesis import given
from hypothesis import strategies as st
from plans import entry, game_ids, league, make_plan
from sandboxes import best_level, sandbox_of

from arena.errors import ConfigError
from arena.league.config.league_file import BotSettings, load_config
from arena.league.entries import bot_file, isolation_level
from arena.league.entries.bot_file import BotFile
from arena.league.entries.enrolment import Enrolment, enrol
from arena.league.entries.isolation_level import isolated
from arena.league.entries.programs import command_words, find_program, why_not_started
from arena.records.game_record import Termination
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.sandbox.library import Library
from arena.referee.work_unit import EntrySpec, Limits
from arena.worker.protocol import BotInfo

GAMES = ("zombie_dice", "ox_blocks")
PYTHON = os.path.realpath(sys.executable)
RUNS = shlex.join([sys.executable, "main.py"])


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> list[EntrySpec]:
    """Let programs say what they are called by their files; note who is asked."""
    asked: list[EntrySpec] = []

    async def answer(
        spec: EntrySpec, games: tuple[str, ...], limits: Limits, sandbox: Any
    ) -> tuple[tuple[BotInfo, ...] | Misconduct, float]:
        asked.append(spec)
        text = Path(spec.files[0]).read_text()
        if text == "broken":
            fault = Misconduct(Termination.START_FAILURE, "it is broken", output="x\n")
            return fault, 0.0
        games = ("ox_blocks", "chess")
        return (BotInfo("program", text, "1", games, ("**",), True),), 0.0

    monkeypatch.setattr(bot_file, "read_bots", answer)
    return asked


def program(path: Path, **keys: Any) -> BotSettings:
    """Return the settings of a program that is there."""
    return BotSettings(**({"file": str(path), "command": RUNS} | keys))


def enrol_all(*bots: BotSettings) -> Enrolment:
    """Enrol programs; nothing is started."""
    with TemporaryDirectory() as folder, sandbox_of(best_level()) as sandbox:
        files = taken_in(bots, Path(folder), GAMES)
        return trio.run(enrol, files, GAMES, Limits(), sandbox, "bots")


def within_reach(files: Sequence[BotFile]) -> list[str]:
    """Return all that contestants may read beside the library, which is empty here."""
    found: list[str] = []

    @asynccontextmanager
    async def find(*arguments: Any) -> AsyncIterator[None]:
        found.extend(arguments[3])
        yield

    async def isolate() -> None:
        async with isolated(files, (), Library((), (), ())):
            pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isolation_level, "find_isolation", find)
        trio.run(isolate)
    return found


@given(st.lists(st.text("ab '\"\\$#*-ä", min_size=1), min_size=1))
def test_a_text_is_split_as_a_shell_would(words: list[str]) -> None:
    assert command_words(shlex.join(words)) == tuple(words) == command_words(words)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "expected a program and its arguments; found ''"),
        ("  ", "expected a program and its arguments; found '  '"),
        ([], "expected a program and its arguments; found []"),
        (["", "x"], "expected a program and its arguments; found ['', 'x']"),
        ("a 'b", 'found "a \'b", where a quote is left open'),
        ("a \\", "found 'a \\\\', where a quote is left open"),
        (["a", "b\0"], "expected plain text; found 'b\\x00'"),
        (["a", "b\n"], "expected plain text; found 'b\\n'"),
        (["a", "\ud800"], "expected plain text; found '\\ud800'"),
    ],
)
def test_what_is_no_command(command: str | list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=r"\A[^\n]*\Z") as caught:
        command_words(command)
    assert str(caught.value).endswith(reason)


def test_a_program_is_found_as_a_shell_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "snake").symlink_to(PYTHON)
    for name in ("script", "plain"):
        (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / "script").chmod(0o755)
    (tmp_path / "bin" / "shim").symlink_to(tmp_path / "script")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir("/")
    for word in ("snake", "bin/snake", "./bin/snake", str(tmp_path / "bin" / "snake")):
        assert find_program([word, "x"], str(tmp_path)) == PYTHON
    script = f"{tmp_path}/script"
    for word, reason in {
        "python_of_mine": "no program 'python_of_mine' is found on the PATH",
        "plain": "no program 'plain' is found on the PATH; for the file beside the bot "
        "write ./plain",
        "./python_of_mine": f"there is no file {tmp_path}/python_of_mine",
        "./bin": f"there is no file {tmp_path}/bin",
        "./plain": f"{tmp_path}/plain is not executable; let it be (chmod +x), or name "
        "the program that runs it",
        script: f"{script} is a script; name the program that runs it too: "
        f"node {script}, say",
        "shim": f"{script} is a script; give the path of the program that it starts",
    }.items():
        with pytest.raises(ValueError, match=r"\A[^\n]*\Z") as caught:
            find_program([word], str(tmp_path))
        assert str(caught.value) == reason


def test_a_league_says_what_starts_its_programs(tmp_path: Path) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(
        "name: x\ngames: [ox_blocks]\nbots:\n"
        "  - {file: a/main.py, command: python3 main.py 'a b', params: {depth: 1}}\n"
        "  - {file: b, command: [./b, '1']}\n"
    )
    assert load_config(path).bots == (
        BotSettings(
            file=f"{tmp_path}/a/main.py",
            command="python3 main.py 'a b'",
            params={"depth": 1},
        ),
        BotSettings(file=f"{tmp_path}/b", command=["./b", "1"]),
    )


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (
            {"bot": "Main"},
            "bots[0].bot: a program has no classes; leave the key ",
        ),
        ({"command": "no_such"}, "bots[0].command: no program 'no_such' is found on"),
        ({"command": []}, "bots[0].command: expected a program and its arguments"),
        ({"file": "/no/such"}, "bots[0]: no such file or folder: /no/such"),
    ],
)
def test_a_mistake_names_its_key(
    tmp_path: Path, keys: dict[str, Any], sentence: str
) -> None:
    (tmp_path / "main.py").touch()
    with pytest.raises(ConfigError) as caught:
        enrol_all(program(tmp_path / "main.py", **keys))
    assert str(caught.value).startswith(sentence)


def test_a_file_or_a_folder_is_one_bot(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    described: list[EntrySpec],
) -> None:
    file, folder = tmp_path / "main.py", tmp_path / "team"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "part").mkdir()
    (tmp_path / "part.py").touch()
    file.write_text("import part")
    (folder / "__pycache__" / "x.pyc").touch()
    (folder / "a.txt").write_text("\x1b[31m")
    (folder / "part" / "data").touch()
    found = enrol_all(program(file), program(folder, params={"depth": 1}))
    assert found.rejected == ()
    main, team = found.entries
    assert (main.id, main.name, main.file) == (
        "main:program",
        "import part",
        "main.py",
    )
    assert (team.id, team.name, team.file) == ("team:program", "[31m", "team")
    assert (main.hand_in.files, main.params) == (("main.py",), {})
    assert (team.hand_in.files, team.params) == (
        ("team/a.txt", "team/part/data"),
        {"depth": 1},
    )
    for bot, spec in zip(
        found.entries, sorted(described, key=lambda s: s.id), strict=True
    ):
        assert (bot.bot, bot.games, bot.looks_back) == ("program", ("ox_blocks",), True)
        for told in (spec, bot.spec()):
            assert told.command == (PYTHON, "main.py")
            assert told.files == tuple(map(str, bot.hand_in.paths))
            assert told.path == told.folder == str(bot.hand_in.path)
    settings = [program(file), program(folder), BotSettings(file=str(tmp_path))]
    files = taken_in(settings, tmp_path_factory.mktemp("kept"), GAMES)
    assert [x.path for x in files if not x.command] == [file, tmp_path / "part.py"]
    own = [x.hand_in.read_folder for x in files if x.hand_in and x.command]
    assert within_reach(files) == [own[0], PYTHON, own[1]]
    assert within_reach(files[2:]) == []


def test_programs_may_be_called_alike(
    tmp_path: Path, described: list[EntrySpec]
) -> None:
    files = [tmp_path / name / "main.py" for name in ("a", "b")]
    for file in files:
        file.parent.mkdir()
        file.write_text("same")
    (tmp_path / "main.py").write_text("")
    again = program(files[1], command=f"{RUNS} 2", name="slow")
    twice = [program(files[1], name=f"at {i}", params={"i": i}) for i in (1, 2)]
    found = enrol_all(program(files[0]), again, *twice)
    assert {e.id: (e.name, e.path, e.params) for e in found.entries} == {
        "main:program": ("same", files[0], {}),
        "slow": ("slow", files[1], {}),
        "at 1": ("at 1", files[1], {"i": 1}),
        "at 2": ("at 2", files[1], {"i": 2}),
    }
    assert len(described) == 3
    with pytest.raises(ConfigError) as caught:
        enrol_all(*map(program, files))
    assert str(caught.value) == (
        "bots: 2 bots of one name: 'main:program'; give each a name of its own"
    )


@pytest.mark.usefixtures("described")
def test_what_can_not_be_started_forfeits_all_games_of_the_league(
    tmp_path: Path,
) -> None:
    (tmp_path / "main.js").write_text("broken")
    (tmp_path / "nameless").write_text("")
    (tmp_path / "empty").mkdir()
    found = enrol_all(*map(program, sorted(tmp_path.iterdir())))
    assert found.rejected == (("empty", "is an empty folder"),)
    broken, nameless = found.entries
    assert (broken.name, broken.games, broken.refused) == (
        "main",
        GAMES,
        "it is broken; it printed: 'x'",
    )
    assert (nameless.name, nameless.refused) == ("nameless", "")


SAID = [
    ("", ""),
    ("\n  \n", ""),
    (
        "Can't locate JSON/XS.pm\nBEGIN failed at bot.pl line 1.\n",
        "Can't locate JSON/XS.pm",
    ),
    (
        "/x/bot.js:3\n  foo(\n\nSyntaxError: missing )\n    at wrap\n\nNode.js v20\n",
        "SyntaxError: missing )",
    ),
    ("it is broken\n", ""),
    ("a" * 300, "a" * 200),
]
"""What a program has printed, and what of it is told."""


@pytest.mark.parametrize(("printed", "told"), SAID)
def test_what_a_program_says_of_its_failure_is_told(printed: str, told: str) -> None:
    fault = Misconduct(Termination.START_FAILURE, "it is broken", output=printed)
    more = f"; it printed: {told!r}" if told else ""
    assert why_not_started(fault) == f"it is broken{more}"


def test_a_program_is_another_with_another_command() -> None:
    ana = entry("ana")
    node = replace(ana, command=("node", "a.js"), program="/usr/bin/node")

    def ids(bot: Any) -> list[str]:
        return game_ids(make_plan(league(), [bot, entry("ben")]))

    assert not {*ids(node)} & {*ids(ana)}
    assert not {*ids(node)} & {*ids(replace(node, command=("node", "a.js", "-1")))}
    # Wherever it is found.
    assert ids(node) == ids(replace(node, program="/opt/node/bin/node"))
