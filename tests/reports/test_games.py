"""What single games say, and which of them are worth a look."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from leagues import entry, fault, fill, game, label_info, league
from matrix import divided
from msgspec.structs import replace

from arena.league.config.info import EntryInfo, LeagueInfo
from arena.league.results.store import Store
from arena.records.decision_times import DecisionTimes
from arena.records.game_record import Fault, GameRecord
from arena.referee.work_unit import Limits
from arena.reports import highlights
from arena.reports.export import export_lines
from arena.reports.files import times_csv
from arena.reports.game_refs import End, GameRefs, Seating
from arena.reports.games import Games, read_games
from arena.reports.head_to_head import HeadToHead
from arena.reports.highlights import Highlight, Reason, usual_losses
from arena.reports.report import Report, read_report
from arena.reports.tables.notes import run_notes

ANA, BEN, CY, DI = (entry(name, "dice", "run") for name in ("Ana", "Ben", "Cy", "Di"))
EVERYBODY = [ANA, BEN, CY, DI]
BOTH = league(EVERYBODY, ("dice", "run"))


def read(info: LeagueInfo, records: Iterable[GameRecord]) -> tuple[Report, Games]:
    with TemporaryDirectory() as folder:
        fill(Path(folder), info, records)
        with Store.read(Path(folder)) as store:
            report = read_report(store)
            return report, read_games(store, report)


def out(seat: int, who: EntryInfo) -> Fault:
    return fault(seat, who, "quarantine", message="not played")


def ended(record: GameRecord, scores: Sequence[float], decisions: int) -> GameRecord:
    return replace(record, scores=tuple(float(x) for x in scores), decisions=decisions)


def of(games: Games, reason: Reason) -> list[Highlight]:
    return [x for x in games.highlights if x.reason is reason]


def ids(games: Games, reason: Reason) -> list[str]:
    return [x.game.game_id for x in of(games, reason)]


HAND = [
    game(0, (ANA, BEN), (1, 2)),
    game(1, (BEN, ANA), (1, 1)),
    game(2, (ANA, BEN), (2, 1), faults=(fault(0, ANA, "crash"),)),
    game(3, (BEN, ANA), (2, 1), faults=(out(0, BEN),)),
    # At a table of three, Cy is between the other two.
    game(4, (ANA, CY, BEN), (3, 2, 1)),
    game(6, (CY, ANA), (1, 2), label="run"),
]


def test_a_league_counted_by_hand() -> None:
    report, games = read(BOTH, HAND)
    ana = games.by_bot["Ana"]
    assert [row.bot for row in report.rows] == ["Cy", "Ana", "Ben", "Di"]
    assert [
        (x.label, x.opponent, x.games, x.wins, x.draws, x.losses, x.forfeits, x.score)
        for x in ana.head_to_head
    ] == [
        ("dice", "Cy", 1, 0, 0, 1, 0, 0.0),
        ("dice", "Ben", 5, 2, 1, 2, 1, 0.5),
        ("run", "Cy", 1, 0, 0, 1, 0, 0.0),
    ]
    assert ana.losses == {"dice": {"crash": 1, "beaten": 1}, "run": {"beaten": 1}}
    assert games.by_bot["Ben"].losses == {"dice": {"beaten": 1, "quarantine": 1}}
    assert ana.first_fault is not None
    assert ana.first_fault.game_id == "g002"
    # What was not played is a fault, but none to look at, nor a game of the list.
    assert games.by_bot["Ben"].first_fault is not None
    assert games.refs.ids == ["g000", "g001", "g002", "g004", "g006"]
    assert ids(games, Reason.FORFEIT) == ["g002"]
    assert of(games, Reason.FORFEIT)[0].why == "Ana forfeited after 3 decisions: crash"
    assert games.by_bot["Di"].head_to_head == ()
    assert games.by_bot["Di"].losses == {}
    assert not any(row.bot == "Di" for row in report.times)


def test_the_first_fault_is_one_to_look_at() -> None:
    records = [
        game(0, (ANA, BEN), (2, 1), faults=(out(0, ANA),)),
        game(1, (BEN, ANA), (1, 2), faults=(fault(1, ANA, "exit"),)),
        game(2, (BEN, ANA), (1, 2), faults=(fault(1, ANA, "crash"),)),
        game(3, (CY, BEN), (2, 1), faults=(out(0, CY),)),
    ]
    _, games = read(league(EVERYBODY), records)
    first = {bot: own.first_fault for bot, own in games.by_bot.items()}
    found = {bot: one and one.game_id for bot, one in first.items()}
    assert found == {"Ana": "g001", "Ben": None, "Cy": "g003", "Di": None}


def drawn_by_lot(seed: int, seats: Sequence[int] = (2, 3)) -> list[GameRecord]:
    """Return games of the first ones more than of the last ones, of all kinds."""
    rng = Random(seed)
    games = []
    for number in range(160):
        bots = rng.sample(EVERYBODY, rng.choice(seats))
        order = sorted(
            range(len(bots)), key=lambda i: bots[i].id + "x" * rng.randrange(9)
        )
        places = [1 + order.index(seat) for seat in range(len(bots))]
        if rng.random() < 0.15:
            places = [1] * len(bots)
        faults: tuple[Fault, ...] = ()
        if rng.random() < 0.2:
            places = [*range(2, len(bots) + 1), 1]
            rng.shuffle(places)
            last = places.index(max(places))
            kind = rng.choice(["crash", "timeout", "quarantine"])
            faults = (fault(last, bots[last], kind, message=f"{number} times"),)
        label = rng.choice(["dice", "run"])
        record = game(number, bots, places, label, faults)
        scores = [rng.randrange(20) for _ in bots]
        counts = ((rng.randrange(100, 104), 2), (120, rng.randrange(1, 5)))
        times = tuple(DecisionTimes(0.25, counts) for _ in bots)
        games.append(replace(ended(record, scores, rng.randrange(99)), times=times))
    return games


def labelled(games: Games, bot: str, label: str) -> list[HeadToHead]:
    return [x for x in games.by_bot[bot].head_to_head if x.label == label]


@pytest.mark.parametrize("seed", divided(range(3), lambda seed: seed == 0))
def test_scores_and_losses_are_those_of_the_report(seed: int) -> None:
    report, games = read(BOTH, drawn_by_lot(seed))
    for row in report.rows:
        own = games.by_bot[row.bot]
        for label, part in row.per_game.items():
            assert own.losses[label].total() == part.losses
        assert any(x.forfeits for x in own.head_to_head) == bool(row.forfeits)
    compared = 0
    for board in report.boards:
        table = board.crosstable
        assert table is not None
        for i, bot in enumerate(table.entries):
            found = {x.opponent: x for x in labelled(games, bot, board.label.label)}
            for j, other in enumerate(table.entries):
                if table.games[i][j]:
                    assert found[other].games == table.games[i][j]
                    assert found[other].score == pytest.approx(table.score[i][j])
                    compared += 1
            assert len(found) == sum(map(bool, table.games[i]))
    assert compared == 2 * 4 * 3


def test_all_is_as_in_the_exported_lines(tmp_path: Path) -> None:
    """An independent count, over games of two."""
    fill(tmp_path, BOTH, drawn_by_lot(5, seats=(2,)))
    with Store.read(tmp_path) as store:
        games = read_games(store, read_report(store))
        lines = [json.loads(line) for line in export_lines(store)]
    played = [line for line in lines if line["termination"] != "quarantine"]
    assert 0 < len(played) < len(lines)
    assert len(games.refs) == len(played)
    for ref, line in zip(games.refs, played, strict=True):
        for name in ("game_id", "label", "termination", "decisions"):
            assert getattr(ref, name) == line[name]
        assert [*ref.bots] == line["seats"]
        assert [*ref.scores] == line["scores"]
        assert [*ref.forfeits] == line["forfeits"]
    points: Counter[tuple[str, str, str]] = Counter()
    tally: Counter[tuple[str, str, str, str]] = Counter()
    for line in lines:
        for seat, other in ((0, 1), (1, 0)):
            key = line["label"], line["seats"][seat], line["seats"][other]
            points[key] += line["returns"][seat]
            mine = line["returns"][seat]
            end = "wins" if mine == 1 else "draws" if mine else "losses"
            tally[(*key, end)] += 1
            tally[(*key, "forfeits")] += line["forfeits"][seat]
    found = {
        (x.label, bot, x.opponent): x
        for bot, own in games.by_bot.items()
        for x in own.head_to_head
    }
    assert found.keys() == points.keys()
    for key, versus in found.items():
        assert versus.score == pytest.approx(points[key] / versus.games)
        for end in ("wins", "draws", "losses", "forfeits"):
            assert getattr(versus, end) == tally[(*key, end)]


def test_all_expectations_of_a_bot_add_up_to_its_score() -> None:
    """At the fit's maximum, with one drawn game against a phantom; seats included."""
    report, games = read(BOTH, drawn_by_lot(7, seats=(2,)))
    for board in report.boards:
        assert board.fits is not None
        fit = board.fits.fit
        assert fit.seat_terms
        (phantom,) = fit.phantoms
        for rating in fit.ratings:
            surplus = 0.0
            for x in labelled(games, rating.entry, board.label.label):
                assert x.expected is not None
                surplus += x.games * (x.score - x.expected)
            against_phantom = 1 / (1 + 10 ** ((phantom - rating.elo) / 400))
            assert surplus == pytest.approx(against_phantom - 0.5, abs=1e-6)


