"""The store of a league: what goes in comes out, and damage is said in a sentence."""

import os
import pickle
import re
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from plans import game_record

from arena.errors import RecordError
from arena.league.config.info import EntryInfo, LabelInfo, LeagueInfo, read_info
from arena.league.results.luck_table import LabelValue
from arena.league.results.store import FILE_NAME, Store
from arena.records.batch import read_histories, to_batches
from arena.records.decision_times import DecisionTimes
from arena.records.game_record import Fault, GameRecord
from arena.referee.work_unit import Limits

INFO = LeagueInfo(
    name="Klasse 7b",
    seed=2**70,
    isolation="process",
    limits=Limits(move=0.5),
    anchor=("bots/a.py:A", 1000.0),
    labels=(
        LabelInfo(
            label="dice",
            game="zombie_dice",
            title="Zombie Dice",
            players=2,
            options={"target": 13, "cup": "x"},
            changed=("cup",),
            house_rules=("The cup is ours.",),
            weight=0.5,
        ),
    ),
    entries=(
        EntryInfo("bots/a.py:A", "A", "bots/a.py", ("dice",)),
        EntryInfo("bots/b.py:B", "Bé", "bots/b.py", ("dice",), "line 3: nonsense"),
    ),
    rejected=(("bots/c.py", "no Bot in it"),),
)


VALUE = LabelValue(label="dice", game="zombie_dice", version="1", digest="0f")
VALUES = {"dice": VALUE.id}
OF_THREE = game_record(
    ("a", "b", "c"),
    label="dice",
    returns=(0.5, 0.5, 0.0),
    places=(1, 1, 3),
    scores=(-1.5, 1e300, 0.1),
    termination="crash",
    times=(DecisionTimes(),) * 3,
)


def record(game_id: str, **changes: object) -> GameRecord:
    """Return a game in which B forfeited against A."""
    plain = GameRecord(
        game_id=game_id,
        fixture_id="f1",
        match_id="m1",
        label="dice",
        seats=("bots/a.py:A", "bots/b.py:B"),
        returns=(1.0, 0.0),
        places=(1, 2),
        scores=(3.0, 1 / 3),
        termination="crash",
        forfeits=(False, True),
        decisions=5,
        seconds=(0.25, 0.000125),
        history=("roll", "1B 2S", "stop", "ß naïve"),
        faults=(
            Fault(
                seat=1,
                entry="bots/b.py:B",
                step=4,
                termination="crash",
                message="ValueError: \x00 no",
                traceback="Traceback\n  line\n",
                output="\x1b[31mred",
                action="roll",
                observation='{"seat":1}',
                legal_actions=("roll", "stop"),
            ),
        ),
        times=(
            DecisionTimes(0.125, ((40, 2), (135, 1)), 0.0625),
            DecisionTimes(0.000125, ((50, 2),)),
        ),
        isolation="filters",
    )
    return msgspec.structs.replace(plain, **changes)


def played(folder: Path, games: int = 3) -> Path:
    """Write a league and return the path of its file."""
    ids = [f"g{n}" for n in range(games)]
    with Store.open(folder) as store:
        store.begin(INFO, ids)
        store.add(to_batches(map(record, ids)))
        store.luck_table.add(VALUE.id, ((game_id, (0.5,)) for game_id in ids))
        store.luck_table.set_values([VALUE])
    return folder / FILE_NAME


def counts(store: Store) -> tuple[int, int, int]:
    """Return the numbers of games planned, played of these, and played in all."""
    played, total = store.records(), store.faults()
    return store.planned(), sum(1 for _ in played), sum(1 for _ in total)


def read_all(folder: Path) -> None:
    """Read all that the reports read."""
    with Store.read(folder) as store:
        store.info()
        list(store.records(history=True))
        list(store.records_with_luck())
        list(store.faults())
        store.planned()


@pytest.mark.parametrize(
    "game",
    [
        record("g"),
        record("g", faults=(), forfeits=(False, False), termination="natural"),
        record("g", history=()),
        OF_THREE,
    ],
)
def test_what_goes_in_comes_out(game: GameRecord, tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["g"])
        store.add(to_batches([game]))
    with Store.read(tmp_path) as store:
        assert store.info() == INFO
        assert list(store.records(history=True)) == [game]
        assert list(store.records()) == [msgspec.structs.replace(game, history=())]
        assert counts(store) == (1, 1, 1)


