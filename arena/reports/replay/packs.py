"""The replays that the pages show: games in packs, as scripts that open from disk.

A pack is `replays/ab.js`: the games whose id begins with `ab`, as JSON, gzip and
base64.  `replays/index.js` says which packs there are.  What many games of a pack have
in common (texts, changes, lists of legal actions) stands in it once.  Where a server
makes packs on demand, each holds one game, and is called as it.
"""

import gzip
import shlex
from base64 import b64encode
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.games import Game, GameSpecError, HistoryError, Replay, get_game
from arena.league.config.info import LabelInfo
from arena.league.results.store import Store
from arena.plugins import load_plugins
from arena.records.game_record import GameRecord
from arena.records.prints import Printed
from arena.referee.cores import count_cores
from arena.reports.fault_text import fault_text
from arena.reports.replay.drawings import Drawing, DrawingError, find_drawing
from arena.reports.replay.frames import Changes, Frames, first_views, frames, plain

FOLDER = "replays"
_MAX_SHORT_REPLAYS = 400
"""Replays up to which packs go by one digit of the id; by two if there are more."""
_MIN_POOL_REPLAYS = 600
"""Replays from which more than one process is quicker."""


class _Job(msgspec.Struct, frozen=True):
    """A pack to be written."""

    prefix: str
    labels: tuple[LabelInfo, ...]
    names: Mapping[str, str]
    records: tuple[GameRecord, ...]
    """By id."""
    results: str
    anonymous: bool
    prints: Mapping[str, tuple[Printed, ...]] = {}
    """By game."""


def write_replays(
    store: Store,
    names: Mapping[str, str],
    game_ids: Collection[str],
    folder: Path,
    *,
    results: str,
    anonymous: bool = False,
    private: bool = False,
) -> tuple[str, ...]:
    """Write the replays of some games of a league's plan into `folder`/replays.

    Returns a sentence about each drawing of a game that can't be used.

    Args:
        names: how each entry is called, by its id.
        results: what the results folder is called in commands.
        anonymous: leave out of faults all that could tell whose they are.
        private: add what bots have printed.

    A game that can't be replayed, because its rules have changed or are not installed,
    has a sentence that says so in place of its frames.

    Raises:
        RecordError: the store is damaged.
        OSError: the folder can't be written.
    """
    wanted = frozenset(game_ids)
    digits = 1 if len(wanted) <= _MAX_SHORT_REPLAYS else 2
    packs: dict[str, list[GameRecord]] = {}
    for record in store.records(history=True) if wanted else ():
        if record.game_id in wanted:
            packs.setdefault(record.game_id[:digits], []).append(record)
    info = store.info()
    jobs = [
        _Job(
            prefix,
            info.labels,
            {x: names[x] for record in records for x in record.seats},
            tuple(sorted(records, key=lambda record: record.game_id)),
            results,
            anonymous,
            _prints(store, records) if private else {},
        )
        for prefix, records in sorted(packs.items())
    ]
    place = _folder(folder)
    problems: set[str] = set()
    for job, written in zip(jobs, _written(jobs, len(wanted)), strict=True):
        (place / f"{job.prefix}.js").write_text(written.text)
        problems |= set(written.problems)
    _write_index(place, results, packs=[job.prefix for job in jobs])
    return tuple(sorted(problems))


def write_on_demand(folder: Path, results: str) -> None:
    """Write into `folder`/replays that each game is in a pack of its own.

    Whoever serves the pages makes these by `pack_of`.

    Raises:
        OSError: the folder can't be written.
    """
    _write_index(_folder(folder), results, each=True)


def pack_of(
    store: Store,
    names: Mapping[str, str],
    wanted: str,
    results: str,
    *,
    private: bool = False,
) -> str:
    """Return the pack with the replay of the game whose id begins so.

    It holds no game if there is none of a known label and known entries, or if there
    are several.  With `private` it has what bots and their authors have written, too.

    Raises:
        RecordError: the store is damaged.
    """
    info = store.info()
    records = [store.record(game_id) for game_id in store.ids_from(wanted, 2)]
    if len(records) == 2:
        records = [record for record in records if record.game_id == wanted]
    labels = {label.label for label in info.labels}
    found = tuple(
        record
        for record in records
        if record.label in labels and names.keys() >= {*record.seats}
    )
    called = {x: names[x] for record in found for x in record.seats}
    prints = _prints(store, found) if private else {}
    job = _Job(wanted, info.labels, called, found, results, not private, prints)
    return _pack(job).text


def _prints(
    store: Store, records: Iterable[GameRecord]
) -> dict[str, tuple[Printed, ...]]:
    prints = ((record.game_id, store.prints.of(record.game_id)) for record in records)
    return {game_id: printed for game_id, printed in prints if printed}


def _folder(folder: Path) -> Path:
    place = folder / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    return place


def _write_index(place: Path, results: str, **packs: object) -> None:
    index = packs | {"results": shlex.quote(results)}
    (place / "index.js").write_text(f"arena.replays({_json(index).decode()});\n")


class _Pack(NamedTuple):
    """A pack as it is written."""

    text: str
    problems: tuple[str, ...]
    """Why games have no drawing in it that have one, a sentence each."""


