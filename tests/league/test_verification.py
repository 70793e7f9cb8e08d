"""What a revealed key proves: games that were chosen among many are found out too."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.errors import RecordError
from arena.games import TERMINAL, Table, get_game
from arena.league.config.info import EntryInfo, LabelInfo, LeagueInfo
from arena.league.config.keys import commitment_to
from arena.league.results.store import LuckTerms, Store
from arena.league.results.verification import verify
from arena.league.schedule.identity import (
    CONFIRMATION,
    GameTerms,
    fixture_seed,
    match_seed,
    seating_seed,
)
from arena.records.batch import to_batches
from arena.records.game_record import GameRecord
from arena.referee.work_unit import Limits

KEY = bytes(range(32))
DICE = get_game("zombie_dice", 2, {"target": 3})
TERMS = LuckTerms("dice", "[the rules]", GameTerms("the limits", ("unusual",)))
OLDER = LuckTerms("dice", "[the rules]", GameTerms("other limits", ()))
VERSIONS = {"a:A": "[1, 2]", "b:B": "[3]"}
IDS = tuple(VERSIONS)


def luck(
    repetition: int,
    series: str = "",
    terms: LuckTerms = TERMS,
    versions: dict[str, str] = VERSIONS,
) -> bytes:
    between = terms.game_terms.between(versions[x] for x in IDS)
    return fixture_seed(match_seed(KEY, terms.rules, IDS, between), series, repetition)


def fixture(seed: bytes) -> list[GameRecord]:
    """Play both games of a fixture."""
    return [game(seed, seats) for seats in (IDS, IDS[::-1])]


def game(seed: bytes, seats: Sequence[str]) -> GameRecord:
    table = Table(DICE, seed)
    while table.advance() != TERMINAL:
        table.act(table.state.legal_actions()[-1])
    return record(seed, seats, tuple(table.history))


def record(seed: bytes, seats: Sequence[str], history: tuple[str, ...]) -> GameRecord:
    return GameRecord(
        game_id=f"{seed.hex()[:16]} {seats[0][0]}",
        fixture_id=seed.hex()[:16],
        match_id="m",
        label="dice",
        seats=tuple(seats),
        returns=(1.0, 0.0),
        places=(1, 2),
        scores=(1.0, 0.0),
        termination="natural",
        forfeits=(False, False),
        decisions=1,
        seconds=(0.0, 0.0),
        history=history,
        seed=seed if history else b"",
    )


def check(
    folder: Path,
    games: Iterable[GameRecord],
    missing: Iterable[str] = (),
    terms: LuckTerms = TERMS,
) -> tuple[int, int]:
    """Verify a league of these games, run with two versions and by two terms."""
    label = LabelInfo(
        label="dice",
        game="zombie_dice",
        title="Dice",
        players=2,
        options=DICE.options_dict,
        changed=("target",),
        house_rules=(),
        weight=1.0,
    )
    info = LeagueInfo(
        name="small",
        seed=None,
        isolation="process",
        limits=Limits(),
        anchor=None,
        labels=(label,),
        entries=tuple(EntryInfo(x, x, f"{x}.py", ("dice",)) for x in IDS),
        commitment=commitment_to(KEY),
    )
    games = list(games)
    plan = [*(x.game_id for x in games), *missing]
    with Store.open(folder) as store:
        store.begin(info, plan, VERSIONS | {"a:A": "[an older one]"}, [OLDER])
        store.begin(info, plan, VERSIONS, [terms])
        store.add(to_batches(games))
        found = verify(store, KEY)
        return found.games, found.without_luck


def refusal(folder: Path, games: Iterable[GameRecord], terms: LuckTerms = TERMS) -> str:
    with pytest.raises(RecordError, match=r"\A[^\n]*\Z") as caught:
        check(folder, games, terms=terms)
    return str(caught.value)


def test_the_first_fixtures_of_each_series_are_verified(tmp_path: Path) -> None:
    seeds = [*map(luck, range(40)), luck(0, CONFIRMATION), luck(1, CONFIRMATION)]
    games = [game for seed in seeds for game in fixture(seed)]
    assert check(tmp_path, games) == (84, 0)


def test_luck_of_another_version_or_other_terms_is_not_the_leagues(
    tmp_path: Path,
) -> None:
    """The plan has games of those who are entered, by the terms of now, only."""
    older = VERSIONS | {"a:A": "[an older one]"}
    for number, seed in enumerate((luck(0, "", OLDER), luck(0, "", TERMS, older))):
        games = [*fixture(luck(1)), *fixture(seed)]
        said = refusal(tmp_path / str(number), games)
        assert "its luck does not follow from this key" in said


def test_fixtures_that_were_chosen_among_many_are_found(tmp_path: Path) -> None:
    """Each follows from the key, but a league plays the first ones."""
    games = [x for i in (0, 1, 7) for x in fixture(luck(i))]
    assert refusal(tmp_path, games) == (
        f"{tmp_path}/league.sqlite: dice between a:A and b:B: these are not the first "
        "fixtures that follow from the key, so somebody has chosen among them"
    )


def test_fixtures_in_quarantine_are_no_gap(tmp_path: Path) -> None:
    forfeited = [record(luck(1), seats, ()) for seats in (IDS, IDS[::-1])]
    games = [*fixture(luck(0)), *forfeited, *fixture(luck(2))]
    assert check(tmp_path, games) == (4, 2)


def test_a_league_that_is_not_over_may_have_gaps(tmp_path: Path) -> None:
    games = [x for i in (0, 2) for x in fixture(luck(i))]
    assert check(tmp_path, games, missing=["1 a", "1 b"]) == (4, 0)


def test_luck_beyond_the_plan_is_not_found(tmp_path: Path) -> None:
    games = [*fixture(luck(0)), *fixture(luck(1000))]
    assert "its luck does not follow from this key" in refusal(tmp_path, games)


OWN = LuckTerms(
    "dice",
    "[the rules]",
    GameTerms("limits", ('"restart: league, and luck for each seating"',)),
)


def own_luck(repetition: int, *, swapped: bool = False) -> list[GameRecord]:
    """Play a fixture whose games have luck of their own, or that of the other one."""
    shared = luck(repetition, terms=OWN)
    return [
        replace(game(seating_seed(shared, first ^ swapped), seats), fixture_id=str(n))
        for n in [repetition]
        for first, seats in enumerate((IDS, IDS[::-1]))
    ]


def test_where_each_seating_has_its_luck_nobody_else_has_it(tmp_path: Path) -> None:
    games = [*own_luck(0), *own_luck(1)]
    assert check(tmp_path / "right", games, terms=OWN) == (4, 0)
    games = [*own_luck(0), *own_luck(1, swapped=True)]
    assert "its luck does not follow" in refusal(tmp_path / "swapped", games, terms=OWN)
    assert "its luck does not follow" in refusal(tmp_path / "shared", games)
    games = [*own_luck(0), *own_luck(2)]
    assert "not the first fixtures" in refusal(tmp_path / "chosen", games, terms=OWN)


def test_a_history_that_the_rules_do_not_allow_is_named(tmp_path: Path) -> None:
    (first, second) = fixture(luck(0))
    for moves in (("stop", *first.history), (*first.history, "stop"), ("nonsense",)):
        wrong = record(luck(0), first.seats, moves)
        folder = tmp_path / str(len(moves))
        assert "does not follow from its luck, from '" in refusal(
            folder, [wrong, second]
        )