def test_seconds_are_kept_to_the_microsecond(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["g"])
        store.add(to_batches([record("g", seconds=(0.12345649, 1 / 3))]))
        assert next(store.records()).seconds == (0.123456, 0.333333)


def test_a_recorded_game_is_left_as_it_is(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["g", "h"])
        store.add(to_batches([record("g", decisions=1)]))
        store.add(to_batches([record("g", decisions=2), record("h", decisions=3)]))
        assert [game.decisions for game in store.records()] == [1, 3]


def test_games_are_recorded_with_their_places_in_the_plan_or_not_at_all(
    tmp_path: Path,
) -> None:
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["g", "h"])

        def games() -> Iterator[GameRecord]:
            yield record("x")
            raise KeyboardInterrupt

        for changes in ([], [(0, "x")]):
            with pytest.raises(KeyboardInterrupt):
                store.add(to_batches(games()), changes)
            assert counts(store) == (2, 0, 0)
        store.add(to_batches([record("g"), record("x")]))
        assert [game.game_id for game in store.records()] == ["g"]


def test_the_plan_says_which_games_count_and_in_what_order(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["c", "a", "b"])
        store.add(to_batches([record("a"), record("b")]))
        assert [game.game_id for game in store.records()] == ["a", "b"]
        assert counts(store) == (3, 2, 2)
        changed = msgspec.structs.replace(INFO, seed=8)
        store.begin(changed, ["d", "b"])
        store.add(to_batches([record("d")]))
        assert [game.game_id for game in store.records()] == ["d", "b"]
        assert counts(store) == (2, 2, 3)
        assert store.info() == changed

    with Store.open(tmp_path) as store:
        store.begin(INFO, ["c", "a", "b"])
        assert counts(store) == (3, 2, 3)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3)
)
@example([-0.0, 5e-324, 0.1])
@settings(max_examples=30)
def test_luck_comes_out_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory, luck: list[float]
) -> None:
    folder = tmp_path_factory.mktemp("luck")
    with Store.open(folder) as store:
        store.begin(INFO, ["g"])
        store.add(to_batches([OF_THREE]))
        store.luck_table.add(VALUE.id, [("g", tuple(luck))])
        store.luck_table.set_values([VALUE])
        ((game, found),) = store.records_with_luck()
    assert game == OF_THREE
    assert struct.pack("3d", *found or ()) == struct.pack("3d", *luck)


def test_games_come_with_the_luck_of_the_value_in_force(tmp_path: Path) -> None:
    ids = ["a", "b", "c", "d"]
    with Store.open(tmp_path) as store:
        store.begin(INFO, ids)
        store.add(to_batches([record("a"), record("c"), record("d", label="run")]))
        store.luck_table.add(VALUE.id, [("a", (0.25,)), ("d", (0.75,))])
        store.luck_table.add("zombie_dice 0 0f", [("c", (0.5,))])

        def luck() -> list[tuple[str, tuple[float, ...] | None]]:
            return [(game.game_id, luck) for game, luck in store.records_with_luck()]

        nothing = [("a", None), ("c", None), ("d", None)]
        assert luck() == nothing
        run = LabelValue(label="run", reason="it is out of luck")
        store.luck_table.set_values([VALUE, run])
        assert store.luck_table.values() == (VALUE, run)
        assert luck() == [("a", (0.25,)), ("c", None), ("d", None)]
        store.luck_table.add(VALUE.id, [("c", (-1.0,))])
        assert luck() == [("a", (0.25,)), ("c", (-1.0,)), ("d", None)]
        # The next run may be of other games.
        store.begin(INFO, ids)
        assert store.luck_table.values() == ()
        assert luck() == nothing


