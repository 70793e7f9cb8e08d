"""The derived files: exact bytes, whatever order or names the games come in."""

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from leagues import entry, fault, fill, game, label_info, league, report_of, value_of

from arena.errors import RecordError
from arena.league.info import EntryInfo
from arena.league.store import Store
from arena.referee.batch import to_batches
from arena.referee.record import DecisionTimes, Fault, GameRecord
from arena.referee.times import Times
from arena.reports.export import export_lines
from arena.reports.files import (
    crosstable_csv,
    faults_csv,
    leaderboard_csv,
    leaderboard_json,
    times_csv,
    write_files,
)
from arena.reports.markdown import leaderboard_md
from arena.reports.report import read_report
from arena.reports.terminal import leaderboard_text
from arena.reports.wording import run_notes
from arena.reports.writing import write_text

ANA = entry("Ana", "dice", "run")
BEN = entry("Ben", "dice")
CY = entry("Cy", "dice", "run")
SMALL = [
    game(0, (ANA, BEN), (1, 2)),
    game(1, (BEN, ANA), (1, 2)),
    game(2, (ANA, BEN), (1, 1)),
    game(3, (BEN, ANA), (2, 1), faults=(fault(0, BEN),)),
]
FILES = [
    "leaderboard.json",
    "leaderboard.csv",
    "leaderboard.md",
    "ratings.json",
    "crosstable.csv",
    "faults.csv",
    "times.csv",
]


