"""The derived files: exact bytes, whatever order or names the games come in."""

import csv
import io
import json
import os
import re
from pathlib import Path
from random import Random
from textwrap import fill as fill_lines

import golden_files
import pytest
from leagues import entry, fault, fill, game, label_info, league, report_of, value_of
from msgspec.structs import replace

from arena.errors import RecordError
from arena.league.config.info import EntryInfo
from arena.league.results.store import Store
from arena.records.batch import to_batches
from arena.records.decision_times import DecisionTimes, TimesCounter
from arena.records.game_record import Fault, GameRecord
from arena.reports.export import export_lines
from arena.reports.files import (
    crosstable_csv,
    faults_csv,
    leaderboard_csv,
    leaderboard_json,
    times_csv,
    write_files,
)
from arena.reports.forfeits import count_not_played
from arena.reports.report import Report, read_report
from arena.reports.tables.markdown import leaderboard_md
from arena.reports.tables.notes import run_notes
from arena.reports.writing import csv_text, safe, write_text

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
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_small_leaderboard_to_the_byte() -> None:
    dice = label_info("dice", "The die is ours.", faces=[1, "two"])
    report = report_of(league([BEN, ANA, CY], (dice, "run")), SMALL)
    text = leaderboard_json(report)
    board = json.loads(text)
    assert text == json.dumps(board, indent=2, ensure_ascii=False) + "\n"
    parts = [board, *board.pop("labels"), *board.pop("rows")]
    shown = "\n\n".join(fill_lines(json.dumps(part), 100) for part in parts)
    golden_files.check(f"{shown}\n", "reports/leaderboard_json.txt")
    golden_files.check(leaderboard_md(report), "reports/leaderboard.md")


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


def files_of(folder: Path, report: Report) -> list[bytes]:
    """Return the files of a report, as they stand in `FILES`."""
    folder.mkdir(exist_ok=True)
    assert write_files(report, folder) == [folder / name for name in FILES]
    return [(folder / name).read_bytes() for name in FILES]


def test_the_order_of_recording_makes_no_difference(tmp_path: Path) -> None:
    info = league([ANA, BEN, CY], exploring=(10, 30))
    rng = Random(2)
    games = played_out(1)
    luck = {
        played.game_id: tuple(
            rng.gauss(0.0, 0.2) for _ in range({2: 1, 3: 3}[len(played.seats)])
        )
        for played in games
    }
    written = []
    for _ in range(2):
        report = report_of(info, games, luck, [value_of("dice")])
        assert report.rows[0].results_elo is not None
        written.append(files_of(tmp_path, report))
        rng.shuffle(games)
    assert written[0] == written[1]
    assert b"| Results |" in written[0][FILES.index("leaderboard.md")]


def test_no_time_gets_into_the_leaderboard(tmp_path: Path) -> None:
    """Nor into the crosstable; a fault's message may name one."""
    written = []
    for seconds in (0.5, 0.75):
        late = fault(0, BEN, message=f"decided after {seconds} s")
        games = [*SMALL[:3], game(3, (BEN, ANA), (2, 1), faults=(late,))]
        games = [timed(g, seconds, 0.0) for g in games]
        written.append(files_of(tmp_path, report_of(league([ANA, BEN]), games)))
    assert written[0][:5] == written[1][:5]


def timed(record: GameRecord, *seconds: float, pondered: float = 0.0) -> GameRecord:
    """Return a game in which each seat has taken so long for its only decision."""
    times = []
    for one in seconds:
        clock = TimesCounter()
        clock.count(one)
        clock.pondered = pondered
        times.append(clock.total())
    return replace(record, seconds=seconds, times=tuple(times))


