"""Records the games of a league as they are delivered; nobody else writes."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from arena.errors import RecordError
from arena.league.results.store import Store
from arena.league.schedule.core import Stage
from arena.league.schedule.queue import Queue
from arena.records.batch import Batch

_COMMIT_EVERY_S = 0.5
MAX_WAITING_GAMES = 4000
"""That wait to be recorded.  With as many, they are recorded before more are taken: if
the disk is slow, referees wait, and games don't pile up."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many games of a league are played; told again whenever it changes."""

    planned: int
    recorded: int
    """Planned games that are recorded, by this run or an earlier one.

    One that somebody is in quarantine for counts from then on: nothing but its record
    is missing.  So the number never falls, though games that were played too early no
    longer count.
    """
    played: int = 0
    """Those of this run."""
    forfeits: int = 0
    """Games of this run that someone forfeited."""
    is_open: bool = False
    """True if there may be fewer games than planned: that depends on results."""
    stage: str = ""
    """Title of the stage, if the plan depends on results."""


@dataclass(slots=True)
class Recorder:
    """Takes deliveries, and records them a transaction at a time."""

    store: Store
    queue: Queue
    stage: Stage
    before: Progress
    """The progress when this stage began."""
    on_progress: Callable[[Progress], None]
    tell: Callable[[str], None]
    """Gets a sentence for the instructor if prints can't be kept any more."""
    waiting: list[Batch] = field(default_factory=list)
    waiting_games: int = 0
    changes: list[range] = field(default_factory=list)
    """Positions in the plan that have got other games since the last commit."""
    progress: Progress = field(init=False)
    keeps_prints: bool = True
    """False once prints could not be recorded."""

    def __post_init__(self) -> None:
        self.progress = self._progress()

    async def deliver(self, batches: Sequence[Batch]) -> None:
        """Take games; if too many wait, record them before it returns."""
        for batch in batches:
            self.waiting.append(batch)
            self.waiting_games += len(batch.game_ids)
            self.changes += self.queue.note(batch.ends())
        if self.waiting_games >= MAX_WAITING_GAMES:
            self._commit()
        await trio.lowlevel.checkpoint()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Record at intervals during the block, and the rest at its end."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._commit_at_intervals)
                yield
                nursery.cancel_scope.cancel()
        finally:
            self._commit()

    async def _commit_at_intervals(self) -> None:
        while True:
            await trio.sleep(_COMMIT_EVERY_S)
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
                for change in zip(places, self.queue.game_ids(places), strict=True)
            ),
        )
        self._keep_prints([batch for batch in batches if batch.prints])
        progress = self._progress()
        if progress != self.progress:
            self.progress = progress
            self.on_progress(progress)

    def _keep_prints(self, batches: Sequence[Batch]) -> None:
        """Record what was printed, apart from the games: no game is lost for it."""
        if not (batches and self.keeps_prints):
            return
        try:
            self.store.prints.add(batches)
        except RecordError as error:
            self.keeps_prints = False
            self.tell(f"from here on, nothing that bots print is kept: {error}")

    def _progress(self) -> Progress:
        queue = self.queue
        return Progress(
            planned=self.stage.most,
            recorded=queue.planned - queue.missing + queue.unplayed,
            played=self.before.played + queue.played + queue.unplayed,
            forfeits=self.before.forfeits + queue.forfeits + queue.unplayed,
            is_open=not self.stage.is_whole,
            stage=self.stage.title,
        )