def cells(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file by the names of its columns."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_small_leaderboard_to_the_byte(tmp_path: Path) -> None:
    dice = label_info("dice", "The die is ours.", faces=[1, "two"])
    report = report_of(tmp_path, league([BEN, ANA, CY], (dice, "run")), SMALL)
    write_files(report, tmp_path)
    assert (tmp_path / "leaderboard.json").read_bytes() == JSON.encode()
    assert (tmp_path / "leaderboard.md").read_bytes() == MARKDOWN.encode()


def played_out(seed: int) -> list[GameRecord]:
    """Return games of two and three bots, some forfeited, drawn at random."""
    rng = Random(seed)
    games = []
    for number in range(60):
        seats = rng.sample([ANA, BEN, CY], rng.choice([2, 3]))
        order = list(range(1, len(seats) + 1))
        rng.shuffle(order)
        faults: tuple[Fault, ...] = ()
        if rng.random() < 0.2:
            seat = order.index(max(order))
            faults = (fault(seat, seats[seat], rng.choice(["crash", "timeout"])),)
        games.append(game(number, seats, order, faults=faults))
    return games


def test_the_order_of_recording_makes_no_difference(tmp_path: Path) -> None:
    info = league([ANA, BEN, CY], exploring=(10, 30))
    rng = Random(2)
    luck = {
        played.game_id: tuple(rng.gauss(0.0, 0.2) for _ in range(pairs))
        for played in played_out(1)
        for pairs in ({2: 1, 3: 3}[len(played.seats)],)
    }
    written = []
    for seed in range(4):
        games = played_out(1)
        Random(seed).shuffle(games)
        folder = tmp_path / str(seed)
        report = report_of(folder, info, games, luck, [value_of("dice")])
        assert report.rows[0].adjusted_elo is not None
        write_files(report, folder)
        written.append([(folder / name).read_bytes() for name in FILES])
    assert all(files == written[0] for files in written)


def test_no_time_gets_into_the_leaderboard(tmp_path: Path) -> None:
    """Nor into the crosstable; a fault's message may name one."""
    written = []
    for seconds in (0.5, 0.75):
        late = fault(0, BEN, message=f"decided after {seconds} s")
        games = [*SMALL[:3], game(3, (BEN, ANA), (2, 1), faults=(late,))]
        games = [timed(g, seconds, 0.0) for g in games]
        folder = tmp_path / str(seconds)
        write_files(report_of(folder, league([ANA, BEN]), games), folder)
        written.append([(folder / name).read_bytes() for name in FILES[:5]])
    assert written[0] == written[1]


def timed(record: GameRecord, *seconds: float, pondered: float = 0.0) -> GameRecord:
    """Return a game in which each seat has taken so long for its only decision."""
    times = []
    for one in seconds:
        clock = Times()
        clock.count(one)
        clock.pondered = pondered
        times.append(clock.total())
    return msgspec.structs.replace(record, seconds=seconds, times=tuple(times))


def test_times_have_a_row_for_each_bot_and_label(tmp_path: Path) -> None:
    broken = entry("Eve", "dice")
    games = [
        *(timed(game(n, (ANA, BEN), (1, 2)), 0.001, 0.125) for n in range(9)),
        timed(game(9, (BEN, ANA), (2, 1)), 0.45, 0.001, pondered=0.25),
        timed(game(10, (CY, ANA), (2, 1), "run"), 0.6, 0.002),
        msgspec.structs.replace(
            game(12, (broken, CY), (2, 1), faults=(fault(0, broken, "exit"),)),
            times=(DecisionTimes(), DecisionTimes()),
        ),
    ]
    info = league([ANA, BEN, CY, broken], ("dice", "run"))
    report = report_of(tmp_path, info, games)
    text = times_csv(report)
    assert text.splitlines()[0] == (
        "bot,file,label,decisions,median,p99,slowest,limit,share_of_limit,pondered"
    )
    rows = {(row["bot"], row["label"]): row for row in cells(text)}
    assert list(rows) == [
        (row.bot, label)
        for row in report.rows
        for label in ("all", "dice", "run")
        if label == "all" or label in row.per_game
    ]
    assert {key: row["decisions"] for key, row in rows.items()} == {
        **{("Ana", "all"): "11", ("Ana", "dice"): "10", ("Ana", "run"): "1"},
        **{("Ben", "all"): "10", ("Ben", "dice"): "10"},
        **{("Cy", "all"): "1", ("Cy", "dice"): "0", ("Cy", "run"): "1"},
        **{("Eve", "all"): "0", ("Eve", "dice"): "0"},
    }
    ana = rows["Ana", "all"]
    assert (ana["file"], ana["limit"], ana["pondered"]) == (ANA.file, "0.5", "0.25")
    assert float(ana["median"]) == pytest.approx(0.001, rel=0.045)
    assert float(ana["p99"]) == pytest.approx(0.002, rel=0.045)
    ben = rows["Ben", "dice"]
    assert float(ben["median"]) == pytest.approx(0.125, rel=0.045)
    assert (ben["slowest"], ben["share_of_limit"]) == ("0.45", "0.9")
    assert rows["Cy", "all"]["share_of_limit"] == "1.2"
    for column in ("median", "p99", "slowest", "share_of_limit"):
        assert rows["Eve", "all"][column] == ""


def test_a_run_ends_with_a_note_on_who_is_near_the_limit(tmp_path: Path) -> None:
    games = [
        timed(game(0, (ANA, BEN), (1, 2)), 0.4, 0.401),
        timed(game(1, (BEN, CY), (1, 2), "run"), 0.1, 0.75),
    ]
    report = report_of(tmp_path, league([ANA, BEN, CY], ("dice", "run")), games)
    assert sorted(run_notes(report)) == [
        "Ben: its slowest decision took 0.401 s, the move limit is 0.5 s",
        "Cy: its slowest decision took 0.75 s, the move limit is 0.5 s",
    ]


def quarantined_games() -> list[GameRecord]:
    """Return a game that Ben has forfeited, and two for which he is quarantined."""
    why = "not played: b forfeited 1 game in a row"
    out = {"reason": "quarantine", "message": why}
    return [
        game(0, (ANA, BEN), (1, 2), faults=(fault(1, BEN),)),
        game(1, (BEN, ANA), (2, 1), faults=(fault(0, BEN, **out),)),
        game(2, (ANA, CY, BEN), (1, 2, 3), faults=(fault(2, BEN, **out),)),
    ]


def test_who_is_quarantined_is_said_with_the_reason(tmp_path: Path) -> None:
    games = quarantined_games()
    sentence = "Quarantined: Ben, 2 games not played: b forfeited 1 game in a row"
    report = report_of(tmp_path, league([ANA, BEN, CY]), games)
    assert run_notes(report) == [sentence]
    assert leaderboard_md(report).endswith(
        f"## Forfeits\n\n- Ben: 3 forfeits: 2 quarantined, 1 timeout\n- {sentence}\n"
    )
    assert [row["termination"] for row in cells("".join(faults_csv(report)))] == [
        *("timeout", "quarantine", "quarantine"),
    ]
    board = {row["bot"]: row["forfeits"] for row in cells(leaderboard_csv(report))}
    assert board == {"Ana": "0", "Ben": "3", "Cy": "0"}
    report = report_of(tmp_path / "one", league([ANA, BEN]), games[:2])
    assert run_notes(report) == [sentence.replace("2 games", "1 game")]


@pytest.mark.parametrize(
    ("levels", "shown"),
    [
        ("", "process"),  # Without games it is the level of the run.
        ("limits", "limits"),
        ("limits limits limits", "limits"),
        (
            "filters process namespaces filters limits own",
            "own (1 game), process (1 game), limits (1 game), filters (2 games), "
            "namespaces (1 game)",
        ),
    ],
)
def test_isolation_is_that_of_the_games(
    levels: str, shown: str, tmp_path: Path
) -> None:
    games = [
        msgspec.structs.replace(game(n, (ANA, BEN), (1, 2)), isolation=level)
        for n, level in enumerate(levels.split())
    ]
    report = report_of(tmp_path, league([ANA, BEN]), games)
    assert json.loads(leaderboard_json(report))["isolation"] == shown
    assert f"- Isolation of the bots: {shown}.\n" in leaderboard_md(report)
    assert f"Isolation: {shown}." in " ".join(leaderboard_text(report, 400).split())


HOSTILE = [
    ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
    ("+1", "'+1"),
    ("-1", "'-1"),
    ("@SUM(A1)", "'@SUM(A1)"),
    ("\uff1d1", "'\uff1d1"),
    ('a,"b";c', 'a,"b";c'),
    ("a|b", "a|b"),
    ("Žofie 名前 🧟", "Žofie 名前 🧟"),
    ("a\x1b[31mb", "a\ufffd[31mb"),
    ("a\u202eb", "a\ufffdb"),
    ("a\r\n=b", "a\n=b"),
]


@pytest.mark.parametrize(("name", "cell"), HOSTILE)
def test_no_name_breaks_a_csv_file(name: str, cell: str, tmp_path: Path) -> None:
    who = entry(name, "dice")
    games = [game(0, (who, BEN), (2, 1), faults=(fault(0, who, action=name),))]
    report = report_of(tmp_path, league([who, BEN]), games)
    board = cells(leaderboard_csv(report))
    assert [row["bot"] for row in board] == ["Ben", cell]
    assert all(None not in row and None not in row.values() for row in board)
    header = next(csv.reader(io.StringIO(crosstable_csv(report), newline="")))
    assert header == ["game", "value", "bot", "Ben", cell]
    (row,) = cells("".join(faults_csv(report)))
    assert (row["bot"], row["action"]) == (cell, cell)
    assert json.loads(leaderboard_json(report))["rows"][1]["bot"] == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<img src=x>", r"\<img src=x\>"),
        ("*a* `b` [c](d)", r"\*a\* \`b\` \[c\](d)"),
        ("my_bot_2", "my_bot_2"),
        ("__init__", r"\_\_init\_\_"),
        ("a\\b", r"a\\b"),
        ("a &lt; b", r"a \&lt; b"),
        ("a\n\nb", "a b"),
    ],
)
def test_markdown_shows_a_name_as_it_is(name: str, shown: str, tmp_path: Path) -> None:
    info = league([entry(name, "dice"), BEN], rejected=((name, "no Bot | at all"),))
    text = leaderboard_md(report_of(tmp_path, info))
    assert f"| 1 | {shown} |  |  |  |  | 0 |" in text
    assert f"- {shown}: no Bot \\| at all\n" in text