def test_times_have_a_row_for_each_bot_and_label() -> None:
    broken = entry("Eve", "dice")
    games = [
        *(timed(game(n, (ANA, BEN), (1, 2)), 0.001, 0.125) for n in range(9)),
        timed(game(9, (BEN, ANA), (2, 1)), 0.45, 0.001, pondered=0.25),
        timed(game(10, (CY, ANA), (2, 1), "run"), 0.6, 0.002),
        replace(
            game(12, (broken, CY), (2, 1), faults=(fault(0, broken, "exit"),)),
            times=(DecisionTimes(), DecisionTimes()),
        ),
    ]
    info = league([ANA, BEN, CY, broken], ("dice", "run"))
    report = report_of(info, games)
    text = times_csv(report)
    assert text.splitlines()[0] == (
        "bot,file,label,decisions,median,p99,slowest,limit,share_of_limit,pondered,"
        "cpu,slept,wall,share_of_league"
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


def took(
    record: GameRecord, *seats: tuple[float, float], decisions: int = 4
) -> GameRecord:
    """Return a game in which each seat computed and slept for so many seconds."""
    times = []
    for cpu, slept in seats:
        clock = TimesCounter()
        for _ in range(decisions):
            each = (cpu + slept) / decisions
            clock.count(each, slept / decisions, 1.5 * each)
        times.append(clock.total())
    return replace(record, times=tuple(times))


def test_what_decisions_take_in_all_and_of_the_league_is_in_the_times() -> None:
    games = [
        took(game(0, (ANA, BEN), (1, 2)), (0.5, 1.5), (1.0, 0.0)),
        took(game(1, (CY, ANA), (1, 2), "run"), (4.0, 0.0), (0.25, 0.75)),
    ]
    info = league([ANA, BEN, CY], ("dice", "run"))
    rows = {
        (row["bot"], row["label"]): [
            float(row[name]) for name in ("cpu", "slept", "wall", "share_of_league")
        ]
        for row in cells(times_csv(report_of(info, games)))
    }
    assert rows == {
        ("Ana", "all"): [0.75, 2.25, 4.5, 0.375],
        ("Ana", "dice"): [0.5, 1.5, 3.0, 0.25],
        ("Ana", "run"): [0.25, 0.75, 1.5, 0.125],
        ("Ben", "all"): [1.0, 0.0, 1.5, 0.125],
        ("Ben", "dice"): [1.0, 0.0, 1.5, 0.125],
        ("Cy", "all"): [4.0, 0.0, 6.0, 0.5],
        ("Cy", "run"): [4.0, 0.0, 6.0, 0.5],
    }


def test_what_decisions_took_in_all_is_not_told_by_a_part_of_the_games() -> None:
    """Games of before are without it; one without a decision says that it is none."""
    idle = replace(
        game(2, (CY, BEN), (1, 2), faults=(fault(1, BEN),)),
        times=(DecisionTimes(), DecisionTimes()),
    )
    games = [
        game(0, (ANA, BEN), (1, 2)),
        took(
            game(1, (ANA, BEN), (1, 2), "run"),
            (90.0, 30.0),
            (1.0, 0.0),
            decisions=1000,
        ),
        idle,
    ]
    report = report_of(league([ANA, BEN, CY], ("dice", "run")), games)
    rows = {(row["bot"], row["label"]): row for row in cells(times_csv(report))}
    told = {key: (row["cpu"], row["wall"]) for key, row in rows.items()}
    assert told == {
        **{("Ana", "all"): ("", ""), ("Ana", "dice"): ("", "")},
        ("Ana", "run"): ("90.0", "180.0"),
        **{("Ben", "all"): ("", ""), ("Ben", "dice"): ("", "")},
        ("Ben", "run"): ("1.0", "1.5"),
        **{("Cy", "all"): ("0.0", "0.0"), ("Cy", "dice"): ("0.0", "0.0")},
    }
    assert not any(row["share_of_league"] for row in rows.values())
    assert run_notes(report) == []


def crowd(*seconds: tuple[float, float], games: int = 5) -> list[str]:
    """Return the notes on a round robin of bots that took so long in each game."""
    bots = [entry(f"Bot{number}", "dice") for number in range(len(seconds))]
    played = []
    pairs = [(i, j) for i in range(len(bots)) for j in range(i)] * games
    for number, (i, j) in enumerate(pairs):
        one = game(number, (bots[i], bots[j]), (1, 2))
        # So long that no decision is near the limit.
        played.append(took(one, seconds[i], seconds[j], decisions=1000))
    return run_notes(report_of(league(bots), played))


def test_a_run_ends_with_a_note_on_who_slept() -> None:
    usual, remedy = (
        (0.1, 0.0),
        "a lower limits.move or limits.game in the league's file",
    )
    (note,) = crowd(usual, usual, (0.1, 15.02), usual)
    assert note == (
        "Bot2 slept for 3 min 45 s in its decisions, and the others in its games "
        "waited for it: sleep is charged like computing, so a lower limits.move or "
        "limits.game in the league's file would shorten that"
    )
    (note,) = crowd(*[(0.1, 1.0 + n) for n in range(4)])
    assert note.startswith(
        "Bot3, Bot2, Bot1, … (4 in all) slept for 2 min 30 s in their"
    )
    assert remedy in note
    # What is short, or little of what all have taken, made nobody wait.
    assert crowd(usual, usual, (0.1, 0.6), usual) == []
    assert crowd((50.0, 0.0), (50.0, 0.0), (50.0, 1.0), (50.0, 0.0)) == []


def test_who_slept_until_it_was_late_has_slept_longer_than_the_records_say() -> None:
    """It was asked again in other games, and some of its games count no more."""
    games = [
        took(
            game(0, (ANA, BEN), (1, 2), faults=(fault(1, BEN),)), (0.1, 0), (0.0, 47.5)
        )
    ]
    (note,) = run_notes(report_of(league([ANA, BEN]), games))
    assert note.startswith("Ben slept for at least 47.5 s in its decisions, and")


def test_a_run_ends_with_a_note_on_who_used_most_of_its_computing_time() -> None:
    quick = (0.1, 0.0)
    (note,) = crowd(*[quick] * 6, (40.0, 0.0), (50.0, 0.0), games=1)
    assert note == (
        "Bot7 and Bot6 used 99 % of the computing time of all 8 bots (10 min 30 s of "
        "10 min 34 s): a lower limits.move or limits.game in the league's file would "
        "shorten that"
    )
    # It takes no more than two, if one of them never ends.
    (note,) = crowd(quick, (40.0, 0.0))
    assert note.startswith("Bot1 used 100 % of the computing time of all 2 bots (3 min")
    # Nobody is slow where most are, or where all are quick.
    assert crowd(*[quick] * 4, *[(40.0, 0.0)] * 4, games=1) == []
    assert crowd(*[quick] * 6, (4.0, 0.0), (0.5, 0.0), games=1) == []


def test_a_run_ends_with_a_note_on_who_was_asked_again() -> None:
    games = [
        replace(
            game(n, (ANA, BEN), (1, 2)),
            times=(DecisionTimes(repeated=ana), DecisionTimes(repeated=ben)),
        )
        for n, (ana, ben) in enumerate([(0, 2), (1, 2)])
    ]
    assert run_notes(report_of(league([ANA, BEN]), games)) == [
        "Ben and Ana had to be asked again 5 times: the process was killed by the "
        "system or a person, or it could not be told whether it slept or waited for "
        "the machine; the third time in a game costs that game"
    ]


def test_who_only_plays_more_games_is_not_slow() -> None:
    """As a reference, which everybody meets."""
    bots = [entry(f"Bot{number}", "dice") for number in range(9)]
    played = [
        took(
            game(n, (bots[0], bots[n]), (1, 2)), (20.0, 0.0), (15.0, 0.0), decisions=999
        )
        for n in range(1, 9)
    ]
    assert run_notes(report_of(league(bots), played)) == []


def test_a_run_ends_with_a_note_on_who_is_near_the_limit() -> None:
    games = [
        timed(game(0, (ANA, BEN), (1, 2)), 0.4, 0.401),
        timed(game(1, (BEN, CY), (1, 2), "run"), 0.1, 0.75),
    ]
    report = report_of(league([ANA, BEN, CY], ("dice", "run")), games)
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


def test_who_is_quarantined_is_said_with_the_reason() -> None:
    games = quarantined_games()
    sentence = (
        "Quarantined: Ben, 2 games of dice not played: b forfeited 1 game in a row"
    )
    report = report_of(league([ANA, BEN, CY]), games)
    assert run_notes(report) == [sentence]
    assert count_not_played(report.forfeits) == 2
    assert leaderboard_md(report).endswith(
        "## Forfeits\n\n- Ben: 3 forfeits: 1 timeout, then 2 that were not played any "
        f"more\n- {sentence}\n"
    )
    assert [row["termination"] for row in cells("".join(faults_csv(report)))] == [
        *("timeout", "quarantine", "quarantine")
    ]
    board = {row["bot"]: row["forfeits"] for row in cells(leaderboard_csv(report))}
    assert board == {"Ana": "0", "Ben": "3", "Cy": "0"}
    report = report_of(league([ANA, BEN]), games[:2])
    one = sentence.replace("2 games", "1 game")
    assert run_notes(report) == [one]
    # In each game for faults of its own.
    both = entry("Ben", "dice", "run")
    in_run = replace(games[1], game_id="g004", label="run")
    report = report_of(league([ANA, both], ("dice", "run")), [*games[:2], in_run])
    assert run_notes(report) == [one, one.replace("dice", "run")]


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
def test_isolation_is_that_of_the_games(levels: str, shown: str) -> None:
    games = [
        replace(game(n, (ANA, BEN), (1, 2)), isolation=level)
        for n, level in enumerate(levels.split())
    ]
    report = report_of(league([ANA, BEN]), games)
    assert json.loads(leaderboard_json(report))["isolation"] == shown
    assert f"- Isolation of the bots: {shown}.\n" in leaderboard_md(report)


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
    ("a\r\n=b", "a\n'=b"),
    ('x;=HYPERLINK("y")', 'x;\'=HYPERLINK("y")'),
    ("x;;\uff20SUM(A1);  +1;-1", "x;;'\uff20SUM(A1);  '+1;'-1"),
    ("x\t=1", "x\t'=1"),
    ('x;""=1', 'x;""\'=1'),
    ("x|=1", "x|'=1"),
    (" \u3000=1", " \u3000'=1"),
    ("\u22121 \u207b1;\ufe66x", "'\u22121 \u207b1;'\ufe66x"),
    ("\t1", "'\t1"),
    ("'=1", "'=1"),
    ("roll; stop, a-b c=d", "roll; stop, a-b c=d"),
]