def test_the_order_of_recording_makes_no_difference() -> None:
    records = drawn_by_lot(9)
    found = []
    for _ in range(2):
        _, games = read(BOTH, records)
        found.append((games.by_bot, games.highlights, [*games.refs]))
        Random(1).shuffle(records)
    assert found[0] == found[1]


def test_times_are_counted_by_label() -> None:
    seen = (DecisionTimes(0.3, ((100, 2), (140, 1))), DecisionTimes(0.1, ((100, 1),)))
    records = [
        replace(game(0, (ANA, BEN), (1, 2)), times=seen),
        replace(game(1, (BEN, ANA), (1, 2)), times=seen[::-1]),
        replace(game(2, (ANA, CY), (1, 2), "run"), times=seen),
    ]
    report, _ = read(BOTH, records)
    seconds = {x.label: x.histogram for x in report.times if x.bot == "Ana"}
    assert list(seconds) == ["all", "dice", "run"]
    assert [count for _, count in seconds["all"]] == [6, 3]
    assert [count for _, count in seconds["dice"]] == [4, 2]
    # A bucket of an eighth of an octave, from 1 µs on.
    assert [up_to for up_to, _ in seconds["dice"]] == pytest.approx(
        [1e-6 * 2 ** (101 / 8), 1e-6 * 2 ** (141 / 8)]
    )
    assert [count for _, count in seconds["run"]] == [2, 1]


