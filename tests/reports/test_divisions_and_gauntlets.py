"""Leagues in which not all meet: the references link them, and the tables say so."""

import csv
import io
import json
from itertools import combinations
from random import Random

import pytest
from leagues import entry, game, league, report_of
from msgspec.structs import replace

from arena.league.config.info import EntryInfo
from arena.records.game_record import GameRecord
from arena.reports.files import leaderboard_csv, leaderboard_json
from arena.reports.report import Report
from arena.reports.tables.markdown import leaderboard_md
from arena.reports.tables.terminal import leaderboard_text

LABELS = ("dice", "blocks")
DIVISIONS = dict.fromkeys("ABC", 2) | dict.fromkeys("DEF", 1)
STRENGTH = dict(zip("ABCDEFXY", (9, 8, 7, 3, 2, 1, 4, 6), strict=True))


def play(entries: list[EntryInfo], *, meet: str) -> list[GameRecord]:
    """Return games of all pairs that meet: `meet` has the divisions, in letters."""
    rng = Random(11)
    records: list[GameRecord] = []
    by_name = {e.name: e for e in entries}
    parts = [f"{part}XY" for part in meet.split()]
    pairs = sorted({pair for part in parts for pair in combinations(sorted(part), 2)})
    for label in LABELS:
        for a, b in pairs:
            for number in range(24):
                seats = (a, b) if number % 2 else (b, a)
                wins = STRENGTH[seats[0]] / (STRENGTH[seats[0]] + STRENGTH[seats[1]])
                places = (1, 2) if rng.random() < wins else (2, 1)
                who = tuple(by_name[name] for name in seats)
                records.append(game(len(records), who, places, label))
    return records


@pytest.fixture(scope="module")
def divided() -> Report:
    """Two divisions, the weak one and the strong one, and two references."""
    entries = [
        replace(entry(name, *LABELS), division=DIVISIONS.get(name, 0))
        for name in STRENGTH
    ]
    info = replace(league(entries, LABELS), references=("bots/x.py:X", "bots/y.py:Y"))
    return report_of(info, play(entries, meet="ABC DEF"))


def test_references_make_divisions_one_leaderboard(divided: Report) -> None:
    for board in divided.boards:
        (pool,) = board.pools
        assert len(pool) == 8
    assert divided.weights == {"dice": 1.0, "blocks": 1.0}
    assert all(row.rank_low and row.rank_high for row in divided.rows)
    # The best of the weak division is behind all of the strong one.
    others = [row.division for row in divided.rows if row.bot not in "XY"]
    assert others == [2, 2, 2, 1, 1, 1]


def test_those_who_never_met_have_an_empty_cell(divided: Report) -> None:
    table = divided.crosstable
    place = {bot: i for i, bot in enumerate(table.entries)}
    for a, b in combinations("ABCDEFXY", 2):
        met = bool({a, b} & {*"XY"}) or (a in "ABC") == (b in "ABC")
        assert (table.score[place[a]][place[b]] is not None) == met
        assert table.games[place[a]][place[b]] == (48 if met else 0)


@pytest.mark.parametrize("width", [80, 200])
def test_the_division_is_in_the_tables(divided: Report, width: int) -> None:
    text = leaderboard_text(divided, width)
    head, _, *rows = text.split("\n\n")[2].splitlines()[1:-1]
    assert head.split()[:3] == ["#", "Bot", "Div"]
    told = {row.split()[1]: row.split()[2] for row in rows if "---" not in row}
    assert told == {bot: str(DIVISIONS.get(bot, "all")) for bot in STRENGTH}
    assert "Div: the division." in text
    assert max(map(len, text.splitlines())) <= width
    page = leaderboard_md(divided)
    assert "| # | Bot | Div | Elo ± |" in page
    assert "- Div: the division." in page


def test_the_division_is_in_the_files(divided: Report) -> None:
    rows = json.loads(leaderboard_json(divided))["rows"]
    told = {row["bot"]: row["division"] for row in rows}
    assert told == {bot: DIVISIONS.get(bot) for bot in STRENGTH}
    cells = [*csv.DictReader(io.StringIO(leaderboard_csv(divided)))]
    told = {row["bot"]: row["division"] for row in cells}
    assert told == {bot: str(DIVISIONS.get(bot, "")) for bot in STRENGTH}


def test_a_gauntlet_is_rated_by_way_of_the_references() -> None:
    entries = [entry(name, *LABELS) for name in "ABCDEFXY"]
    info = replace(league(entries, LABELS), references=("bots/x.py:X", "bots/y.py:Y"))
    report = report_of(info, play(entries, meet="A B C D E F"))
    order = [row.bot for row in report.rows if row.bot not in "XY"]
    assert {*order[:3]} == {*"ABC"}
    assert all(len(board.pools) == 1 for board in report.boards)
    # Where there are no divisions nothing speaks of any.
    assert "Div" not in leaderboard_text(report)
    assert "division" not in leaderboard_json(report) + leaderboard_csv(report)
