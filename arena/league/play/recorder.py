"""The one writer of a league: takes in what referees deliver, and records it."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from arena.league.results.store import Store
from arena.league.schedule.core import Stage
from arena.league.schedule.queue import Queue
from arena.records.batch import Batch

_COMMIT_EVERY = 0.5
"""Seconds."""
MAX_WAITING = 4000
"""Games that may wait to be recorded.  While as many are being recorded none are taken
in, so that referees wait, and not games, if the disk is slow."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a league has come; told again whenever it changes."""

    planned: int
    recorded: int
    """Of the planned games, those of earlier runs among them."""
    played: int = 0
    """Of the recorded games, those of this run."""
    forfeits: int = 0
    """Of those of this run, the games that someone forfeited."""
    is_open: bool = False
    """Whether there may be fewer games than planned: it depends on results."""
    stage: str = ""
    """What is being played, where that is planned as results come in."""


@dataclass(slots=True)
class Recorder:
    """Takes deliveries in, and records them a transaction at a time."""

    store: Store
    queue: Queue
    stage: Stage
    before: Progress
    """When this stage of the plan began."""
    on_progress: Callable[[Progress], None]
    waiting: list[Batch] = field(default_factory=list)
    waiting_games: int = 0
    changes: list[range] = field(default_factory=list)
    """Places in the plan where other games count since the last commit."""
    progress: Progress = field(init=False)

    def __post_init__(self) -> None:
        self.progress = self._progress()

    async def deliver(self, batches: Sequence[Batch]) -> None:
        """Take games in.  Once too many wait, they are recorded before it returns."""
        for batch in batches:
            self.waiting.append(batch)
            self.waiting_games += len(batch.game_ids)
            self.changes += self.queue.note(batch.ends())
        if self.waiting_games >= MAX_WAITING:
            self._commit()
        await trio.lowlevel.checkpoint()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Record now and then while inside, and all that is left at the end."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._commit_now_and_then)
                yield
                nursery.cancel_scope.cancel()
        finally:
            self._commit()

    async def _commit_now_and_then(self) -> None:
        while True:
            await trio.sleep(_COMMIT_EVERY)
            self._commit()

    def _commit(self) -> None:
        batches, self.waiting = self.waiting, []
        changes, self.changes = self.changes, []
        self.waiting_games = 0
        if not batches:
            return
        self.store.add(
            batches,
            (
                change
                for places in changes
                for change in zip(places, self.queue.ids(places), strict=True)
            ),
        )
        progress = self._progress()
        if progress != self.progress:
            self.progress = progress
            self.on_progress(progress)

    def _progress(self) -> Progress:
        queue = self.queue
        return Progress(
            planned=self.stage.most,
            recorded=queue.planned - queue.missing,
            played=self.before.played + queue.played,
            forfeits=self.before.forfeits + queue.forfeits,
            is_open=not self.stage.is_whole,
            stage=self.stage.title,
        )
