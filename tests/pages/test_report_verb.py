"""`arena report`: which names, whose grades, and what it says."""

import re
import signal
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from classes import label
from click import UsageError
from click.testing import CliRunner
from leagues import entry, fill, game, league
from msgspec.structs import replace

from arena.cli.report import command
from arena.errors import ArenaError, ConfigError, RecordError
from arena.league.config.settings import BeatsSettings, GradingSettings
from arena.league.results.secret import Secret, write_secret

ANA, BEN, CY = (entry(name, "dice") for name in ("Ana", "Ben", "Cy"))
SECRET = "not to be guessed"
GRADING = GradingSettings(beats=[BeatsSettings(bot="Cy", points=70.0)])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a course, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(folder: Path, secret: str = "", **keys: object) -> None:
    """Play a league with public luck; its `secret` is that of its aliases."""
    if secret:
        (folder / "results").mkdir()
        text = replace(Secret.draw(), pseudonyms=secret)
        write_secret(folder / "results" / "class", text)
        keys["pseudonyms"] = True
    info = league([ANA, BEN, CY], (label("dice", "zombie_dice"),))
    pairs = [(ANA, BEN), (BEN, ANA), (BEN, CY), (CY, BEN), (CY, ANA), (ANA, CY)]
    games = [replace(game(i, x, (1, 2)), history=()) for i, x in enumerate(pairs)]
    fill(folder / "results" / "class", replace(info, **keys), games)


def report(*words: str) -> list[str]:
    done = CliRunner(env={"COLUMNS": "300"}).invoke(command, ["results/class", *words])
    if done.exception is not None:
        raise done.exception
    return done.output.splitlines()


def page(folder: Path, name: str = "index.html") -> str:
    return (folder / "results" / "class" / "report" / name).read_text()


def test_names_are_real_without_pseudonyms(folder: Path) -> None:
    play(folder)
    (line,) = report()
    assert line.startswith("pages of 3 bots, 6 games to replay: open results/class/rep")
    assert all(name in page(folder) for name in ("Ana", "Ben", "Cy"))
    assert "arena replay results/class" in page(folder, "games.html")
    with pytest.raises(ConfigError, match="the luck of this league is public, so"):
        report("--names", "aliases")


def test_pseudonyms_hide_names_unless_they_are_asked_for(folder: Path) -> None:
    entries = (ANA, replace(BEN, refused="no bot in it"), CY)
    play(folder, secret=SECRET, grading=GRADING, entries=entries)
    assert "pages of 3 bots under aliases" in report()[-1]
    faults = page(folder, "faults.html")
    assert "Files that could not be used" in faults
    assert "ben" not in faults.casefold()
    text = page(folder)
    assert "Ana" not in text
    assert "Ben" not in text
    # Who is there to be beaten is known to all.
    assert "Cy" in text
    assert "names are pseudonyms" in text
    aliases = folder / "results" / "class" / "private" / "aliases.csv"
    assert "Ana" in aliases.read_text()
    report("--names", "real")
    assert "Ana" in page(folder)


def test_grades_are_by_real_names_and_by_the_file_that_is_given(folder: Path) -> None:
    play(folder, secret=SECRET)
    assert len(report()) == 1
    (folder / "class.yaml").write_text(
        "name: Class\ngames: [zombie_dice]\nbots: .\n"
        f"pseudonyms: {SECRET}\n"
        "grading: {beats: [{bot: Cy, points: 70}]}\n"
    )
    lines = report("--config", "class.yaml")
    assert lines[0].startswith("2 students are graded in results/class/grades.csv")
    assert "ana" in (folder / "results" / "class" / "grades.csv").read_text()
    assert "Ana" not in page(folder)


def test_errors_are_one_sentence(folder: Path) -> None:
    with pytest.raises(RecordError, match="no results of a league here"):
        report()
    play(folder)
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").touch()
    with pytest.raises(RecordError, match="mine: holds something else"):
        report("--output", "mine")
    missing = replace(label("dice", "pig_in_space"), title="Pig")
    fill(folder / "results" / "other", league([ANA], (missing,)), [])
    done = CliRunner(env={"COLUMNS": "300"}).invoke(command, ["results/other"])
    assert isinstance(done.exception, ArenaError)
    assert "install the plugin that this league was played with" in str(done.exception)


def test_private_pages_have_names_and_games_and_are_for_their_owner(
    folder: Path,
) -> None:
    play(folder, secret=SECRET, watch="none")
    report()
    assert "3 bots, 6 games" in report("--private")[-1]
    private = folder / "results" / "class" / "private"
    assert private.stat().st_mode & 0o077 == 0
    assert "Ana" in (private / "report" / "index.html").read_text()
    assert "Ana" not in page(folder)
    for words in (
        *(["--private", "--names", "real"], ["--private", "--output", "x"]),
        *(["--open", "--private"], ["--open", "--config", "x"]),
    ):
        with pytest.raises(UsageError, match="expected n"):
            CliRunner(env={"COLUMNS": "300"}).invoke(
                command,
                ["results/class", *words],
                standalone_mode=False,
                catch_exceptions=False,
            )


@pytest.mark.parametrize(("watch", "replays"), [("picked", 3), ("none", 0)])
def test_the_file_decides_what_can_be_watched(
    folder: Path, watch: str, replays: int
) -> None:
    play(folder)
    text = "name: Class\ngames: [zombie_dice]\nbots: .\n"
    (folder / "class.yaml").write_text(f"{text}watch: {watch}\n")
    (line,) = report("--config", "class.yaml")
    assert f", {replays} games to replay" in line
    (held,) = re.findall(r'"held": "([01]*)"', page(folder, "games/0.js"))
    assert held.count("1") == replays


def test_who_sees_all_games_of_an_alias_would_know_whose_it_is(folder: Path) -> None:
    play(folder, secret=SECRET, watch="all")
    assert ", 3 games to replay" in report()[-1]
    assert ", 6 games to replay" in report("--names", "real")[-1]


def test_open_shows_private_pages_and_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(folder, secret=SECRET, watch="none")
    before = sorted(folder.rglob("*"))
    opened = []

    def open_browser(address: str) -> None:
        """Look at what a browser is started with, then press Ctrl-C."""
        file = Path(urlsplit(address).path)
        assert file.parent.stat().st_mode & 0o077 == 0
        found = re.search(r"url=(http://127[^']+/)'", file.read_text())
        assert found is not None
        with urlopen(f"{found[1]}index.html") as answer:
            opened.append(answer.read().decode())
        with urlopen(f"{found[1]}replays/g000.js") as answer:
            opened.append(answer.read().decode())
        opened.append(str(file))
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("arena.cli.report._open_browser", open_browser)
    lines = report("--open")
    index, pack, file = opened
    assert "Ana" in index
    assert pack.startswith('arena.pack("g000", "')
    assert lines[0].startswith("http://127.0.0.1:")
    assert lines[0] not in file
    assert not Path(file).exists()
    assert sorted(folder.rglob("*")) == before
