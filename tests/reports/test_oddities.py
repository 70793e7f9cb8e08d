"""What honest play hardly explains is said to the instructor, and to nobody else."""

import json
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest
from leagues import bot, fault, fill, game, label_info, league, value_of
from msgspec.structs import replace

from arena.league.config.info import EntryInfo
from arena.league.results.store import Store
from arena.records.game_record import GameRecord
from arena.reports.files import leaderboard_json
from arena.reports.games import read_games
from arena.reports.oddities import Oddities
from arena.reports.pages.oddities_page import write_oddities
from arena.reports.pages.write import write_pages
from arena.reports.report import Report, read_report
from arena.reports.tables.markdown import leaderboard_md
from arena.reports.tables.terminal import leaderboard_text

BOTS = [bot(name, "dice") for name in "ABCDEFG"]
MASTER, HELPER = (
    bot(name, "dice", file="team.py", id=f"team:{name}") for name in ("Max", "Mia")
)
ALL = [*BOTS, MASTER, HELPER]
INFO = league(ALL, [replace(label_info("dice"), game="zombie_dice", options={})])
TITLE = "What honest play hardly explains"


def played(
    helps: int, luck: float = 0.0
) -> tuple[list[GameRecord], dict[str, tuple[float, ...]]]:
    """Return a league of equals in which the helper loses so many of 20 fixtures."""
    games, chance = [], {}
    for one, other in combinations(ALL, 2):
        share = helps if (one, other) == (MASTER, HELPER) else 10
        for n in range(20):
            for seats in ((one, other), (other, one)):
                wins = (n >= 20 - share) == (seats[0] is one)
                number = len(games)
                games.append(game(number, seats, (1, 2) if wins else (2, 1)))
                sign = (-1) ** n if BOTS[0] not in seats else 1
                own = 1 if seats[0] is one else -1
                chance[games[-1].game_id] = (luck * sign * own,)
    return games, chance


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return results in which two bots are of one file, and one helps the other."""
    folder = tmp_path_factory.mktemp("results") / "pub"
    fill(folder, INFO, played(19)[0])
    return folder


def report_in(folder: Path, names: dict[str, str] | None = None) -> Report:
    with Store.read(folder) as store:
        return read_report(store, names)


def texts(report: Report) -> Iterator[str]:
    """Yield the terminal's words and the page's, each in one line."""
    for text in (leaderboard_text(report, 80), leaderboard_md(report)):
        yield " ".join(text.replace("\\", "").split())


def test_a_pair_is_named_with_what_was_found_and_where_to_look(folder: Path) -> None:
    report = report_in(folder)
    for text in texts(report):
        assert TITLE in text
        assert (
            "Max against Mia (both of team.py) surprises in dice. dice: Max scored "
            "95 % of 40 games; by all other games of the two it was to be expected to "
            "score 50 %. In dice these games are worth +"
        ) in text
        assert "Elo to Max. Among honest bots, about 0." in text
        assert "To look at first: arena replay results/pub g" in text
        assert "This accuses nobody" in text

    (found,) = json.loads(leaderboard_json(report))["surprises"]
    assert found["winner"] == "Max"
    assert found["loser"] == "Mia"
    assert found["owner"] == "team.py"
    assert found["family_p"] < 0.05
    (part,) = found["labels"]
    assert 20.0 < part["elo"] < 50.0
    assert (part["label"], part["games"], part["score"]) == ("dice", 40, 0.95)
    # Games that the winner has won.
    with Store.read(folder) as store:
        records = [r for r in store.records() if r.game_id in found["look_at"]]
    assert len(records) == 3
    for record in records:
        assert record.places[record.seats.index(MASTER.id)] == 1
        assert record.places[record.seats.index(HELPER.id)] == 2


def test_bots_of_one_student_are_looked_at_first_too(tmp_path: Path) -> None:
    """He is not named, as a store tells nobody who he is."""
    two = [
        replace(who, file=f"{who.name}.py", owners=owners)
        for who, owners in ((MASTER, ("f00d",)), (HELPER, ("beef", "f00d")))
    ]
    games, _ = played(19)
    fill(
        tmp_path / "apart",
        league([*BOTS, *(replace(x, owners=()) for x in two)]),
        games,
    )
    fill(tmp_path / "one", league([*BOTS, *two]), games)
    assert not report_in(tmp_path / "apart").oddities.pairs
    report = report_in(tmp_path / "one")
    for text in texts(report):
        assert "Max against Mia (both of one student) surprises in dice." in text
        assert "f00d" not in text
    (found,) = json.loads(leaderboard_json(report))["surprises"]
    assert found["owner"] == "one student"


def test_two_files_of_one_name_have_nothing_in_common(tmp_path: Path) -> None:
    two = [replace(who, code=who.name) for who in (MASTER, HELPER)]
    fill(tmp_path, league([*BOTS, *two]), played(19)[0])
    assert not report_in(tmp_path).oddities.pairs


def test_nobody_is_named_without_a_reason(tmp_path: Path) -> None:
    fill(tmp_path, INFO, played(12)[0])
    report = report_in(tmp_path)
    assert all(TITLE not in text for text in texts(report))
    board = json.loads(leaderboard_json(report))
    assert (
        board["surprises"] == board["uncommon_luck"] == board["forfeits_to_one"] == []
    )


def test_a_bot_with_luck_beyond_chance_is_named(tmp_path: Path) -> None:
    games, chance = played(10, luck=0.2)
    fill(tmp_path, INFO, games, chance, [value_of("dice")])
    report = report_in(tmp_path)
    for text in texts(report):
        assert (
            "A has had more luck in dice than chance gives. dice: its Elo by results "
            "alone is 1000, with luck taken out "
        ) in text
        assert "luck brought it +0.200 points a game in 320 games." in text
    (found,) = json.loads(leaderboard_json(report))["uncommon_luck"]
    assert (found["bot"], found["label"]) == ("A", "dice")
    # Luck that made no difference to results is not taken from them.
    assert found["labels"][0]["elo"] == found["labels"][0]["adjusted_elo"] == 1000.0
    assert len(found["look_at"]) == 3


def forfeiting(reason_of: Callable[[list[EntryInfo]], str]) -> list[GameRecord]:
    """Return a league of equals in which Mia forfeits for reasons, by who plays."""
    games = []
    for record in played(10)[0]:
        seats = [next(x for x in ALL if x.id == id_) for id_ in record.seats]
        if HELPER in seats and (reason := reason_of(seats)):
            seat = seats.index(HELPER)
            record = game(
                int(record.game_id[1:]),
                seats,
                (2, 1) if seat == 0 else (1, 2),
                faults=(fault(seat, HELPER, reason),),
            )
        games.append(record)
    return games


def test_who_forfeits_to_one_other_alone_is_named(tmp_path: Path) -> None:
    """It is no surprise, as no score is expected of it: so it is said as it is."""
    fill(tmp_path, INFO, forfeiting(lambda seats: "crash" * (MASTER in seats)))
    report = report_in(tmp_path)
    for text in texts(report):
        assert (
            "Mia forfeited 40 of 40 games of dice against Max, and 0 of 280 against "
            "all others."
        ) in text
    board = json.loads(leaderboard_json(report))
    (found,) = board["forfeits_to_one"]
    assert (found["bot"], found["opponent"], found["forfeits"]) == ("Mia", "Max", 40)
    assert board["surprises"] == []


def test_who_forfeits_to_all_is_not(tmp_path: Path) -> None:
    fill(tmp_path, INFO, forfeiting(lambda seats: "crash"))
    report = report_in(tmp_path)
    assert not report.oddities.forfeits
    assert all(TITLE not in text for text in texts(report))


def test_who_crashes_until_it_is_in_quarantine_forfeits_to_nobody_alone(
    tmp_path: Path,
) -> None:
    """Games that were not played are none in which it did not forfeit."""
    games = forfeiting(lambda seats: "crash" if MASTER in seats else "quarantine")
    fill(tmp_path, INFO, games)
    assert not report_in(tmp_path).oddities.forfeits


def test_where_bots_have_aliases_nothing_is_said(tmp_path: Path) -> None:
    games, chance = played(20, luck=0.2)
    fill(tmp_path, INFO, [*games], chance, [value_of("dice")])
    report = report_in(tmp_path)
    assert report.oddities.pairs
    assert report.oddities.luck
    names = {who.id: f"Alias {i}" for i, who in enumerate(ALL)}
    report = report_in(tmp_path, names)
    assert report.oddities == Oddities()
    assert all(TITLE not in text for text in texts(report))


def test_the_instructor_has_a_page_of_his_own_and_the_class_has_not(
    folder: Path, tmp_path: Path
) -> None:
    report = report_in(folder)
    page = folder / "private" / "surprises.html"
    with Store.read(folder) as store:
        write_pages(report, read_games(store, report), store, tmp_path / "r", "results")
    (line,) = write_oddities(report, folder)
    text = page.read_text()

    assert str(page) in line
    assert "Max against Mia (both of team.py) surprises in dice." in text
    assert f"arena replay {folder} g" in text
    for file in (tmp_path / "r").rglob("*.html"):
        words = file.read_text()
        assert "surprises" not in words
        assert TITLE not in words

    # It goes when there is nothing to say any more.
    calm = tmp_path / "calm"
    fill(calm, INFO, played(10)[0])
    assert [*write_oddities(report_in(calm), folder)] == []
    assert not page.exists()


def test_names_can_not_break_out_of_the_page(tmp_path: Path) -> None:
    evil = replace(MASTER, name="<script>alert(1)</script>")
    fill(tmp_path, league([*BOTS, evil, HELPER]), played(20)[0])
    [*_] = write_oddities(report_in(tmp_path), tmp_path)
    text = (tmp_path / "private" / "surprises.html").read_text()
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_no_page_of_somebody_else_is_removed(tmp_path: Path) -> None:
    fill(tmp_path / "pub", INFO, played(12)[0])
    other = tmp_path / "web" / "surprises.html"
    other.parent.mkdir()
    other.write_text("mine")
    (tmp_path / "pub" / "private").symlink_to(other.parent)
    assert not [*write_oddities(report_in(tmp_path / "pub"), tmp_path / "pub")]
    assert other.read_text() == "mine"
