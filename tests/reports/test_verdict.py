"""The verdict: true by the claims of the table in every kind of league, and short."""

import re
from collections.abc import Sequence
from dataclasses import replace as changed
from itertools import combinations
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from leagues import entry, fault, game, league, report_of
from matrix import divided
from msgspec.structs import replace

from arena.league.config.info import EntryInfo
from arena.league.results.store import Store
from arena.ratings.claims import Strengths, better, claims
from arena.records.batch import to_batches
from arena.records.game_record import GameRecord
from arena.reports.report import RankedRow, read_report
from arena.reports.tables.terminal import leaderboard_text
from arena.reports.tables.verdict import faults, table_verdict, verdict
from arena.text import called

ANA, BEN, CY, DAN, EVE = (
    entry(name, "dice", "run") for name in ("Ana", "Ben", "Cy", "Dan", "Eve")
)


def row_of(bot: str, **parts: object) -> RankedRow:
    return RankedRow(
        bot=bot,
        file="",
        is_anchor=False,
        is_reference=False,
        division=0,
        can_be_told=True,
        versions=1,
        games=10,
        **parts,  # type: ignore[arg-type]
    )


Claims = tuple[list[RankedRow], list[tuple[str, str]]]
"""The rows of some bots in order, and who is surely better than whom."""


def claims_of(elo: Sequence[float], errors: Sequence[float]) -> Claims:
    """Return what is claimed of bots called b0, b1, … with errors of their own."""
    k = len(elo)
    variance = np.add.outer(np.square(errors), np.square(errors)).astype(float)
    np.fill_diagonal(variance, 0.0)
    names = [f"b{i}" for i in range(k)]
    strengths = Strengths((*names,), np.array(elo), variance, np.full(k, 10))
    rows = []
    for claim in claims(strengths):
        columns = claim.columns()
        rows.append(row_of(claim.entry, **columns))
    sure = [(names[i], names[j]) for i, j in np.argwhere(better(strengths)).tolist()]
    return rows, sure


@st.composite
def made_up(draw: st.DrawFn) -> Claims:
    k = draw(st.integers(2, 9))
    # Few values, so that some are equal.
    elo = draw(st.lists(st.integers(0, 12), min_size=k, max_size=k))
    errors = draw(st.lists(st.sampled_from([1, 5, 17]), min_size=k, max_size=k))
    scale = draw(st.sampled_from([0.4, 2, 10]))
    return claims_of([40.0 * x for x in elo], [scale * x for x in errors])


FIXED = {"is_final": True, "is_adaptive": False}
"""What is known of a finished league of as many games as its file says."""


def told(elo: Sequence[float], errors: Sequence[float]) -> list[str]:
    rows, _ = claims_of(elo, errors)
    return [*table_verdict(rows, f"the {len(rows)} bots", **FIXED)]


def orders(
    names: Sequence[str], sure: Sequence[tuple[str, str]], data: st.DataObject
) -> list[str]:
    """Return names in an order that no claim speaks against, the best first."""
    left = [*names]
    order = []
    while left:
        free = [x for x in left if not any((y, x) in sure for y in left)]
        order.append(data.draw(st.sampled_from(free)))
        left.remove(order[-1])
    return order


@given(made_up(), st.data())
def test_what_it_says_is_true_of_every_order_that_the_claims_leave_open(
    made: Claims, data: st.DataObject
) -> None:
    rows, sure = made
    names = [row.bot for row in rows]
    k = len(names)
    truth = orders(names, sure, data)
    text = " ".join(table_verdict(rows, f"the {k} bots", **FIXED))
    beaten = {loser for _, loser in sure}
    if found := re.match(r"(b\d) is surely (the best of|better than) ", text):
        assert truth[0] == found[1]
        assert len([pair for pair in sure if pair[0] == found[1]]) == k - 1
    elif found := re.match(r"((?:b\d(?:, | or )?)+) is (?:the best of|better)", text):
        assert set(re.findall(r"b\d", found[1])) == set(names) - beaten
        assert truth[0] in found[1]
    elif found := re.match(r"(\d) of the \d bots may be the best", text):
        assert int(found[1]) == k - len(beaten)
    elif text.startswith("Any of the"):
        assert not beaten
    else:
        assert re.match(
            r"All of the|b\d and b\d are equal|b\d leads .* not surely", text
        )
    if "All other places are sure" in text:
        start = 1 if "too" in text else 2 + text.count(",", 0, text.index(" is "))
        assert truth[start:] == names[start:]
    if found := re.search(r"Places (\d) (?:and|to) (\d) are open between (.*)", text):
        first, last = int(found[1]), int(found[2])
        assert {*truth[first - 1 : last]} == {*names[first - 1 : last]}
        if "bots" not in found[3].split(".")[0]:
            named = re.findall(r"b\d", found[3].split(":")[0])
            assert named == names[first - 1 : last]


