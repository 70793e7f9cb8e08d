"""The live page says how far a league is, and nothing that is not for all eyes."""

import json
import os
import shutil
import signal
import sys
import time
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from leagues import bot, fill, game, league, report_of
from msgspec.structs import replace as with_fields
from processes import no_process_left
from test_versions import ANA, BEN, GAMES

from arena.errors import RecordError
from arena.league.config.info import LeagueInfo
from arena.league.config.settings import Watch
from arena.league.results.store import Store
from arena.ratings import Result
from arena.ratings.elo.pool import PoolSums
from arena.records.batch import to_batches
from arena.reports.live import writer as writer_module
from arena.reports.live.board import LiveBoard, board_of, places_of
from arena.reports.live.page import LivePage
from arena.reports.live.process import LeagueState, LiveOrder, LiveWriter
from arena.reports.live.watching import WatchedGame
from arena.reports.pages.site import rendered
from arena.reports.report import Report, read_report
from arena.reports.results_pass import GamesSoFar
from arena.reports.tables.columns import elo_of, range_of
from arena.reports.tables.verdict import verdict

TWO = ("dice", "run")
A, B, C = (bot(x, *TWO) for x in ("Ana", "Ben", "Cy"))
INFO = league([A, B, C], TWO)
DICE = [game(i, [A, B], [1, 2]) for i in range(8)]
RUN = [game(i, [A, (B, C)[i % 4 < 2]], [1, 2], "run") for i in range(8, 16)]
WATCHED = WatchedGame("g001", "Dice", 'arena.pack("g001", "");\n')


def board(
    report: Report, state: LeagueState = LeagueState.PLAYING, **facts: Any
) -> LiveBoard:
    usual = {"left": "", "is_open": False, "is_anonymous": False, "is_secretive": False}
    before = facts.pop("before", {})
    return board_of(report, state, before, **(usual | facts))


def test_labels_stand_apart_until_all_have_games() -> None:
    """Who is ranked over all games would change with each label that begins."""
    assert board(report_of(INFO)).tables == ()
    one = board(report_of(INFO, DICE))
    assert [table.title for table in one.tables] == ["dice"]
    assert one.labels == (("dice", 8), ("run", 0))
    (columns,) = (table.columns for table in board(report_of(INFO, DICE + RUN)).tables)
    assert [(row.bot, row.place) for row in columns[0]] == [
        ("Ana", 1),
        ("Ben", 2),
        ("Cy", None),
    ]
    assert [row.above[:10] for row in columns[0]] == ["", "", "Not ranked"]


def test_who_moves_up_is_told_of_who_has_moved_most_first() -> None:
    report = report_of(league([ANA, BEN]), GAMES)
    before = {("", "Ana"): 2, ("", "Ben"): 1}
    told = board(report, before=before)
    assert told.moves == ("Ana, place 2 → 1",)
    assert [row.up for row in told.tables[0].columns[0]] == [1, -1]
    assert told.said == "4 of 4 games are played. First: Ana. Ana, place 2 → 1."
    assert board(report, before=places_of(report)).moves == ()
    assert board(report, LeagueState.FINISHED, before=before).moves == ()


@pytest.mark.parametrize(
    ("bots", "columns"), [(2, [2]), (19, [10, 9]), (41, [14, 14, 13]), (99, [20] * 3)]
)
def test_many_bots_stand_in_columns(bots: int, columns: list[int]) -> None:
    class_ = [bot(f"B{i:02}", "dice") for i in range(bots)]
    games = [
        game(2 * i + j, class_[i : i + 2], [1, 2])
        for i in range(bots - 1)
        for j in (0, 1)
    ]
    (table,) = board(report_of(league(class_), games)).tables
    assert [len(rows) for rows in table.columns] == columns
    assert table.more == bots - sum(columns)


