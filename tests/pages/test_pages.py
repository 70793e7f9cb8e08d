"""The pages of a report as files: what is on them, and how they come there."""

import errno
import subprocess
from dataclasses import replace as change
from pathlib import Path

import pytest
from classes import NAMES, SECRET, cast, info_of, label, season, write
from hypothesis import given, settings
from hypothesis import strategies as st
from leagues import entry, fill, game, league
from markup import Markup
from msgspec.structs import replace

from arena.errors import RecordError
from arena.league.config.info import LeagueInfo
from arena.league.results.store import Store
from arena.ratings import Row
from arena.records.decision_times import DecisionTimes
from arena.records.game_record import GameRecord
from arena.reports.games import read_games
from arena.reports.pages.charts import interval, time_axis
from arena.reports.pages.faults_page import faults_by_bot
from arena.reports.pages.replace import MARKER, replacing
from arena.reports.pages.site import Site
from arena.reports.pages.slugs import slug
from arena.reports.pages.write import write_pages
from arena.reports.report import Report, read_report
from arena.reports.tables.columns import table_of
from arena.reports.tables.elo_axis import elo_axis
from arena.text import computing_time

CAST = cast()
SEASON = season(CAST)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("class")


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return write(folder, info_of(CAST), SEASON, luck=True)


def read(folder: Path) -> list[Markup]:
    return [Markup(path) for path in sorted((folder / "report").rglob("*.html"))]


def check(folder: Path, pages: list[Markup]) -> None:
    for page in pages:
        assert page.problems() == [], page.path
        assert page.dead_links(folder / "report") == [], page.path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def pages(folder: Path, report: Report) -> list[Markup]:
    return read(folder)


def test_nothing_is_wrong_with_any_page(folder: Path, pages: list[Markup]) -> None:
    names = {str(page.path.relative_to(folder / "report")) for page in pages}
    common = (
        "index labels how times faults games replay crosstable crosstable-1 "
        "crosstable-2"
    )
    bots = [f"bots/{slug(bot.name)}" for bot in CAST]
    assert names == {f"{name}.html" for name in (*common.split(), *bots)}
    check(folder, pages)


def test_names_are_text_and_nothing_else(pages: list[Markup]) -> None:
    shown = set()
    for page in pages:
        scripts = [own for tag, own in page.attributes if tag == "script"]
        assert all(own.get("src") for own in scripts)
        assert page.tags["b"] <= 5
        names = {name for _, own in page.attributes for name in own}
        assert not [name for name in names if name.startswith("on")]
        if page.path.parent.name == "bots":
            shown.add(page.texts["h1"][0].partition(" anchor")[0])
    assert shown - {"broken can't be read"} == set(NAMES)


def test_the_leaderboard_says_what_the_terminal_does(
    report: Report, folder: Path
) -> None:
    index = Markup(folder / "report" / "index.html")
    table = table_of(report.rows, None)
    assert report.rows[table.ranked].bot == NAMES[-1]
    cells = [text.strip() for text in index.texts["td"]]
    width = len(table.columns) + 2
    for i in range(len(report.rows)):
        row = cells[i * width : (i + 1) * width]
        assert row[0] == table.ranks.cells[i]
        assert row[2:] == [column.cells[i] for column in table.columns]
    # It stands between, there and where the games are side by side.
    assert [text.strip() for text in index.texts["th"]].count(table.others) == 2
    assert row[1].startswith("dice ")
    assert row[1].endswith(" of 9")
    breaks = [own.get("class") for tag, own in index.attributes if tag == "tr"]
    at = [i - 1 for i, name in enumerate(breaks) if name == "break"]
    assert at == list(table.breaks)
    assert at


def test_every_forfeit_is_there_once(report: Report, folder: Path) -> None:
    page = Markup(folder / "report" / "faults.html")
    links = [link for link in page.all("href") if link.startswith("replay.html")]
    told = [link.partition("#")[2].partition("/") for link in links]
    told += [
        (words[0], "/", words[2])
        for text in page.texts["li"]
        if "--step" in (words := text.split())
    ]
    assert sorted(told) == sorted(
        (forfeit.game_id, "/", str(forfeit.fault.step)) for forfeit in report.forfeits
    )
    # They differ in their seconds, and are told as one all the same.
    assert page.tags["details"] == 2
    assert page.texts["pre"][0].count(SECRET) == 3