@given(made_up())
def test_a_league_that_is_not_finished_has_nothing_sure(
    made: Claims,
) -> None:
    rows, _ = made
    (text,) = table_verdict(
        rows, f"the {len(rows)} bots", is_final=False, is_adaptive=False
    )
    assert "sure" not in text
    leaders = re.findall(r"b\d", text)
    if leaders:
        assert leaders == [row.bot for row in rows[: len(leaders)]]


COLUMN = "The column Places has those that each bot may have."


def test_a_bot_of_few_games_may_be_the_best_before_one_that_is_behind() -> None:
    """Of the second it is sure that it is not the best, of the third it is not."""
    assert told([300, 200, 190], [5, 5, 100]) == [
        "b0 or b2 is the best of the 3 bots.",
        COLUMN,
    ]


def test_many_open_places_are_counted() -> None:
    assert told([500, 100, 98, 96, 94], [5] * 5) == [
        "b0 is surely the best of the 5 bots.",
        "Places 2 to 5 are open between 4 bots.",
        COLUMN,
    ]
    assert told([900, 500, 499, 200, 199], [2] * 5) == [
        "b0 is surely the best of the 5 bots.",
        "Places 2 and 3 are open between b1 and b2: about 111 times the fixtures "
        "(1,100 more games of each) should tell.",
        COLUMN,
    ]
    assert told([400, 399, 398, 397, 100], [5] * 5) == [
        "4 of the 5 bots may be the best; b0, b1 and b2 lead: about 641 times the "
        "fixtures (6,400 more games of each) should tell the first two apart.",
        COLUMN,
    ]


def test_bots_of_which_no_good_number_of_games_tells_are_as_good_as_equal() -> None:
    equal = "so far they are as good as equal (more than 10,000 more games of each "
    assert told([900, 500, 499.9], [5] * 3) == [
        "b0 is surely the best of the 3 bots.",
        f"Places 2 and 3 are open between b1 and b2: {equal}would be needed).",
    ]
    assert told([500, 499.9, 400, 100], [5, 5, 100, 5])[0] == (
        "b0, b1 or b2 is the best of the 4 bots: so far the first two are as good as "
        "equal (more than 10,000 more games of each would be needed)."
    )


def test_an_adaptive_league_is_told_the_games_alone() -> None:
    """How many there are does not follow from its fixtures."""
    rows, _ = claims_of([900, 500, 499], [2] * 3)
    *_, text = table_verdict(rows, "the 3 bots", is_final=True, is_adaptive=True)
    assert text == (
        "Places 2 and 3 are open between b1 and b2: about 810 more games of each "
        "(now 10) should tell."
    )


def test_of_the_last_places_the_verdict_says_nothing() -> None:
    assert told([900, 700, 500, 300, 299], [5] * 5) == [
        "b0 is surely the best of the 5 bots.",
        COLUMN,
    ]
    rows, _ = claims_of([900, 300, 299], [5] * 3)
    failing = [changed(row, forfeits=9) for row in rows[1:]]
    assert [*table_verdict([rows[0], *failing], "the 3 bots", **FIXED)] == [
        "b0 is surely the best of the 3 bots.",
        COLUMN,
    ]
    assert "Places 2 and 3" in "".join(told([900, 300, 299], [5] * 3))


def test_equal_bots_are_called_equal() -> None:
    assert told([7, 7, 7], [5] * 3) == ["All of the 3 bots are equal so far."]
    assert told([900, 900, 100], [5] * 3) == [
        "b0 or b1 is the best of the 3 bots: they are equal so far.",
        "All other places are sure.",
    ]
    assert told([900] * 5 + [890], [5] * 6) == [
        "Any of the 6 bots may be the best: the first 5 are equal so far.",
        COLUMN,
    ]