def test_negative_numbers_are_no_formulas(tmp_path: Path) -> None:
    info = league([ANA, BEN], anchor=(ANA.id, -500.0))
    report = report_of(tmp_path, info, SMALL)
    assert cells(leaderboard_csv(report))[0]["elo"] == "-500.0"
    assert f"The anchor Ana is held at {-500}" in leaderboard_md(report)


def test_faults_have_all_that_their_author_needs(tmp_path: Path) -> None:
    broken = entry("Eve", "dice", refused="line 3: invalid syntax")
    legal = tuple(f"place a{n}" for n in range(9))
    own = fault(
        1,
        BEN,
        "crash",
        message="ValueError: " + "x" * 999,
        traceback="Traceback\n" + "y" * 5000 + "\nValueError",
        output="z" * 5000 + "end",
        action="-",
        observation='{"seat":1}' + "o" * 5000,
        legal_actions=legal,
    )
    games = [
        game(0, (CY, BEN, ANA), (1, 3, 2), faults=(own,)),
        game(2, (ANA, broken), (1, 2), faults=(fault(1, broken, "start_failure"),)),
    ]
    info = league([ANA, BEN, CY, broken], rejected=(("bots/x.py", "no Bot"),))
    text = "".join(faults_csv(report_of(tmp_path, info, games)))
    assert text.splitlines()[0] == (
        "kind,game_id,label,bot,file,seat,opponents,termination,step,message,action,"
        "legal_actions,traceback,output,observation"
    )
    crash, start, refused, rejected = cells(text)
    assert list(crash.values())[:9] == [
        *("forfeit", "g000", "dice", "Ben", "bots/ben.py", "1", "Cy; Ana", "crash"),
        "3",
    ]
    assert crash["legal_actions"] == "; ".join([*legal[:5], "…"])
    assert crash["action"] == "'-"
    assert (len(crash["message"]), crash["message"][-1]) == (500, "…")
    for column in ("traceback", "output", "observation"):
        assert len(crash[column]) == 2000
    assert crash["traceback"].endswith("\nValueError")
    assert crash["output"].endswith("end")
    assert crash["observation"].startswith('{"seat":1}')
    assert (start["bot"], start["termination"]) == ("Eve", "start_failure")
    filled = {key: value for key, value in refused.items() if value}
    assert filled == {
        "kind": "refused",
        "bot": "Eve",
        "file": "bots/eve.py",
        "message": "line 3: invalid syntax",
    }
    filled = {key: value for key, value in rejected.items() if value}
    assert filled == {"kind": "rejected", "file": "bots/x.py", "message": "no Bot"}