def test_faults_that_differ_are_told_apart(report: Report) -> None:
    first, second, *others = [x for x in report.forfeits if x.bot == NAMES[1]]
    odd = change(second, fault=replace(second.fault, traceback="line 8"))
    changed = change(report, forfeits=(first, odd, *others))
    (found,) = faults_by_bot(changed, lambda game_id, step: f"{game_id} {step}")
    assert [len(kind.forfeits) for kind in found.kinds] == [len(others) + 1, 1]
    assert "line 8" in found.kinds[1].text
    assert f"{odd.game_id} 3" in found.kinds[1].text


def test_what_was_not_played_is_told_label_by_label(report: Report) -> None:
    first, second, *_ = [x for x in report.forfeits if x.bot == NAMES[1]]
    out = replace(first.fault, termination="quarantine", message="not played: why")
    unplayed = [change(first, fault=out, label=x) for x in ("run", "dice", "run")]
    changed = change(report, forfeits=(*unplayed, second))
    (found,) = faults_by_bot(changed, lambda game_id, step: "")
    assert found.not_played == [
        "2 games of run not played: why",
        "1 game of dice not played: why",
    ]


def test_aliases_hide_who_is_behind_them(tmp_path: Path) -> None:
    info = info_of(CAST)
    fill(tmp_path, info, SEASON)
    aliases = {who.id: f"alias {i}" for i, who in enumerate(info.entries)}
    with Store.read(tmp_path) as store:
        hidden = read_report(store, aliases)
        games = read_games(store, hidden)
        write_pages(hidden, games, store, tmp_path / "report", "results/classroom")
    secrets = [SECRET, *(who.file for who in CAST), *(who.id for who in CAST)]
    secrets += [name for name in NAMES if len(name) > 3] + ["no class", "no bot in it"]
    for name, data in contents(tmp_path / "report").items():
        if not name.startswith("static/"):
            for secret in secrets:
                assert secret.encode() not in data, (name, secret)
    text = Markup(tmp_path / "report" / "faults.html").texts["pre"][0]
    assert "round  3" in text
    assert "alias 8 forfeits: start_failure" in text


def test_the_same_league_gives_the_same_bytes(
    folder: Path, report: Report, tmp_path: Path
) -> None:
    write(tmp_path, info_of(CAST), SEASON[::-1], luck=False)
    write(tmp_path / "again", info_of(CAST), SEASON, luck=False)
    first = contents(tmp_path / "report")
    assert first == contents(tmp_path / "again" / "report")
    assert first.keys() == contents(folder / "report").keys()


def shapes() -> dict[str, tuple[LeagueInfo, list[GameRecord]]]:
    """Return leagues that lack something."""
    ana, ben, cy, dot = (entry(name, "dice") for name in ("ana", "ben", "cy", "dot"))
    dice = label("dice", "zombie_dice")
    three = replace(dice, players=3)
    broken = [replace(who, refused="no bot in it") for who in (ana, ben)]
    games = [game(0, (ana, ben), (1, 2)), game(1, (ben, ana), (1, 1))]
    table = game(0, (ana, ben, cy), (1, 2, 3))
    pools = [*games, game(2, (cy, dot), (1, 2))]
    divided = [replace(ana, division=1), replace(ben, division=2)]
    return {
        "divisions": (league(divided, (dice,)), games),
        "nobody": (league([], (dice,)), []),
        "no games": (league([ana, ben], (dice, label("run", "ox_blocks"))), []),
        "one bot": (league([ana], (dice,)), []),
        "one label": (league([ana, ben], (dice,)), games),
        "three": (league([ana, ben, cy], (three,)), [table]),
        "groups": (league([ana, ben, cy, dot], (dice,)), pools),
        "all refused": (league(broken, (dice,)), games),
    }


