"""Versions: how many of a bot the league has been run with."""

import csv
import io
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from leagues import bot, game, label_info, league

from arena.errors import RecordError
from arena.league.results.store import FILE_NAME, Store
from arena.records.batch import to_batches
from arena.reports.files import leaderboard_csv, leaderboard_json, write_files
from arena.reports.report import Report, read_report
from arena.reports.tables.markdown import leaderboard_md
from arena.reports.tables.terminal import leaderboard_text

ANA, BEN = bot("Ana", "dice"), bot("Ben", "dice")
GAMES = [game(i, [ANA, BEN], [1, 2]) for i in range(4)]


def digest(code: str, *, is_refused: bool = False) -> str:
    return json.dumps([code, "Bot", {"x": 1}, is_refused])


ONCE = {ANA.id: digest("a1"), BEN.id: digest("b1")}
CHANGED = {ANA.id: digest("a2"), BEN.id: digest("b1")}


def run(folder: Path, *runs: Mapping[str, str]) -> Report:
    """Return the report of a league that was run with one of these after the other."""
    info = league([ANA, BEN])
    with Store.open(folder) as store:
        for versions in runs:
            store.begin(info, [x.game_id for x in GAMES], versions)
        store.add(to_batches(GAMES))
        return read_report(store)


@pytest.mark.parametrize(
    ("runs", "versions"),
    [
        ([ONCE], {"Ana": 1, "Ben": 1}),
        ([ONCE, ONCE], {"Ana": 1, "Ben": 1}),
        ([ONCE, CHANGED], {"Ana": 2, "Ben": 1}),
        # Back to the first, and on to the second again: that is no third one.
        ([ONCE, CHANGED, ONCE, CHANGED], {"Ana": 2, "Ben": 1}),
        # Of another bot it is another version.
        ([ONCE, ONCE | {BEN.id: digest("a1")}], {"Ana": 1, "Ben": 2}),
        # Its file could not be read on that day: it is the same file.
        ([ONCE, ONCE | {BEN.id: digest("b1", is_refused=True)}], {"Ana": 1, "Ben": 1}),
    ],
)
def test_each_version_counts_once(
    runs: list[dict[str, str]], versions: dict[str, int], tmp_path: Path
) -> None:
    report = run(tmp_path, *runs)
    assert {row.bot: row.versions for row in report.rows} == versions
    rows = json.loads(leaderboard_json(report))["rows"]
    assert {row["bot"]: row["versions"] for row in rows} == versions
    text = csv.DictReader(io.StringIO(leaderboard_csv(report), newline=""))
    assert {row["bot"]: int(row["versions"]) for row in text} == versions
    is_shown = max(versions.values()) > 1
    for page in (leaderboard_text(report, 200, ["versions"]), leaderboard_md(report)):
        assert ("Versions" in page) == is_shown
        assert ("Versions: how many versions of the bot" in page) == is_shown


def test_it_stands_beside_the_bot_and_not_in_every_label(tmp_path: Path) -> None:
    labels = [label_info("dice"), label_info("run")]
    info = league([bot("Ana", "dice", "run"), bot("Ben", "dice", "run")], labels)
    games = [game(i, [ANA, BEN], [1, 2], label=("dice", "run")[i // 2]) for i in (0, 2)]
    with Store.open(tmp_path) as store:
        store.begin(info, [x.game_id for x in games], ONCE)
        store.begin(info, [x.game_id for x in games], CHANGED)
        store.add(to_batches(games))
        report = read_report(store)
    assert leaderboard_md(report).count(" Versions ") == 1


def test_who_goes_by_an_alias_has_no_number(tmp_path: Path) -> None:
    """Who knows how often a friend has tried would know the friend's alias."""
    run(tmp_path, ONCE, CHANGED)
    with Store.read(tmp_path) as store:
        report = read_report(store, {ANA.id: "Shy Fox", BEN.id: "Bold Ox"})
    assert [row.versions for row in report.rows] == [0, 0]
    assert "Versions" not in leaderboard_md(report)


def test_a_folder_of_before_versions_were_counted_is_read(tmp_path: Path) -> None:
    run(tmp_path, ONCE, CHANGED)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.execute("DROP TABLE versions")
    with Store.read(tmp_path) as store:
        report = read_report(store)
    assert [
        row["versions"] for row in json.loads(leaderboard_json(report))["rows"]
    ] == [
        None,
        None,
    ]
    write_files(report, tmp_path)
    # The next run counts.
    assert [row.versions for row in run(tmp_path, ONCE).rows] == [1, 1]


def test_a_damaged_version_is_said(tmp_path: Path) -> None:
    for text in ("", "7", "[]", "{"):
        run(tmp_path, ONCE)
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
            database.execute("UPDATE versions SET digest = ?", (text,))
            database.execute("DELETE FROM versions WHERE entry <> ?", (ANA.id,))
            database.commit()
        with (
            Store.read(tmp_path) as store,
            pytest.raises(RecordError, match=r"\A[^\n]*is damaged \(a version of"),
        ):
            read_report(store)
        (tmp_path / FILE_NAME).unlink()
