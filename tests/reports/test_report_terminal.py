"""The leaderboard in a terminal: it fits, and says what is to be said."""

from pathlib import Path
from random import Random

import pytest
from leagues import entry, fault, game, label_info, league, report_of, value_of
from rich.cells import cell_len

from arena.league.info import EntryInfo
from arena.referee.record import GameRecord
from arena.reports.report import Report
from arena.reports.terminal import leaderboard_text

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


def season(entries: list[EntryInfo], labels: tuple[str, ...]) -> list[GameRecord]:
    """Return games of every pair in every label, with forfeits among them."""
    rng = Random(5)
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
    return games


def big_report(folder: Path, bots: int, labels: tuple[str, ...]) -> Report:
    entries = [entry(name, *labels) for name in NAMES[:bots]]
    return report_of(folder, league(entries, labels), season(entries, labels))


def table_lines(text: str) -> list[str]:
    """Return the lines of the tables: each between three rules."""
    return [
        line
        for part in text.split("\n\n")
        if "---" in part
        for line in part.split("\n")
    ]


@pytest.mark.parametrize("bots", [2, 5, 12])
@pytest.mark.parametrize("games", [1, 2, 4, 8])
def test_it_fits_into_80_columns(bots: int, games: int, tmp_path: Path) -> None:
    labels = (*LABELS, *VARIANTS)[:games]
    text = leaderboard_text(big_report(tmp_path, bots, labels), 80)
    assert max(map(cell_len, text.splitlines())) <= 80


@pytest.mark.parametrize("width", [80, 100, 140])
def test_wide_numbers_fit_as_well(width: int, tmp_path: Path) -> None:
    """Elo below -1000, ranks to 120, luck, forfeits, and long names."""
    who = [entry(f"{n:03} {NAMES[0]}", "dice") for n in range(120)]
    pairs = [(who[n], who[n - m]) for n in range(120) for m in (1, 2)]
    games = [
        game(n, pair, (1, 2), faults=(fault(1, pair[1]),) if n % 7 == 0 else ())
        for n, pair in enumerate(pairs)
    ]
    luck = {g.game_id: (0.01 * (n % 5),) for n, g in enumerate(games)}
    info = league(who, anchor=(who[0].id, -2000.0))
    report = report_of(tmp_path, info, games, luck, [value_of("dice")])
    text = leaderboard_text(report, width)
    assert max(map(cell_len, text.splitlines())) <= width
    header = " ".join(line for line in text.split("\n") if "Bot" in line)
    assert header.count("95 % range") == 2
    assert all(title in header for title in ("Adjusted", "Forfeits", "Clean", "Score"))


def test_columns_line_up_whatever_the_names(tmp_path: Path) -> None:
    """Every table is as wide in each line that ends in a right-aligned cell."""
    text = leaderboard_text(big_report(tmp_path, 12, LABELS), 80)
    for part in text.split("\n\n")[1:3]:
        lines = part.split("\n")
        assert len(lines) == 12 + 4
        assert len({cell_len(line) for line in lines}) == 1


def test_games_share_the_table_where_there_is_room(tmp_path: Path) -> None:
    report = big_report(tmp_path, 12, LABELS)
    wide, narrow = (leaderboard_text(report, width) for width in (200, 80))
    (header,) = (line for line in wide.split("\n") if "Bot" in line)
    assert header.split()[-4:] == list(LABELS)
    assert NAMES[0] in wide
    overall, per_game = (line for line in narrow.split("\n") if "Bot" in line)
    assert overall.split()[-4:] == ["Apart", "Forfeits", "Clean", "Score"]
    assert per_game.split()[-4:] == list(LABELS)


def test_a_shortened_name_keeps_both_ends(tmp_path: Path) -> None:
    text = leaderboard_text(big_report(tmp_path, 12, LABELS), 80)
    overall, per_game = text.split("\n\n")[1:3]
    for table in (overall, per_game):
        names = [line.split()[1] for line in table.split("\n") if "Alpha" in line]
        assert {name[:9] + name[-2:] for name in names} == {
            "AlphaBetale",
            "AlphaBetae2",
        }
        assert all("…" in name for name in names)


