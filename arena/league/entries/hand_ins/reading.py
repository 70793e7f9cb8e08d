"""Has hand-ins read by a process of their own, and goes on if it fails at one."""

from collections.abc import Sequence

import msgspec
import trio

from arena.errors import ConfigError, LeagueError, RecordError
from arena.league.entries.hand_ins.hand_in import HandIn, Refused
from arena.league.entries.hand_ins.messages import Failed, Message, Ready, Task, Wish
from arena.league.framed_process import NO_WORDS, FramedProcess

_TIMEOUT_S = 120.0
"""For one hand-in, on a disk that does not answer; computing is limited otherwise."""
_TOO_MUCH = "takes too long to read, or too much memory; make it smaller"
_MODULE = "arena.league.entries.hand_ins"


async def read_hand_ins(
    wishes: Sequence[Wish], task: Task, where: str
) -> list[HandIn | Refused]:
    """Return what was read of each, in order.

    `where` is the place in the league's file that names what is shared.

    Raises:
        ConfigError: what is shared can't be read.
        LeagueError: no process can be started.
        RecordError: they can't be kept.
    """
    found: list[HandIn | Refused] = []
    while len(found) < len(wishes):
        process = await _start()
        try:
            await _tell(process, task, where)
            for wish in wishes[len(found) :]:
                answer = await _ask(process, wish)
                if answer is None:
                    # The next one gets a new process.
                    process.kill()
                    words = await process.last_words()
                    why = "" if words == NO_WORDS else f" ({words})"
                    found.append(Refused(_TOO_MUCH + why))
                    break
                if isinstance(answer, Failed):
                    raise RecordError(
                        f"{task.depot}: what was handed in can't be kept there "
                        f"({answer.reason}); make room, or choose another folder with "
                        "--results"
                    )
                assert isinstance(answer, HandIn | Refused)
                found.append(answer)
        finally:
            await process.stop()
    return found


async def _start() -> FramedProcess:
    try:
        return await FramedProcess.start(_MODULE)
    except OSError as error:
        raise LeagueError(f"no process could be started ({error})") from None


async def _tell(process: FramedProcess, task: Task, where: str) -> None:
    answer = await _ask(process, task)
    if answer is None:
        raise LeagueError(f"hand-ins can't be read: {await process.last_words()}")
    if isinstance(answer, Refused):
        raise ConfigError(where, answer.reason)
    assert isinstance(answer, Ready)


async def _ask(process: FramedProcess, message: Task | Wish) -> Message | None:
    """Return the answer; None if there is none."""
    with trio.move_on_after(_TIMEOUT_S):
        await process.send(message)
        body = await process.receive()
        if body is not None:
            answer: Message = msgspec.msgpack.decode(body, type=Message)
            return answer
    return None
