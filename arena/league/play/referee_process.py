"""A referee's process: started, sent work units, listened to and stopped.

A league has several on its own machine, or on the workers of a Dask cluster.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Self

from arena.errors import LeagueError
from arena.league.framed_process import FramedProcess
from arena.records.batch import Batch
from arena.referee.service import (
    Setup,
    Stalled,
    Trouble,
    UnitDone,
    decode_news,
)
from arena.referee.work_unit import GameTask, WorkUnit

Deliver = Callable[[Sequence[Batch]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class UnitEnd:
    """How the play of a unit has ended."""

    left: tuple[GameTask, ...]
    """Games that were not delivered."""
    died_of: str = ""
    """The last line of the referee's errors, if it has died."""
    trouble: str = ""
    """Why this machine can't play on, if the referee has said so."""


class RefereeProcess:
    """Plays units, one after another.  Make it with `start`, and `stop` it."""

    def __init__(self, process: FramedProcess) -> None:
        self._process = process

    @classmethod
    async def start(cls, setup: Setup) -> Self:
        """Start a referee.

        Raises:
            LeagueError: the machine can't start a process.
        """
        try:
            process = await FramedProcess.start("arena.referee")
        except OSError as error:
            raise LeagueError(f"no referee could be started ({error})") from None
        referee = cls(process)
        try:
            await process.send(setup)
        except BaseException:
            await referee.stop()
            raise
        return referee

    async def play(
        self, unit: WorkUnit, deliver: Deliver, on_stall: Callable[[str], None]
    ) -> UnitEnd:
        """Have a unit played, and its games delivered as they end.

        `on_stall` is told what the referee waits for, if no game ends.
        """
        delivered: set[str] = set()

        def left() -> tuple[GameTask, ...]:
            return tuple(game for game in unit.games if game.game_id not in delivered)

        await self._process.send(unit)
        while (body := await self._process.receive()) is not None:
            news = decode_news(body)
            if isinstance(news, UnitDone):
                return UnitEnd(left())
            if isinstance(news, Trouble):
                return UnitEnd(left(), trouble=news.reason)
            if isinstance(news, Stalled):
                on_stall(news.what)
                continue
            for batch in news.batches:
                delivered.update(batch.game_ids)
            await deliver(news.batches)
        return UnitEnd(left(), died_of=await self._process.last_words())

    async def stop(self) -> None:
        """Let a referee stop its contestants and end; no process outlives this."""
        await self._process.stop()
