"""What stands in the tables of a file of games, made to do harm to its readers."""

import shutil
import tracemalloc
import zlib
from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hostile_files import Attack, run
from test_store import INFO, played, read_all, record, refused

from arena.errors import RecordError
from arena.league.results.played_games import PlayedGames
from arena.league.results.store import Store
from arena.records.batch import to_batches
from arena.reports.export import export_lines


def bomb() -> bytes:
    """Return half a gigabyte of nothing, packed."""
    packer = zlib.compressobj(1)
    nothing = bytes(2**22)
    return b"".join([*(packer.compress(nothing) for _ in range(128)), packer.flush()])


BOMB = bomb()

_PLACE = "[1e3,null,null,1,2]"
RUNS = [
    "x'00'",
    "CAST(zeroblob(100000000) AS TEXT)",
    "replace(hex(zeroblob(100000)), '0', '[')",
    "'{}'",
    "'[[],-1]'",
    "'[[],1e30]'",
    """'[[["a","A","v",[1e999,null,null,1,2],{}]],1]'""",
    """'[[["a","A","v",[1e3,null,null,0,2],{}]],1]'""",
    """'[[["a","A","v",[1e3,null,null,3,2],{}]],1]'""",
    """'[[["a","A","v",null,{"dice":[1e3,null,null,3,2]}]],1]'""",
    f"""'[[["a","A","v",{_PLACE},{{}}],["a","B","v",{_PLACE},{{}}]],1]'""",
    """'[[["a","' || hex(zeroblob(1000)) || '","v",null,{}]],1]'""",
    """'[[],1,"",["a",1e999]]'""",
]
"""What a run of before has come to."""
ROWS = [
    "UPDATE games SET game_id = '../../x' WHERE game_id = 'g0'",
    "UPDATE games SET game_id = '/x' WHERE game_id = 'g0'",
    "UPDATE games SET game_id = x'00' WHERE game_id = 'g0'",
    "UPDATE games SET game_id = 'g' || char(27) WHERE game_id = 'g0'",
    "UPDATE games SET game_id = 'g\"' WHERE game_id = 'g0'",
    "UPDATE games SET batch = 'x' WHERE game_id = 'g0'",
    "UPDATE games SET place = 'x'",
    "UPDATE games SET place = 0.5",
    "UPDATE games SET place = x'00'",
    "UPDATE games SET faults = x'00'",
    "UPDATE games SET faults = 1.5",
    "UPDATE games SET faults = '{\"a\": 1}'",
    "UPDATE batches SET isolation = x'00'",
    "UPDATE batches SET records = 7",
    "UPDATE batches SET records = zeroblob(1000)",
    "UPDATE luck SET pairs = 'text'",
    "UPDATE luck SET pairs = 7",
    "UPDATE luck SET pairs = x'000000000000f07f'",
    "UPDATE luck SET pairs = x'000000000000f87f'",
    "INSERT INTO versions VALUES ('x', x'00', 1)",
    "INSERT INTO versions VALUES (x'00', '[]', 1)",
    "INSERT INTO versions VALUES ('x', '[7', 1)",
    "INSERT INTO versions VALUES ('x', replace(hex(zeroblob(100000)), '0', '['), 1)",
    "INSERT INTO terms VALUES ('x', x'00', '', '[]')",
    "INSERT INTO terms VALUES ('x', '', '', '[0]')",
    *(f"INSERT INTO standings VALUES (NULL, {text})" for text in RUNS),
    "UPDATE meta SET value = x'00' WHERE key = 'league'",
    "UPDATE meta SET value = 7 WHERE key = 'luck'",
]


def changed(**fields: Any) -> bytes:
    """Return a packed batch, with a game that has fields that no game has."""
    names = [field.name for field in msgspec.structs.fields(type(record("g0")))]
    records = [record(f"g{n}", history=()) for n in range(3)]
    games = msgspec.msgpack.decode(msgspec.msgpack.encode(records))
    for name, value in fields.items():
        games[0][names.index(name)] = value
    return zlib.compress(msgspec.msgpack.encode(games))


FAULT = msgspec.to_builtins(record("g0").faults[0])
GAMES: list[dict[str, Any]] = [
    {"game_id": "../../x"},
    {"game_id": "g1"},
    {"fixture_id": "../../x"},
    {"match_id": "\x1b[2J"},
    {"seats": []},
    {"seats": ["bots/a.py:A"]},
    {"seats": ["bots/a.py:A"] * 3},
    {"returns": [nan, 0.0]},
    {"returns": [1.0]},
    {"scores": [inf, 0.0]},
    {"scores": [0.0] * 3},
    {"places": [0, 1]},
    {"places": [1, 2**63]},
    {"places": [1, 3]},
    {"places": [1]},
    {"forfeits": [True]},
    {"forfeits": [1, 0]},
    {"decisions": -1},
    {"decisions": 2**63},
    {"seconds": [nan, 0.0]},
    {"seconds": [-1.0, 0.0]},
    {"seconds": [0.0]},
    {"faults": [FAULT | {"seat": 2}]},
    {"faults": [FAULT | {"seat": -1}]},
    {"faults": [FAULT | {"entry": "bots/a.py:A"}]},
    {"faults": [FAULT | {"step": 2**63}]},
    {"faults": [FAULT | {"legal_actions": ["x"] * 10_000}]},
    {"times": [[0.5]] * 3},
    {"times": [[nan], [0.5]]},
    {"times": [[0.5, [[2**62, 1]]], [0.5]]},
    {"times": [[0.5, [[0, -1]]], [0.5]]},
    {"times": [[0.5, [[0, 1]] * 10_000], [0.5]]},
    {"times": [[0.5, [], inf], [0.5]]},
    {"termination": "\x1b]8;;http://x\x1b\\"},
]