def test_every_forfeit_of_a_table_has_its_row(tmp_path: Path) -> None:
    both = (fault(0, ANA), fault(2, CY, "crash"))
    report = report_of(
        tmp_path,
        league([ANA, BEN, CY]),
        [game(0, (ANA, BEN, CY), (2, 1, 2), "dice", both)],
    )
    rows = cells("".join(faults_csv(report)))
    assert [(row["bot"], row["seat"]) for row in rows] == [("Ana", "0"), ("Cy", "2")]
    assert [row["opponents"] for row in rows] == ["Ben; Cy", "Ana; Ben"]
    board = {row["bot"]: row for row in cells(leaderboard_csv(report))}
    assert {bot: row["forfeits"] for bot, row in board.items()} == {
        "Ana": "1",
        "Ben": "0",
        "Cy": "1",
    }
    assert board["Ben"]["wins"] == "1"


def test_tables_of_three(tmp_path: Path) -> None:
    """Pairs in the crosstable; a shared first place is a draw of half a point."""
    games = [
        game(0, (ANA, BEN, CY), (1, 1, 3)),
        game(2, (CY, ANA, BEN), (3, 1, 2)),
    ]
    report = report_of(tmp_path, league([ANA, BEN, CY]), games)
    board = {row["bot"]: row for row in cells(leaderboard_csv(report))}
    keys = ("score", "wins", "draws", "losses")
    assert {bot: [row[key] for key in keys] for bot, row in board.items()} == {
        "Ana": ["0.75", "1", "1", "0"],
        "Ben": ["0.25", "0", "1", "1"],
        "Cy": ["0.0", "0", "0", "2"],
    }
    lines = crosstable_csv(report).splitlines()
    assert lines[:4] == [
        "game,value,bot,Ana,Ben,Cy",
        "all,score,Ana,,75.0,100.0",
        "all,score,Ben,25.0,,100.0",
        "all,score,Cy,0.0,0.0,",
    ]
    assert lines[13:16] == [
        "all,games,Ana,0,2,2",
        "all,games,Ben,2,0,2",
        "all,games,Cy,2,2,0",
    ]