def test_many_games_get_as_many_tables_as_they_need(tmp_path: Path) -> None:
    labels = tuple(f"zombie_dice_variant_{n}" for n in range(11))
    report = report_of(
        tmp_path, league([entry("Ana", *labels), entry("Ben", *labels)], labels)
    )
    text = leaderboard_text(report, 80)
    assert max(map(cell_len, text.splitlines())) <= 80
    headers = [line for line in text.split("\n") if "Bot" in line]
    assert sum(line.count("_dice") for line in headers) == len(labels)


ANA, BEN, CY = (entry(name, "dice") for name in ("Ana", "Ben", "Cy"))


def row(text: str, name: str) -> list[str]:
    """Return the cells of a bot's row."""
    (line,) = (x for x in table_lines(text) if x.split()[1:2] == [name])
    return [cell.strip() for cell in line.split("  ") if cell.strip()]


def test_what_a_row_says(tmp_path: Path) -> None:
    games = [game(n, (ANA, BEN), (1, 2)) for n in range(0, 12, 2)]
    games += [game(20, (CY, BEN), (1, 2)), game(22, (BEN, CY), (1, 2))]
    games += [game(24, (CY, ANA), (1, 1)), game(26, (ANA, CY), (2, 1))]
    info = league([ANA, BEN, CY, entry("Dan", "dice")], anchor=(ANA.id, 1200.0))
    report = report_of(tmp_path, info, games)
    text = leaderboard_text(report, 200)
    assert row(text, "Ana")[1:] == [
        *("Ana", "1200.0", "anchor", "1-3", "~970000", "0", "81.2%", "8", "6/1/1")
    ]
    assert " to " in row(text, "Ben")[3]
    assert row(text, "Dan")[1:] == ["Dan", "0", "0", "0/0/0"]
    assert "the anchor Ana is held at 1200" in text


def test_the_undefeated_has_no_upper_end(tmp_path: Path) -> None:
    games = [game(n, (ANA, BEN), (1, 2)) for n in range(0, 40, 2)]
    text = leaderboard_text(report_of(tmp_path, league([ANA, BEN]), games))
    assert row(text, "Ana")[3].startswith("over ")
    assert row(text, "Ben")[3].startswith("under ")


def test_forfeits_are_summed_up_by_bot_and_reason(tmp_path: Path) -> None:
    games = [
        game(2 * n, (ANA, BEN), (1, 2), faults=(fault(1, BEN, reason, message=said),))
        for n, (reason, said) in enumerate(
            [("crash", "KeyError:\n 3"), ("timeout", "late"), ("timeout", "later")]
        )
    ]
    games += [game(10, (CY, ANA), (2, 1), faults=(fault(0, CY, "exit", message="x"),))]
    text = leaderboard_text(report_of(tmp_path, league([ANA, BEN, CY]), games))
    assert (
        "Ben: 3 forfeits: 2 timeout, 1 crash; first: KeyError: 3\n"
        "Cy: 1 forfeit: 1 exit; first: x\n"
    ) in text
    assert "Ana: " not in text


def test_a_message_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    said = "\x1b[2J\x1b]0;title\x07 \u202egnp.exe\x9b31m"
    name = "E\x1b[31mve"
    eve = entry(name, "dice", file="bots/e.py", refused=said)
    games = [game(0, (ANA, eve), (1, 2), faults=(fault(1, eve, message=said),))]
    info = league([ANA, eve], rejected=((said, said),))
    text = leaderboard_text(report_of(tmp_path, info, games))
    assert all(c.isprintable() for c in text.replace("\n", ""))
    assert "first: �[2J�]0;title� �gnp.exe�31m" in text


def test_files_that_take_no_part_are_named(tmp_path: Path) -> None:
    info = league(
        [ANA, entry("Eve", "dice", refused="line 3: invalid syntax")],
        rejected=(("bots/x.py", "no Bot in it"), ("bots/a.py", "too large")),
    )
    text = leaderboard_text(report_of(tmp_path, info))
    assert "Eve can't be read (bots/eve.py): line 3: invalid syntax\n" in text
    assert (
        "bots/a.py takes no part: too large\nbots/x.py takes no part: no Bot in it\n"
    ) in text