def pair(
    a: EntryInfo,
    b: EntryInfo,
    wins: int,
    losses: int,
    start: int = 0,
    label: str = "dice",
) -> list[GameRecord]:
    """Return fixtures of two games, of which `a` wins both or `b` does."""
    games: list[GameRecord] = []
    for n in range(wins + losses):
        for seat, seats in enumerate([(a, b), (b, a)]):
            places = (1, 2) if (seat == 0) == (n < wins) else (2, 1)
            games.append(game(start + 2 * n + seat, seats, places, label))
    return games


def every_pair(
    who: Sequence[EntryInfo],
    wins: int,
    losses: int,
    start: int = 0,
    label: str = "dice",
) -> list[GameRecord]:
    """Return games of every two, of whom the first is the better one."""
    size = 2 * (wins + losses)
    return [
        g
        for n, (a, b) in enumerate(combinations(who, 2))
        for g in pair(a, b, wins, losses, start + n * size, label)
    ]


def test_one_is_surely_the_best() -> None:
    report = report_of(league([ANA, BEN, CY]), every_pair([ANA, BEN, CY], 30, 10))
    assert verdict(report) == [
        "Ana is surely the best of the 3 bots.",
        "All other places are sure too.",
    ]


def test_what_is_open_is_said_with_the_games_it_takes() -> None:
    games = [*pair(ANA, BEN, 22, 18), *pair(ANA, CY, 30, 8, 100)]
    games += pair(BEN, CY, 30, 8, 200)
    report = report_of(league([ANA, BEN, CY]), games)
    needed = report.rows[0].more_games
    assert needed is not None
    times = ceil((156 + needed) / 156)
    assert times > 10
    assert verdict(report) == [
        f"Ana or Ben is the best of the 3 bots: about {times} times the fixtures "
        f"({needed:,} more games of each) should tell which.",
        "All other places are sure.",
    ]


def test_who_does_not_play_all_games_is_not_among_them() -> None:
    games = every_pair([ANA, BEN, CY], 30, 10)
    games += every_pair([ANA, BEN, DAN], 30, 10, 1000, "run")
    report = report_of(league([ANA, BEN, CY, DAN], ("dice", "run")), games)
    assert verdict(report) == ["Ana is surely better than Ben."]
    info = league([ANA, BEN, CY, DAN, EVE], ("dice", "run"))
    games += every_pair([CY, EVE], 30, 10, 5000, "run")
    games += pair(EVE, CY, 10, 30, 7000)
    first = verdict(report_of(info, games))[0]
    assert first == "Ana is surely the best of the 4 bots that play all games."


def test_without_an_overall_table_there_is_a_sentence_a_game() -> None:
    games = every_pair([ANA, BEN], 30, 10) + pair(BEN, CY, 20, 20, 1000, "run")
    report = report_of(league([ANA, BEN, CY], ("dice", "run")), games)
    assert verdict(report) == [
        "There is no overall table, as only Ben plays all games: dice and run.",
        "dice: Ana is surely better than Ben.",
        "run: Ben and Cy are equal so far.",
    ]


def test_groups_that_no_games_link_have_no_best_of_all() -> None:
    games = pair(ANA, BEN, 30, 10) + pair(CY, DAN, 20, 20, 1000)
    report = report_of(league([ANA, BEN, CY, DAN]), games)
    assert verdict(report) == [
        "No games link the 2 groups of bots, so nobody can be called the best of all.",
        "Group 1: Ana is surely better than Ben.",
        "Group 2: Cy and Dan are equal so far.",
    ]


def test_nothing_is_sure_before_the_end(tmp_path: Path) -> None:
    games = every_pair([ANA, BEN, CY], 30, 10)
    with Store.open(tmp_path) as store:
        store.begin(league([ANA, BEN, CY]), [f"g{n:03}" for n in range(1000)])
        store.add(to_batches(games))
        report = read_report(store)
    assert verdict(report) == [
        "240 of 1,000 games are played, so all of this may still change.",
        "So far Ana and Ben lead.",
    ]


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ([], "No bots are entered."),
        ([ANA], "Only one bot is entered: it has nobody to play against."),
        ([ANA, BEN], "No games are played, so nobody has an Elo."),
    ],
)
def test_a_league_without_games(entries: list[EntryInfo], sentence: str) -> None:
    assert verdict(report_of(league(entries))) == [sentence]