def test_the_crosstable_has_a_block_for_each_label(tmp_path: Path) -> None:
    games = [*SMALL, game(4, (ANA, CY), (1, 2), "run")]
    report = report_of(tmp_path, league([ANA, BEN, CY], ("dice", "run")), games)
    rows = cells(crosstable_csv(report))
    assert [(row["game"], row["value"]) for row in rows[::3]] == [
        (title, value)
        for title in ("all", "dice", "run")
        for value in ("score", "low", "high", "superiority", "games")
    ]
    of_ana = {
        (row["game"], row["value"]): (row["Ben"], row["Cy"])
        for row in rows
        if row["bot"] == "Ana"
    }
    assert of_ana["all", "score"] == ("62.5", "100.0")
    assert of_ana["all", "games"] == ("4", "1")
    assert of_ana["run", "score"] == ("", "100.0")
    assert of_ana["run", "games"] == ("0", "1")


def test_equal_bots_share_a_rank_and_stand_by_name(tmp_path: Path) -> None:
    """The name decides, and not the id, which here sorts the other way."""
    twins = [entry("Abe", "dice", file="z.py"), entry("Zoe", "dice", file="a.py")]
    pairs = [(twins[0], twins[1]), (twins[1], twins[0])]
    games = [game(n, pairs[n], (1, 2)) for n in range(2)]
    board = json.loads(leaderboard_json(report_of(tmp_path, league(twins), games)))
    assert [(row["rank"], row["bot"]) for row in board["rows"]] == [
        (1, "Abe"),
        (1, "Zoe"),
    ]


VARIANTS = (
    label_info("dice_13"),
    label_info("dice_20", "The *die* is ours.", target=20),
)
TURNED = [
    game(0, (ANA, BEN), (1, 2), "dice_13"),
    game(2, (BEN, CY), (1, 2), "dice_13"),
    game(4, (BEN, ANA), (1, 2), "dice_20"),
    game(6, (ANA, BEN), (2, 1), "dice_20"),
]


def test_each_label_has_a_ranking_of_its_own(tmp_path: Path) -> None:
    report = report_of(tmp_path, league([ANA, BEN, CY], VARIANTS), TURNED)
    board = json.loads(leaderboard_json(report))
    assert [label["label"] for label in board["labels"]] == board["games"]
    assert {
        row["bot"]: {label: part["rank"] for label, part in row["per_game"].items()}
        for row in board["rows"]
    } == {
        "Ana": {"dice_13": 1, "dice_20": 2},
        "Ben": {"dice_13": 2, "dice_20": 1},
        "Cy": {"dice_13": 3},
    }
    text = leaderboard_csv(report)
    assert ",dice_13.rank,dice_13.pool,dice_13.elo," in text.splitlines()[0]
    assert {
        row["bot"]: (row["dice_13.rank"], row["dice_20.rank"]) for row in cells(text)
    } == {"Ana": ("1", "2"), "Ben": ("2", "1"), "Cy": ("3", "")}
    for row in cells(text):
        per_game = next(r for r in board["rows"] if r["bot"] == row["bot"])["per_game"]
        for label in board["games"]:
            parts = {k: v for k, v in row.items() if k.startswith(f"{label}.")}
            found = per_game.get(label, dict.fromkeys(parts))
            assert list(parts.values()) == [in_csv(value) for value in found.values()]


