"""What luck was worth in the games of a league, worked out once they are played.

Processes of their own do it, as values and games may come from others, and what they
do there harms nothing: a label whose value fails goes without luck, and it is said why.
"""

import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple, Self

import trio
from msgspec.structs import replace

from arena.errors import LeagueError
from arena.league.config.league_file import LeagueConfig
from arena.league.play.framed_process import FramedProcess
from arena.league.play.luck_worker import Reply, Request, decode_reply, luck_reader
from arena.league.results.database import explained
from arena.league.results.store import LabelValue, LuckTask, Store
from arena.records.batch import Batch
from arena.worker.protocol import GameSpec

_AT_ONCE = 256
"""Games in a request, or a batch more: so many are lost by an interruption."""
_AHEAD = 8192
"""Places in the plan that are looked at together: games that were played in one batch
are read together if they are not further apart."""
_MAX_TRIES = 2
_MOMENT = 3.0
"""Seconds that are not worth a word."""


async def work_out_luck(
    config: LeagueConfig, store: Store, workers: int, tell: Callable[[str], None]
) -> None:
    """Work out the luck of every game that counts and has none yet.

    Afterwards `Store.label_values` says with what, and why there is none for a label.
    `tell` is told, in a sentence, if it takes more than a moment.  It may be cancelled:
    what it has worked out by then is recorded.

    Raises:
        RecordError: luck can't be recorded.
        LeagueError: the machine can't start a process.
    """
    labels = {game.label: game.spec for game in config.games}
    if not config.luck_adjustment:
        reason = "luck_adjustment is off in the league's file"
        store.set_label_values(LabelValue(label=x, reason=reason) for x in labels)
        return
    async with _process() as process:
        done = await _find_done(process, store, labels)
        values = {
            label: done.get(label) or await _find_value(process, label, spec)
            for label, spec in labels.items()
        }
        known = {value.label: value.id for value in values.values() if not value.reason}
        missing = store.count_without_luck(known)
        step = _Step(store, labels, values, _waiting(store, known), missing)
        if missing:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(step.watch, tell)
                async with trio.open_nursery() as processes:
                    processes.start_soon(step.work, process)
                    for _ in range(min(workers, -(-missing // _AT_ONCE)) - 1):
                        processes.start_soon(step.work_anew)
                nursery.cancel_scope.cancel()
    store.set_label_values(step.outcome())


async def luck_seconds(
    labels: Mapping[str, GameSpec], batches: Sequence[Batch]
) -> tuple[float, dict[str, float]]:
    """Return how long it takes to make all values, and to work out a game, by label.

    A label without a value, or without games among `batches`, is left out.

    Raises:
        LeagueError: the machine can't start a process.
    """
    begun = time.monotonic()
    seconds: dict[str, tuple[float, int]] = {}
    async with _process() as process:
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
            except _Died:
                continue
            if reply.luck:
                # The latest: what is worked out first fills caches.
                seconds[batch.label] = time.monotonic() - begun, len(reply.luck)
    return made, {label: spent / games for label, (spent, games) in seconds.items()}


async def _find_done(
    process: "_LuckProcess", store: Store, labels: Mapping[str, GameSpec]
) -> dict[str, LabelValue]:
    """Return the values of labels with which all luck has been worked out before.

    As long as a value's version is the same, so are its numbers, and it need not be
    made for nothing.
    """
    done = {}
    for value in store.earlier_label_values():
        spec = labels.get(value.label)
        if value.reason or spec is None or spec.name != value.game:
            continue
        if store.count_without_luck({value.label: value.id}):
            continue
        try:
            reply = await process.ask(Request(value.label, spec, version_only=True))
        except _Died:
            continue  # Why, will be said when it is asked for luck.
        if reply.version == value.version:
            done[value.label] = value
    return done


async def _find_value(
    process: "_LuckProcess", label: str, spec: GameSpec
) -> LabelValue:
    try:
        reply = await process.ask(Request(label, spec))
    except _Died as died:
        reply = Reply(reason=f"its value can't be used ({died})")
    return LabelValue(
        label=label,
        game=spec.name,
        version=reply.version,
        digest=reply.digest,
        reason=reply.reason,
    )


class _Games(NamedTuple):
    """Games of a label that are worked out together, in the order of the plan."""

    label: str
    positions: tuple[int, ...]
    """In the plan."""
    ids: tuple[str, ...]
    batches: tuple[bytes, ...]
    places: tuple[tuple[int, int], ...]
    """In these batches: the index, and the place in it."""

    def one_by_one(self) -> Iterator[Self]:
        """Yield each of several games by itself."""
        if len(self.ids) > 1:
            for position, game_id, (batch, place) in zip(
                self.positions, self.ids, self.places, strict=True
            ):
                histories = self.batches[batch : batch + 1]
                yield self._replace(
                    positions=(position,),
                    ids=(game_id,),
                    batches=histories,
                    places=((0, place),),
                )


def _waiting(store: Store, known: Mapping[str, str]) -> Iterator[_Games]:
    """Yield the games whose luck is not known, never of two labels together."""
    tasks: list[LuckTask] = []
    size = 0
    for task in store.without_luck(known, _AHEAD):
        if tasks and (size >= _AT_ONCE or task.label != tasks[0].label):
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
class _Step:
    """All that is to be worked out, and how far it has come."""

    store: Store
    specs: Mapping[str, GameSpec]
    values: Mapping[str, LabelValue]
    waiting: Iterator[_Games]
    missing: int
    done: int = 0
    failures: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By label: the first place in the plan where its value failed, and why."""

    async def work_anew(self) -> None:
        """Start a process, and work with it."""
        async with _process() as process:
            await self.work(process)

    async def work(self, process: "_LuckProcess") -> None:
        """Have a process work out what is left, while others do the same."""
        for games in self.waiting:
            await self._ask(process, games)
            self.done += len(games.ids)

    async def _ask(self, process: "_LuckProcess", games: _Games) -> None:
        label, position = games.label, games.positions[0]
        if position >= self.failures.get(label, (inf, ""))[0]:
            return  # What is said of the label is what fails first in the plan.
        spec = self.specs[label]
        request = Request(label, spec, games.batches, games.places)
        try:
            self._take(games, await process.ask(request))
        except _Died as died:
            for game in games.one_by_one():
                await self._ask(process, game)
            if len(games.ids) == 1:
                why = f"its value failed in game {games.ids[0]}: {died}"
                self._fail(label, position, why)

    def outcome(self) -> Iterator[LabelValue]:
        """Yield what each label's luck is worked out with."""
        for label, value in self.values.items():
            _, reason = self.failures.get(label, (0, value.reason))
            yield replace(value, reason=reason)

    async def watch(self, tell: Callable[[str], None]) -> None:
        """Tell how far it has come: after a moment, and ever more seldom."""
        silence = _MOMENT
        while True:
            await trio.sleep(silence)
            tell(f"working out luck: {self.done} of {self.missing} games are done")
            silence *= 2

    def _take(self, games: _Games, reply: Reply) -> None:
        if reply.damage:
            with explained(self.store.path):
                raise sqlite3.DatabaseError(reply.damage)
        label, value = games.label, self.values[games.label]
        if (reply.version, reply.digest) != (value.version, value.digest):
            # Nobody could say what its numbers depend on.
            why = "its value is another in another process"
            self._fail(label, games.positions[0], why)
            return
        self.store.add_luck(value.id, zip(games.ids, reply.luck, strict=False))
        if reply.reason:
            failed = len(reply.luck)
            why = f"its value failed in game {games.ids[failed]}: {reply.reason}"
            self._fail(label, games.positions[failed], why)

    def _fail(self, label: str, position: int, why: str) -> None:
        failure = position, why
        self.failures[label] = min(failure, self.failures.get(label, failure))


class _Died(Exception):
    """A process has ended before it answered; says its last words."""


@asynccontextmanager
async def _process() -> AsyncIterator["_LuckProcess"]:
    """Have a process that works out luck; none outlives this."""
    process = _LuckProcess()
    try:
        yield process
    finally:
        await process.stop()


class _LuckProcess:
    """Works out luck; if it dies, another is started for the next request."""

    def __init__(self) -> None:
        self._running: FramedProcess | None = None

    async def ask(self, request: Request) -> Reply:
        """Have a request answered, by a second process if the first one dies.

        Raises:
            _Died: so has the second.
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
            await self.stop()
        raise _Died(last_words)

    async def _start(self) -> FramedProcess:
        try:
            self._running = await FramedProcess.start(
                "arena.league.play.luck_worker", luck_reader()
            )
        except OSError as error:
            raise LeagueError(
                f"luck can't be worked out: no process could be started ({error}); "
                "what was played is recorded"
            ) from None
        return self._running

    async def stop(self) -> None:
        """Stop the process, if there is one."""
        if self._running is not None:
            await self._running.stop()
            self._running = None