def test_a_reference_is_called_one() -> None:
    info = replace(league([ANA, BEN, CY]), references=(ANA.id,))
    report = report_of(info, every_pair([ANA, BEN, CY], 30, 10))
    assert verdict(report)[0] == "Ana (a reference) is surely the best of the 3 bots."


def test_no_name_reads_like_a_sentence() -> None:
    liar = entry("Ana is surely the best. Ben", "dice")
    report = report_of(league([liar, CY]), pair(liar, CY, 30, 10))
    assert verdict(report) == [
        "'Ana is surely the best. Ben' is surely better than Cy."
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("my_bot-2.py", "my_bot-2.py"),
        ("Ana Álder", "Ana Álder"),
        ("Ana M. Alder", "Ana M. Alder"),
        ("my_bot (Ana Alder)", "'my_bot (Ana Alder)'"),
        ("Ana. Ben", "'Ana. Ben'"),
        ("Nobody", "'Nobody'"),
        ("No Bot", "'No Bot'"),
        ("12", "'12'"),
        ("Ana, Ben", "'Ana, Ben'"),
        ("Ana and Ben", "'Ana and Ben'"),
        ("Ana Is The Best", "'Ana Is The Best'"),
        ("Ana' is surely the best", '"Ana\' is surely the best"'),
        ("Ana  Alder", "'Ana  Alder'"),
        ("", "''"),
    ],
)
def test_a_name_is_plain_or_between_quotes(name: str, shown: str) -> None:
    assert called(name) == shown


def lost(
    who: EntryInfo, other: EntryInfo, start: int, *reasons: str
) -> list[GameRecord]:
    faults = [fault(0, who, reason, message="KeyError:\n 3") for reason in reasons]
    return [
        game(start + n, (who, other), (2, 1), faults=(own,))
        for n, own in enumerate(faults)
    ]


def test_those_who_forfeit_have_a_line_each_and_of_many_the_first() -> None:
    games = [
        *lost(BEN, ANA, 0, "crash", "crash", "illegal_action"),
        *lost(CY, ANA, 10, "timeout", "timeout"),
        *pair(ANA, BEN, 2, 2, 20),
        *lost(DAN, EVE, 40, "crash"),
        *lost(EVE, DAN, 50, "exit"),
    ]
    report = report_of(league([ANA, BEN, CY, DAN, EVE]), games)
    assert faults(report, examples=True) == [
        "Ben forfeits 3 of 11 games: 2 crashes, 1 illegal action; first: KeyError: 3",
        "Cy forfeits all 2 games: timeout; first: KeyError: 3",
        "Dan forfeits 1 of 2 games: crash; first: KeyError: 3",
        "1 other bot forfeits games too: faults.csv has all.",
    ]
    assert not any("first" in line for line in faults(report, examples=False))


def test_games_that_a_bot_was_not_let_play_are_told_apart() -> None:
    games = lost(BEN, ANA, 0, "crash", "quarantine", "quarantine", "illegal_action")
    report = report_of(league([ANA, BEN]), games)
    assert faults(report, examples=False) == [
        "Ben forfeits all 4 games: 1 crash, 1 illegal action, then 2 that were not "
        "played any more"
    ]


def test_where_all_have_forfeited_nobody_is_the_best() -> None:
    both = tuple(fault(seat, who) for seat, who in enumerate((ANA, BEN)))
    games = [game(n, (ANA, BEN), (1, 1), faults=both) for n in range(4)]
    report = report_of(league([ANA, BEN]), games)
    assert verdict(report) == [
        "Nobody can be called the best: all games are forfeited."
    ]


@pytest.mark.parametrize("bots", divided([12, 300], lambda bots: bots == 12))
def test_it_is_short(bots: int) -> None:
    """Of bots with forty characters, in a ring, in a terminal of 80 columns."""
    name = "bot of somebody with a long name"
    who = [entry(f"{n:03} {name} {n:03}", "dice") for n in range(bots)]
    games: list[GameRecord] = []
    for n, a in enumerate(who):
        for step in (1, 2, 3):
            games += pair(a, who[(n + step) % bots], 1 + (n % 3 == 0), 1, len(games))
    text = leaderboard_text(report_of(league(who), games), 80)
    told = text.split("\n\n")[1].splitlines()
    assert len(told) <= 6
    assert max(map(len, told)) <= 80
