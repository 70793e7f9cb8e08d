"""What numbers rest on, and where they say little, is said in plain words."""

import json
from dataclasses import replace as changed
from itertools import combinations
from math import inf
from random import Random

import pytest
from leagues import entry, fault, game, label_info, league, report_of, value_of
from msgspec.structs import replace

from arena.league.config.info import EntryInfo
from arena.league.config.settings import Overall, RatedBy
from arena.records.game_record import GameRecord
from arena.reports.files import leaderboard_json
from arena.reports.report import Report
from arena.reports.tables.columns import label_columns, range_of
from arena.reports.tables.markdown import leaderboard_md
from arena.reports.tables.on_demand import EXTRA_COLUMNS
from arena.reports.tables.precision import games_for
from arena.reports.tables.terminal import leaderboard_text

ANA, BEN, CY, DAN = (entry(name, "dice", "run") for name in ("Ana", "Ben", "Cy", "Dan"))


def words(report: Report) -> str:
    """Return all that the terminal says, in one line."""
    return " ".join(leaderboard_text(report, 80).split())


def both(report: Report, sentence: str) -> bool:
    """Return whether the terminal and the page say so, in these very words."""
    said = [sentence in text for text in (words(report), leaderboard_md(report))]
    assert len(set(said)) == 1
    return said[0]


def on_page(report: Report, sentence: str) -> bool:
    """Return whether the page says so; the terminal has no room for it."""
    assert sentence not in words(report)
    return sentence in leaderboard_md(report)


def won(
    winner: EntryInfo, loser: EntryInfo, times: int, start: int, label: str = "dice"
) -> list[GameRecord]:
    """Return fixtures of two games, each with the winner first in either seat."""
    games = []
    for n in range(start, start + 2 * times, 2):
        games.append(game(n, (winner, loser), (1, 2), label))
        games.append(game(n + 1, (loser, winner), (2, 1), label))
    return games


def even(a: EntryInfo, b: EntryInfo, times: int, start: int) -> list[GameRecord]:
    """Return fixtures in which each wins once."""
    pairs = [(a, b), (b, a)] * times
    return [game(start + n, pair, (1, 2)) for n, pair in enumerate(pairs)]


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ([ANA], "Only one bot is entered: it has nobody to play against."),
        ([ANA, BEN], "No games are played, so nobody has an Elo."),
    ],
)
def test_a_league_without_games_says_so(
    entries: list[EntryInfo], sentence: str
) -> None:
    assert both(report_of(league(entries)), sentence)


def test_where_every_game_is_drawn() -> None:
    games = [game(n, (ANA, BEN), (1, 1)) for n in range(8)]
    report = report_of(league([ANA, BEN]), games)
    assert both(report, "dice: every game was drawn, so these bots are equal so far.")
    assert [(row.elo, row.rank) for row in report.rows] == [(1000.0, 1), (1000.0, 1)]
    games[7] = game(7, (BEN, ANA), (1, 2))
    report = report_of(league([ANA, BEN]), games)
    assert not both(report, "every game was drawn")


def forfeited(number: int, *seats: int) -> GameRecord:
    """Return a game that bots in these seats have forfeited."""
    who = (ANA, BEN)
    faults = tuple(fault(seat, who[seat]) for seat in seats)
    places = (1, 1) if len(seats) == 2 else tuple(1 + (s in seats) for s in range(2))
    return game(number, who, places, faults=faults)


def test_where_everybody_has_forfeited() -> None:
    games = [forfeited(n, 0, 1) for n in range(4)]
    report = report_of(league([ANA, BEN]), games)
    assert both(
        report,
        "dice: every bot has forfeited every game, so nothing is known of how they "
        "play.",
    )
    assert [row.forfeits for row in report.rows] == [4, 4]
    assert not both(report, "every game was drawn")


def test_where_every_fixture_holds_a_forfeit() -> None:
    games = [forfeited(0, 0), game(1, (BEN, ANA), (1, 2)), forfeited(2, 1)]
    report = report_of(league([ANA, BEN]), games)
    sentence = "dice: every fixture holds a forfeit, so there is no Elo without them."
    assert both(report, sentence)
    assert "Clean" not in leaderboard_md(report)
    games.append(game(4, (BEN, ANA), (1, 2)))
    report = report_of(league([ANA, BEN]), games)
    assert not both(report, sentence)
    assert "| Clean |" in leaderboard_md(report)
    assert on_page(report, "Clean: the Elo without the fixtures that hold a forfeit")


