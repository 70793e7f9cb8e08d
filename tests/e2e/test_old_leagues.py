"""Leagues that were frozen by earlier versions: their games are those of then.

Below `golden/frozen` is a folder for each, as `arena freeze` has written it, and beside
it a text with its results.  Between them they have all that ids, luck and aliases are
made from: bots that import others beside them, a package with data, options, tables of
three, divisions, quarantine, a confirmation, and processes that live on.
"""

import csv
import json
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import golden_files
import pytest
from commands import Course
from matrix import divided

LEAGUES = ("divisions", "memory")
COLUMNS = ("bot", "file", "division", "games", "score", "forfeits")
"""Of the leaderboard: what is counted.  Later versions may rate it in other ways."""
GAME = (
    *("game_id", "fixture_id", "match_id", "label", "seats", "scores"),
    *("termination", "forfeits"),
)


@pytest.mark.parametrize("name", divided(LEAGUES, lambda name: name == "divisions"))
def test_what_an_earlier_version_has_frozen_gives_the_same_results(
    tmp_path: Path, name: str
) -> None:
    course = Course(tmp_path)
    shutil.copytree(golden_files.FOLDER / "frozen" / name, tmp_path / name)
    course.league(name, "--workers", "2")
    results = f"{name}-frozen"
    found = [*leaderboard(course, results), *games(course, results)]
    if name == "divisions":
        found += aliases(course, results)
    golden_files.check("\n".join([*found, ""]), f"frozen/{name}.txt")


def leaderboard(course: Course, results: str) -> Iterator[str]:
    """Yield the rows of the leaderboard."""
    text = course.files(results)["leaderboard.csv"].decode()
    rows = csv.DictReader(text.splitlines())
    for row in sorted(rows, key=lambda row: row["bot"]):
        yield " ".join(row.get(x) or "-" for x in COLUMNS)


def games(course: Course, results: str) -> Iterator[str]:
    """Yield the games, of each the moves as a hash."""
    for game in course.export(results, "--moves"):
        yield " ".join([*(text(game[x]) for x in GAME), digest(game["moves"])])


def aliases(course: Course, results: str) -> list[str]:
    """Return the file of aliases, once pages have been written."""
    done = course.arena("report", f"results/{results}")
    assert done.code == 0, done.err
    path = course.results(results) / "private" / "aliases.csv"
    return path.read_text("utf-8-sig").splitlines()


def text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def digest(moves: list[str]) -> str:
    return sha256("\n".join(moves).encode()).hexdigest()[:16]
