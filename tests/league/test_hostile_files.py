"""A file of games that was made to do harm is refused in a sentence, and soon."""

import os
from pathlib import Path
from typing import Any

import pytest
from hostile_files import (
    ENDLESS,
    Attack,
    beside,
    endless_text,
    endless_tree,
    fifo,
    in_place_of,
    link,
    rolled_back,
    run,
)
from test_store import played, read_all, refused

from arena.league.results.store import FILE_NAME, Store

FOREIGN: dict[str, Attack] = {
    "an endless view of the plan": in_place_of(
        "plan", f"{ENDLESS} SELECT n AS position, 'g0' AS game_id FROM x"
    ),
    "an endless view of the games": in_place_of(
        "games",
        f"{ENDLESS} SELECT 'g0' AS game_id, n AS batch, 0 AS place, NULL AS faults "
        "FROM x",
    ),
    "an endless view of the league": in_place_of(
        "meta",
        f"{ENDLESS} SELECT 'format' AS key, '3' AS value FROM x WHERE n < 0",
    ),
    "an endless view of luck": in_place_of(
        "luck", f"{ENDLESS} SELECT 'g0' AS game_id, 'x' AS value, x'' AS pairs FROM x"
    ),
    "a trigger": run(
        "CREATE TRIGGER t AFTER INSERT ON plan BEGIN DELETE FROM games; END"
    ),
    "a trigger on a view": run(
        "CREATE VIEW v AS SELECT 1 AS a",
        "CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN DELETE FROM games; END",
    ),
    "a column that is computed": run(
        "DROP TABLE plan",
        "CREATE TABLE plan (position INTEGER PRIMARY KEY, game_id TEXT NOT NULL, "
        "x AS (printf('%.*c', 100000000, game_id)))",
    ),
    "a column more": run("ALTER TABLE batches ADD COLUMN x TEXT DEFAULT ('a')"),
    "a check that takes long": run(
        "DROP TABLE plan",
        "CREATE TABLE plan (position INTEGER PRIMARY KEY, game_id TEXT NOT NULL "
        "CHECK (length(hex(zeroblob(100000000))) > 0))",
    ),
    "an index on an expression": run("CREATE INDEX i ON games (hex(game_id))"),
    "an index": run("CREATE INDEX i ON games (batch)"),
    "another table": run("CREATE TABLE more (x)"),
    "a virtual table": run("CREATE VIRTUAL TABLE v USING fts5(x)"),
    "a table under another name": run("ALTER TABLE plan RENAME TO plans"),
    "games without their key": run(
        "DROP TABLE games",
        "CREATE TABLE games (game_id TEXT, batch INTEGER, place INTEGER, faults TEXT)",
    ),
}
DAMAGED: dict[str, Attack] = {
    "an endless plan": endless_tree("plan"),
    "endless batches": endless_tree("batches"),
    "a text that goes round in a circle": endless_text,
}


@pytest.mark.parametrize("way", [Store.open, Store.read])
@pytest.mark.parametrize("attack", FOREIGN.values(), ids=FOREIGN)
def test_a_file_with_anything_else_in_it(
    tmp_path: Path, attack: Attack, way: Any
) -> None:
    path = played(tmp_path)
    attack(path)
    before = path.read_bytes()
    with refused(path, "is no file of arena's"), way(tmp_path):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("way", [Store.open, Store.read])
@pytest.mark.parametrize("attack", DAMAGED.values(), ids=DAMAGED)
def test_a_file_without_an_end(tmp_path: Path, attack: Attack, way: Any) -> None:
    path = played(tmp_path)
    attack(path)
    with refused(path, "is damaged"), way(tmp_path):
        pass


@pytest.mark.parametrize("way", [Store.open, Store.read])
@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("make", [link, fifo, os.mkdir])
def test_no_file_of_a_league_is_a_link_or_waits(
    tmp_path: Path, way: Any, ending: str, make: Any
) -> None:
    path = played(tmp_path)
    other = path.with_name(path.name + ending)
    if make is os.mkdir and not ending:
        path.unlink()
    if make is link and ending:
        other.touch()
    beside(ending, make)(path)
    if way == Store.read and not ending and make is not link:
        with refused(tmp_path, "no results of a league here"), way(tmp_path):
            pass
        return
    with refused(other, "is no file of arena's"), way(tmp_path):
        pass


@pytest.mark.parametrize("way", [Store.open, Store.read])
def test_a_journal_removes_nothing(tmp_path: Path, way: Any) -> None:
    path = played(tmp_path / "results")
    victim = tmp_path / "thesis.txt"
    victim.write_text("ten years of work")
    rolled_back(path, victim)
    journal = path.with_name(f"{FILE_NAME}-journal")
    with refused(journal, "is no file of arena's"), way(path.parent):
        pass
    assert victim.exists()


def test_what_is_read_is_not_written(tmp_path: Path) -> None:
    path = played(tmp_path)
    with Store.read(tmp_path) as store, refused(path, "attempt to write"):
        store.luck_table.set_values([])
    read_all(tmp_path)
