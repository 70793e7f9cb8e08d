"""What bots print is kept beside their games, and never in the way of these."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from test_store import INFO, record, refused

from arena.errors import RecordError
from arena.league.results import prints_table
from arena.league.results.store import FILE_NAME, Store
from arena.records.batch import Batch, to_batches
from arena.records.prints import Printed

ANA, BEN = record("g").seats
HELLO = Printed(0, 2, "hello\n")


def batches(*ids: str, prints: dict[str, list[Printed]]) -> list[Batch]:
    return [*to_batches(map(record, ids), prints)]


def written(folder: Path, *ids: str, prints: dict[str, list[Printed]]) -> None:
    with Store.open(folder) as store:
        store.begin(INFO, ids)
        games = batches(*ids, prints=prints)
        store.add(games)
        store.prints.add(games)


def found(folder: Path, game_id: str) -> tuple[Printed, ...]:
    with Store.read(folder) as store:
        return store.prints.of(game_id)


def test_prints_come_out_decision_by_decision(tmp_path: Path) -> None:
    answer = Printed(1, 1, "hi\n")
    written(tmp_path, "g0", "g1", prints={"g1": [answer, HELLO, Printed(1, 3, "x")]})
    assert found(tmp_path, "g0") == found(tmp_path, "nobody's") == ()
    assert found(tmp_path, "g1") == (answer, HELLO, Printed(1, 3, "x"))


def test_silent_games_leave_nothing_at_all() -> None:
    (batch,) = batches("g0", "g1", prints={})
    assert batch.prints == ()


def test_nothing_in_them_moves_a_cursor_or_turns_a_line(tmp_path: Path) -> None:
    evil = "\x1b[2J\x1b]8;;http://x\x07link\u202eflip\r\x00\ttab\n"
    written(tmp_path, "g0", prints={"g0": [Printed(0, 0, evil)]})
    (printed,) = found(tmp_path, "g0")
    assert printed.text == "�[2J�]8;;http://x�link�flip��\ttab\n"


def test_who_floods_takes_nobodys_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not that of another entry, nor its own in another label or after a new start."""
    monkeypatch.setattr(prints_table, "MAX_PRINTS_BYTES", 200)
    noise = [Printed(0, 0, "".join(map(chr, range(200, 400)))), Printed(1, 1, "quiet")]
    ids = [f"g{n}" for n in range(6)]
    written(tmp_path, *ids[:3], prints=dict.fromkeys(ids, noise))
    written(tmp_path, *ids, prints=dict.fromkeys(ids, noise))
    kept = [{x.seat for x in found(tmp_path, game_id)} for game_id in ids]
    assert sum(0 in seats for seats in kept) == 0
    assert all(1 in seats for seats in kept)
    with Store.open(tmp_path) as store:
        other = [*to_batches([record("h", label="run")], {"h": [Printed(1, 0, "x")]})]
        store.prints.add(other)
        assert store.prints.of("h") == (Printed(1, 0, "x"),)


def test_prints_of_games_that_count_no_more_are_forgotten(tmp_path: Path) -> None:
    written(tmp_path, "g0", "g1", prints={"g0": [HELLO], "g1": [HELLO]})
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["g1"])
        assert store.prints.of("g0") == (HELLO,)
        store.prints.forget()
        assert (store.prints.of("g0"), store.prints.of("g1")) == ((), (HELLO,))
        assert [x.game_id for x in store.records_of(["g0"])] == ["g0"]


def test_what_is_forgotten_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that was changed has all the room that its earlier version had."""
    old, new = (batches(x, prints={x: [HELLO]}) for x in ("g0", "g1"))
    sizes = [len(batch.prints[0].texts) for batch in (*old, *new)]
    monkeypatch.setattr(prints_table, "MAX_PRINTS_BYTES", sum(sizes) - 1)
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["g0"])
        store.add([*old, *new])
        store.prints.add([*old, *new])
        assert (store.prints.of("g0"), store.prints.of("g1")) == ((HELLO,), ())
        store.begin(INFO, ["g1"])
        store.prints.forget()
        store.prints.add(new)
        assert store.prints.of("g1") == (HELLO,)


def test_an_almost_full_disk_is_left_to_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = SimpleNamespace(free=2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    with refused(tmp_path / FILE_NAME, "almost full"):
        written(tmp_path, "g0", prints={"g0": [HELLO]})
    with Store.read(tmp_path) as store:
        assert len([*store.records()]) == 1


def test_what_was_played_before_there_were_prints_has_none(tmp_path: Path) -> None:
    written(tmp_path, "g0", prints={"g0": [HELLO]})
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.execute("DROP TABLE prints")
        database.commit()
    assert found(tmp_path, "g0") == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE prints SET seat = -1",
        "UPDATE prints SET seat = x'00'",
        "UPDATE prints SET texts = 7",
        "UPDATE prints SET texts = x'00'",
        "UPDATE prints SET texts = zeroblob(100000)",
    ],
)
def test_rows_that_nobody_of_ours_has_written(tmp_path: Path, statement: str) -> None:
    written(tmp_path, "g0", prints={"g0": [HELLO]})
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.execute(statement)
        database.commit()
    with pytest.raises(RecordError, match="is damaged"):
        found(tmp_path, "g0")
