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
from arena.referee.match import Match
from arena.referee.record import GameRecord, GameTask, MatchTask
from arena.referee.sandbox import LimitsSandbox
from arena.referee.service import MatchOver, decode_news, news_reader
from arena.worker.protocol import frame

Deliver = Callable[[Sequence[GameRecord]], Awaitable[None]]
_MAX_TRIES = 3
_PATIENCE = 5.0
"""Seconds that a referee has to put its contestants away before it is killed."""


class Work(Protocol):
    """The units to be played."""

    def next(self) -> MatchTask | None:
        """Take a unit; None if there is nothing to do now.

        There may be again after a delivery, for whoever made it.
        """

    def give_back(self, unit: MatchTask, left: Sequence[GameTask]) -> None:
        """Say which games of a unit were not played, as its match was broken off."""


class Executor(Protocol):
    """Plays units of work somewhere."""

    async def play(self, work: Work, deliver: Deliver) -> None:
        """Play all units and deliver every game, in any order.

        Raises:
            LeagueError: the machine could not.
        """


async def play_here(match: MatchTask) -> list[GameRecord]:
    """Return the games of a match, played by this process.

    Raises:
        LeagueError: the machine could not start a contestant.
    """
    records: list[GameRecord] = []
    with starting_contestants():
        await Match(match, LimitsSandbox(), records.append).play()
    return records


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LocalExecutor:
    """Referees as processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    async def play(self, work: Work, deliver: Deliver) -> None:
        """Play all units and deliver every game, in any order."""
        async with trio.open_nursery() as nursery:
            for _ in range(self.workers):
                nursery.start_soon(_work, work, deliver)


async def _work(work: Work, deliver: Deliver) -> None:
    """Keep one referee busy; if it dies, start another and go on."""
    unit = work.next()
    tries = 0
    while unit is not None:
        with tempfile.TemporaryFile() as errors:
            referee = await _start(errors)
            try:
                while unit is not None:
                    tries += 1
                    left, is_dead = await _play_unit(referee, unit, deliver)
                    if is_dead and left:
                        unit = replace(unit, games=left)
                        break
                    if left:
                        work.give_back(unit, left)
                    unit, tries = work.next(), 0
                    if is_dead:
                        break
            finally:
                await _stop(referee)
            if unit is not None and tries >= _MAX_TRIES:
                who = " against ".join(entry.id for entry in unit.entries)
                raise LeagueError(
                    f"the referee failed {tries} times at {unit.label}, {who}: "
                    f"{_last_line(errors)}; what was played is recorded"
                )


async def _start(errors: IO[bytes]) -> trio.Process:
    try:
        return await trio.lowlevel.open_process(
            [sys.executable, "-m", "arena.referee"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
    except OSError as error:
        raise LeagueError(f"no referee could be started ({error})") from None


async def _play_unit(
    referee: trio.Process, unit: MatchTask, deliver: Deliver
) -> tuple[tuple[GameTask, ...], bool]:
    """Have a unit played; return what is left of it, and whether the referee died."""
    assert referee.stdin is not None
    assert referee.stdout is not None
    reader = news_reader()
    delivered: set[str] = set()

    def left() -> tuple[GameTask, ...]:
        return tuple(g for g in unit.games if g.game_id not in delivered)

    try:
        await referee.stdin.send_all(frame(unit))
        async for data in referee.stdout:
            for body in reader.feed(bytes(data)):
                news = decode_news(body)
                if isinstance(news, MatchOver):
                    return left(), False
                delivered.update(record.game_id for record in news.records)
                await deliver(news.records)
    except trio.BrokenResourceError:
        pass  # It died while it was being told what to play.
    return left(), True


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


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0, os.SEEK_SET)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "it ended without a word"