def test_under_aliases_nothing_tells_who_was_changed() -> None:
    """Whose games are played again has changed his bot, and a friend knows who did."""
    report = report_of(league([ANA, BEN]), GAMES)
    before = {("", "Ana"): 2, ("", "Ben"): 1}
    told = board(report, before=before, is_anonymous=True)
    assert told.moves == ()
    rows = told.tables[0].columns[0]
    assert [(row.games, row.forfeits, row.up) for row in rows] == [(0, 0, 0)] * 2
    for state, shown in (
        (LeagueState.PLAYING, 0),
        (LeagueState.INTERRUPTED, 0),
        (LeagueState.FINISHED, 1),
    ):
        told = board(report, state, is_anonymous=True, is_secretive=True)
        assert len(told.tables) == shown
        assert told.played == 4


def test_only_at_the_end_something_is_said_to_be_known() -> None:
    report = report_of(INFO, DICE + RUN)
    for state in LeagueState:
        told = board(report, state)
        is_over = state == LeagueState.FINISHED
        assert told.verdict == (tuple(verdict(report)) if is_over else ())
        places = [row.places for row in told.tables[0].columns[0]]
        assert any(places) == is_over
        elos = [row.elo for row in told.tables[0].columns[0]]
        assert elos[:2] == [
            elo_of(row) if is_over else range_of(row) for row in report.rows[:2]
        ]


def test_of_half_a_league_nothing_is_final() -> None:
    """All is played, and luck is still in the scores that the page has."""
    told = board(report_of(INFO, DICE + RUN), LeagueState.PLAYED)
    assert told.verdict == ()
    assert not any(row.places for row in told.tables[0].columns[0])
    html = rendered("live_board.html", board=told)
    assert "All games are played. The final leaderboard is being worked out." in html
    assert "is over" not in html


def test_the_games_stand_where_their_number_tells_bots_apart() -> None:
    same = board(report_of(league([ANA, BEN]), GAMES))
    assert not same.has_games
    assert ">Games<" not in rendered("live_board.html", board=same)
    assert board(report_of(INFO, DICE + RUN)).has_games


