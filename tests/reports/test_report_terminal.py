"""The leaderboard in a terminal: it fits, and says what is to be said."""

from dataclasses import replace
from functools import cache
from random import Random

import golden_files
import pytest
from leagues import entry, fault, game, label_info, league, report_of, value_of
from matrix import divided
from rich.cells import cell_len

from arena.errors import ConfigError
from arena.league.config.info import EntryInfo
from arena.records.game_record import GameRecord
from arena.reports.report import Report
from arena.reports.tables.columns import label_columns, table_of
from arena.reports.tables.on_demand import EXTRA_COLUMNS, asked_columns
from arena.reports.tables.terminal import leaderboard_text

LABELS = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
VARIANTS = tuple(f"zombie_dice_{n}" for n in (13, 20, 25, 30))
NAMES = [
    "AlphaBetaWithIterativeDeepeningAndTranspositionTable",
    "AlphaBetaWithIterativeDeepeningAndTranspositionTable2",
    "Ben",
    "名前がとても長いボットの名前",
    "🧟🧟🧟🧟🧟🧟🧟🧟🧟🧟🧟🧟",
    "Žofie",
    "e\u0301a\u0308o\u0302",
    "a | b",
    "- - -",
    "Greedy",
    "Random",
    "StopAtTwo",
]


@cache
def big_report(bots: int = 12, labels: tuple[str, ...] = LABELS) -> Report:
    """Return the report of every pair in every label, with forfeits among them."""
    rng = Random(5)
    entries = [entry(name, *labels) for name in NAMES[:bots]]
    games: list[GameRecord] = []
    for label in labels:
        for a in entries:
            for b in entries:
                if a is b:
                    continue
                places = rng.choice([(1, 2), (2, 1), (1, 1)])
                lost = rng.random() < 0.1
                places = (1, 2) if lost else places
                faults = (fault(1, b, rng.choice(["crash", "exit"])),) if lost else ()
                games.append(game(len(games), (a, b), places, label, faults))
    return report_of(league(entries, labels), games)


def widest(text: str) -> int:
    return max(map(cell_len, text.splitlines()))


SHAPES = [(bots, games) for bots in (2, 5, 12) for games in (1, 2, 4, 8)]
QUICK = ((2, 1), (5, 2), (12, 4), (2, 8))


@pytest.mark.parametrize(("bots", "games"), divided(SHAPES, QUICK.__contains__))
def test_it_fits_into_80_columns(bots: int, games: int) -> None:
    report = big_report(bots, (*LABELS, *VARIANTS)[:games])
    assert widest(leaderboard_text(report, 80)) <= 80


@pytest.mark.parametrize("bots", divided((40, 120), lambda bots: bots == 40))
def test_wide_numbers_fit_as_well(bots: int) -> None:
    """Elo below -1000, many ranks, luck, forfeits, and long names."""
    who = [entry(f"{n:03} {NAMES[0]}", "dice") for n in range(bots)]
    pairs = [(who[n], who[n - m]) for n in range(bots) for m in (1, 2)]
    games = [
        game(n, pair, (1, 2), faults=(fault(1, pair[1]),) if n % 7 == 0 else ())
        for n, pair in enumerate(pairs)
    ]
    luck = {g.game_id: (0.01 * (n % 5),) for n, g in enumerate(games)}
    info = league(who, anchor=(who[0].id, -2000.0))
    report = report_of(info, games, luck, [value_of("dice")])
    for width in (80, 100, 140):
        text = leaderboard_text(report, width, EXTRA_COLUMNS)
        assert widest(text) <= width
        table = text.split("\n\n")[3].split("\n")
        assert sum("…" in line for line in table) == bots
        header = " ".join(line for line in text.split("\n") if "Bot" in line)
        for title in ("Forfeits", "Score", "95 % range", "Results", "Clean", "W/D/L"):
            assert header.count(title) == 1


def test_columns_line_up_whatever_the_names() -> None:
    """Every table is as wide in each line that ends in a right-aligned cell."""
    text = leaderboard_text(big_report(), 80, EXTRA_COLUMNS)
    for part in text.split("\n\n")[3:5]:
        lines = part.split("\n")
        assert len(lines) == 12 + 4
        assert len({cell_len(line) for line in lines}) == 1


def heads(text: str) -> list[list[str]]:
    """Return the titles of each table, without those of two words and the scale."""
    return [
        [word for word in line.split() if word[0].isalpha()]
        for line in text.split("\n")
        if " Bot " in line
    ]


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_few_columns_come_first(width: int) -> None:
    text = leaderboard_text(big_report(), width)
    assert heads(text) == [["Bot", "Elo", "Places", "Score", "Forfeits"]]
    assert widest(text) <= width
    assert (NAMES[0] in text) == (width > 100)


def test_the_games_share_the_table_where_there_is_room() -> None:
    report = big_report()
    wide, narrow = (leaderboard_text(report, x, ["by_game"]) for x in (200, 80))
    few = ["Bot", "Elo", "Places", "Score", "Forfeits"]
    assert heads(wide) == [[*few, *LABELS]]
    assert heads(narrow) == [[*few, LABELS[0]], ["Bot", *LABELS[1:]]]
    assert "2/6: the second of six that play the game." in narrow


