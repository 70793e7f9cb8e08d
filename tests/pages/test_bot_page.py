"""A bot's page teaches: where it stands, what it loses by, how it has changed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from classes import LABELS, NAMES, cast, info_of, season, write
from leagues import fill, league, report_of
from markup import Markup
from msgspec.structs import replace as with_fields

from arena.league.config.settings import Watch
from arena.league.results.past_runs import PastPlace, PastRun, PastStanding
from arena.league.results.store import Store
from arena.ratings.claims import Strengths
from arena.ratings.labels import label_strengths
from arena.reports.forfeits import count_reasons
from arena.reports.games import read_games
from arena.reports.pages.bot_summary import bot_summary, compared
from arena.reports.pages.run_line import run_lines
from arena.reports.pages.slugs import slug
from arena.reports.pages.write import write_pages
from arena.reports.playing_style import LabelStyle, PlayingStyles, StyleLine
from arena.reports.report import RankedRow, Report, read_report

CAST = cast()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("class")


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return write(folder, info_of(CAST), season(CAST, 12))


def page_of(folder: Path, name: str) -> Markup:
    return Markup(folder / "report" / "bots" / f"{slug(name)}.html")


def test_what_is_sure_is_what_the_tables_claim(report: Report) -> None:
    """As many are surely better and worse as leave a bot the places it may have."""
    assert report.overall is not None
    tables: list[tuple[Strengths, Sequence[RankedRow]]] = [
        (report.overall, [row for row in report.rows if row.rank is not None])
    ]
    for board in report.boards:
        assert board.fits is not None
        tables += [(own, board.rows) for own in label_strengths(board.fits)]
    sure = 0
    for strengths, rows in tables:
        for row in rows:
            above, level, below = compared(strengths, row.bot)
            assert row.rank_low == 1 + len(above)
            assert row.rank_high == len(rows) - len(below)
            assert len(above) + len(level) + len(below) == len(rows) - 1
            sure += len(below)
    assert sure


def test_the_first_words_are_on_what_to_do(report: Report) -> None:
    """Faults, then whom it is ahead of and behind, then its best and worst game."""
    rows = {row.bot: row for row in report.rows}
    ruinous = bot_summary(report, rows[NAMES[1]])
    reasons = count_reasons(x for x in report.forfeits if x.bot == NAMES[1])["crash"]
    games = rows[NAMES[1]].games
    assert ruinous[0] == (
        f"It forfeits {reasons} of {games} games: crash. Repair that first: each is a "
        "loss."
    )
    best, *_ = bot_summary(report, rows[NAMES[0]])
    assert best.startswith("Surely ahead of ")
    assert best.endswith(".")
    # Not games where it may have the same place.
    said = "Its best game is dice, with place "
    own = rows[NAMES[0]]
    for low, is_told in ((2, True), (1, False)):
        games = {
            "dice": replace(own.per_game["dice"], rank_low=1, rank_high=1),
            "run": replace(own.per_game["run"], rank_low=low, rank_high=9),
        }
        last = bot_summary(report, replace(own, per_game=games))[-1]
        assert last.startswith(said) == is_told
    # What is not ranked over all games has its place in those that it plays.
    (only,) = bot_summary(report, rows[NAMES[-1]])
    assert only.startswith("dice: ")
    unfinished = replace(report, planned=report.played + 1)
    assert "urely" not in " ".join(bot_summary(unfinished, rows[NAMES[0]]))
    alone = report_of(league([CAST[0]], LABELS))
    assert bot_summary(alone, alone.rows[0]) == []


def test_games_that_a_bot_does_not_play_are_not_on_its_page(
    folder: Path, report: Report
) -> None:
    page = page_of(folder, NAMES[-1])
    told = [text.strip() for text in page.texts["th"]]
    assert "dice" in told
    assert "run" not in told
    # All but that it does not play it.
    assert [text for text in page.texts["dd"] if text.startswith("run")]
    both = page_of(folder, NAMES[0])
    assert {"dice", "run"} <= {text.strip() for text in both.texts["th"]}


def at(elo: float, place: int, half: float | None = 10.0) -> PastPlace:
    ends = (None, None) if half is None else (elo - half, elo + half)
    return PastPlace(elo, *ends, place, 9)


def run(
    version: str, place: PastPlace | None, anchor: tuple[str, float] | None = None
) -> PastRun:
    """Return a run in which the first bot stood there."""
    labels = {"dice": place or at(1000, 1)}
    own = PastStanding(CAST[0].id, NAMES[0], version, place, labels)
    return PastRun((own,), 100, anchor=anchor)


def test_a_line_goes_through_the_runs_and_marks_versions(report: Report) -> None:
    past = (run("a", at(1000, 5)), run("a", at(990, 6)), run("b", at(1100, 2, None)))
    own = replace(report, past=past, run=run("b", at(1090, 3)))
    (line,) = run_lines(own, NAMES[0])
    assert line.label == ""
    assert [x.version for x in line.marks] == [1, 1, 2, 2]
    assert [x.is_new for x in line.marks] == [False, False, True, False]
    assert [x.place for x in line.marks] == ["5 of 9", "6 of 9", "2 of 9", "3 of 9"]
    assert (line.low, line.high) == (975, 1105)
    assert line.latest == (
        "Since the run before: place 2 of 9 → 3 of 9, Elo 1100 → 1090."
    )
    heights = [100 * (1105 - float(x.elo)) / 130 for x in line.marks]
    assert [x.at[1] for x in line.marks] == pytest.approx(heights, abs=0.1)
    assert line.marks[2].ends == (line.marks[2].at[1],) * 2
    for mark in line.marks:
        assert 0 <= mark.ends[0] <= mark.at[1] <= mark.ends[1] <= 100


def test_a_range_with_one_end_is_told_by_that_end(report: Report) -> None:
    """The Elo of who has lost all games says nothing, and is in no table."""
    lost = PastPlace(-222.0, None, 369.0, 9, 9)
    own = replace(report, past=(run("a", lost),), run=run("b", at(935, 3)))
    (line,) = run_lines(own, NAMES[0])
    assert line.marks[0].elo == "at most 369"
    assert line.low == 364
    assert line.latest.endswith("Elo at most 369 → 935.")


def test_runs_that_can_not_be_compared_have_no_line(report: Report) -> None:
    """With another anchor, of others, or alone; and without a table of all games."""
    now = run("a", at(1000, 5))
    for past in (
        (),
        (run("a", at(900, 5), anchor=("x", 1500.0)),),
        (replace_entry(run("a", at(900, 5))),),
    ):
        assert run_lines(replace(report, past=past, run=now), NAMES[0]) == []
    assert run_lines(replace(report, past=(now,), run=None), NAMES[0]) == []
    alone = run("a", None)
    (line,) = run_lines(replace(report, past=(alone,), run=alone), NAMES[0])
    assert line.label == "dice"
    many = replace(report, past=(now,) * 99, run=now)
    (line,) = run_lines(many, NAMES[0])
    assert [line.marks[0].run, line.marks[-1].run, len(line.marks)] == [71, 100, 30]


def replace_entry(run: PastRun) -> PastRun:
    """Return a run of another bot."""
    return with_fields(
        run, standings=tuple(with_fields(x, entry="z") for x in run.standings)
    )


def test_style_and_runs_are_there_where_they_may_be_seen(tmp_path: Path) -> None:
    """Not where only some games may be watched: who sees a style knows the strategy."""
    info = info_of(CAST)
    fill(tmp_path, info, season(CAST))
    lines = (
        StyleLine("Turns <that> bust", "How many & why.", True, 0.314, 0.26, 9, 0.9),
        StyleLine("Brains", "In a turn.", False, 2.24, None, 9),
    )
    shown = {}
    with Store.read(tmp_path) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "arena.reports.pages.write.playing_styles",
            lambda store, report, games: PlayingStyles(
                {NAMES[0]: (LabelStyle("dice", 9, lines),)}, ("no style of run",)
            ),
        )
        report = read_report(store)
        games = read_games(store, report)
        now = report.run
        assert now is not None
        for watch in Watch:
            own = replace(report, watch=watch, past=(now, now))
            write_pages(own, games, store, tmp_path / "report", "results/class")
            shown[watch] = page_of(tmp_path, NAMES[0])
            assert shown[watch].problems() == []
    for watch, page in shown.items():
        assert ("How it plays" in page.texts["h2"]) == (watch == Watch.ALL)
        assert "From run to run" in page.texts["h2"]
    summary = "Most unlike the others: turns <that> bust 31 % (others 26 %)."
    assert any(summary in text for text in shown[Watch.ALL].texts["summary"])
    cells = [text.strip() for text in shown[Watch.ALL].texts["td"]]
    at = cells.index("31 %")
    assert cells[at : at + 4] == ["31 %", "26 %", "2.2", ""]