def packed(column: str, data: bytes) -> Attack:
    return run(f"UPDATE batches SET {column} = x'{data.hex()}'")


DEEP = b"\x91" * 100_000 + b"\x90"
BATCHES: list[tuple[str, bytes]] = [
    ("records", zlib.compress(msgspec.msgpack.encode([1]) * 2**20)),
    ("histories", zlib.compress(DEEP)),
    ("records", zlib.compress(DEEP)),
    ("records", zlib.compress(b"\xdd\xff\xff\xff\xff")),
    ("histories", zlib.compress(b"\xdd\xff\xff\xff\xff" + bytes(100))),
    ("histories", zlib.compress(msgspec.msgpack.encode([["x"]] * 1000))),
    ("histories", zlib.compress(msgspec.msgpack.encode([["x"]]))[:-2]),
    *(("records", changed(**fields)) for fields in GAMES),
]


def use(folder: Path) -> None:
    """Read a league in every way in which anything reads it."""
    read_all(folder)
    with Store.read(folder) as store:
        PlayedGames(store.faults())
        store.isolations()
        store.luck_table.values()
        store.count_versions()
        store.entered()
        store.luck_terms()
        store.runs.kept()
        store.newest(8)
        list(export_lines(store, moves=True))
        store.record("g0")
        store.ids_from("g", 10)
        for _ in store.luck_table.missing({"dice": "x"}, 10):
            pass


@pytest.fixture(scope="module")
def league_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("league"))


@pytest.fixture
def path(tmp_path: Path, league_file: Path) -> Path:
    """The file of a league of three games."""
    return Path(shutil.copy(league_file, tmp_path))


@pytest.mark.parametrize("statement", ROWS)
def test_a_row_that_arena_never_writes(path: Path, statement: str) -> None:
    run(statement)(path)
    with refused(path, "is damaged"):
        use(path.parent)


@pytest.mark.parametrize(("column", "data"), BATCHES, ids=range(len(BATCHES)))
def test_games_that_were_never_played(tmp_path: Path, column: str, data: bytes) -> None:
    path = played(tmp_path, 1)
    packed(column, data)(path)
    tracemalloc.start()
    try:
        with refused(path, "is damaged"):
            use(path.parent)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2**28


def league(**fields: Any) -> str:
    return msgspec.json.encode(msgspec.to_builtins(INFO) | fields).decode()


ENTRIES = msgspec.to_builtins(INFO.entries)
LABELS = msgspec.to_builtins(INFO.labels)
LEAGUES: list[str] = [
    league(name="x" * 10_000),
    league(name=7),
    league(entries=[ENTRIES[0], ENTRIES[0]]),
    league(entries=[ENTRIES[0], ENTRIES[1] | {"name": "A"}]),
    league(entries=[ENTRIES[0], ENTRIES[1] | {"division": -1}]),
    league(labels=LABELS * 2),
    league(labels=[LABELS[0] | {"players": 0}]),
    league(labels=[LABELS[0] | {"players": 2**62}]),
    league(labels=[LABELS[0] | {"weight": 0}]),
    league(labels=[LABELS[0] | {"weight": -1}]),
    league(labels=[LABELS[0] | {"weight": 1e300}]),
    league(labels=[LABELS[0] | {"changed": ["no such"]}]),
    league(labels=[LABELS[0] | {"placing": "last"}]),
    league(anchor=["no such", 1000]),
    league(anchor=["bots/a.py:A", 1e300]),
    league(references=["no such"]),
    league(exploring=[5, 2]),
    league(exploring=[-5, 2]),
    league(limits={"move": -1}),
    league(labels=[LABELS[0]]).replace("0.5", "1e999"),
    league().replace('"name"', '"x":' + "[" * 100_000 + "]" * 100_000 + ',"name"'),
    league(labels=[LABELS[0] | {"options": {"cup": 0}}]).replace(
        '"cup":0', '"cup":' + "[" * 100_000 + "]" * 100_000
    ),
]


@pytest.mark.parametrize("text", LEAGUES, ids=range(len(LEAGUES)))
def test_a_league_that_there_never_was(path: Path, text: str) -> None:
    told = f"CAST(x'{text.encode().hex()}' AS TEXT)"
    run(f"UPDATE meta SET value = {told} WHERE key = 'league'")(path)
    with refused(path, "is damaged"):
        use(path.parent)


@pytest.mark.parametrize("games", [1, 5])
def test_no_batch_is_too_long_to_be_read(
    tmp_path: Path, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.records.batch._MAX_BYTES", 2000)
    ids = [f"g{n}" for n in range(games)]
    records = [record(id_, history=("x" * 500,)) for id_ in ids]
    with Store.open(tmp_path) as store:
        store.begin(INFO, ids)
        store.add(to_batches(records))
        assert list(store.records(history=True)) == records


Read = Callable[[Path], None]


@pytest.mark.parametrize("read", [read_all, use])
def test_a_league_of_arena_is_none_of_these(path: Path, read: Read) -> None:
    packed("records", changed())(path)
    try:
        read(path.parent)
    except RecordError as error:
        pytest.fail(str(error))