def test_what_is_asked_for_is_there_with_what_it_means() -> None:
    report = big_report()
    for name, title in {"games": "Games", "wdl": "W/D/L", "apart": "Apart"}.items():
        text = leaderboard_text(report, 200, [name])
        assert heads(text)[0][-1] == title
        assert f"\n{title}: " in text
        assert title not in leaderboard_text(report, 200)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", ()), ("games, wdl", ("games", "wdl")), ("all", EXTRA_COLUMNS)],
)
def test_columns_are_asked_for_by_name(text: str, columns: tuple[str, ...]) -> None:
    assert asked_columns(text) == {*columns}


def test_a_column_that_is_not_there_has_a_sentence() -> None:
    with pytest.raises(ConfigError) as error:
        asked_columns("range,gamse")
    said = "--columns: no such column 'gamse'; did you mean 'games'?"
    assert str(error.value) == said
    with pytest.raises(ConfigError, match=r"known are range, apart, .*, by_game, all"):
        asked_columns("x")


def test_each_name_of_a_column_is_one_that_tables_have() -> None:
    """All of them together, in leagues that have something to say in each."""
    columns = label_columns(big_report())
    extra = {x.extra for x in (*columns, *table_of(big_report().rows, None).columns)}
    assert extra - {""} <= {*EXTRA_COLUMNS}
    row = replace(big_report().rows[0], versions=2, results_elo=1.0)
    extra |= {x.extra for x in table_of([row], {row.bot: 1.0}).columns}
    assert extra - {""} == {*EXTRA_COLUMNS}


def test_a_shortened_name_keeps_both_ends() -> None:
    text = leaderboard_text(big_report(), 80, EXTRA_COLUMNS)
    for table in text.split("\n\n")[3:5]:
        names = [line.split()[1] for line in table.split("\n") if "Alpha" in line]
        ends = {name[:9] + name[-2:] for name in names}
        assert ends == {"AlphaBetale", "AlphaBetae2"}
        assert all("…" in name for name in names)


def test_many_games_get_as_many_tables_as_they_need() -> None:
    labels = tuple(f"zombie_dice_variant_{n}" for n in range(11))
    who = [entry(name, *labels) for name in ("Ana", "Ben")]
    text = leaderboard_text(report_of(league(who, labels)), 80, ["by_game"])
    assert widest(text) <= 80
    headers = [line for line in text.split("\n") if "Bot" in line]
    assert sum(line.count("zombie") for line in headers) == len(labels)


ANA, BEN, CY = (entry(name, "dice") for name in ("Ana", "Ben", "Cy"))
HORDE = "The faces of the die are ours; no source has them."


def test_a_small_leaderboard_with_all_that_can_be_said() -> None:
    """The anchor, who lost all, who has no games, forfeits, luck, files left out."""
    games = [game(n, (ANA, BEN), (1, 2)) for n in range(0, 12, 2)]
    games += [game(20, (CY, BEN), (1, 2)), game(22, (BEN, CY), (1, 2))]
    games += [game(24, (CY, ANA), (1, 1)), game(26, (ANA, CY), (2, 1))]
    for n, (reason, said) in enumerate(
        [("crash", "KeyError:\n 3"), ("timeout", "late"), ("timeout", "later")]
    ):
        faults = (fault(1, BEN, reason, message=said),)
        games.append(game(30 + 2 * n, (ANA, BEN), (1, 2), faults=faults))
    games.append(game(40, (CY, ANA), (2, 1), faults=(fault(0, CY, "exit"),)))
    dan = entry("Dan", "dice")
    eve = entry("Eve", "dice", refused="line 3: invalid syntax")
    info = league(
        [ANA, BEN, CY, dan, eve],
        (label_info("dice", HORDE, faces=["a b", 3, None]),),
        anchor=(ANA.id, 1200.0),
        rejected=(("bots/x.py", "no Bot in it"), ("bots/a.py", "too large")),
    )
    luck = {g.game_id: (0.125,) for g in games}
    report = report_of(info, games, luck, [value_of("dice")])
    golden_files.check(leaderboard_text(report, 120), "reports/terminal.txt")


def test_why_a_bot_can_not_be_read_is_told_once() -> None:
    eve = entry("Eve", "dice", file="eve.py", refused="eve.py:1: so it was")
    faults = (fault(1, eve, message="eve.py:1: so it was"),)
    text = leaderboard_text(
        report_of(league([ANA, eve]), [game(0, (ANA, eve), (1, 2), faults=faults)])
    )
    assert text.count("so it was") == 1
    assert "Eve can't be read (eve.py): line 1: so it was" in text


def test_a_message_cannot_act_on_the_terminal() -> None:
    said = "\x1b[2J\x1b]0;title\x07 \u202egnp.exe\x9b31m"
    eve = entry("E\x1b[31mve", "dice", file="bots/e.py", refused=said)
    games = [game(0, (ANA, eve), (2, 1), faults=(fault(0, ANA, message=said),))]
    info = league([ANA, eve], rejected=((said, said),))
    text = leaderboard_text(report_of(info, games))
    assert all(c.isprintable() for c in text.replace("\n", ""))
    assert "first: �[2J�]0;title� �gnp.exe�31m" in text


@pytest.mark.parametrize("entries", [[], [ANA]])
def test_a_league_without_games(entries: list[EntryInfo]) -> None:
    text = leaderboard_text(report_of(league(entries)))
    assert text.startswith("Classroom: 0 games\n")
    assert ("No bots are entered." in text) is not bool(entries)
    assert (" Bot " in text) is bool(entries)
