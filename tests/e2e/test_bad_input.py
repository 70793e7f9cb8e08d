"""What a person gets wrong is one sentence, exit code 2, and harms no results."""

import shlex
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import CAREFUL, FIRST, TIMEOUT_S, Course, wait_for

from arena.cli import EXIT_BUSY


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A league that has been played, and files with mistakes beside it."""
    course = Course(tmp_path_factory.mktemp("bad") / "course")
    course.write_bot("ana", FIRST)
    course.write_bot("ben", CAREFUL, method="zombie_dice")
    (course.bots / "two.py").write_text(
        "from arena import Bot\n"
        "class A(Bot):\n    def act(self, obs): pass\n"
        "class B(Bot):\n    def act(self, obs): pass\n"
    )
    pair = ["bots/ana.py", "bots/ben.py"]
    course.write_league({"game": "zombie_dice", "fixtures": 1}, bots=pair)
    course.league("small.yaml")

    def league(name: str, *games: object, **keys: object) -> None:
        course.write_league(*(games or ["zombie_dice"]), name=name, **keys)

    league("no_game", "zombie_dise")
    league("top", sead=1)
    league("players", {"game": "zombie_dice", "players": 1})
    league("none", bots="empty")
    league("nowhere", bots="nobody")
    league("yaml_names", bots=[{"file": file, "name": "same"} for file in pair])
    league("anchor", bots=pair, anchor={"bot": "nobody"})
    league("class", bots=[{"file": "bots/ana.py", "bot": "Anna"}])
    league("params", bots=[{"file": "bots/ana.py", "params": {"depth": 1}}])
    league("two_bots", bots=[{"file": "bots/two.py", "name": "x"}])
    (course.folder / "empty").mkdir()
    (course.folder / "tab.yaml").write_text("name: x\n\tbots: y\n")
    (course.folder / "blank.yaml").write_text("")
    (course.folder / "file").write_text("not a folder\n")
    return course


LEAGUES = {
    "missing": "missing.yaml: can't be read (No such file or directory)",
    "tab": "tab.yaml:2:1: no valid YAML: found character '\\t' that cannot start any",
    "blank": "blank.yaml: expected keys such as name, bots and games; found an empty",
    "no_game": "no_game.yaml: games[0]: no game is called 'zombie_dise'; did you mean",
    "top": "top.yaml: sead: unknown key; did you mean 'seed'?",
    "players": "players.yaml: games[0].players: expected 2 to 99; found 1",
    "none": "none.yaml: bots: no bot was found: ",
    "nowhere": "nowhere.yaml: bots[0]: no such file or folder: ",
    "yaml_names": "yaml_names.yaml: bots: 2 bots of one name: 'same'; give each a nam",
    "anchor": "anchor.yaml: anchor.bot: no bot is called 'nobody'; there are Ana, Ben",
    "class": "class.yaml: bots[0].bot: ana.py has no bot 'Anna'; did you mean 'Ana'?",
    "params": "params.yaml: bots[0].params.depth: Ana takes no such parameter",
    "two_bots": "two_bots.yaml: bots[0].name: two.py has 2 bots; say which with the ke",
}


@pytest.mark.parametrize("name", LEAGUES)
def test_a_league_that_can_not_be_played(course: Course, name: str) -> None:
    folder = course.results()
    before = {
        path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()
    }
    done = course.arena("league", f"{name}.yaml", "--results", "results/small")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"arena: {LEAGUES[name]}")
    assert done.err.count("\n") == 1
    assert before == {
        path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()
    }


WORDS = {
    "leage": ": there is no verb 'leage'; did you mean 'league'?",
    "xyzzy": ": there is no verb 'xyzzy'; see arena --help",
    "league": " league: Missing argument 'CONFIG'.",
    "league small.yaml --worker 2": " league: No such option",
    "league small.yaml --workers 0": " league: Invalid value for '--w",
    "league --live small.yaml": " league: Invalid value for '--live': expected 1 to 3",
    "league small.yaml --live=0": " league: Invalid value for '--live': expected 1",
    "league small.yaml --results file": " league: Invalid value for",
    "league small.yaml --results file/x": ": file/x: can't write res",
    "play zombie_dise ana ben": ": game: no game is called 'zombie_d",
    "play zombie_dice": " play: Missing argument 'BOT BOT ...'.",
    "play zombie_dice ana nobody": ": nobody: no such file or folder; exp",
    "play zombie_dice ana LONG": ": LONG: no such file or folder; exp",
    "play zombie_dice ana": ": players: expected 2 to 99; found 1",
    "play ox_blocks ana ana ana": ": players: expected exactly 2;",
    "play ox_blocks ana ben": ": ben: no bot in ben.py plays ox_blocks",
    "play zombie_dice ana:Anna ben": ": ana:Anna: ana.py has no bot",
    "play zombie_dice ana two": ": two: has 2 bots that play zombie_dice, A and B; n",
    "play zombie_dice ana ben -o goal=1": ": options.goal: unkno",
    "play zombie_dice ana ben -o goal": ": --options: expected KEY=VALUE",
    "play zombie_dice ana ben -o 'x=['": ": --options: expected valid YAML",
    "rules zombie_run --options '{hand: 6'": ": --options: expected valid YAML; found",
    "rules zombie_run -o '{5: rounds}'": ": --options: expected text as a key",
    "rules zombie_run -o '{hand: 5, hand: 6}'": ": --options: the key 'hand' is gi",
    "rules zombie_run -o '{hand: 6}' -o hand=6": ": --options: the key 'hand' is",
    "rules zombie_run -o '{hand: 9}'": ": options.hand: expected a whole number <=",
    "rules zombie_run --option hand=5": " rules: No such option '--op",
    "play zombie_dice ana ben -o target=100000000000000000000": ": --options: can't",
    "rules": " rules: expected a GAME (see arena games) or --league CONFIG",
    "rules chess": ": game: no game is called 'chess'; known are ",
    "rules zombie_mania -p 9": ": players: expected 2 to 5; found 9",
    "rules ox_blocks --league small.yaml": ": small.yaml: has no game",
    "rules --league missing.yaml": ": missing.yaml: can't be read (No s",
    "bots nobody": ": nobody: no such file or folder",
    "bots LONG": ": LONG: no such file or folder",
    "bots empty": ": empty: no bot was found: ",
    "bots tab.yaml": ": tab.yaml:2:1: no valid YAML: ",
    "export results": ": results: no results of a league here (no league.",
    "export LONG": ": LONG: no results of a league here",
    "export results/small --move": " export: No such option",
}


@pytest.mark.parametrize("words", WORDS)
def test_a_command_that_can_not_be_done(course: Course, words: str) -> None:
    name = "a" * 300
    done = course.arena(*shlex.split(words.replace("LONG", name)))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"arena{WORDS[words].replace('LONG', name)}")
    assert done.err.count("\n") == 1


def spoil_text(path: Path) -> None:
    path.write_text("These are not the games you are looking for.\n" * 100)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:9000])


def overwrite(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 * 2 :] = b"\xa5" * len(data[4096 * 2 :])
    path.write_bytes(data)


def replace_by_another(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE addresses (name TEXT)")
    database.close()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (spoil_text, "is damaged (file is not a database); nothing was changed: rest"),
        (cut, "is damaged (database disk image is malformed); nothing was changed: r"),
        (overwrite, "is damaged (database disk image is malformed); nothing was chang"),
        (replace_by_another, "is no file of arena's; move it away"),
    ],
)
def test_a_file_of_games_that_is_damaged_or_foreign(
    course: Course, spoil: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    shutil.copytree(course.results(), folder)
    path = folder / "league.sqlite"
    spoil(path)
    before = path.read_bytes()
    for words in (["league", "small.yaml", "--results", folder], ["export", folder]):
        done = course.arena(*words)
        assert done.code == 2
        error = done.err.splitlines()[-1]
        assert error.startswith(f"arena: {path}: {said}"), done.err
        assert "Traceback" not in done.err
    assert path.read_bytes() == before


def test_two_leagues_in_one_folder(course: Course) -> None:
    course.write_bot("slow", "import time", "time.sleep(30)", method="zombie_dice")
    course.write_league(
        "zombie_dice", name="slow", bots=["bots/ana.py", "bots/slow.py"]
    )
    folder = course.results("slow")
    with course.running("league", "slow.yaml") as first:
        wait_for(first, (folder / "league.sqlite").exists)
        # It does not even look for bots: there are none that it could find.
        words = ("league", "nowhere.yaml", "--results", folder)
        with course.running(*words) as second:
            out, err = second.communicate(timeout=TIMEOUT_S)
        assert first.poll() is None
    assert (second.returncode, out) == (EXIT_BUSY, "")
    assert err == (
        f"arena: {folder}: another league is being played into this folder; wait for "
        "its end or choose another with --results\n"
    )
    assert not course.temporary_files()