@pytest.mark.parametrize("shape", shapes())
def test_leagues_of_all_shapes_have_pages(shape: str, tmp_path: Path) -> None:
    info, games = shapes()[shape]
    write(tmp_path, info, [replace(record, history=()) for record in games])
    check(tmp_path, read(tmp_path))
    index = (tmp_path / "report" / "index.html").read_text()
    said = {
        "nobody": "No bots are entered.",
        "no games": "No games are played",
        "one bot": "Only one bot is entered",
        "groups": "dice: group 2 of 2",
        "divisions": ">Div<",
        "all refused": "2 files could not be used",
    }
    assert said.get(shape, "</html>") in index
    assert ("labels.html" in index) == (shape == "no games")


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "no space"), KeyboardInterrupt()]
)
def test_an_interrupted_report_leaves_the_old_one(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info, games = shapes()["one label"]
    games = [replace(record, history=()) for record in games]
    write(tmp_path, info, games)
    (tmp_path / "report" / "of_an_earlier_league.html").touch()
    before = contents(tmp_path / "report")
    written = Site.write_text

    def fail(site: Site, path: str, text: str) -> None:
        if path == "times.html":
            raise error
        written(site, path, text)

    monkeypatch.setattr(Site, "write_text", fail)
    expected = RecordError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as raised:
        write(tmp_path, info, games)
    if expected is RecordError:
        assert "no space" in str(raised.value)
    assert contents(tmp_path / "report") == before
    monkeypatch.undo()
    write(tmp_path, info, games)
    assert contents(tmp_path / "report").keys() < before.keys()
    assert sorted(x.name for x in tmp_path.iterdir()) == ["league.sqlite", "report"]


def test_commands_can_be_pasted(report: Report, tmp_path: Path) -> None:
    site = Site(report, tmp_path, "results/my class")
    assert site.replay_command("ab", 3) == "arena replay 'results/my class' ab --step 3"


def test_what_was_left_by_a_kill_is_put_away(tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    folder = tmp_path / "report"
    for name in (f".report.{dead.pid}", f".report.{dead.pid}.old", ".report.mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.html").write_text(name)
        (tmp_path / name / MARKER).touch()

    with replacing(folder) as new:
        # It was killed between the old report and the new one.
        assert (folder / "page.html").read_text().endswith(".old")
        (new / "page.html").write_text("new")
    assert (folder / "page.html").read_text() == "new"
    assert sorted(x.name for x in tmp_path.iterdir()) == [".report.mine", "report"]


def test_nothing_but_a_report_is_replaced(tmp_path: Path) -> None:
    info, _ = shapes()["one bot"]
    mine = tmp_path / "report" / "thesis.txt"
    mine.parent.mkdir()
    write(tmp_path, info, [])
    assert (tmp_path / "report" / "index.html").is_file()
    (tmp_path / "report" / MARKER).unlink()
    mine.touch()
    with pytest.raises(RecordError, match=r"report: holds something else.*--output"):
        write(tmp_path, info, [])
    assert mine.is_file()


def test_slugs_are_safe_on_any_disk() -> None:
    names = [*NAMES, "ana", "Ana", "ANA", "con", "Con", ".", "..", "", "a-b", "a b"]
    slugs = [slug(name) for name in names]
    assert len({x.casefold() for x in slugs}) == len(set(names))
    assert slug("stop_at_two") == "stop_at_two"
    assert slug("con") != "con"


# Without the tables of all characters, which take seconds.
CHARACTERS = st.sampled_from('abAZ09._-~ /\\:*?"<>|\0\n\x7fäßé\u0301名🧟')


@settings(max_examples=30)
@given(st.text(CHARACTERS, max_size=80))
def test_a_slug_is_short_and_plain(name: str) -> None:
    found = slug(name)
    assert 0 < len(found) <= 60
    assert set(found) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-")
    assert not found.startswith("-")


def test_drawn_ranges_lie_where_their_numbers_do(report: Report) -> None:
    axis = elo_axis(report.rows)
    scale = (axis.high - axis.low) / 100.0
    beyond = []
    *ranked, last = report.rows
    assert (last.rank, interval(axis, last)) == (None, None)
    for row in ranked:
        found = interval(axis, row)
        assert found is not None
        assert found.low <= found.at <= found.high
        if found.beyond:
            assert row.elo is not None
            assert row.elo < axis.low
            assert found.at == 0.0
            beyond.append(row.bot)
            continue
        for at, value in ((found.at, row.elo), (found.high, row.elo_high)):
            assert value is not None
            assert axis.low + at * scale == pytest.approx(value, abs=scale / 10)
    # Who forfeits everything leaves the others room to be told apart.
    assert beyond == ["broken"]
    broken = [row for row in ranked if row.bot == "broken"]
    alone = interval(elo_axis(broken), *broken)
    assert alone is not None
    assert not alone.beyond
    both = interval(axis, change(report.rows[0], open_below=True, open_above=True))
    assert both is not None
    assert (both.low, both.high) == (0.0, 100.0)
    assert all(0.0 <= at <= 100.0 for at, _ in axis.marks)
    assert 2 <= len(axis.marks) <= 6


def test_an_axis_holds_what_has_an_end(report: Report) -> None:
    row = change(
        report.rows[0],
        **dict.fromkeys(("elo", "results_elo"), 1000.0),
        **dict.fromkeys(("elo_low", "results_low"), 900.0),
        **dict.fromkeys(("elo_high", "results_high"), 1100.0),
        **dict.fromkeys(("open_above", "open_below"), False),
        games=10,
        forfeits=0,
    )

    def ends(*rows: Row) -> tuple[float, float]:
        axis = elo_axis(rows)
        return axis.low, axis.high

    assert ends() == (990.0, 1010.0)
    assert ends(row) == (890.0, 1110.0)
    assert elo_axis([row]).ticks == (900.0, 950.0, 1000.0, 1050.0, 1100.0)
    assert ends(change(row, open_below=True)) == (990.0, 1110.0)
    assert ends(change(row, open_above=True)) == (890.0, 1010.0)
    # Of so much, a twenty-fifth is left free.
    assert ends(change(row, elo_low=600.0, results_high=1600.0)) == (560.0, 1640.0)
    # A range that says nothing does not stretch it, and is drawn from end to end.
    vague = change(row, elo_low=-1000.0, elo_high=3000.0)
    assert ends(row, vague) == (890.0, 1110.0)
    found = interval(elo_axis([row]), vague)
    assert found is not None
    assert (found.is_vague, found.low, found.high) == (True, 0.0, 100.0)
    # Who has forfeited half of its games does not stretch the axis of the others.
    weak = change(
        row,
        **dict.fromkeys(("elo", "results_elo"), 0.0),
        **dict.fromkeys(("elo_low", "results_low"), -100.0),
        **dict.fromkeys(("elo_high", "results_high"), 100.0),
    )
    for forfeits, low in ((4, -148.0), (5, 890.0)):
        assert ends(row, change(weak, forfeits=forfeits))[0] == low
    assert ends(change(weak, forfeits=5))[0] == -110.0
    found = interval(elo_axis([row]), weak)
    assert found is not None
    assert (found.beyond, found.at, found.results) == (True, 0.0, None)
    found = interval(elo_axis([row]), change(row, open_below=True))
    assert found is not None
    assert (found.low, found.at, found.high) == (0.0, 50.0, 95.5)
    assert (found.beyond, found.results) == (False, (50.0, 0.0, 95.5))
    assert interval(elo_axis([row]), change(row, elo_low=None)) is None


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(1e-6, 1e3), st.integers(1, 99)), min_size=1))
def test_a_histogram_holds_every_decision(counts: list[tuple[float, int]]) -> None:
    axis = time_axis(seconds for seconds, _ in counts)
    bars = axis.bars(counts)
    assert len(bars) == axis.count
    assert max(bars) == 1.0
    # By hand: the bars whose ends hold each time.
    highest: dict[int, int] = {}
    for seconds, count in counts:
        ends = [10.0 ** (axis.first + (i + 1) / 4) for i in range(axis.count)]
        place = next(i for i, end in enumerate(ends) if seconds <= end * (1 + 1e-9))
        highest[place] = highest.get(place, 0) + count
    top = max(highest.values())
    assert bars == [highest.get(i, 0) / top for i in range(axis.count)]