def _written(jobs: list[_Job], replays: int) -> Iterator[_Pack]:
    """Yield the packs in the order of the jobs, whoever makes them."""
    processes = min(count_cores(), len(jobs))
    if replays < _MIN_POOL_REPLAYS or processes == 1:
        yield from map(_pack, jobs)
        return
    with ProcessPoolExecutor(
        processes, get_context("spawn"), initializer=load_plugins
    ) as pool:
        yield from pool.map(_pack, jobs)


def _pack(job: _Job) -> _Pack:
    undrawn: dict[str, str] = {}
    while True:
        try:
            return _Pack(_script(job, undrawn), tuple(undrawn.values()))
        except DrawingError as error:
            undrawn[error.game] = str(error)


def _script(job: _Job, undrawn: Mapping[str, str]) -> str:
    """Return the script of a pack; `undrawn` says of games why they are not drawn.

    Raises:
        DrawingError: the drawing of another game can't be used.
    """
    shared = _Shared()
    labels = {label.label: label for label in job.labels}
    games: dict[str, tuple[Game, Drawing | None]] = {}
    shown: dict[str, dict[str, Any]] = {}
    replays: dict[str, dict[str, Any]] = {}
    for record in job.records:
        label = labels[record.label]
        try:
            if record.label not in games:
                game = get_game(label.game, label.players, label.options)
                drawing = None if game.name in undrawn else find_drawing(game)
                games[record.label] = game, drawing
                shown[record.label] = _about(label, game, drawing)
                if game.name in undrawn:
                    shown[record.label]["undrawn"] = undrawn[game.name]
            game, drawing = games[record.label]
            told = frames(Replay(game, record.history), drawing)
        except (GameSpecError, HistoryError) as error:
            replays[record.game_id] = {"lost": str(error)}
        else:
            replays[record.game_id] = _head(record, job) | _body(told, shared)
            if record.game_id in job.prints:
                replays[record.game_id]["prints"] = job.prints[record.game_id]
    data = {"labels": shown, "games": replays} | shared.tables()
    packed = b64encode(gzip.compress(_json(data), 9, mtime=0)).decode()
    return f'arena.pack("{job.prefix}", "{packed}");\n'


class _Shared:
    """Tables of things that several games have; games hold indices into them."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[Any, int]] = {
            "texts": {},
            "ways": {},
            "changes": {},
            "legal": {},
        }

    def place(self, table: str, thing: Hashable) -> int:
        """Return the index of a thing in a table, and add it if it is new."""
        known = self._tables[table]
        return known.setdefault(thing, len(known))

    def changes(self, found: Changes) -> int:
        """Return the index of changes, which are written as way, value, way, value …"""
        if not found:
            return -1
        parts: list[Any] = []
        for way, value in found.items():
            parts.append(self.place("ways", way))
            parts.append(value)
        return self.place("changes", tuple(parts))

    def tables(self) -> dict[str, list[Any]]:
        """Return the tables as JSON has them."""
        texts, ways, changes, legal = (list(x) for x in self._tables.values())
        return {
            "texts": texts,
            "ways": [".".join(map(str, way)) for way in ways],
            "changes": [plain(parts) for parts in changes],
            "legal": legal,
        }


def _about(label: LabelInfo, game: Game, drawing: Drawing | None) -> dict[str, Any]:
    """Return the data that all games of a label share."""
    return {
        "game": label.game,
        "title": game.title,
        "unit": game.score_unit,
        "options": label.options,
        "first": first_views(game, drawing),
        **({} if drawing is None else drawing.facts()),
    }


def _head(record: GameRecord, job: _Job) -> dict[str, Any]:
    """Return the players and the result."""
    faults = []
    for fault in record.faults:
        name = job.names[fault.entry]
        command = shlex.join(
            ["arena", "replay", job.results, record.game_id, "--step", str(fault.step)]
        )
        text = "" if job.anonymous else fault_text(fault, name, replay=command)
        faults.append([fault.seat, fault.step, str(fault.termination), text])
    return {
        "label": record.label,
        "bots": [job.names[entry] for entry in record.seats],
        "places": record.places,
        "scores": [_whole(score) for score in record.scores],
        "termination": str(record.termination),
        "faults": faults,
    }


def _body(told: Frames, shared: _Shared) -> dict[str, Any]:
    """Return the events, and the changes that each made."""
    views = [[shared.changes(x) for x in view] for view in told.views]
    starts = [position for position, _ in told.turns]
    body: dict[str, Any] = {
        "actors": told.actors,
        "events": [shared.place("texts", text) for text in told.events],
        "views": [view if any(x >= 0 for x in view) else [] for view in views],
        "legal": [shared.place("legal", (*some, n)) for _, some, n in told.legal],
        "turns": [_gaps(starts), [seat for _, seat in told.turns]],
        "rounds": _gaps(told.rounds),
        "outcomes": [
            _gaps([position for position, _ in told.outcomes]),
            [shared.place("texts", text) for _, text in told.outcomes],
        ],
    }
    if told.texts:
        body["texts"] = [shared.place("texts", text) for text in told.texts]
    return body


def _gaps(positions: Iterable[int]) -> list[int]:
    """Return the differences between neighbours: small numbers, which compress well."""
    return [after - before for before, after in pairwise((0, *positions))]


def _whole(number: float) -> float | int:
    return int(number) if number == int(number) else number


def _json(data: Any) -> bytes:
    return msgspec.json.encode(data)