def test_each_game_is_read_once_while_a_league_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what comes out is what a report says that reads all of them."""
    games = DICE + RUN
    names = {entry.id: entry.name for entry in INFO.entries}
    so_far = GamesSoFar()
    passed: list[str] = []
    add = PoolSums.add

    def noted(sums: PoolSums, result: Result) -> None:
        passed.append(result.label)
        add(sums, result)

    def newly_read(store: Store) -> int:
        with store.snapshot():
            with monkeypatch.context() as patch:
                patch.setattr(PoolSums, "add", noted)
                passed.clear()
                told = read_report(store, names, so_far=so_far)
            whole = read_report(store, names)
        assert (told.played, told.rows) == (whole.played, whole.rows)
        return len(passed)

    plan = [record.game_id for record in games]
    with Store.open(tmp_path) as store:
        store.begin(INFO, plan[:12])
        assert newly_read(store) == 0
        store.add(to_batches(games[:5]))
        assert newly_read(store) == 5
        store.add(to_batches(games[5:]))
        assert newly_read(store) == 7
        assert newly_read(store) == 0
        # The plan has grown by games that are recorded already.
        store.begin(INFO, plan)
        assert newly_read(store) >= 16
        assert newly_read(store) == 0


def page_text(folder: Path) -> str:
    return (folder / "index.html").read_text()


def state_of(folder: Path) -> dict[str, Any]:
    text = (folder / "state.js").read_text()
    found: dict[str, Any] = json.loads(text.removeprefix("arena.live(")[:-3])
    return found


def live_page(results: Path) -> LivePage:
    results.mkdir(exist_ok=True)
    return LivePage(results, 5)


def test_names_are_text_on_the_page_and_nothing_is_sure(tmp_path: Path) -> None:
    evil = bot("<img src=x onerror=a_b(1)>", "dice")
    report = report_of(
        league([evil, BEN]), [game(i, [evil, BEN], [1, 2]) for i in (0, 1)]
    )
    page = live_page(tmp_path)
    page.write(board(report), WATCHED, {"zombie_dice"})
    for text in (page_text(page.folder), state_of(page.folder)["html"]):
        assert "<img" not in text
        assert "&lt;img src=x onerror=a_<wbr>b(1)&gt;" in text
        assert "surely" not in text
    assert state_of(page.folder)["game"] == {"id": "g001", "title": "Dice"}


def test_a_page_is_new_when_what_it_says_is(tmp_path: Path) -> None:
    page = live_page(tmp_path)
    told = board(report_of(INFO, DICE))
    stamps = []
    for each in (told, told, board(report_of(INFO, DICE + RUN))):
        page.write(each, None, set())
        stamps.append(state_of(page.folder)["stamp"])
    assert stamps[0] == stamps[1] != stamps[2]
    assert state_of(page.folder)["beat"] == 3


def test_what_is_old_is_removed_and_what_is_foreign_stays(tmp_path: Path) -> None:
    page = live_page(tmp_path)
    (page.folder / "replays").mkdir(parents=True)
    for name in (".state.js.4711", "mine.txt", ".mine", "replays/old.js"):
        (page.folder / name).touch()
    for i in range(9):
        page.write(
            board(report_of(INFO, DICE)), replace(WATCHED, game_id=f"g{i}"), set()
        )
    assert sorted(x.name for x in (page.folder / "replays").iterdir()) == [
        "g5.js",
        "g6.js",
        "g7.js",
        "g8.js",
    ]
    assert {x.name for x in page.folder.iterdir() if x.is_file()} == {
        "index.html",
        "state.js",
        "mine.txt",
        ".mine",
    }


@pytest.mark.parametrize("name", ["live", "live/static", "live/replays"])
def test_the_page_is_written_into_the_results_folder_alone(
    name: str, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "results" / name).parent.mkdir(parents=True)
    (tmp_path / "results" / name).symlink_to(elsewhere)
    with pytest.raises(RecordError, match="leads out of the results folder"):
        live_page(tmp_path / "results").write(board(report_of(INFO)), None, set())
    assert not [*elsewhere.iterdir()]


def test_the_last_room_on_a_disk_is_for_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = live_page(tmp_path)
    told = board(report_of(INFO, DICE))
    page.write(told, None, set())
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(2**20))
    with pytest.raises(RecordError, match=r"live: the disk is almost full\Z"):
        page.write(told, WATCHED, set())
    assert state_of(page.folder)["beat"] == 1


def test_who_moves_is_told_of_places_and_not_of_the_empty_table_before() -> None:
    marks = writer_module._Marks()
    report = report_of(league([ANA, BEN]), GAMES)
    for earlier in (report_of(league([ANA, BEN])), report_of(INFO, DICE)):
        # No table, and one with another title.
        marks.add(earlier)
        assert marks.before(report) == {}
    marks.add(report)
    assert marks.before(report) == places_of(report) != {}


def order(results: Path, **changes: Any) -> LiveOrder:
    usual = {"is_first": True, "has_pseudonyms": False, "alias_text": ""}
    return LiveOrder(results=str(results), seconds=0.05, **(usual | changes))


@contextmanager
def told_to(monkeypatch: pytest.MonkeyPatch, word: str) -> Iterator[int]:
    """Let the writer read a word at once; yield where it can be heard."""
    stdin, league_end = os.pipe()
    heard, stdout = os.pipe()
    os.write(league_end, word.encode())
    os.close(league_end)
    monkeypatch.setattr(sys, "stdin", os.fdopen(stdin))
    monkeypatch.setattr(sys, "stdout", os.fdopen(stdout, "w"))
    yield heard
    sys.stdin.close()
    sys.stdout.close()
    os.close(heard)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("finished", "<strong>8</strong> games played: the league is over."),
        # The two words may come at once.
        (
            "played\nfinished\n",
            "<strong>8</strong> games played: the league is over.",
        ),
        ("interrupted", "<strong>8</strong> of 8 games played: stopped, and can go on"),
        # The league was killed.
        ("", "<strong>8</strong> of 8 games played: stopped, and can go on"),
    ],
)
def test_the_last_page_says_how_the_league_has_ended(
    word: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, INFO, DICE)
    with told_to(monkeypatch, word) as heard:
        writer_module.run(order(tmp_path))
        os.set_blocking(heard, False)
        with pytest.raises(BlockingIOError):
            os.read(heard, 1)
    assert says in page_text(tmp_path / "live")
    assert "Still being played" not in page_text(tmp_path / "live")


def test_why_there_is_no_page_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, INFO, DICE)
    (tmp_path / "live").touch()
    with told_to(monkeypatch, "finished") as heard:
        writer_module.run(order(tmp_path))
        said = os.read(heard, 1000).decode()
    assert said.startswith(f"{tmp_path / 'live'}: can't be made (")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("changes", "fields", "shows"),
    [
        ({}, {}, True),
        ({}, {"watch": Watch.PICKED}, False),
        ({}, {"watch": Watch.NONE}, False),
        ({"has_pseudonyms": True, "alias_text": "eight letters"}, {}, False),
        ({"alias_text": "eight letters"}, {"pseudonyms": True}, False),
    ],
)
def test_a_game_is_shown_where_all_may_be_watched(
    changes: dict[str, Any],
    fields: dict[str, Any],
    shows: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writer_module.GamePicker, "pick", lambda *_: WATCHED)
    info: LeagueInfo = with_fields(INFO, **fields)
    fill(tmp_path, info, DICE)
    with told_to(monkeypatch, "finished"):
        writer_module.run(order(tmp_path, **changes))
    live = tmp_path / "live"
    assert (state_of(live)["game"] is not None) == shows
    assert (live / "replays" / "g001.js").exists() == shows
    is_anonymous = bool(changes)
    assert ("Ana" in page_text(live)) != is_anonymous
    assert ("names are pseudonyms" in page_text(live)) == is_anonymous


def test_without_a_key_of_aliases_nothing_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, INFO, DICE)
    with told_to(monkeypatch, "finished") as heard:
        writer_module.run(order(tmp_path, has_pseudonyms=True))
        assert b"has no key that aliases could be made with" in os.read(heard, 1000)
    assert not (tmp_path / "live").exists()


def wait_for_page(writer: LiveWriter, results: Path) -> None:
    while not (results / "live" / "state.js").exists():
        assert writer.problem() == ""
        time.sleep(0.01)


def test_its_process_may_be_killed_or_hang_and_nobody_waits(tmp_path: Path) -> None:
    fill(tmp_path, INFO, DICE)
    with no_process_left():
        writer = LiveWriter(order(tmp_path))
        writer.start()
        wait_for_page(writer, tmp_path)
        writer.start()
        writer.end(LeagueState.FINISHED, 60.0)
        assert writer.problem() == ""
        assert state_of(tmp_path / "live")["state"] == "finished"

        killed = LiveWriter(order(tmp_path))
        killed.start()
        assert killed._process is not None
        killed._process.kill()
        killed._process.wait()
        assert killed.problem() == "its process has ended (with -9)"
        killed.end(LeagueState.FINISHED)
        assert killed.problem() == ""

        hanging = LiveWriter(order(tmp_path))
        hanging.start()
        assert hanging._process is not None
        os.kill(hanging._process.pid, signal.SIGSTOP)
        hanging.end(LeagueState.FINISHED, 0.0)
        assert hanging.problem() == "its process does not end"


def test_a_process_that_can_t_be_started_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    writer = LiveWriter(order(tmp_path))
    writer.start()
    assert writer.problem().startswith("its process can't be started (")
    assert writer.problem() == ""
    writer.end(LeagueState.FINISHED)