def test_games_without_luck_are_found_so_many_at_once(tmp_path: Path) -> None:
    ids = [f"g{n}" for n in range(9)]
    with Store.open(tmp_path) as store:
        store.begin(INFO, ids)
        store.add(
            to_batches([record(x, history=(x,)) for x in reversed(ids) if x != "g5"])
        )
        store.add(to_batches([record("z")]))
        store.luck_table.add(VALUE.id, [("g3", (0.5,))])
        found = []
        for games in store.luck_table.missing(VALUES, 3):
            # What is added meanwhile, here and elsewhere, confuses nothing.
            store.luck_table.add(
                VALUE.id, [(game_id, (0.5,)) for game_id in games.game_ids]
            )
            store.luck_table.add(VALUE.id, [("g7", (0.5,))])
            found.append(games.game_ids)
            histories = read_histories(games.histories)
            of_games = tuple(histories[place] for place in games.places)
            assert of_games == tuple((game_id,) for game_id in games.game_ids)
        assert found == [("g0", "g1", "g2"), ("g4", "g6", "g8")]
        assert store.luck_table.count_missing(VALUES) == 0
        assert store.luck_table.count_missing({"dice": "another"}) == 8
        assert store.luck_table.count_missing({"run": "another"}) == 0
        assert store.luck_table.count_missing({}) == 0
        assert list(store.luck_table.missing({}, 3)) == []
        (games,) = store.luck_table.missing({"run": "x", "dice": "y"}, 100)
        assert games.label == "dice"
        assert games.positions == (0, 1, 2, 3, 4, 6, 7, 8)
        assert games.places == (7, 6, 5, 4, 3, 2, 1, 0)


def test_games_without_luck_come_batch_by_batch(tmp_path: Path) -> None:
    ids = [f"g{n}" for n in range(6)]
    with Store.open(tmp_path) as store:
        store.begin(INFO, ids)
        for together in (("g1", "g3", "g5"), ("g4", "g0", "g2")):
            store.add(to_batches([record(x, history=(x,)) for x in together]))
        found = [games.positions for games in store.luck_table.missing(VALUES, 100)]
        assert found == [(0, 2, 4), (1, 3, 5)]
        found = [games.positions for games in store.luck_table.missing(VALUES, 4)]
        assert found == [(0, 2), (1, 3), (4,), (5,)]


def test_results_of_before_there_was_luck_are_read_and_go_on(tmp_path: Path) -> None:
    path = played(tmp_path)
    execute("DROP TABLE luck")(path)
    execute("DELETE FROM meta WHERE key = 'luck'")(path)
    with Store.read(tmp_path) as store:
        assert store.luck_table.values() == ()
        assert [luck for _, luck in store.records_with_luck()] == [None] * 3
    with Store.open(tmp_path) as store:
        store.luck_table.add(VALUE.id, [("g1", (0.5,))])
        store.luck_table.set_values([VALUE])
    with Store.read(tmp_path) as store:
        assert [x for _, x in store.records_with_luck()] == [None, (0.5,), None]


