"""Luck in the league: worked out once, by processes that harm nothing, and kept."""

import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest
import trio
from matrix import divided
from plans import game_record, league, league_game
from toys import installed
from trio.testing import MockClock

from arena.errors import RecordError, find_error
from arena.games import CHANCE, State, Table, get_game
from arena.league.config.info import LeagueInfo
from arena.league.config.league_file import LeagueConfig
from arena.league.play import league_luck
from arena.league.play.league_luck import work_out_luck
from arena.league.results.luck_table import LabelValue
from arena.league.results.store import FILE_NAME, Store
from arena.records.batch import to_batches
from arena.records.game_record import GameRecord
from arena.referee.work_unit import Limits
from arena.worker.protocol import GameSpec

Luck = list[tuple[float, ...] | None]
OPTIONS = {"target": 4}
AT_ONCE = 5
TIMEOUT_S = 120.0
"""For anything to happen in a test; then it has failed."""


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the processes find the toys; return a file that stops one of them."""
    monkeypatch.setattr(league_luck, "_REQUEST_GAMES", AT_ONCE)
    path = installed(tmp_path / "site")
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("TOY_STUCK", str(tmp_path / "stuck"))
    return tmp_path / "stuck"


def games_of(*names: str, players: int = 2, **changes: object) -> LeagueConfig:
    """Return a league of toy games, each under its name."""
    games = [
        league_game(
            "zombie_dice",
            label=name,
            spec=GameSpec(name, f"arena_toys:game_{name}", players, OPTIONS),
        )
        for name in names
    ]
    return league(*games, **changes)


def record(
    label: str, number: int, players: int = 2, length: int | None = None
) -> GameRecord:
    """Return a game by chance, or the beginning of it."""
    table = Table(
        get_game("zombie_dice", players, OPTIONS), f"{label} {number}".encode()
    )
    luck = Random(number)
    while table.advance() >= 0:
        table.act(luck.choice(table.state.legal_actions()))
    seats = tuple(f"bot{seat}" for seat in range(players))
    return game_record(
        seats,
        game_id=f"{label}-{number:03}",
        fixture_id=f"{label}-{number // players}",
        label=label,
        decisions=table.decisions,
        history=tuple(table.history[:length]),
    )


def begin(store: Store, records: Sequence[GameRecord]) -> None:
    """Make a league of just these games."""
    info = LeagueInfo(
        name="toys",
        seed=1,
        isolation="process",
        limits=Limits(move=1.0),
        anchor=None,
        labels=(),
        entries=(),
    )
    store.begin(info, [game.game_id for game in records])
    # Each in a batch of its own: a request holds no fewer games than a batch.
    for game in records:
        store.add(to_batches([game]))


def work_out(
    config: LeagueConfig, store: Store, workers: int = 1
) -> tuple[dict[str, LabelValue], Luck]:
    """Work out luck; return what is said of each label, and that of each game."""
    trio.run(work_out_luck, config, store, workers, _ignore)
    values = {value.label: value for value in store.luck_table.values()}
    return values, [luck for _, luck in store.records_with_luck()]


def _ignore(what: str) -> None:
    """It does not matter how long a test takes."""


def expected(games: Sequence[GameRecord]) -> Any:
    """Return the luck that games must have, worked out here."""
    return [pytest.approx(_luck(game), abs=1e-12) for game in games]


def _luck(game: GameRecord) -> list[float]:
    state = get_game("zombie_dice", len(game.seats), OPTIONS).new_state()
    pairs = len(game.seats) * (len(game.seats) - 1) // 2
    luck = 0.0
    for x in game.history:
        if state.current_player() == CHANCE:
            luck -= sum(p * _share(state, o) for o, p in state.chance_outcomes())
            luck += _share(state, x)
        state.apply(x)
    return [luck / (i + 1) for i in range(pairs)]


def _share(state: State, outcome: str) -> float:
    after = state.clone()
    after.apply(outcome)
    return crc32(after.to_text().encode()) / 2**32


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path / FILE_NAME)) as database:
        return database.execute("SELECT * FROM luck ORDER BY game_id").fetchall()


@pytest.mark.parametrize("numbers", divided([{2}, {1, 2, 3}], lambda n: len(n) == 1))
def test_every_game_gets_its_luck_whoever_works_it_out(
    numbers: set[int], tmp_path: Path
) -> None:
    games = [record("toy", n) for n in range(4 * AT_ONCE)]
    games += [record("noisy", 0)]
    found = set()
    for workers in numbers:
        folder = tmp_path / str(workers)
        with Store.open(folder) as store:
            begin(store, games)
            values, luck = work_out(games_of("toy", "noisy"), store, workers)
        assert luck == expected(games)
        assert any(luck[0] or ())
        assert values["toy"] == LabelValue(
            label="toy", game="toy", version="1", digest="0123456789abcdef"
        )
        found.add(tuple(rows(folder)))
    assert len(found) == 1


def test_a_game_that_came_to_no_end_has_the_luck_until_there(tmp_path: Path) -> None:
    whole = record("toy", 0, players=3)
    games = [whole]
    games += [record("toy", n, players=3, length=n - 1) for n in range(1, 8)]
    with Store.open(tmp_path) as store:
        begin(store, games)
        _, luck = work_out(games_of("toy", players=3), store)
    assert luck == expected(games)
    # Quarantined, or forfeited by all: nothing has happened.
    assert luck[1] == (0.0, 0.0, 0.0)


def test_what_is_known_is_worked_out_again_only_with_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [record("toy", n) for n in range(5)]
    config = games_of("toy")
    with Store.open(tmp_path) as store:
        begin(store, games[:3])
        _, old = work_out(config, store)
        # Had anything been worked out again, it would now be something else.
        monkeypatch.setenv("TOY_SALT", "x")
        begin(store, games)
        _, luck = work_out(config, store)
        assert luck[:3] == old == expected(games[:3])
        assert None not in luck
        assert luck[3:] != expected(games[3:])
        monkeypatch.setenv("TOY_VERSION", "2")
        values, new = work_out(config, store)
    assert values["toy"].version == "2"
    assert None not in new
    assert new[3:] == luck[3:]
    assert all(a != b for a, b in zip(old, new, strict=False))
    assert [row[1] for row in rows(tmp_path)] == ["toy 2 0123456789abcdef"] * 5


REASONS = {
    "worthless": "nobody has given the game a value",
    "refusing": "only 1 player can be valued",
    "unready": "its value can't be used (KeyError: 'table')",
    "leaving": "its value can't be used (SystemExit: away)",
    "dead": "its value can't be used (so long)",
    "failing": "its value failed in game failing-{}: RuntimeError: "
    "too many \N{REPLACEMENT CHARACTER}[31mbrains",
    "dying": "its value failed in game dying-000: it ended without a word",
    "boundless": "its value failed in game boundless-000: ValueError: "
    "the luck came to (nan,)",
    "unlike": "its value is another in another process",
}


@pytest.mark.parametrize("workers", divided((1, 2), lambda workers: workers == 1))
def test_a_value_that_fails_harms_only_its_label_and_it_is_said_why(
    workers: int, tmp_path: Path
) -> None:
    names = [*REASONS, "toy"]
    games = [record(name, n) for name in names for n in range(12)]
    first = next(n for n in range(12) if _most(record("failing", n)) > 2)
    with Store.open(tmp_path) as store:
        begin(store, games)
        values, luck = work_out(games_of(*names), store, workers)
    assert luck == [None] * (12 * len(REASONS)) + expected(games[-12:])
    reasons = {x: reason.format(f"{first:03}") for x, reason in REASONS.items()}
    assert {x: value.reason for x, value in values.items()} == {**reasons, "toy": ""}


def _most(game: GameRecord) -> float:
    """Return the highest score that was ever there in a game."""
    state = get_game("zombie_dice", 2, OPTIONS).new_state()
    most = 0.0
    for x in game.history:
        state.apply(x)
        most = max(most, *state.scores())
    return most


def test_a_league_can_do_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    with Store.open(tmp_path) as store:
        begin(store, [record("toy", 0)])
        config = games_of("toy", "refusing", luck_adjustment=False)
        values, luck = work_out(config, store)
    assert luck == [None]
    reason = "luck_adjustment is off in the league's file"
    assert {v.label: v.reason for v in values.values()} == {
        "toy": reason,
        "refusing": reason,
    }


def test_an_interruption_keeps_what_is_done_and_leaves_no_process(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [record("toy", n) for n in range(2 * AT_ONCE)]
    games += [record("stuck", n) for n in range(AT_ONCE)]
    config = games_of("toy", "stuck")
    package.touch()
    open_process: Any = trio.lowlevel.open_process
    started: list[trio.Process] = []

    async def start(*words: Any, **keys: Any) -> trio.Process:
        started.append(await open_process(*words, **keys))
        return started[-1]

    monkeypatch.setattr("trio.lowlevel.open_process", start)
    with Store.open(tmp_path) as store:
        begin(store, games)

        async def wait(scope: trio.CancelScope) -> None:
            while len(rows(tmp_path)) < 2 * AT_ONCE:
                await trio.sleep(0.01)
            scope.cancel()

        async def interrupt() -> None:
            with trio.fail_after(TIMEOUT_S):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(wait, nursery.cancel_scope)
                    await work_out_luck(config, store, 2, _ignore)

        trio.run(interrupt)
        assert len(started) == 2
        assert all(process.returncode is not None for process in started)
        assert store.luck_table.values() == ()
        done = rows(tmp_path)
        assert [row[0] for row in done] == [game.game_id for game in games[:-AT_ONCE]]
        package.unlink()
        monkeypatch.setenv("TOY_SALT", "x")
        values, luck = work_out(config, store)
        assert luck[:-AT_ONCE] == expected(games[:-AT_ONCE])
        assert luck[-AT_ONCE:] != expected(games[-AT_ONCE:])
        assert None not in luck
        assert {value.reason for value in values.values()} == {""}


def test_it_is_told_how_far_it_has_come_if_that_takes_more_than_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_luck, "_FIRST_NOTE_S", 10.0)
    told: list[tuple[float, str]] = []

    async def watch() -> None:
        step = league_luck._LuckRun(store, {}, {}, iter(()), missing=7, done=3)
        start = trio.current_time()
        with trio.move_on_after(100):
            await step.watch(lambda what: told.append((trio.current_time(), what)))
        told[:] = [(round(time - start), what) for time, what in told]

    with Store.open(tmp_path) as store:
        trio.run(watch, clock=MockClock(autojump_threshold=0))
    what = "working out luck: 3 of 7 games are done"
    assert told == [(10, what), (30, what), (70, what)]


def test_a_value_is_not_made_for_nothing(tmp_path: Path, package: Path) -> None:
    config = games_of("dear")
    games = [record("dear", number) for number in range(6)]
    with Store.open(tmp_path / "results") as store:
        begin(store, games)
        first = work_out(config, store)
        package.touch()
        begin(store, games)
        assert work_out(config, store) == first

        begin(store, [*games, record("dear", 6)])
        values, _ = work_out(config, store)
        assert values["dear"].reason == "its value can't be used (RuntimeError: spent)"


def test_games_that_can_not_be_read_are_no_fault_of_a_value(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        begin(store, [record("toy", n) for n in range(3)])
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database, database:
            database.execute("UPDATE batches SET histories = x'00' WHERE number = 2")
        with pytest.raises(ExceptionGroup) as caught:
            work_out(games_of("toy"), store)
        error = find_error(caught.value, RecordError)
        assert str(error).startswith(f"{tmp_path / FILE_NAME}: is damaged (")
        assert store.luck_table.values() == ()


@pytest.mark.parametrize(
    ("step", "workers"),
    divided([(1, 1), (1, 2), (-1, 1), (-1, 2)], lambda case: case == (-1, 2)),
)
def test_the_first_game_of_the_plan_that_fails_is_named(
    step: int, workers: int, tmp_path: Path
) -> None:
    games = [record("failing", n) for n in range(30)]
    order = games[::step]
    with Store.open(tmp_path) as store:
        begin(store, [])
        for batch in (order[::2], order[1::2]):
            store.add(to_batches(batch))
        store.begin(store.info(), [game.game_id for game in games])
        values, _ = work_out(games_of("failing"), store, workers)
    first = next(game.game_id for game in games if _most(game) > 2)
    assert f"failed in game {first}: " in values["failing"].reason