def test_sums_of_times_are_shown_where_there_is_something_to_see(
    tmp_path: Path,
) -> None:
    """CPU time where it is known, and sleep where a bot slept."""
    info, games = shapes()["one label"]
    games = [replace(record, history=()) for record in games]
    usual = ["Bot", "Decisions", "Median", "99 %", "Slowest", "Of the limit"]
    shown = {}
    for cpu, slept in ((0.0, 0.0), (2.0, 0.0), (2.0, 375.0)):
        folder = tmp_path / f"{cpu} {slept}"
        each = DecisionTimes(0.25, ((135, 2),), 0.0, cpu + slept, slept, 2 * slept)
        timed = [replace(g, times=tuple(each for _ in g.seats)) for g in games]
        write(folder, info, timed)
        check(folder, read(folder))
        page = Markup(folder / "report" / "times.html")
        titles = [text.strip() for text in page.texts["th"]]
        assert titles[:6] == usual
        others = titles[6 : -1 - len(info.entries)]
        cells = [text.strip() for text in page.texts["td"]]
        shown[cpu, slept] = dict(zip(others, cells[5 : 5 + len(others)], strict=True))
        bot = (folder / "report" / "bots" / "ana.html").read_text()
        assert ("In all they took 4 s of CPU time." in bot) == (cpu > slept)
        assert (", and it slept for 12 min 30 s in them," in bot) == (slept > 0.0)
    assert [*shown.values()] == [
        {},
        {"CPU time": "4 s", "Share": "50.0 %"},
        {
            **{"CPU time": "4 s", "Slept": "12 min 30 s"},
            **{"Wall": "25 min", "Share": "50.0 %"},
        },
    ]


def test_times_are_for_people() -> None:
    times = [computing_time(x) for x in (0.5, 1.0, 0.0000123, 0.9999, 75.0)]
    assert times == ["500 ms", "1 s", "12.3 µs", "1 s", "75 s"]
