"""The packs of replays, unpacked without the help of what has packed them."""

import gzip
import json
import re
import sqlite3
from base64 import b64decode
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from leagues import entry, fill, game, label_info, league
from matrix import divided
from msgspec.structs import replace
from recorded import KINDS, PRINTS, SECRET, Recorded, names_of, recorded

from arena.games import Game, Replay, as_objects
from arena.league.results.store import Store
from arena.reports.replay import packs as replays
from arena.reports.replay.packs import pack_of, write_replays

__all__ = ["recorded"]
ALL = (*KINDS, "forfeit", "played on", "never begun")


def write(folder: Path, to: Path, ids: list[str], **how: bool) -> dict[str, bytes]:
    """Write replays; return the files by name."""
    with Store.read(folder) as store:
        names = names_of(store)
        write_replays(store, names, ids, to, results="results/my x", **how)
    return {path.name: path.read_bytes() for path in (to / "replays").iterdir()}


def unpacked(text: bytes) -> dict[str, Any]:
    found = re.fullmatch(rb'arena\.pack\("(.*)", "(.*)"\);\n', text)
    assert found is not None
    data: dict[str, Any] = json.loads(gzip.decompress(b64decode(found[2])))
    return data


def put(value: Any, way: list[str], part: Any) -> Any:
    """Return a copy of a value with another part."""
    if not way:
        return part
    if isinstance(value, list):
        copy: Any = value[:]
        key: Any = int(way[0])
    else:
        copy, key = dict(value), way[0]
    copy[key] = put(copy[key], way[1:], part)
    return copy


def views(pack: dict[str, Any], game_id: str) -> list[list[dict[str, Any]]]:
    """Return each view of a game at all of its positions."""
    told = pack["games"][game_id]
    ways = [way.split(".") for way in pack["ways"]]

    def after(view: dict[str, Any], place: int) -> dict[str, Any]:
        parts = pack["changes"][place] if place >= 0 else []
        for way, part in zip(parts[::2], parts[1::2], strict=True):
            view = put(view, ways[way], part)
        return view

    shared, *others = told["views"]
    nothing = [-1] * len(told["events"])
    found = []
    for index, first in enumerate(pack["labels"][told["label"]]["first"]):
        own = (others[index - 1] if index else []) or nothing
        steps = zip(shared or nothing, own, strict=True)
        found.append(
            list(
                accumulate(
                    steps, lambda v, s: after(after(v, s[0]), s[1]), initial=first
                )
            )
        )
    return found


def shown(game: Game, replay: Replay) -> list[list[dict[str, Any]]]:
    """Return the observation of each seat at all positions."""
    found: list[list[dict[str, Any]]] = [[] for _ in range(game.players)]
    for table in replay.walk():
        for seat, seen in enumerate(found):
            view = as_objects(table.state.observation(seat))
            del view["events"], view["time_left"]
            seen.append(view)
    return found


@pytest.fixture(scope="module")
def files(
    recorded: Recorded, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, bytes]:
    ids = [record.game_id for record in recorded.records.values()]
    return write(recorded.folder, tmp_path_factory.mktemp("packs"), ids)


@pytest.mark.parametrize("name", ALL)
def test_a_pack_tells_every_position_of_a_game(
    recorded: Recorded, files: dict[str, bytes], name: str
) -> None:
    record = recorded.records[name]
    rules = recorded.game(name)
    replay = Replay(rules, record.history)
    pack = unpacked(files[f"{record.game_id[0]}.js"])
    told = pack["games"][record.game_id]
    assert [pack["texts"][i] for i in told["events"]] == list(record.history)
    assert told["actors"] == [event.seat for event in replay.events]
    seats = views(pack, record.game_id)
    # No seat is told more than it was shown, and none less.
    assert seats[: rules.players] == shown(rules, replay)
    legal = [pack["legal"][i] for i in told["legal"]]
    states = [t.state.clone() for t in replay.walk()]
    deciding = [s.legal_actions() for s in states if s.current_player() >= 0]
    assert [x[:-1] for x in legal] == [x[:12] for x in deciding]
    assert [x[-1] for x in legal] == [len(x) for x in deciding]
    if rules.name == "zombie_run":
        truth = [(view["hands"], view["drawn"]) for view in seats[-1]]
        hands = [[[card.value for card in hand] for hand in s.hands] for s in states]  # type: ignore[attr-defined]
        held = [s.held for s in states]  # type: ignore[attr-defined]
        assert truth == list(zip(hands, held, strict=True))
    else:
        assert len(seats) == rules.players
    if rules.name == "pig":
        assert [pack["texts"][i] for i in told["texts"]] == [str(s) for s in states]


@pytest.mark.parametrize("name", KINDS)
def test_turns_and_rounds_begin_where_they_do(
    recorded: Recorded, files: dict[str, bytes], name: str
) -> None:
    record = recorded.records[name]
    told = unpacked(files[f"{record.game_id[0]}.js"])["games"][record.game_id]
    starts = list(accumulate(told["turns"][0]))
    turns = list(zip(starts, told["turns"][1], strict=True))
    rounds = list(accumulate(told["rounds"]))
    assert turns[0][0] == rounds[0] == 0
    assert set(rounds) <= set(starts)
    # In a turn nobody decides but the seat whose turn it is.
    whose = dict(turns)
    seat = -1
    for position, actor in enumerate(told["actors"]):
        seat = whose.get(position, seat)
        assert actor in (-1, seat)
    if name == "ox":
        assert [seat for _, seat in turns[:4]] == [0, 1, 0, 1]
        assert rounds == starts[::2]