def test_the_undefeated_has_but_one_end() -> None:
    report = report_of(league([ANA, BEN]), won(ANA, BEN, 10, 0))
    first, last = report.rows
    page = leaderboard_md(report)
    assert f"| at least {first.elo_low:.0f} |" in page
    assert f"| at most {last.elo_high:.0f} |" in page
    sentence = "at least, at most, open: the games can't say how much better a bot is"
    assert both(report, sentence)
    games = [*won(ANA, BEN, 9, 0), *won(BEN, ANA, 9, 20)]
    report = report_of(league([ANA, BEN]), games)
    assert not both(report, "at least")


def test_after_four_games_nothing_is_a_number_that_says_nothing() -> None:
    """Of ranges, seats and games needed; programs get the numbers all the same."""
    games = [*won(ANA, BEN, 1, 0), *even(ANA, BEN, 1, 2)]
    report = report_of(league([ANA, BEN]), games)
    assert both(
        report,
        "dice: too few games to say how strong Ana and Ben are: the 95 % range is "
        "wider than ±400 Elo. About ",
    )
    page = leaderboard_md(report)
    assert page.count("| too few games | 1-2 |") == 4
    assert on_page(report, "dice: second seat: too few games to tell, it takes about ")
    first = report.rows[0]
    assert first.elo_high - first.elo_low > 800.0  # type: ignore[operator]
    row = json.loads(leaderboard_json(report))["rows"][0]
    assert row["elo_low"] == first.elo_low
    # The games that it takes are enough.
    needed = int(page.split(" Elo. About ")[1].split(" games of each")[0])
    each = -(-needed // 4)
    games = [*won(ANA, BEN, each, 0), *even(ANA, BEN, each, 2 * each)]
    report = report_of(league([ANA, BEN]), games)
    assert not both(report, "too few games to say")
    first = report.rows[0]
    assert first.elo_high - first.elo < 200.0  # type: ignore[operator]


@pytest.mark.parametrize(
    ("error", "games"),
    [(400.0, "about 80"), (4000.0, "about 8,000"), (5000.0, "more than 10,000")],
)
def test_how_many_games_it_takes(error: float, games: str) -> None:
    assert games_for(20, error, inf) == games


def test_two_fixtures_take_hardly_more_games_than_three() -> None:
    """Of two the quantile is 12.7, but it does not stay so."""
    found = [games_for(2 * n, t * 150.0, n - 1.0) for n, t in [(2, 12.71), (3, 4.30)]]
    assert found == ["about 14", "about 18"]


def test_hopeless_differences_have_no_number() -> None:
    """Of two that are nearly equal, and of one fixture, which says nothing at all."""
    games = [*even(ANA, BEN, 100, 0), *won(ANA, BEN, 1, 400)]
    games += [*won(BEN, ANA, 1, 402), game(404, (ANA, BEN), (1, 1))]
    games += [game(405, (BEN, ANA), (2, 1)), game(406, (ANA, BEN), (2, 1))]
    games += [game(407, (BEN, ANA), (1, 1))]
    games += [*even(ANA, BEN, 100, 500), game(900, (ANA, BEN), (1, 1))]
    games += [game(901, (BEN, ANA), (2, 1))]
    report = report_of(league([ANA, BEN]), games)
    assert report.rows[0].more_games is None
    assert "| >10,000 |" in leaderboard_md(report)
    assert not on_page(report, "No: games like these can't tell.")
    report = report_of(league([ANA, BEN]), won(ANA, BEN, 1, 0))
    assert report.rows[0].is_separated is False
    assert "| no |" in leaderboard_md(report)
    assert on_page(report, "No: games like these can't tell.")


def two_of(who: list[EntryInfo], start: int, label: str) -> list[GameRecord]:
    """Return games of every two, in which the first of them is the better one."""
    games = []
    for a, b in combinations(who, 2):
        first = start + 20 * len(games)
        for g in [*won(a, b, 2, first), *even(a, b, 3, first + 4)]:
            games.append(replace(g, label=label))
    return games


def test_who_does_not_play_all_games_stands_below() -> None:
    """With its places; one of two games is played by three, the other by four."""
    games = two_of([DAN, ANA, BEN, CY], 0, "dice")
    games += two_of([ANA, BEN, CY], 8000, "run")
    info = league([ANA, BEN, CY, DAN], ("dice", "run"))
    report = report_of(info, games)
    assert [(row.bot, row.rank) for row in report.rows] == [
        *(("Ana", 1), ("Ben", 2), ("Cy", 3), ("Dan", None))
    ]
    page = leaderboard_md(report).split("All columns</summary>\n\n")[1]
    page = page.split("\n\n")[0].splitlines()
    assert page[-2].startswith("|  | *Not ranked, as they don't play all games:* | ")
    assert page[-1].startswith("|  | Dan |  | dice 1 of 4 | 70% |  |  | 30 |")
    dan = report.rows[3].per_game["dice"]
    assert page[-1].endswith(f" | {dan.elo:.0f} 1/4 |  |")
    assert page[2].endswith("/4 | " + f"{report.rows[0].per_game['run'].elo:.0f} 1/3 |")
    lines = leaderboard_text(report, 80).splitlines()
    at = lines.index("Not ranked, as they don't play all games:")
    assert set(lines[at - 1]) == {"-", " "}
    assert lines[at + 1].split()[:5] == ["Dan", *["dice", "1", "of", "4"]]
    row = json.loads(leaderboard_json(report))["rows"][3]
    assert (row["rank"], row["elo"], row["missing"]) == (None, None, ["run"])
    assert on_page(report, "over all games, each counting alike.")

    report = report_of(replace(info, overall=Overall.ANY), games)
    assert {row.bot: row.rank for row in report.rows}["Dan"] is not None
    assert both(
        report,
        "Overall a game that a bot misses counts as lost to all that play it "
        "(overall: any): Dan misses some.",
    )
    assert "missed" in leaderboard_md(report)
    assert not both(report, "Not ranked")
    assert json.loads(leaderboard_json(report))["overall"] == "any"


def test_without_two_that_play_all_there_is_no_overall_table() -> None:
    games = [*two_of([ANA, BEN], 0, "dice"), *two_of([BEN, CY], 8000, "run")]
    report = report_of(league([ANA, BEN, CY, DAN], ("dice", "run")), games)
    assert both(
        report,
        "There is no overall table, as only Ben plays all games: dice and run. "
        "Without any games: Dan.",
    )
    for text in (leaderboard_text(report, 80), leaderboard_md(report)):
        heads = [x for x in text.splitlines() if "Elo" in x and "Score" in x]
        assert sum("W/D/L" not in x for x in heads) == 2
        assert "Overall:" not in text
    assert {row.rank for row in report.rows} == {None}


def test_an_elo_that_is_open_is_no_number_where_no_range_is_beside_it() -> None:
    games = [*two_of([ANA, BEN, CY], 0, "run"), *won(ANA, BEN, 8, 4000)]
    games += [*won(CY, ANA, 8, 4100), *won(CY, BEN, 8, 4200)]
    report = report_of(league([ANA, BEN, CY], ("dice", "run")), games)
    dice, run = label_columns(report)
    parts = [row.per_game["dice"] for row in report.rows]
    assert all(part.open_above or part.open_below for part in parts)
    assert [*dice.cells] == [f"{range_of(part)} {part.rank}/3" for part in parts]
    assert "at least " in "".join(dice.cells)
    elos = [(row.per_game["run"].elo, row.per_game["run"].rank) for row in report.rows]
    assert [*run.cells] == [f"{elo:.0f} {rank}/3" for elo, rank in elos]


def test_an_anchor_that_says_nothing_is_named() -> None:
    """It never wins, or has forfeited all."""
    others = two_of([ANA, BEN, CY], 0, "dice")
    beaten = [
        g for n, x in enumerate((ANA, BEN, CY)) for g in won(x, DAN, 8, 2000 + 40 * n)
    ]
    info = league([ANA, BEN, CY, DAN], anchor=(DAN.id, 500.0))
    report = report_of(info, [*others, *beaten])
    assert both(
        report, "dice: the anchor Dan wins nothing here, so the games can't say"
    )
    assert leaderboard_md(report).count("| at least ") == 9
    broken = [
        replace(
            g, faults=(fault(seat, DAN),), forfeits=tuple(x == seat for x in (0, 1))
        )
        for g in beaten
        for seat in [g.seats.index(DAN.id)]
    ]
    report = report_of(info, [*others, *broken])
    assert both(
        report,
        "dice: the anchor Dan has forfeited all its games here, so the mean of the "
        "others is held at 500 instead. Repair it, or name another anchor.",
    )
    assert not both(report, "wins nothing")
    # It holds nothing, and nobody says that it does.
    assert not both(report, "the anchor Dan is held")
    assert on_page(report, "n each game the mean of the largest group that wins and")
    assert "anchor |" not in leaderboard_md(report)


def test_an_anchor_that_does_not_play_all_games_holds_nothing_overall() -> None:
    games = [
        *two_of([ANA, BEN, CY], 0, "dice"),
        *two_of([ANA, BEN, CY, DAN], 4000, "run"),
    ]
    info = league([ANA, BEN, CY, DAN], ("dice", "run"), anchor=(DAN.id, 500.0))
    report = report_of(info, games)
    assert both(
        report,
        "Overall the anchor Dan is not ranked, so the mean of the bots is held at 500 "
        "instead. Name an anchor that plays all games.",
    )
    ranked = [row.elo for row in report.rows if row.elo is not None]
    assert sum(ranked) / len(ranked) == pytest.approx(500.0, abs=0.1)
    assert [row.per_game["run"].is_anchor for row in report.rows][-1]
    assert not report.rows[-1].is_anchor


def test_groups_that_never_met_have_tables_of_their_own() -> None:
    apart = [*won(ANA, BEN, 4, 0), *won(CY, DAN, 4, 10)]
    bots = [ANA, BEN, CY, DAN]
    linked = [g for n in range(3) for g in won(*bots[n : n + 2], 4, 20 + 10 * n, "run")]
    info = league(bots, ("dice", "run"), anchor=(ANA.id, 1200.0))
    report = report_of(info, [*apart, *linked])
    assert both(
        report,
        "dice: no games link these groups, so their Elo can't be compared: Ana, Ben; "
        "Cy, Dan. Each has a table of its own, where its mean is held at 1200 or the "
        "anchor at its Elo, and the overall Elo leaves this game out.",
    )
    # Overall there is but the other game.
    assert {row.bot: row.elo for row in report.rows} == {
        row.bot: row.per_game["run"].elo for row in report.rows
    }
    assert report.weights == {"dice": 0.0, "run": 1.0}
    page = leaderboard_md(report).split("\n## dice\n")[1].split("\n## ")[0]
    first, second = page.split("Group 1 of 2:")[1].split("Group 2 of 2:")
    assert [x.split(" | ")[1] for x in first.strip().splitlines()[2:]] == ["Ana", "Ben"]
    assert second.strip().splitlines()[2].startswith("| 1 | Cy | ")
    (label, _) = json.loads(leaderboard_json(report))["labels"]
    assert label["pools"] == [["Ana", "Ben"], ["Cy", "Dan"]]

    sole = report_of(league(bots), apart)
    assert both(sole, "a table of its own, where its mean is held at 1000.")
    tables = [x for x in leaderboard_text(sole, 80).split("\n\n") if "Bot" in x]
    assert [x.split("\n")[0] for x in tables] == [
        f"dice: group {n} of 2" for n in (1, 2)
    ]


def test_what_one_student_plays_alone_does_not_count() -> None:
    own, other = (replace(x, owners=("somebody",)) for x in (CY, DAN))
    games = [*won(ANA, BEN, 4, 0), *won(BEN, own, 4, 10), *won(own, ANA, 4, 20)]
    alone = won(own, other, 3, 40, "run")
    report = report_of(league([ANA, BEN, own, other], ("dice", "run")), games + alone)
    assert both(
        report,
        "run: only bots of one student or one file have games here, so this game does "
        "not count overall.",
    )
    assert report.weights == {"dice": 1.0, "run": 0.0}
    assert [row.bot for row in report.rows if row.rank] == ["Ana", "Ben", "Cy"]


def test_what_a_label_lacks_a_value_for() -> None:
    games = [*even(ANA, BEN, 20, 0), *won(ANA, BEN, 2, 50), *won(BEN, ANA, 1, 54)]
    games += won(ANA, BEN, 3, 60, "run") + won(BEN, ANA, 2, 70, "run")
    luck = {g.game_id: (0.125,) for g in games if g.label == "dice"}
    values = [value_of("dice"), value_of("run", "nobody has brought a value")]
    info = league([ANA, BEN], ("dice", "run"))
    report = report_of(info, games, luck, values)
    assert both(
        report, "run: no luck is taken from the scores: nobody has brought a value."
    )
    assert "dice: no luck" not in words(report)
    assert "values: dice: dice 3 (0123456789abcdef)." in leaderboard_md(report)
    first = report.rows[0]
    dice, run = first.per_game["dice"], first.per_game["run"]
    assert run.results_elo is None
    assert None not in (first.results_elo, dice.results_elo, run.elo)
    labels = json.loads(leaderboard_json(report))["labels"]
    assert [label["luck_share"] for label in labels] == [
        pytest.approx(0.5, abs=0.5),
        None,
    ]
    assert [(label["value"], label["no_luck"]) for label in labels] == [
        ({"game": "dice", "version": "3", "digest": "0123456789abcdef"}, None),
        (None, "nobody has brought a value"),
    ]


def test_the_elo_from_results_alone_is_there_on_demand() -> None:
    """Ana wins six games of ten, and four fifths of the rest was luck."""
    rng = Random(2)
    games = []
    luck = {}
    for n in range(80):
        seats = (ANA, BEN) if n % 2 else (BEN, ANA)
        chance = 0.6 if n % 2 else 0.4
        first_wins = rng.random() < chance
        games.append(game(n, seats, (1, 2) if first_wins else (2, 1)))
        luck[f"g{n:03}"] = (0.8 * (first_wins - chance),)
    report = report_of(league([ANA, BEN]), games, luck, [value_of("dice")])
    ana = next(row for row in report.rows if row.bot == "Ana")
    # Between them are 70 Elo; the error of the score is a fifth of what it was.
    assert abs(ana.results_elo - 1035) > 25  # type: ignore[operator]
    assert abs(ana.elo - 1035) < 15  # type: ignore[operator]
    width = ana.results_high - ana.results_low  # type: ignore[operator]
    own = ana.elo_high - ana.elo_low  # type: ignore[operator]
    assert own / width < 0.35
    (label,) = json.loads(leaderboard_json(report))["labels"]
    assert 0.8 < label["luck_share"] <= 1.0
    assert on_page(report, "the luck of the dice is taken out, as far as that")
    assert not both(report, "no luck is taken")
    assert "Results" not in leaderboard_text(report, 80)
    text = leaderboard_text(report, 80, ["results"])
    said = f" {ana.results_elo:.0f} ±{width / 2:.0f}"
    assert sum(said in line for line in text.splitlines()) == 1
    for shown in (text, leaderboard_md(report)):
        assert "Results: the Elo from results alone" in " ".join(shown.split())


@pytest.mark.parametrize("labels", [("dice",), ("dice", "run")])
def test_without_any_luck_there_are_no_columns_for_it(labels: tuple[str, ...]) -> None:
    reason = "luck_adjustment is off in the league's file"
    values = [value_of(label, reason) for label in labels]
    games = [g for n, x in enumerate(labels) for g in won(ANA, BEN, 3, 20 * n, x)]
    report = report_of(league([ANA, BEN], labels), games, None, values)
    text = leaderboard_text(report, columns=EXTRA_COLUMNS)
    assert "Results" not in text + leaderboard_md(report)
    names = ", ".join(labels)
    assert both(report, f"{names}: no luck is taken from the scores: {reason}.")


def test_a_league_of_results_alone_says_so() -> None:
    games = even(ANA, BEN, 4, 0)
    luck = {g.game_id: (0.125,) for g in games}
    info = replace(league([ANA, BEN]), by=RatedBy.RESULTS)
    report = report_of(info, games, luck, [value_of("dice")])
    assert both(report, "Elo, ranks and groups rest on results alone, with the luck")
    board = json.loads(leaderboard_json(report))
    assert board["by"] == "results"
    assert board["labels"][0]["no_luck"] == "the league's file says so (by: results)"


def test_luck_of_some_games_is_none_at_all() -> None:
    games, luck = won(ANA, BEN, 3, 0), {"g000": (0.1,)}
    report = report_of(league([ANA, BEN]), games, luck, [value_of("dice")])
    assert both(report, "no luck is taken from the scores: the luck of some games is")


def test_an_adaptive_league_says_what_rests_on_what() -> None:
    games = [*even(ANA, BEN, 5, 0), *won(ANA, BEN, 20, 10), *even(ANA, BEN, 5, 50)]
    report = report_of(league([ANA, BEN], exploring=(10, 50)), games)
    assert both(report, "dice: the schedule was adaptive.")
    assert both(report, "rest on the 20 games that were planned whatever")
    ana = report.rows[0]
    assert (ana.bot, ana.games, ana.confirmed_elo) == ("Ana", 60, 1000.0)
    assert (ana.elo_low + ana.elo_high) / 2 == 1000.0  # type: ignore[operator]
    assert ana.elo > 1200  # type: ignore[operator]
    (label,) = json.loads(leaderboard_json(report))["labels"]
    assert label["interval_games"] == 20
    plain = report_of(league([ANA, BEN]), games)
    assert not both(plain, "adaptive")
    assert plain.rows[0].confirmed_elo == plain.rows[0].elo


def test_larger_tables_of_an_adaptive_league_do_not_explore() -> None:
    games = [game(n, (ANA, BEN, CY), (1, 2, 3)) for n in range(4)]
    report = report_of(league([ANA, BEN, CY], exploring=(0, 0)), games)
    assert not both(report, "adaptive")
    (board,) = report.boards
    assert not board.is_adaptive


def test_where_only_the_winner_counts() -> None:
    """Ben and Cy never win; Ben is always second, which is worth nothing."""
    three = replace(label_info("dice"), players=3)
    winner = replace(three, placing="winner")
    seats = [(ANA, BEN, CY), (BEN, CY, ANA), (CY, ANA, BEN)]
    place = {ANA.id: 1, BEN.id: 2, CY.id: 3}
    games = [
        replace(game(n, who, [place[x.id] for x in who]), fixture_id=f"f{2 * (n // 3)}")
        for n, who in enumerate(seats * 4)
    ]
    report = report_of(league([ANA, BEN, CY], (winner,)), games)
    assert both(report, "dice: only who wins a table is ahead of the others there;")
    elo = {row.bot: row.elo for row in report.rows}
    assert elo["Ben"] == elo["Cy"]
    report = report_of(league([ANA, BEN, CY], (three,)), games)
    assert not both(report, "only who wins")
    elo = {row.bot: row.elo for row in report.rows}
    assert elo["Ben"] > elo["Cy"]  # type: ignore[operator]
    luck = {g.game_id: (0.0, 0.0, 0.0) for g in games}
    info = league([ANA, BEN, CY], (winner,))
    report = report_of(info, games, luck, [value_of("dice")])
    assert both(report, "no luck is taken from the scores: only who wins counts there.")


def test_the_advantage_of_a_seat_has_a_line() -> None:
    """Of even bots, the second seat wins three games of four."""
    pairs = [(ANA, BEN), (BEN, ANA)] * 40
    games = [
        game(n, pair, (1, 2) if n // 2 % 4 == 0 else (2, 1))
        for n, pair in enumerate(pairs)
    ]
    report = report_of(league([ANA, BEN]), games)
    (label,) = json.loads(leaderboard_json(report))["labels"]
    (seat,) = label["seats"]
    assert (seat["players"], seat["seat"]) == (2, 1)
    # 191 Elo are 3:1; the phantom pulls a little.
    assert seat["elo"] == pytest.approx(187.9, abs=1.0)
    (board,) = report.boards
    assert board.certain is not None
    (term,) = board.certain.seat_terms
    line = f"dice: second seat +{term.elo:.0f} Elo (±{term.half_width:.0f})"
    assert f"- {line}\n" in leaderboard_md(report)


def rock_paper_scissors() -> list[GameRecord]:
    """Return games in which each of three beats the next in 65 of 100."""
    games: list[GameRecord] = []
    for a, b in ((ANA, BEN), (BEN, CY), (CY, ANA)):
        for n in range(50):
            first = (1, 2) if n < 35 else (2, 1)
            second = (2, 1) if n % 5 < 3 else (1, 2)
            games.append(game(len(games), (a, b), first))
            games.append(game(len(games), (b, a), second))
    return games


def test_a_cycle_is_named_with_its_scores() -> None:
    report = report_of(league([ANA, BEN, CY]), rock_paper_scissors())
    assert [row.elo for row in report.rows] == [1000.0] * 3
    sentence = (
        "dice: against some opponents, bots do better or worse than their Elo says "
        "(luck alone does this in under 0.1 % of leagues). "
        "In turn Ana beats Ben 65 %, Ben beats Cy 65 %, Cy beats Ana 65 %."
    )
    assert both(report, sentence)
    (label,) = json.loads(leaderboard_json(report))["labels"]
    assert label["cycles"] == [{"bots": ["Ana", "Ben", "Cy"], "scores": [0.65] * 3}]
    assert label["lack_of_fit"]["p"] < 0.001
    assert [x["bot"] for x in label["nash"]] == ["Ana", "Ben", "Cy"]
    assert [x["weight"] for x in label["nash"]] == pytest.approx([1 / 3] * 3, abs=1e-3)
    for text in (leaderboard_text(report, 80, ["nash"]), leaderboard_md(report)):
        assert "Nash" in text
        assert text.count("33%") == 3


def test_without_bots_that_beat_each_other_in_turn_only_the_page_tells() -> None:
    report = report_of(league([ANA, BEN, CY]), rock_paper_scissors())
    (board,) = report.boards
    assert board.shape is not None
    board = changed(board, shape=changed(board.shape, cycles=()))
    told = "under 0.1 % of leagues). See the crosstable."
    assert on_page(changed(report, boards=(board,)), told)


def test_without_a_cycle_there_is_nothing_of_it() -> None:
    games = [
        g
        for n, (a, b) in enumerate(combinations((ANA, BEN, CY), 2))
        for g in [*won(a, b, 5, 40 * n), *even(a, b, 10, 40 * n + 10)]
    ]
    report = report_of(league([ANA, BEN, CY]), games)
    assert not both(report, "against some opponents")
    assert "Nash" not in leaderboard_text(report, 80, ["nash"])
    assert "Nash" not in leaderboard_md(report)
    (label,) = json.loads(leaderboard_json(report))["labels"]
    assert (label["cycles"], label["nash"]) == ([], None)


def test_a_crosstable_marks_what_is_more_than_luck() -> None:
    games = [*won(ANA, BEN, 30, 0), *even(ANA, CY, 10, 60)]
    report = report_of(league([ANA, BEN, CY]), games)
    page = leaderboard_md(report)
    table = page.split("Who scored how much against whom")[1].split("\n\n")[1]
    header, _, *rows = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()
    )
    names = [row.bot for row in report.boards[0].rows]
    assert header == ["", "Bot", "1", "2", "3"]
    assert [row[:2] for row in rows] == [[str(n), x] for n, x in enumerate(names, 1)]
    cell = {(row[1], x): row[2 + at] for row in rows for at, x in enumerate(names)}
    assert (cell["Ana", "Ben"], cell["Ben", "Ana"]) == ("**100**", "**0**")
    assert cell["Ana", "Cy"] == "50"
    assert cell["Ben", "Cy"] == cell["Ana", "Ana"] == ""


@pytest.mark.parametrize(("bots", "shown"), [(20, True), (21, False)])
def test_many_bots_have_their_crosstable_in_its_file(bots: int, shown: bool) -> None:
    who = [entry(f"bot{n:02}", "dice") for n in range(bots)]
    games = [game(n, (who[n], who[n - 1]), (1, 2)) for n in range(bots)]
    page = leaderboard_md(report_of(league(who), games))
    assert ("Who scored how much" in page) is shown
    assert page.count("| bot") == bots * (2 + shown)


def test_a_rule_divides_what_is_surely_apart() -> None:
    who = [ANA, BEN, CY, DAN]
    games: list[GameRecord] = []
    for a, b in combinations(who, 2):
        same = {a.id, b.id} in ({ANA.id, BEN.id}, {CY.id, DAN.id})
        start = len(games)
        games += even(a, b, 40, start) if same else won(a, b, 36, start)
        games += [] if same else even(a, b, 4, len(games))
    report = report_of(league(who), games)
    assert [row.group for row in report.rows] == [1, 1, 2, 2]
    text = leaderboard_text(report, 80)
    lines = [x.split()[:2] for x in text.split("\n\n")[2].splitlines()]
    rule = lines[0]
    assert lines == [
        *(rule, ["#", "Bot"], rule),
        *(["1", "Ana"], ["1", "Ben"], rule, ["3", "Cy"], ["3", "Dan"], rule),
    ]
    cells = {
        row.bot: (row.rank_low, row.rank_high, row.is_separated) for row in report.rows
    }
    assert cells["Ben"] == (1, 2, True)
    assert cells["Dan"] == (3, 4, None)
    table = leaderboard_md(report).split("\n\n")[3].splitlines()
    assert [line.split(" | ")[1].strip() for line in table[2:]] == [
        *("Ana", "Ben", "", "Cy", "Dan")
    ]
    assert "| 1-2 | " in table[3]
