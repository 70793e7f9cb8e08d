"""The messages of real games, as they go to a contestant and come back."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import trio
from commands import Course
from play_units import bot_at, unit_of
from sandboxes import best_level, sandbox_of, watched

from arena.games import get_game
from arena.records.game_record import GameRecord
from arena.referee.sandbox import Process
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import WorkUnit

Message = tuple[bool, Process | None, bytes]
"""Whether it was sent, to whom or by whom, and what."""
NAMES = ("ana", "ben")


def unit_of_course(course: Course, game: str, games: int, in_flight: int) -> WorkUnit:
    """Return games between the two bots of a course, to be played without a league."""
    entries = [bot_at(course.bots / f"{name}.py", name.title()) for name in NAMES]
    most = get_game(game).max_decisions
    return unit_of(
        *entries, games=games, in_flight=in_flight, game=game, max_decisions=most
    )


def play_here(unit: WorkUnit) -> list[GameRecord]:
    """Play games with this process as the referee, at the strongest level."""
    level = best_level()
    records: list[GameRecord] = []

    async def play() -> None:
        with sandbox_of(level) as sandbox:
            await UnitPlayer(unit, sandbox, records.append).play()

    trio.run(play)
    return records


def messages_of(course: Course, game: str, games: int) -> list[tuple[bytes, bytes]]:
    """Play games one at a time; return the requests of both contestants, and replies.

    What is asked before the first game, to read a bot's file, is left out.
    """
    level = best_level()
    unit = unit_of_course(course, game, games, in_flight=1)
    found: list[tuple[bytes, bytes]] = []

    async def play() -> None:
        with (
            sandbox_of(level) as sandbox,
            watched(sandbox) as processes,
            _overheard(processes) as heard,
        ):
            await UnitPlayer(unit, sandbox, lambda _: None).play()
            for process in processes:
                said = [(sent, data) for sent, who, data in heard if who is process]
                found.extend(_exchanges(said)[1:])

    trio.run(play)
    if not found:
        raise RuntimeError(f"{game}: no message was overheard; how are they sent now?")
    return found


def _exchanges(said: list[tuple[bool, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return what was sent and what came back, turn by turn."""
    pairs: list[tuple[bytes, bytes]] = []
    was_sent = False
    for is_sent, data in said:
        if is_sent and not was_sent:
            pairs.append((data, b""))
        elif pairs:
            request, reply = pairs[-1]
            pairs[-1] = (request + data, reply) if is_sent else (request, reply + data)
        was_sent = is_sent
    return [pair for pair in pairs if pair[1]]


@contextmanager
def _overheard(processes: Sequence[Process]) -> Iterator[list[Message]]:
    """Note all that this process reads and writes; `processes` grows meanwhile."""
    read, write = os.read, os.write
    heard: list[Message] = []

    def owner(fd: int) -> Process | None:
        """Return the process at a descriptor, which an earlier one may have had."""
        ends = ((p, (p.write_fd, p.read_fd)) for p in reversed(processes))
        return next((process for process, fds in ends if fd in fds), None)

    def reading(fd: int, length: int, /) -> bytes:
        data = read(fd, length)
        heard.append((False, owner(fd), data))
        return data

    def writing(fd: int, data: bytes, /) -> int:
        sent = write(fd, data)
        heard.append((True, owner(fd), bytes(data[:sent])))
        return sent

    os.read, os.write = reading, writing  # type: ignore[assignment]
    try:
        yield heard
    finally:
        os.read, os.write = read, write