def test_anonymous_packs_hold_nothing_of_a_fault_but_its_kind(
    recorded: Recorded, files: dict[str, bytes], tmp_path: Path
) -> None:
    record = recorded.records["forfeit"]
    name = f"{record.game_id[0]}.js"
    assert SECRET in str(unpacked(files[name]))
    hidden = write(recorded.folder, tmp_path, [record.game_id], anonymous=True)
    pack = unpacked(hidden[name])
    assert SECRET not in str(pack)
    assert pack["games"][record.game_id]["faults"] == [
        [record.faults[0].seat, 3, "illegal_action", ""]
    ]


def test_what_bots_print_is_in_private_packs_alone(
    recorded: Recorded, files: dict[str, bytes], tmp_path: Path
) -> None:
    record = recorded.records["run"]
    name = f"{record.game_id[0]}.js"
    assert "prints" not in unpacked(files[name])["games"][record.game_id]
    private = write(recorded.folder, tmp_path, [record.game_id], private=True)
    told = unpacked(private[name])["games"][record.game_id]
    assert told["prints"] == [[*printed] for printed in PRINTS]


def test_a_pack_is_made_on_demand_while_the_store_is_written(
    recorded: Recorded,
) -> None:
    """Of what is not there, or has two meanings, it holds nothing."""
    record = recorded.records["ox"]
    with Store.read(recorded.folder) as store:
        names = names_of(store)
    with (
        closing(sqlite3.connect(recorded.folder / "league.sqlite")) as writer,
        Store.read(recorded.folder) as store,
    ):
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM games")

        def made(
            wanted: str, names: dict[str, str] = names, *, private: bool = True
        ) -> dict[str, Any]:
            words = pack_of(store, names, wanted, "results/my x", private=private)
            text = words.encode()
            assert text.startswith(f'arena.pack("{wanted}", '.encode())
            found: dict[str, Any] = unpacked(text)["games"]
            return found

        for wanted in (record.game_id, record.game_id[:9]):
            assert list(made(wanted)) == [record.game_id]
        (run,) = made(recorded.records["run"].game_id).values()
        assert run["prints"] == [[*printed] for printed in PRINTS]
        (run,) = made(recorded.records["run"].game_id, private=False).values()
        assert "prints" not in run
        lost = recorded.records["forfeit"].game_id
        assert SECRET in str(made(lost))
        assert SECRET not in str(made(lost, private=False))
        assert not made("0ff")
        assert not made("")
        # An entry of a later run has no name on these pages.
        assert not made(record.game_id, dict([*names.items()][:1]))
        writer.rollback()


def test_only_what_was_asked_for_is_written(recorded: Recorded, tmp_path: Path) -> None:
    record = recorded.records["ox"]
    found = write(recorded.folder, tmp_path, [record.game_id, "not there"])
    name = f"{record.game_id[0]}.js"
    assert sorted(found) == sorted([name, "index.js"])
    assert list(unpacked(found[name])["games"]) == [record.game_id]
    index = f'{{"packs":["{record.game_id[0]}"],"results":"\'results/my x\'"}}'
    assert found["index.js"].decode() == f"arena.replays({index});\n"
    assert list(write(recorded.folder, tmp_path / "none", [])) == ["index.js"]


@pytest.mark.parametrize("processes", divided((1, 2), lambda n: n == 1))
def test_any_number_of_processes_and_any_order_give_the_same_bytes(
    processes: int,
    recorded: Recorded,
    files: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Games of a plugin are left out: other processes know only installed ones.
    records = [r for r in recorded.records.values() if r.label != "pig"]
    fill(tmp_path, recorded.info, reversed(records))
    monkeypatch.setattr(replays, "_MIN_POOL_REPLAYS", 1)
    monkeypatch.setattr(replays, "count_cores", lambda: processes)
    again = write(tmp_path, tmp_path, [r.game_id for r in reversed(records)])
    del again["index.js"]
    pig = f"{recorded.records['pig'].game_id[0]}.js"
    assert again == {n: x for n, x in files.items() if n not in (pig, "index.js")}


def test_what_the_rules_do_not_allow_is_said_in_its_place(tmp_path: Path) -> None:
    who = [entry(name, "dice") for name in ("Ana", "Bo")]
    dice = replace(label_info("dice"), game="zombie_dice", options={})
    gone = replace(label_info("gone"), game="not_installed", options={})
    fill(
        tmp_path,
        league(who, [dice, gone]),
        [game(0, who, (1, 2)), game(1, who, (1, 2), "gone")],
    )
    pack = unpacked(write(tmp_path, tmp_path, ["g000", "g001"])["g.js"])
    first, second = (pack["games"][name]["lost"] for name in ("g000", "g001"))
    assert first.startswith("at 0 of its history: ")
    assert "no game is called 'not_installed'" in second
