"""`arena report`: which names, whose grades, and what it says."""

from pathlib import Path

import pytest
from classes import label
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
    done = CliRunner().invoke(command, ["results/class", *words])
    if done.exception is not None:
        raise done.exception
    return done.output.splitlines()


def page(folder: Path, name: str = "index.html") -> str:
    return (folder / "results" / "class" / "report" / name).read_text()


def test_names_are_real_without_pseudonyms(folder: Path) -> None:
    play(folder)
    (line,) = report()
    assert line.startswith("pages of 3 bots, 3 games to replay: open results/class/rep")
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
    done = CliRunner().invoke(command, ["results/other"])
    assert isinstance(done.exception, ArenaError)
    assert "install the plugin that this league was played with" in str(done.exception)