def test_no_name_breaks_a_csv_file() -> None:
    who = [entry(name, "dice") for name, _ in HOSTILE]
    games = [
        game(2 * n, (x, BEN), (2, 1), faults=(fault(0, x, action=x.name),))
        for n, x in enumerate(who)
    ]
    report = report_of(league([*who, BEN]), games)
    told = dict(HOSTILE)
    shown = ["Ben", *(told[row.bot] for row in report.rows[1:])]
    board = cells(leaderboard_csv(report))
    assert [row["bot"] for row in board] == shown
    assert all(None not in row and None not in row.values() for row in board)
    header = next(csv.reader(io.StringIO(crosstable_csv(report), newline="")))
    assert header == ["game", "value", "bot", *shown]
    faults = cells("".join(faults_csv(report)))
    assert [(x["bot"], x["action"]) for x in faults] == [
        (told[x.name],) * 2 for x in who
    ]
    names = [row["bot"] for row in json.loads(leaderboard_json(report))["rows"]]
    assert names == [row.bot for row in report.rows]


DELIMITERS = [",", ";", "\t", "|"]


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize("has_quotes", [True, False])
def test_no_cell_is_a_formula_wherever_a_spreadsheet_splits(
    delimiter: str, has_quotes: bool
) -> None:
    quoting = csv.QUOTE_MINIMAL if has_quotes else csv.QUOTE_NONE
    evil = [
        f"{before}{start}HYPERLINK(1){after}"
        for before in ("", "x;", "x\t", "x|", "x\n", 'x;"', "x\r\n ", "x;\t")
        for start in ("=", "+", "-", "@", "\uff1d", "\u2212", "\ufe63", "\u208a")
        for after in ("", ";1", '"', '";"y')
    ]
    text = csv_text(["a", *evil], [["b", *evil]])
    lines = io.StringIO(text, newline="")
    found = [
        cell
        for row in csv.reader(lines, delimiter=delimiter, quoting=quoting)
        for cell in row
    ]
    bad = re.compile(r"[\s\"]*[=+\-@\uff1d\u2212\ufe63\u208a]")
    assert not [cell for cell in found if bad.match(cell)]