def in_csv(value: object) -> str:
    """Return a value of JSON as it stands in a spreadsheet."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def test_the_page_has_a_section_for_each_label(tmp_path: Path) -> None:
    report = report_of(tmp_path, league([ANA, BEN, CY], VARIANTS), TURNED)
    page = leaderboard_md(report)
    overall, plain, turned = page.split("\n## ")[:3]
    assert overall.startswith("# Classroom\n")
    assert plain.startswith("dice_13\n\nDice, tables of 2\n\n| # |")
    assert turned.startswith(
        "dice_20\n\nDice, tables of 2; target: 20\n\n"
        r"**House rule:** The \*die\* is ours."
        "\n\n| # |"
    )
    names = [
        [line.split(" | ")[:2] for line in part.split("\n\n")[table].splitlines()[2:]]
        for part, table in ((plain, 2), (turned, 3))
    ]
    assert names == [
        [["| 1", "Ana"], ["| 2", "Ben"], ["| 3", "Cy"]],
        [["| 1", "Ben"], ["| 2", "Ana"]],
    ]


def test_equal_bots_share_a_rank_in_their_label_and_stand_by_name(
    tmp_path: Path,
) -> None:
    zed, abe = entry("Zed", file="a.py"), entry("Abe", file="z.py")
    games = [
        game(n, pair, (1, 2), label)
        for label in ("one", "two")
        for n, pair in enumerate([(zed, abe), (abe, zed)], 2 * (label == "two"))
    ]
    report = report_of(tmp_path, league([zed, abe], ("one", "two")), games)
    for board in report.boards:
        assert [(row.rank, row.bot) for row in board.rows] == [(1, "Abe"), (1, "Zed")]


def test_one_label_is_shown_once(tmp_path: Path) -> None:
    info = league([ANA, BEN], (label_info("dice", "The die is ours.", target=20),))
    page = leaderboard_md(report_of(tmp_path, info, SMALL))
    assert page.startswith(
        "# Classroom\n\ndice: Dice, tables of 2; target: 20\n\n"
        "**House rule:** The die is ours.\n\n| # |"
    )
    assert page.count("| Games |") == 1
    assert page.count("1040.7") == 1


@pytest.mark.parametrize("entries", [[], [ANA], [ANA, BEN]])
def test_a_league_without_games(entries: list[EntryInfo], tmp_path: Path) -> None:
    report = report_of(tmp_path, league(entries))
    assert write_files(report, tmp_path) == [tmp_path / name for name in FILES]
    board = json.loads((tmp_path / "leaderboard.json").read_text())
    assert [row["bot"] for row in board["rows"]] == [who.name for who in entries]
    assert all(row["elo"] is None and row["per_game"] == {} for row in board["rows"])
    assert cells((tmp_path / "faults.csv").read_text()) == []


def test_an_anchor_that_takes_no_part_is_warned_of(tmp_path: Path) -> None:
    info = league([ANA, BEN, CY], anchor=(CY.id, 1000.0))
    report = report_of(tmp_path, info, SMALL)
    assert "- dice: the anchor Cy has no games here" in leaderboard_md(report)


def test_groups_that_never_met_are_warned_of(tmp_path: Path) -> None:
    dan = entry("Dan", "dice")
    games = [game(0, (ANA, BEN), (1, 2)), game(2, (CY, dan), (1, 2))]
    text = leaderboard_md(report_of(tmp_path, league([ANA, BEN, CY, dan]), games))
    assert "so their Elo can't be compared: Ana, Ben; Cy, Dan." in text


def test_an_unfinished_league_says_so(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(league([ANA, BEN]), [f"g{n:03}" for n in range(10)])
        store.add(to_batches(SMALL))
        text = leaderboard_md(read_report(store))
    assert "- Unfinished: 4 of 10 games are played" in text


@pytest.mark.parametrize("entries", [[ANA], [ANA, CY]])
def test_a_game_of_another_league_is_refused(
    entries: list[EntryInfo], tmp_path: Path
) -> None:
    with pytest.raises(RecordError, match="game g000 is not of this league"):
        report_of(tmp_path, league(entries), SMALL)


def fails(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "leaderboard.json"
    write_text(path, ["ol", "d\n"])
    monkeypatch.setattr(os, step, fails)
    with pytest.raises(RecordError) as caught:
        write_text(path, ["ne", "w\n"])
    assert str(caught.value).startswith(f"{path}: can't be written (No space left")
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_write_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "x", "new")
    assert list(tmp_path.iterdir()) == []


def a_file(path: Path) -> None:
    path.touch()


def nothing(path: Path) -> None:
    """Leave the folder unmade."""


@pytest.mark.parametrize("make", [a_file, nothing])
def test_a_place_that_is_no_folder(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    report = report_of(tmp_path / "league", league([ANA, BEN]), SMALL)
    make(tmp_path / "place")
    with pytest.raises(RecordError) as caught:
        write_files(report, tmp_path / "place")
    text = str(caught.value)
    assert text.startswith(f"{tmp_path / 'place' / 'leaderboard.json'}: can't be")
    assert "\n" not in text


def test_files_have_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_text(tmp_path / "ours", "text")
    modes = {(tmp_path / name).stat().st_mode for name in ("usual", "ours")}
    assert len(modes) == 1


def test_export(tmp_path: Path) -> None:
    fill(tmp_path, league([ANA, BEN]), SMALL)
    with Store.read(tmp_path) as store:
        plain = [json.loads(line) for line in export_lines(store)]
        full = [json.loads(line) for line in export_lines(store, moves=True)]
    assert plain[3] == {
        "game_id": "g003",
        "fixture_id": "f001",
        "match_id": "m",
        "label": "dice",
        "seats": ["Ben", "Ana"],
        "returns": [0.0, 1.0],
        "scores": [8.0, 9.0],
        "termination": "timeout",
        "forfeits": [True, False],
        "decisions": 4,
        "seconds": 0.25,
    }
    moves = ["roll", "1B", "stop"]
    assert full == [line | {"moves": moves} for line in plain]
    assert [line["game_id"] for line in plain] == ["g000", "g001", "g002", "g003"]


JSON = """\
{
  "league": "Classroom",
  "isolation": "limits",
  "games": [
    "dice",
    "run"
  ],
  "labels": [
    {
      "label": "dice",
      "game": "dice",
      "title": "Dice",
      "players": 2,
      "options": {
        "rounds": 3,
        "faces": [
          1,
          "two"
        ]
      },
      "house_rules": [
        "The die is ours."
      ],
      "weight": 1.0,
      "placing": "all",
      "value": null,
      "no_luck": "luck has not been worked out",
      "interval_games": null,
      "seats": [
        {
          "players": 2,
          "seat": 1,
          "elo": -73.5,
          "half_width": 2339.0
        }
      ],
      "lack_of_fit": {
        "statistic": null,
        "df1": null,
        "df2": null,
        "p": null,
        "reason": "no pair met beyond those that the strengths are worked out from"
      },
      "cycles": [],
      "nash": null,
      "pools": [
        [
          "Ana",
          "Ben"
        ]
      ]
    },
    {
      "label": "run",
      "game": "run",
      "title": "Run",
      "players": 2,
      "options": {
        "rounds": 3
      },
      "house_rules": [],
      "weight": 1.0,
      "placing": "all",
      "value": null,
      "no_luck": null,
      "interval_games": null,
      "seats": [],
      "lack_of_fit": null,
      "cycles": [],
      "nash": null,
      "pools": []
    }
  ],
  "rows": [
    {
      "rank": 1,
      "bot": "Ana",
      "file": "bots/ana.py",
      "elo": 1040.7,
      "confirmed_elo": 1040.7,
      "elo_low": -47.4,
      "elo_high": 2128.9,
      "open_above": false,
      "open_below": false,
      "adjusted_elo": null,
      "adjusted_low": null,
      "adjusted_high": null,
      "clean_elo": 1000.0,
      "rank_low": 1,
      "rank_high": 2,
      "group": 1,
      "is_separated": false,
      "more_games": 3300,
      "games": 4,
      "score": 0.625,
      "wins": 2,
      "draws": 1,
      "losses": 1,
      "forfeits": 0,
      "per_game": {
        "dice": {
          "rank": 1,
          "pool": 0,
          "elo": 1040.7,
          "confirmed_elo": 1040.7,
          "elo_low": -47.4,
          "elo_high": 2128.9,
          "open_above": false,
          "open_below": false,
          "adjusted_elo": null,
          "adjusted_low": null,
          "adjusted_high": null,
          "clean_elo": 1000.0,
          "rank_low": 1,
          "rank_high": 2,
          "group": 1,
          "is_separated": false,
          "more_games": 3300,
          "games": 4,
          "score": 0.625,
          "wins": 2,
          "draws": 1,
          "losses": 1,
          "forfeits": 0
        }
      }
    },
    {
      "rank": 2,
      "bot": "Ben",
      "file": "bots/ben.py",
      "elo": 959.3,
      "confirmed_elo": 959.3,
      "elo_low": -128.9,
      "elo_high": 2047.4,
      "open_above": false,
      "open_below": false,
      "adjusted_elo": null,
      "adjusted_low": null,
      "adjusted_high": null,
      "clean_elo": 1000.0,
      "rank_low": 1,
      "rank_high": 2,
      "group": 1,
      "is_separated": null,
      "more_games": null,
      "games": 4,
      "score": 0.375,
      "wins": 1,
      "draws": 1,
      "losses": 2,
      "forfeits": 1,
      "per_game": {
        "dice": {
          "rank": 2,
          "pool": 0,
          "elo": 959.3,
          "confirmed_elo": 959.3,
          "elo_low": -128.9,
          "elo_high": 2047.4,
          "open_above": false,
          "open_below": false,
          "adjusted_elo": null,
          "adjusted_low": null,
          "adjusted_high": null,
          "clean_elo": 1000.0,
          "rank_low": 1,
          "rank_high": 2,
          "group": 1,
          "is_separated": null,
          "more_games": null,
          "games": 4,
          "score": 0.375,
          "wins": 1,
          "draws": 1,
          "losses": 2,
          "forfeits": 1
        }
      }
    },
    {
      "rank": 3,
      "bot": "Cy",
      "file": "bots/cy.py",
      "elo": null,
      "confirmed_elo": null,
      "elo_low": null,
      "elo_high": null,
      "open_above": false,
      "open_below": false,
      "adjusted_elo": null,
      "adjusted_low": null,
      "adjusted_high": null,
      "clean_elo": null,
      "rank_low": null,
      "rank_high": null,
      "group": null,
      "is_separated": null,
      "more_games": null,
      "games": 0,
      "score": null,
      "wins": 0,
      "draws": 0,
      "losses": 0,
      "forfeits": 0,
      "per_game": {}
    }
  ]
}
"""

MARKDOWN = """\
# Classroom

