"""Where matches are played: in referee processes of this machine, or in this one."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from typing import IO, Protocol

import trio
from msgspec.structs import replace

from arena.errors import LeagueError, starting_contestants
from arena.records.batch import Batch
from arena.records.game_record import GameRecord
from arena.referee.cores import busy_contestants, usable_cores
from arena.referee.sandbox import Sandbox, SandboxSpec
from arena.referee.service import (
    Setup,
    Stalled,
    Trouble,
    UnitDone,
    decode_news,
    news_reader,
)
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import GameTask, Restart, WorkUnit
from arena.worker.protocol import frame

Deliver = Callable[[Sequence[Batch]], Awaitable[None]]
MAX_TRIES = 3
_PATIENCE = 5.0
"""Seconds that a referee has to put its contestants away before it is killed."""
_STALL = 30.0
"""Seconds without the end of a game that are worth a word."""


class Work(Protocol):
    """The units to be played."""

    def next(self) -> WorkUnit | None:
        """Take a unit; None if there is nothing to do now.

        There may be again after a delivery, for whoever made it.
        """

    def give_back(self, unit: WorkUnit, left: Sequence[GameTask]) -> None:
        """Say which games of a unit were not played, as its match was broken off."""


class Executor(Protocol):
    """Plays units of work somewhere."""

    lost: int
    """Referees that died."""
    void: int
    """Games that were void because of that, and played again."""

    async def play(self, work: Work, deliver: Deliver) -> None:
        """Play all units and deliver every game, those of a fixture together.

        In any order; only a match that is broken off leaves a part of a fixture.

        Raises:
            LeagueError: the machine could not.
        """


async def play_here(match: WorkUnit, sandbox: Sandbox) -> list[GameRecord]:
    """Return the games of a match, played by this process.

    Raises:
        LeagueError: the machine could not start a contestant.
    """
    records: list[GameRecord] = []
    with starting_contestants():
        await UnitPlayer(match, sandbox, records.append).play()
    return records


class StallWatch:
    """The time since a game has ended last, and what is waited for."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Prepare it; `tell` is told, in a sentence, why nothing goes on."""
        self.situations: dict[int, str] = {}
        """What each referee plays and waits for."""
        self._tell = tell
        self._last_end = 0.0

    def end(self) -> None:
        """Note that a game has ended."""
        self._last_end = trio.current_time()

    async def watch(self) -> None:
        """Tell when no game has ended for a while, and again if that goes on."""
        self.end()
        patience = _STALL
        while True:
            silence = trio.current_time() - self._last_end
            if silence < _STALL:
                patience = _STALL
            if silence < patience:
                await trio.sleep(min(patience - silence, _STALL))
                continue
            waits = "; ".join(self.situations[n] for n in sorted(self.situations))
            self._tell(
                f"no game has ended for {silence:.0f} s: {waits or 'no referee'}"
            )
            patience *= 2


class LocalExecutor:
    """Referees as processes of this machine."""

    def __init__(
        self, workers: int, sandbox: SandboxSpec, on_stall: Callable[[str], None]
    ) -> None:
        """Prepare it; `on_stall` is told, in a sentence, why nothing goes on."""
        self.workers = workers
        self.lost = 0
        self.void = 0
        self._setup = Setup(sandbox, busy_contestants(workers))
        self._cores = usable_cores()
        self._silence = StallWatch(on_stall)

    async def play(self, work: Work, deliver: Deliver) -> None:
        """Play all units and deliver every game, those of a fixture together."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._silence.watch)
            async with trio.open_nursery() as referees:
                for number in range(self.workers):
                    referees.start_soon(self._work, number, work, deliver)
            nursery.cancel_scope.cancel()

    async def _work(self, number: int, work: Work, deliver: Deliver) -> None:
        """Keep one referee busy; if it dies, start another and go on."""
        unit = work.next()
        tries = 0
        while unit is not None:
            with tempfile.TemporaryFile() as errors:
                referee = await _start(errors, self._setup_of(number, unit))
                try:
                    while unit is not None:
                        tries += 1
                        left, is_dead = await self._play(number, referee, unit, deliver)
                        if is_dead and left:
                            self.lost += 1
                            self.void += len(left)
                            unit = replace(unit, games=left)
                            break
                        if left:
                            work.give_back(unit, left)
                        unit, tries = work.next(), 0
                        if is_dead:
                            break
                finally:
                    self._silence.situations.pop(number, None)
                    await _stop(referee)
                if unit is not None and tries >= MAX_TRIES:
                    raise LeagueError(
                        f"the referee failed {tries} times at {players(unit)}: "
                        f"{last_line(errors)}; what was played is recorded"
                    )

    def _setup_of(self, number: int, unit: WorkUnit) -> Setup:
        """Return what a referee is told that begins with a unit.

        Where there is nothing to be done at the same time, it has a core of its own.
        """
        is_busy = self.workers < len(self._cores)
        if is_busy and unit.in_flight > 1 and unit.restart is not Restart.GAME:
            return self._setup
        return replace(self._setup, core=self._cores[number % len(self._cores)])

    async def _play(
        self, number: int, referee: trio.Process, unit: WorkUnit, deliver: Deliver
    ) -> tuple[tuple[GameTask, ...], bool]:
        """Have a unit played; return what is left of it, and whether it died.

        Raises:
            LeagueError: it says that the machine can't go on.
        """
        assert referee.stdin is not None
        assert referee.stdout is not None
        reader = news_reader()
        delivered: set[str] = set()
        self._silence.situations[number] = f"{players(unit)} begins"

        def left() -> tuple[GameTask, ...]:
            return tuple(g for g in unit.games if g.game_id not in delivered)

        try:
            await referee.stdin.send_all(frame(unit))
            async for data in referee.stdout:
                for body in reader.feed(bytes(data)):
                    news = decode_news(body)
                    if isinstance(news, UnitDone):
                        return left(), False
                    if isinstance(news, Stalled):
                        waits = f"{players(unit)}: {news.what}"
                        self._silence.situations[number] = waits
                    elif isinstance(news, Trouble):
                        raise LeagueError(f"{news.reason}; what was played is recorded")
                    else:
                        self._silence.end()
                        for batch in news.batches:
                            delivered.update(batch.game_ids)
                        await deliver(news.batches)
        except trio.BrokenResourceError:
            pass  # It died while it was being told what to play.
        return left(), True


def players(unit: WorkUnit) -> str:
    """Say what is played, and by whom."""
    return f"{unit.label}, {' against '.join(entry.id for entry in unit.entries)}"


async def _start(errors: IO[bytes], setup: Setup) -> trio.Process:
    try:
        referee = await trio.lowlevel.open_process(
            [sys.executable, "-m", "arena.referee"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
    except OSError as error:
        raise LeagueError(f"no referee could be started ({error})") from None
    assert referee.stdin is not None
    try:
        await referee.stdin.send_all(frame(setup))
    except trio.BrokenResourceError:
        pass  # Whoever gives it a match sees that it is dead.
    except BaseException:
        await _stop(referee)
        raise
    return referee


async def _stop(referee: trio.Process) -> None:
    """Let a referee put its contestants away; no process outlives this."""
    assert referee.stdin is not None
    assert referee.stdout is not None
    with trio.CancelScope(shield=True):
        await referee.stdin.aclose()
        with trio.move_on_after(_PATIENCE):
            await referee.wait()
        if referee.returncode is None:
            referee.kill()
            await referee.wait()
        await referee.stdout.aclose()


def last_line(errors: IO[bytes]) -> str:
    """Return the last words of a process that has died."""
    errors.seek(0, os.SEEK_SET)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "it ended without a word"