def test_what_is_safe_in_a_spreadsheet_stays_as_it_is() -> None:
    for name, shown in HOSTILE:
        assert safe(name) == safe(shown) == shown
    # It is not slow either, whatever there is.
    assert safe("\t" * 100_000) == "'" + "\t" * 100_000


MARKUP = [
    ("a|b", r"a\|b"),
    ("<img src=x>", r"\<img src=x\>"),
    ("*a* `b` [c](d)", r"\*a\* \`b\` \[c\](d)"),
    ("my_bot_2", "my_bot_2"),
    ("__init__", r"\_\_init\_\_"),
    ("a\\b", r"a\\b"),
    ("a &lt; b", r"a \&lt; b"),
    ("a\n\nb", "a b"),
    ("www.x.org", "www&#8203;.x.org"),
    ("https://x.org", "https:&#8203;//x.org"),
    ("xmpp:a@x.org/b", "xmpp:a@&#8203;x.org/b"),
    ("@ana", "@&#8203;ana"),
    ("#12", r"\#&#8203;12"),
    ("ana/bots#12", r"ana/bots\#&#8203;12"),
    ("GH-12", "GH-&#8203;12"),
    ("!12 %3 $4 ~bug &5", "!&#8203;12 %&#8203;3 \\$&#8203;4 \\~&#8203;bug \\&&#8203;5"),
    ("1234567. a", r"1234567\. a"),
    (":+1:", ":&#8203;+1:"),
    ("- a", r"\- a"),
    ("+ a", r"\+ a"),
    ("1. a", r"1\. a"),
    ("12) a", r"12\) a"),
    ("[^1]: a", r"\[^1\]: a"),
    ("![a](b)", r"!\[a\](b)"),
    ("a-1.5 (x), 50 % + 1: y", "a-1.5 (x), 50 % + 1: y"),
]