| # | Bot | Elo | 95 % range | Ranks | Apart | Forfeits | Clean | Score | Games | \
W/D/L | dice | run |
| --: | :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| 1 | Ana | 1040.7 | -47 to 2129 | 1-2 | ~3300 | 0 | 1000.0 | 62.5% | 4 | 2/1/1 | \
1040.7 |  |
| 2 | Ben | 959.3 | -129 to 2047 | 1-2 |  | 1 | 1000.0 | 37.5% | 4 | 1/1/2 | 959.3 |  |
|  |  |  |  |  |  |  |  |  |  |  |  |  |
| 3 | Cy |  |  |  |  | 0 |  |  | 0 | 0/0/0 |  |  |

## dice

Dice, tables of 2; faces: \\[1, two\\]

**House rule:** The die is ours.

| # | Bot | Elo | 95 % range | Ranks | Apart | Forfeits | Clean | Score | Games | \
W/D/L |
| --: | :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| 1 | Ana | 1040.7 | -47 to 2129 | 1-2 | ~3300 | 0 | 1000.0 | 62.5% | 4 | 2/1/1 |
| 2 | Ben | 959.3 | -129 to 2047 | 1-2 |  | 1 | 1000.0 | 37.5% | 4 | 1/1/2 |

Who scored how much against whom, in percent: the row against the column. Bold where \
more than luck, at 95 % for each cell by itself; of twenty cells of equal bots, one \
will be bold too.