HORDE = "The faces of the die are ours; no source has them."


def boards(text: str) -> dict[str, list[str]]:
    """Return the bots of each label's table, from the top, by what stands above it."""
    parts = [part.split("\n") for part in text.split("\n\n") if "---" in part]
    return {
        lines[0]: [line.split()[1] for line in lines[4:-1]]
        for lines in parts
        if "---" not in lines[0]
    }


def two_labels(bots: int) -> tuple[list[EntryInfo], list[GameRecord]]:
    """Return bots that rank one way in `dice_13` and the other in `dice_20`."""
    who = [entry(f"bot{n:02}", "dice_13", "dice_20") for n in range(bots)]
    pairs = [(a, b) for a in range(bots) for b in range(a + 1, bots)]
    games: list[GameRecord] = []
    for label, places in (("dice_13", (1, 2)), ("dice_20", (2, 1))):
        for a, b in pairs:
            games.append(game(2 * len(games), (who[a], who[b]), places, label))
    return who, games


DICE_13 = label_info("dice_13")
DICE_20 = label_info("dice_20", HORDE, target=20, cup="none")


def test_few_bots_see_the_table_of_each_label(tmp_path: Path) -> None:
    who, games = two_labels(3)
    info = league(who, (DICE_13, DICE_20))
    text = leaderboard_text(report_of(tmp_path, info, games))
    names = ["bot00", "bot01", "bot02"]
    assert boards(text) == {
        "dice_13: Dice, tables of 2": names,
        "dice_20: Dice, tables of 2; target: 20, cup: none": names[::-1],
    }
    assert "leaderboard.md" not in text
    assert text.count(f"dice_20: house rule: {HORDE}") == 1


def test_many_bots_are_told_where_those_tables_are(tmp_path: Path) -> None:
    who, games = two_labels(30)
    info = league(who, (DICE_13, DICE_20))
    text = leaderboard_text(report_of(tmp_path, info, games))
    assert boards(text) == {}
    assert (
        "dice_13: Dice, tables of 2\n"
        "dice_20: Dice, tables of 2; target: 20, cup: none\n"
        "leaderboard.md has a table of each label, with its ranks and ranges.\n\n"
        f"dice_20: house rule: {HORDE}\n"
    ) in text


@pytest.mark.parametrize(("bots", "shown"), [(12, True), (16, False)])
def test_the_tables_of_the_labels_may_fill_a_screen_but_no_more(
    bots: int, shown: bool, tmp_path: Path
) -> None:
    who, games = two_labels(bots)
    info = league(who, (DICE_13, DICE_20))
    text = leaderboard_text(report_of(tmp_path, info, games))
    assert bool(boards(text)) is shown
    assert ("leaderboard.md" in text) is not shown


def test_one_label_is_printed_once(tmp_path: Path) -> None:
    games = [game(n, (ANA, BEN), (1, 2)) for n in range(0, 12, 2)]
    info = league([ANA, BEN], (label_info("dice", HORDE, faces=["a b", 3, None]),))
    text = leaderboard_text(report_of(tmp_path, info, games), 140)
    assert text.startswith(
        "Classroom: 6 games\ndice: Dice, tables of 2; faces: [a b, 3, null]\n\n"
    )
    assert sum("Bot" in line for line in text.split("\n")) == 1
    assert row(text, "Ana")[-2:] == ["6", "6/0/0"]
    assert f"dice: house rule: {HORDE}\n" in text
    assert "leaderboard.md" not in text


@pytest.mark.parametrize("entries", [[], [ANA]])
def test_a_league_without_games(entries: list[EntryInfo], tmp_path: Path) -> None:
    text = leaderboard_text(report_of(tmp_path, league(entries)))
    assert text.startswith("Classroom: 0 games\n")
    assert ("No bots are entered." in text) is not bool(entries)
