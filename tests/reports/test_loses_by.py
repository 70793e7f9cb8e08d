"""What a bot loses by, in sentences, from leagues made by hand."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from leagues import bot, fault, fill, game, label_of, league
from msgspec.structs import replace

from arena.league.config.info import EntryInfo, LabelInfo
from arena.league.results.store import Store
from arena.records.game_record import GameRecord
from arena.reports.games import read_games
from arena.reports.loses_by import loses_by
from arena.reports.report import read_report

DICE = label_of("zombie_dice", "zombie_dice", 2)
RUN = label_of("zombie_run", "zombie_run", 3)
ANA, BEN, CAT = (
    bot(name, "zombie_dice", "zombie_run") for name in ("Ana", "Ben", "Cat")
)


def played(
    number: int,
    seats: Sequence[EntryInfo],
    scores: Sequence[float],
    label: LabelInfo = DICE,
    **parts: object,
) -> GameRecord:
    """Return a game that ended with these scores."""
    fewer = label.game == "zombie_run"
    order = sorted(scores, reverse=not fewer)
    places = [1 + order.index(score) for score in scores]
    record = game(number, seats, places, label.label, **parts)  # type: ignore[arg-type]
    return replace(record, scores=tuple(map(float, scores)))


def sentences(
    folder: Path, records: Iterable[GameRecord], who: str, label: LabelInfo = DICE
) -> tuple[str, ...]:
    fill(folder, league([ANA, BEN, CAT], [DICE, RUN]), records)
    with Store.read(folder) as store:
        report = read_report(store)
        own = loses_by(report, read_games(store, report))[who]
    found = {x.label: x.sentences for x in own}
    return found.get(label.label, ())


def test_margins_are_those_of_the_games_own_score(tmp_path: Path) -> None:
    ends = [(13, 12), (13, 7), (14, 14), (3, 13), (10, 14), (12, 13)]
    records = [played(i, (ANA, BEN), end) for i, end in enumerate(ends)]
    assert sentences(tmp_path, records, "Ana") == (
        "It lost 3 of 6 games, on average by 5.0 brains; 1 of them by only 1 brain.",
        "It won 2, on average by 3.5 brains.",
    )


def test_at_larger_tables_the_winner_is_what_counts(tmp_path: Path) -> None:
    ends = [(10, 30, 20), (40, 30, 20), (50, 30, 20), (20, 20, 30), (9, 8, 7)]
    records = [played(i, (ANA, BEN, CAT), end, RUN) for i, end in enumerate(ends)]
    first, second, *_ = sentences(tmp_path, records, "Ana", RUN)
    # In the fourth game it shares the first place, and has neither lost nor won alone.
    assert first == "It lost 3 of 5 games, on average by 17.3 zombies."
    assert second == "It won 1, on average by 10.0 zombies."


def test_where_all_margins_are_alike_none_is_told(tmp_path: Path) -> None:
    records = [played(i, (ANA, BEN), (13, 12)) for i in range(5)]
    assert sentences(tmp_path / "b", records, "Ben") == ("It lost 5 of 5 games.",)
    assert sentences(tmp_path / "a", records, "Ana") == ("It lost 0 of 5 games.",)


def test_games_that_somebody_forfeited_say_nothing_of_it(tmp_path: Path) -> None:
    ends = [(13, 12), (13, 7), (13, 9), (3, 13), (10, 14)]
    records = [played(i, (ANA, BEN), end) for i, end in enumerate(ends)]
    gone = [
        played(9, (ANA, BEN), (0, 1), faults=(fault(0, ANA),)),
        played(11, (ANA, BEN), (1, 0), faults=(fault(1, BEN),)),
    ]
    told = sentences(tmp_path / "with", [*records, *gone], "Ana")
    assert told == sentences(tmp_path / "without", records, "Ana")


def test_with_few_games_nothing_is_said(tmp_path: Path) -> None:
    records = [played(i, (ANA, BEN), (13, 12 - i)) for i in range(4)]
    assert sentences(tmp_path, records, "Ana") == ()


def test_a_seat_is_told_only_if_luck_hardly_makes_it(tmp_path: Path) -> None:
    def games(first: int, second: int) -> list[GameRecord]:
        """Ana wins so many of 20 games in each seat."""
        return [
            *(
                played(i, (ANA, BEN), (13, 5) if i < first else (5, 13))
                for i in range(20)
            ),
            *(
                played(20 + i, (BEN, ANA), (5, 13) if i < second else (13, 5))
                for i in range(20)
            ),
        ]

    said = "In seat 0 it scores 25 %, in seat 1 75 %."
    assert said in sentences(tmp_path / "much", games(5, 15), "Ana")
    little = sentences(tmp_path / "little", games(8, 12), "Ana")
    assert not [line for line in little if "seat" in line]


def test_whom_it_loses_to_most_if_luck_hardly_makes_it(tmp_path: Path) -> None:
    def games(number: int) -> list[GameRecord]:
        """Ana loses all of these against Ben, and half of them against Cat."""
        to_ben = [played(i, (ANA, BEN), (5 + i % 2, 13)) for i in range(number)]
        ends = [(5, 13) if i % 2 else (13, 5) for i in range(number)]
        return to_ben + [played(50 + i, (ANA, CAT), end) for i, end in enumerate(ends)]

    said = "It loses most to Ben: 20 of 20 games."
    assert sentences(tmp_path / "much", games(20), "Ana")[-1] == said
    little = sentences(tmp_path / "little", games(6), "Ana")
    assert not [line for line in little if "most" in line]
    # Nobody to compare with.
    alone = sentences(tmp_path / "alone", games(20), "Ben")
    assert not [line for line in alone if "most" in line]


def test_its_own_forfeits_are_no_merit_of_others(tmp_path: Path) -> None:
    records = [played(i, (ANA, BEN), (5 + i % 2, 13)) for i in range(6)]
    records += [played(10 + i, (ANA, CAT), (13, 5)) for i in range(6)]
    records += [
        played(20 + i, (ANA, CAT), (0, 1), faults=(fault(0, ANA),)) for i in range(40)
    ]
    assert sentences(tmp_path, records, "Ana")[-1] == (
        "It loses most to Ben: 6 of 6 games."
    )