def test_what_is_known_is_all_that_was_ever_played(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert list(store.faults()) == []
        store.begin(INFO, ["a", "b"])
        store.add(to_batches([record("a"), record("b", faults=()), record("z")]))
        crash = {"bots/b.py:B": "crash"}
        assert list(store.faults()) == [("a", crash), ("b", {}), ("z", crash)]


def test_of_a_plan_only_what_has_changed_is_written(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        written = []
        for ids in (
            ["a", "b", "c"],
            ["a", "b", "c"],
            ["a", "d", "c"],
            ["a"],
            ["a", "b"],
        ):
            before = store._db.connection.total_changes
            store.begin(INFO, ids)
            written.append(store._db.connection.total_changes - before)
            rows = store._db.connection.execute(
                "SELECT * FROM plan ORDER BY position"
            ).fetchall()
            assert rows == list(enumerate(ids))
    # What the league is, is written every time.
    assert [rows - written[1] for rows in written] == [3, 0, 1, 2, 1]


def test_another_game_takes_a_place_in_the_plan(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["a", "b", "c"])
        store.add(to_batches([record("a"), record("b"), record("c")]))
        store.add(to_batches([record("x")]), [(0, "y"), (2, "x")])
        assert [game.game_id for game in store.records()] == ["b", "x"]
        assert counts(store) == (3, 2, 4)


def test_readers_see_a_league_while_it_is_played(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["a", "b"])
        store.add(to_batches([record("a")]))
        with Store.read(tmp_path) as reader:
            assert counts(reader) == (2, 1, 1)
            store.add(to_batches([record("b")]))
            assert counts(reader) == (2, 2, 2)


def test_a_reader_may_see_the_same_each_time(tmp_path: Path) -> None:
    folder = played(tmp_path, 2).parent
    with Store.open(folder) as store, Store.read(folder) as reader:
        with reader.snapshot():
            before = list(reader.records())
            store.add(to_batches([record("later")]))
            store.begin(INFO, ["later"])
            assert list(reader.records()) == before
            assert reader.planned() == len(before)
        assert [game.game_id for game in reader.records()] == ["later"]


def test_what_was_recorded_survives_the_end_of_the_process(tmp_path: Path) -> None:
    script = (
        "import os, pickle, sys\n"
        "from pathlib import Path\n"
        "from arena.league.results.store import Store\n"
        "info, batches = pickle.load(sys.stdin.buffer)\n"
        "with Store.open(Path(sys.argv[1])) as store:\n"
        "    store.begin(info, ['g', 'h']); store.add(batches)\n"
        "    execute = store._db.connection.execute\n"
        "    execute('BEGIN'); execute('DELETE FROM plan')\n"
        "    os._exit(9)\n"
    )
    told = pickle.dumps((INFO, list(to_batches([record("g")]))))
    words = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(words, input=told)
    assert done.returncode == 9
    with Store.open(tmp_path) as store:
        assert counts(store) == (2, 1, 1)
        assert list(store.records(history=True)) == [record("g")]


def test_errors_of_the_league_are_not_blamed_on_the_file(tmp_path: Path) -> None:
    with pytest.raises(msgspec.ValidationError), Store.open(tmp_path):
        msgspec.convert("x", int)
    with (
        closing(sqlite3.connect(":memory:")) as other,
        pytest.raises(sqlite3.OperationalError),
        Store.open(tmp_path),
    ):
        other.execute("nonsense")
    with pytest.raises(msgspec.ValidationError), Store.read(tmp_path):
        msgspec.convert("x", int)


@contextmanager
def refused(path: Path, part: str) -> Iterator[None]:
    """Expect a sentence that names a file or folder, and says this of it."""
    with pytest.raises(RecordError, match=r"\A[^\n]*\Z") as caught:
        yield
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert part in text
    assert not re.search(r"[.!?] ", text.replace(str(path), ""))


def garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 64)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(255 - byte for byte in data[4096:])
    path.write_bytes(data)


def execute(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.commit()
        connection.close()

    return change


@pytest.mark.parametrize(
    "damage",
    [
        garbage,
        half,
        flipped,
        execute("UPDATE games SET batch = 99"),
        execute("UPDATE games SET place = 99"),
        execute("UPDATE games SET place = -1"),
        execute("UPDATE games SET faults = '[3]'"),
        execute("UPDATE games SET faults = CAST(x'ff' AS TEXT)"),
        execute("UPDATE batches SET records = x'00'"),
        execute("UPDATE batches SET records = 'text'"),
        execute("UPDATE batches SET records = histories"),
        execute("UPDATE batches SET histories = x''"),
        execute("UPDATE batches SET histories = records"),
        execute("UPDATE luck SET pairs = x'00'"),
        execute("UPDATE luck SET pairs = zeroblob(16)"),
        execute("UPDATE meta SET value = '[3]' WHERE key = 'luck'"),
        execute("UPDATE meta SET value = '[]' WHERE key = 'league'"),
        execute("UPDATE meta SET value = '{\"form\":6}' WHERE key = 'league'"),
    ],
)
def test_damage_is_said_in_a_sentence(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    path = played(tmp_path, games=40)
    damage(path)
    with refused(path, "is damaged"):
        read_all(tmp_path)


@pytest.mark.parametrize("damage", [garbage, half])
def test_a_damaged_file_is_not_written_to(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    path = played(tmp_path, games=40)
    damage(path)
    before = path.read_bytes()
    with pytest.raises(RecordError, match="is damaged"), Store.open(tmp_path) as store:
        store.begin(INFO, ["g1"])
    assert path.read_bytes() == before


FORMAT = "UPDATE meta SET value = '{}' WHERE key = 'format'"


@pytest.mark.parametrize("way", [Store.open, Store.read])
@pytest.mark.parametrize(
    ("is_ours", "statement", "part"),
    [
        (False, "CREATE TABLE other (x)", "is no file of arena's"),
        (False, "CREATE TABLE meta (key TEXT, value TEXT)", "is no file of arena's"),
        (False, "CREATE TABLE meta (name TEXT)", "is no file of arena's"),
        (True, FORMAT.format(1), "has format 1, this version of arena"),
        (True, FORMAT.format(99), "has format 99, this version of arena"),
        (True, "DELETE FROM meta WHERE key = 'format'", "has format none, this vers"),
    ],
)
def test_a_file_of_another_program_or_format_is_left_alone(
    way: Callable[..., Any], is_ours: bool, statement: str, part: str, tmp_path: Path
) -> None:
    path = played(tmp_path) if is_ours else tmp_path / FILE_NAME
    execute(statement)(path)
    before = path.read_bytes()
    with refused(path, part), way(tmp_path):
        pass
    assert path.read_bytes() == before


def test_a_league_of_an_older_version_is_run_again_and_keeps_its_games(
    tmp_path: Path,
) -> None:
    path = played(tmp_path)
    old = '{"name":"x","seed":7,"labels":[{"label":"dice","game":"zombie_dice"}]}'
    execute(f"UPDATE meta SET value = '{old}' WHERE key = 'league'")(path)
    with refused(path, "was last written by another version"):
        read_all(tmp_path)
    with Store.open(tmp_path) as store:
        store.begin(INFO, ["g0", "g1", "g2"])
        assert counts(store) == (3, 3, 3)
    read_all(tmp_path)


def test_a_commitment_is_nothing_but_a_hash(tmp_path: Path) -> None:
    """It is printed, and a store may come from anywhere."""
    for number, text in enumerate(("<b>", "5e" * 33, "5E" * 32, "5e" * 32 + "\\n")):
        for key, value in (("commitment", f'"{text}"'), ("earlier", f'["{text}"]')):
            path = played(tmp_path / f"{number} {key}")
            execute(
                f"UPDATE meta SET value = json_set(value, '$.{key}', json('{value}')) "
                "WHERE key = 'league'"
            )(path)
            with refused(path, "is damaged"), Store.read(path.parent) as store:
                store.info()


def test_a_house_rule_is_said_once_with_all_its_labels() -> None:
    (dice,) = INFO.labels
    labels = (
        msgspec.structs.replace(dice, label="plain", house_rules=()),
        dice,
        msgspec.structs.replace(
            dice, label="long", house_rules=("Twice.", "The cup is ours.")
        ),
    )
    info = msgspec.structs.replace(INFO, labels=labels)
    assert info.house_rules() == [
        "dice, long: house rule: The cup is ours.",
        "long: house rule: Twice.",
    ]


def test_a_league_with_a_limit_of_before_can_be_read() -> None:
    text = msgspec.json.encode(INFO).decode()
    before = text.replace('"limits":{', '"limits":{"ponder":true,')
    assert before != text
    assert read_info(before) == INFO


def test_an_empty_file_is_a_new_league_to_write_and_none_to_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / FILE_NAME
    path.touch()
    with refused(path, "is no file of arena's"):
        read_all(tmp_path)
    played(tmp_path)
    read_all(tmp_path)


def test_a_busy_file_is_not_called_foreign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = played(tmp_path)
    monkeypatch.setattr("arena.league.results.database._BUSY_TIMEOUT_S", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with refused(path, "database is locked"):
        read_all(tmp_path)
    other.close()


def test_reading_needs_a_league(tmp_path: Path) -> None:
    with refused(tmp_path, "no results of a league here"):
        read_all(tmp_path)
    with pytest.raises(RecordError, match="no results of a league here"):
        read_all(tmp_path / "missing")
    with (
        Store.open(tmp_path) as store,
        refused(tmp_path / FILE_NAME, "holds no league yet"),
    ):
        store.info()


def test_what_can_not_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / FILE_NAME).mkdir()
    for folder, place, part in (
        (tmp_path / "file/x", tmp_path / "file/x", "can't write results here"),
        (tmp_path, tmp_path / FILE_NAME, "is no file of arena's"),
    ):
        with refused(place, part), Store.open(folder):
            pass


def test_one_league_at_a_time(tmp_path: Path) -> None:
    other = refused(tmp_path, "another league is being played")
    with Store.open(tmp_path), other, Store.open(tmp_path):
        pass
    with Store.open(tmp_path):
        pass


def test_a_folder_that_may_only_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "50 % of #1?"
    path = played(folder)
    path.chmod(0o444)
    folder.chmod(0o555)
    # The superuser may write anywhere.
    monkeypatch.setattr(os, "access", lambda *_: False)
    try:
        read_all(folder)
        assert {name.name for name in folder.iterdir()} == {FILE_NAME}
    finally:
        folder.chmod(0o755)