def test_a_label_that_is_called_all_is_not_taken_for_all_labels() -> None:
    slow = replace(CY, labels=("all", "run")), replace(DI, labels=("all", "run"))
    records = [
        game(n, slow, (1, 2), label) for n, label in enumerate(("all", "run", "run"))
    ]
    info = league(slow, ("all", "run"))
    report, _ = read(replace(info, limits=Limits(move=0.1)), records)
    assert [(x.label, x.is_total, x.decisions) for x in report.times[:3]] == [
        ("all", True, 6),
        ("all", False, 2),
        ("run", False, 4),
    ]
    rows = list(csv.DictReader(StringIO(times_csv(report))))
    cy = [(x["label"], x["decisions"]) for x in rows if x["bot"] == "Cy"]
    assert cy == [("all", "6"), ("all", "2"), ("run", "4")]
    assert len(run_notes(report)) == 2


def meetings(scores: Mapping[int, Sequence[float]]) -> list[GameRecord]:
    """Return a game of each two of the four, in turn, with these scores by number."""
    pairs = list(combinations(EVERYBODY, 2))
    return [
        ended(
            game(n, pairs[n % 6], (1, 1) if own[0] == own[1] else (1, 2)), own, 10 + n
        )
        for n, own in scores.items()
    ]


def test_the_closest_are_the_longest_of_those_with_the_least_margin() -> None:
    scores = [(9, 8), (9, 1), (5, 5), (7, 6), (3, 2), (9, 4), (8, 7), (9, 2), (6, 6)]
    records = meetings(dict(enumerate(scores)))
    forfeit = game(9, (BEN, CY), (1, 2), faults=(fault(1, CY),))
    records.append(ended(forfeit, (4, 4), 99))
    _, games = read(league(EVERYBODY), records)
    # Number 2 is of the same two as number 8, and 1 as number 7.
    assert ids(games, Reason.CLOSEST) == ["g008", "g006", "g004"]
    assert [x.why for x in of(games, Reason.CLOSEST)] == [
        "a shared first place, 6 to 6 after 18 decisions",
        "8 to 7 after 16 decisions",
        "3 to 2 after 14 decisions",
    ]
    assert ids(games, Reason.LONGEST) == ["g008", "g007", "g006"]
    why = of(games, Reason.LONGEST)[0].why
    assert why == "18 decisions; half of the games have at most 14"


def test_where_all_games_end_alike_none_is_closest() -> None:
    records = [ended(g, (1, 0), 7) for g in meetings(dict.fromkeys(range(6), (1, 0)))]
    _, games = read(league(EVERYBODY), records)
    assert not of(games, Reason.CLOSEST)
    assert not of(games, Reason.LONGEST)


def test_labels_take_turns() -> None:
    records = [
        replace(record, game_id=f"{label}{n}", label=label)
        for label in ("dice", "run")
        for n, record in enumerate(meetings({0: (9, 8), 1: (9, 7), 2: (9, 6)}))
    ]
    _, games = read(BOTH, records)
    told = ["dice0", "run0", "dice1", "run1", "dice2", "run2"]
    assert ids(games, Reason.CLOSEST) == told


