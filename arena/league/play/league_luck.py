"""The luck in the games of a league, worked out once they are played.

Values and games may come from packages, so processes of their own work it out and
nothing there can harm the league: a label whose value fails has no luck, and the reason
is recorded.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

import trio
from msgspec.structs import replace

from arena.errors import LeagueError
from arena.league.config.league_file import LeagueConfig
from arena.league.framed_process import FramedProcess
from arena.league.play.luck_worker import Reply, Request, decode_reply
from arena.league.results.database import explained
from arena.league.results.luck_table import LabelValue, LuckTask
from arena.league.results.store import Store
from arena.records.batch import Batch
from arena.worker.protocol import GameSpec

_REQUEST_GAMES = 256
"""At the least, if there are as many; an interruption loses the work on a request."""
_LOOKUP_GAMES = 8192
"""Of the plan, looked up together; of these, games of one batch are read together."""
_MAX_TRIES = 2
_FIRST_NOTE_S = 3.0
"""Until progress is told for the first time."""


async def work_out_luck(
    config: LeagueConfig, store: Store, workers: int, tell: Callable[[str], None]
) -> None:
    """Work out the luck of every game of the plan that has none yet.

    Afterwards `LuckTable.values` has the value of each label, or why there is none.
    `tell` gets a sentence of progress if it takes long.  It may be cancelled: what it
    has worked out by then is recorded.

    Raises:
        RecordError: luck can't be recorded.
        LeagueError: the machine can't start a process.
    """
    labels = {game.label: game.spec for game in config.games}
    if not config.luck_adjustment:
        reason = "luck_adjustment is off in the league's file"
        store.luck_table.set_values(LabelValue(label=x, reason=reason) for x in labels)
        return
    async with aclosing(_LuckProcess()) as process:
        done = await _find_done(process, store, labels)
        values = {
            label: done.get(label) or await _find_value(process, label, spec)
            for label, spec in labels.items()
        }
        known = {value.label: value.id for value in values.values() if not value.reason}
        missing = store.luck_table.count_missing(known)
        requests = _games_without_luck(store, known)
        luck_run = _LuckRun(store, labels, values, requests, missing)
        if missing:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(luck_run.watch, tell)
                async with trio.open_nursery() as processes:
                    processes.start_soon(luck_run.work, process)
                    for _ in range(min(workers, -(-missing // _REQUEST_GAMES)) - 1):
                        processes.start_soon(luck_run.work_anew)
                nursery.cancel_scope.cancel()
    store.luck_table.set_values(luck_run.outcome())


async def luck_seconds(
    labels: Mapping[str, GameSpec], batches: Sequence[Batch]
) -> tuple[float, dict[str, float]]:
    """Return the seconds to make all values, and those to work out a game, by label.

    A label without a value, or without games among `batches`, is left out.

    Raises:
        LeagueError: the machine can't start a process.
    """
    begun = time.monotonic()
    seconds: dict[str, tuple[float, int]] = {}
    async with aclosing(_LuckProcess()) as process:
        for label, spec in labels.items():
            await _find_value(process, label, spec)
        made = time.monotonic() - begun
        for batch in batches:
            spec = labels[batch.label]
            places = tuple((0, place) for place in range(len(batch.game_ids)))
            request = Request(batch.label, spec, (batch.histories,), places)
            begun = time.monotonic()
            try:
                reply = await process.ask(request)
            except _ProcessDiedError:
                continue
            if reply.luck:
                # The last counts: the first ones fill caches.
                seconds[batch.label] = time.monotonic() - begun, len(reply.luck)
    return made, {label: spent / games for label, (spent, games) in seconds.items()}


async def _find_done(
    process: "_LuckProcess", store: Store, labels: Mapping[str, GameSpec]
) -> dict[str, LabelValue]:
    """Return the values with which all luck of their labels is worked out already.

    A value of the same version gives the same numbers, so none need be made.
    """
    done = {}
    for value in store.luck_table.values(earlier=True):
        spec = labels.get(value.label)
        if value.reason or spec is None or spec.name != value.game:
            continue
        if store.luck_table.count_missing({value.label: value.id}):
            continue
        try:
            reply = await process.ask(Request(value.label, spec, version_only=True))
        except _ProcessDiedError:
            continue  # The reason comes when it is asked for luck.
        if reply.version == value.version:
            done[value.label] = value
    return done


async def _find_value(
    process: "_LuckProcess", label: str, spec: GameSpec
) -> LabelValue:
    try:
        reply = await process.ask(Request(label, spec))
    except _ProcessDiedError as died:
        reply = Reply(reason=f"its value can't be used ({died})")
    return LabelValue(
        label=label,
        game=spec.name,
        version=reply.version,
        digest=reply.digest,
        reason=reply.reason,
    )


class _Games(NamedTuple):
    """Games of one label for one request, in the order of the plan."""

    label: str
    positions: tuple[int, ...]
    """In the plan."""
    ids: tuple[str, ...]
    batches: tuple[bytes, ...]
    places: tuple[tuple[int, int], ...]
    """Of each game: index of its batch, and place in the batch."""

    def one_by_one(self) -> Iterator["_Games"]:
        """Yield each game by itself; nothing if there is only one."""
        if len(self.ids) > 1:
            for position, game_id, (batch, place) in zip(
                self.positions, self.ids, self.places, strict=True
            ):
                own = self.batches[batch : batch + 1]
                yield _Games(self.label, (position,), (game_id,), own, ((0, place),))


def _games_without_luck(store: Store, known: Mapping[str, str]) -> Iterator[_Games]:
    """Yield the games whose luck is not known, for one request after another."""
    tasks: list[LuckTask] = []
    size = 0
    for task in store.luck_table.missing(known, _LOOKUP_GAMES):
        if tasks and (size >= _REQUEST_GAMES or task.label != tasks[0].label):
            yield _together(tasks)
            tasks, size = [], 0
        tasks.append(task)
        size += len(task.places)
    if tasks:
        yield _together(tasks)


def _together(tasks: list[LuckTask]) -> _Games:
    games = sorted(
        (position, game_id, (index, place))
        for index, task in enumerate(tasks)
        for position, game_id, place in zip(
            task.positions, task.game_ids, task.places, strict=True
        )
    )
    positions, ids, places = zip(*games, strict=True)
    batches = tuple([task.histories for task in tasks])
    return _Games(tasks[0].label, positions, ids, batches, places)


@dataclass(slots=True)
class _LuckRun:
    """The luck to be worked out, and the progress."""

    store: Store
    specs: Mapping[str, GameSpec]
    values: Mapping[str, LabelValue]
    requests: Iterator[_Games]
    """Shared by all processes."""
    missing: int
    done: int = 0
    failures: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By label: the first position in the plan where its value failed, and why."""

    async def work_anew(self) -> None:
        """Start another process, and work with it."""
        async with aclosing(_LuckProcess()) as process:
            await self.work(process)

    async def work(self, process: "_LuckProcess") -> None:
        """Have a process work out what is left; others may do so at the same time."""
        for games in self.requests:
            await self._ask(process, games)
            self.done += len(games.ids)

    async def _ask(self, process: "_LuckProcess", games: _Games) -> None:
        label, position = games.label, games.positions[0]
        if position >= self.failures.get(label, (inf, ""))[0]:
            return  # The reason of a label is its first failure in the plan.
        spec = self.specs[label]
        request = Request(label, spec, games.batches, games.places)
        try:
            self._take(games, await process.ask(request))
        except _ProcessDiedError as died:
            for game in games.one_by_one():
                await self._ask(process, game)
            if len(games.ids) == 1:
                why = f"its value failed in game {games.ids[0]}: {died}"
                self._fail(label, position, why)

    def outcome(self) -> Iterator[LabelValue]:
        """Yield the value of each label, or why it has none."""
        for label, value in self.values.items():
            _, reason = self.failures.get(label, (0, value.reason))
            yield replace(value, reason=reason)

    async def watch(self, tell: Callable[[str], None]) -> None:
        """Tell the progress, ever more seldom."""
        pause = _FIRST_NOTE_S
        while True:
            await trio.sleep(pause)
            tell(f"working out luck: {self.done} of {self.missing} games are done")
            pause *= 2

    def _take(self, games: _Games, reply: Reply) -> None:
        if reply.damage:
            with explained(self.store.path):
                raise sqlite3.DatabaseError(reply.damage)
        label, value = games.label, self.values[games.label]
        if (reply.version, reply.digest) != (value.version, value.digest):
            # Nobody could tell what its numbers depend on.
            why = "its value is another in another process"
            self._fail(label, games.positions[0], why)
            return
        self.store.luck_table.add(value.id, zip(games.ids, reply.luck, strict=False))
        if reply.reason:
            failed = len(reply.luck)
            why = f"its value failed in game {games.ids[failed]}: {reply.reason}"
            self._fail(label, games.positions[failed], why)

    def _fail(self, label: str, position: int, why: str) -> None:
        failure = position, why
        self.failures[label] = min(failure, self.failures.get(label, failure))


class _ProcessDiedError(Exception):
    """A process has died before it answered; has the last line of its errors."""


class _LuckProcess:
    """Works out luck; if it dies, another is started for the next request."""

    def __init__(self) -> None:
        self._running: FramedProcess | None = None

    async def ask(self, request: Request) -> Reply:
        """Have a request answered, by a second process if the first one dies.

        Raises:
            _ProcessDiedError: the second has died too.
            LeagueError: the machine can't start a process.
        """
        last_words = ""
        for _ in range(_MAX_TRIES):
            process = self._running or await self._start()
            await process.send(request)
            body = await process.receive()
            if body is not None:
                return decode_reply(body)
            last_words = await process.last_words()
            await self.aclose()
        raise _ProcessDiedError(last_words)

    async def _start(self) -> FramedProcess:
        try:
            self._running = await FramedProcess.start("arena.league.play.luck_worker")
        except OSError as error:
            raise LeagueError(
                f"luck can't be worked out: no process could be started ({error}); "
                "what was played is recorded"
            ) from None
        return self._running

    async def aclose(self) -> None:
        """Stop the process, if there is one, at once: it has nothing to save."""
        if self._running is not None:
            await self._running.stop(timeout_s=0.0)
            self._running = None