def test_markdown_shows_a_name_as_it_is() -> None:
    names = [name for name, _ in MARKUP]
    rejected = tuple((name, "no Bot | at all") for name in names)
    info = league([entry(name, "dice") for name in names], rejected=rejected)
    text = leaderboard_md(report_of(info))
    for _, shown in MARKUP:
        assert f"|  | {shown} |  |  |  |" in text
        assert f"- {shown}: no Bot \\| at all\n" in text


def test_negative_numbers_are_no_formulas() -> None:
    info = league([ANA, BEN], anchor=(ANA.id, -500.0))
    report = report_of(info, SMALL)
    assert cells(leaderboard_csv(report))[0]["elo"] == "-500.0"
    assert f"The anchor Ana is held at {-500}" in leaderboard_md(report)


def test_faults_have_all_that_their_author_needs() -> None:
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
    text = "".join(faults_csv(report_of(info, games)))
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


def test_every_forfeit_of_a_table_has_its_row() -> None:
    both = (fault(0, ANA), fault(2, CY, "crash"))
    report = report_of(
        league([ANA, BEN, CY]), [game(0, (ANA, BEN, CY), (2, 1, 2), "dice", both)]
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


def test_tables_of_three() -> None:
    """Pairs in the crosstable; a shared first place is a draw of half a point."""
    games = [game(0, (ANA, BEN, CY), (1, 1, 3)), game(2, (CY, ANA, BEN), (3, 1, 2))]
    report = report_of(league([ANA, BEN, CY]), games)
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


def test_the_crosstable_has_a_block_for_each_label() -> None:
    games = [*SMALL, game(4, (ANA, CY), (1, 2), "run")]
    report = report_of(league([ANA, BEN, CY], ("dice", "run")), games)
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


def test_each_label_has_a_ranking_of_its_own() -> None:
    report = report_of(league([ANA, BEN, CY], VARIANTS), TURNED)
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


def test_the_page_has_a_section_for_each_label() -> None:
    report = report_of(league([ANA, BEN, CY], VARIANTS), TURNED)
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


def test_equal_bots_share_a_rank_and_stand_by_name() -> None:
    """The name decides, and not the id, which here sorts the other way."""
    zed, abe = entry("Zed", file="a.py"), entry("Abe", file="z.py")
    games = [
        game(n, pair, (1, 2), label)
        for label in ("one", "two")
        for n, pair in enumerate([(zed, abe), (abe, zed)], 2 * (label == "two"))
    ]
    report = report_of(league([zed, abe], ("one", "two")), games)
    for rows in (report.rows, *(board.rows for board in report.boards)):
        assert [(row.rank, row.bot) for row in rows] == [(1, "Abe"), (1, "Zed")]


def test_one_label_is_shown_once() -> None:
    info = league([ANA, BEN], (label_info("dice", "The die is ours.", target=20),))
    page = leaderboard_md(report_of(info, SMALL))
    assert page.startswith(
        "# Classroom\n\ndice: Dice, tables of 2; target: 20\n\n"
        "**House rule:** The die is ours.\n\n**"
    )
    assert page.count("| Games |") == 1
    assert page.count("| 1 | Ana | too few") == 2


@pytest.mark.parametrize("entries", [[], [ANA], [ANA, BEN]])
def test_a_league_without_games(entries: list[EntryInfo], tmp_path: Path) -> None:
    files = files_of(tmp_path, report_of(league(entries)))
    board = json.loads(files[0])
    assert [row["bot"] for row in board["rows"]] == [who.name for who in entries]
    assert all(row["elo"] is None and row["per_game"] == {} for row in board["rows"])
    assert cells(files[5].decode()) == []


def test_an_anchor_that_takes_no_part_is_warned_of() -> None:
    info = league([ANA, BEN, CY], anchor=(CY.id, 1000.0))
    report = report_of(info, SMALL)
    assert "- dice: the anchor Cy has no games here" in leaderboard_md(report)


def test_an_unfinished_league_says_so(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(league([ANA, BEN]), [f"g{n:03}" for n in range(10)])
        store.add(to_batches(SMALL))
        text = leaderboard_md(read_report(store))
    assert "**4 of 10 games are played, so all of this may still change.**" in text


@pytest.mark.parametrize("entries", [[ANA], [ANA, CY]])
def test_a_game_of_another_league_is_refused(entries: list[EntryInfo]) -> None:
    with pytest.raises(RecordError, match="game g000 is not of this league"):
        report_of(league(entries), SMALL)


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("fsync", OSError(28, "No space left on device")),
        ("replace", OSError(28, "No space left on device")),
        ("replace", KeyboardInterrupt()),
    ],
)
def test_a_write_that_fails_leaves_the_old_file(
    step: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "leaderboard.json"
    write_text(path, ["ol", "d\n"])

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, step, fail)
    is_told = isinstance(error, OSError)
    with pytest.raises(RecordError if is_told else KeyboardInterrupt) as caught:
        write_text(path, ["ne", "w\n"])
    if is_told:
        start = f"{path}: can't be written (No space left"
        assert str(caught.value).startswith(start)
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("is_file", [True, False])
def test_a_place_that_is_no_folder(is_file: bool, tmp_path: Path) -> None:
    place = tmp_path / "place"
    if is_file:
        place.touch()
    with pytest.raises(RecordError) as caught:
        write_files(report_of(league([ANA, BEN])), place)
    text = str(caught.value)
    assert text.startswith(f"{place / 'leaderboard.json'}: can't be")
    assert "\n" not in text