|  | Bot | 1 | 2 |
| --: | :-- | --: | --: |
| 1 | Ana |  | 62 |
| 2 | Ben | 38 |  |

## run

Run, tables of 2

No games yet.

## Seat advantage over the first seat

- dice: second seat -74 Elo (±2339)

## How to read it

- Elo: strength, fitted to all games at once, so their order makes no difference. 200 \
points more than an opponent mean 76 % of the score against it, 400 mean 91 %. In \
each game the mean Elo is 1000.
- The first Elo is the mean over the games of the league that have been played. A bot \
that does not play a game is taken there at 1000.
- 95 % range: it holds the true Elo in 95 of 100 leagues like this.
- Ranks: those that a bot may truly have. All ranks of a table are right at once in \
95 of 100 leagues like this, as is all that is said of groups and of being apart.
- Groups: an empty line stands above each bot that is surely worse than the first one \
of the group before. The order inside of a group may be luck.
- Apart: yes if a bot is surely better than the next lower Elo; otherwise about how \
many more games each of the two needs until that shows, if the difference is what it \
seems now.
- Clean: the Elo without the fixtures that hold a forfeit. It is there for comparison \
and counts for nothing: bots may fail where they were losing.
- Score: a sole win is 1, a win that k bots share is 1/k for each, all else is 0. \
W/D/L: sole wins, shared wins, all other games.
- Forfeits: games lost by the bot's own fault (too late, crashed, illegal); they \
count as losses. faults.csv has each of them.
- dice: no luck-adjusted Elo: luck has not been worked out.
- Isolation of the bots: limits.

## Forfeits

- Ben: 1 forfeit: 1 timeout
"""