def test_an_upset_is_a_win_against_the_elo() -> None:
    records = [game(n, (ANA, BEN), (1, 2)) for n in range(9)]
    records.append(game(9, (ANA, BEN), (2, 1)))
    report, games = read(league(EVERYBODY), records)
    (upset,) = of(games, Reason.UPSET)
    assert (upset.game.game_id, upset.bot) == ("g009", "Ben")
    board = report.boards[0]
    assert board.fits is not None
    elo = {x.entry: x.elo for x in board.fits.fit.ratings}
    percent = 100 / (1 + 10 ** ((elo["Ana"] - elo["Ben"]) / 400))
    assert upset.why == f"Ben won; by Elo it scores {percent:.1f} % against Ana"
    # Nine games are too few for anybody to be expected to win.
    _, games = read(league(EVERYBODY), records[1:])
    assert not of(games, Reason.UPSET)
    # Nor is a forfeit an achievement of the other's.
    records[9] = game(9, (ANA, BEN), (2, 1), faults=(fault(0, ANA),))
    _, games = read(league(EVERYBODY), records)
    assert not of(games, Reason.UPSET)


def test_of_many_forfeits_those_that_differ_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(highlights, "_MAX_FORFEITS", 8)
    monkeypatch.setattr(highlights, "_MAX_FORFEITS_ALIKE", 3)
    monkeypatch.setattr(highlights, "_MAX_FORFEITS_OF_BOT", 4)
    messages = [f"after {n} s" for n in range(6)] + ["KeyError: 'a'", "KeyError: 'b'"]
    records = [
        game(n, (ANA, BEN), (2, 1), faults=(fault(0, ANA, message=text),))
        for n, text in enumerate(messages)
    ]
    records.append(game(8, (BEN, ANA), (2, 1), faults=(fault(0, BEN),)))
    _, games = read(league(EVERYBODY), records)
    assert ids(games, Reason.FORFEIT) == ["g000", "g001", "g006", "g007", "g008"]
    assert {x.bot: x.step for x in of(games, Reason.FORFEIT)} == {"Ana": 3, "Ben": 3}
    _, games = read(league(EVERYBODY), records[1:])
    assert len(ids(games, Reason.FORFEIT)) == 8


def test_a_sample_of_each_pairing_and_label(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        game(0, (ANA, BEN), (2, 1), faults=(fault(0, ANA),)),
        game(1, (ANA, BEN), (1, 2)),
        game(2, (BEN, ANA), (1, 2)),
        game(3, (ANA, CY, DI), (1, 2, 3)),
        game(4, (CY, DI), (1, 2)),
        game(5, (CY, DI), (1, 2), "run"),
        game(6, (BEN, DI), (2, 1), faults=(fault(0, BEN),)),
    ]
    info = league(EVERYBODY, (label_info("dice"), "run"))
    _, games = read(info, records)
    # One game of three is that of three pairs, and better a forfeit than nothing.
    assert ids(games, Reason.SAMPLE) == ["g001", "g003", "g005", "g006"]
    assert of(games, Reason.SAMPLE)[1].why == "one of Ana, Cy and Di, by lot"
    assert games.replays >= {"g000", "g001", "g003", "g005", "g006"}
    monkeypatch.setattr(highlights, "_MAX_SAMPLES", 2)
    _, games = read(info, records)
    assert ids(games, Reason.SAMPLE) == ["g001", "g003"]


def test_a_league_without_games() -> None:
    _, games = read(league(EVERYBODY), ())
    assert (len(games.refs), games.highlights) == (0, ())
    assert set(games.by_bot) == {"Ana", "Ben", "Cy", "Di"}


def test_a_usual_loss_is_the_one_in_the_middle_of_those_to_be_watched() -> None:
    refs = GameRefs()
    # What Ben scores against 13; he forfeits one game, and wins the last.
    for number, own in enumerate((12.0, 3.0, 7.0, 0.0, 8.0, 20.0)):
        places = (1, 2) if own < 13 else (2, 1)
        end = End((13.0, own), places, (False, number == 4), "natural")
        refs.add(f"{number}", *refs.numbers(Seating("dice", ("Ana", "Ben")), end), 9)
    (ben,) = usual_losses(refs, {"0", "1", "2", "4", "5"})["Ben"]
    assert (ben.game.game_id, ben.why) == ("2", "a usual loss, 7 to 13")
    (ana,) = usual_losses(refs, {"0", "5"})["Ana"]
    assert (ana.game.game_id, ana.why) == ("5", "a usual loss, 13 to 20")
    assert usual_losses(refs, ()) == {}