def test_files_have_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_text(tmp_path / "ours", "text")
    modes = {(tmp_path / name).stat().st_mode for name in ("usual", "ours")}
    assert len(modes) == 1


def test_export(tmp_path: Path) -> None:
    luck = {"g002": (0.1 + 0.2,), "g003": (-0.25,)}
    coded = [replace(who, code="hash", bot="Twin") for who in (ANA, BEN)]
    info = league([*coded, CY], anchor=(ANA.id, 950.0), exploring=(3, 9))
    fewer = replace(info.labels[0], scores_better="fewer", weight=2.0)
    info = replace(info, labels=(fewer,), by="results")
    fill(tmp_path, info, SMALL, luck, [value_of("dice")])
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
        "scores_better": "fewer",
        "places": [2, 1],
        "luck": [-0.25],
        "explores": True,
        "rating": {
            "by": "results",
            "anchor": {"bot": "Ana", "elo": 950.0},
            "placing": "all",
            "overall": "all",
            "weight": 2.0,
        },
        "in_common": [[0], [0]],
        "termination": "timeout",
        "forfeits": [True, False],
        "decisions": 4,
        "seconds": 0.25,
    }
    assert [line["luck"] for line in plain] == [None, None, [0.1 + 0.2], [-0.25]]
    assert [line["explores"] for line in plain] == [False, False, False, True]
    moves = ["roll", "1B", "stop"]
    assert full == [line | {"moves": moves} for line in plain]
    assert [line["game_id"] for line in plain] == ["g000", "g001", "g002", "g003"]


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "a.csv").symlink_to(other)
    (folder / f".a.csv.{os.getpid()}").symlink_to(other)
    write_text(folder / "a.csv", ["ours"])
    assert other.read_text() == "mine"
    assert (folder / "a.csv").read_text() == "ours"
    assert not (folder / "a.csv").is_symlink()


def test_secret_luck_is_told_by_its_commitments(tmp_path: Path) -> None:
    info = league([ANA, BEN])
    secret = replace(
        info, seed=None, commitment="5e" * 32, earlier=("0a" * 32, "0b" * 32)
    )
    for folder, played in ((tmp_path / "public", info), (tmp_path / "secret", secret)):
        fill(folder, played, SMALL)
        with Store.read(folder) as store:
            report = read_report(store)
            lines = [json.loads(line) for line in export_lines(store)]
        board = json.loads(leaderboard_json(report))
        if played is info:
            # As in all leagues before there was secret luck.
            assert "luck" not in board
            assert "commitment" not in lines[0]
            assert "Luck: " not in leaderboard_md(report)
        else:
            assert board["luck"] == {
                "commitment": "5e" * 32,
                "earlier": ["0a" * 32, "0b" * 32],
            }
            assert {line["commitment"] for line in lines} == {"5e" * 32}
            assert "drawn anew 2 times" in leaderboard_md(report)
