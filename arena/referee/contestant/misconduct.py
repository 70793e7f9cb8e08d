"""What a contestant did wrong, in words for its author."""

import signal
from dataclasses import dataclass

from arena.records.game_record import Termination
from arena.referee.contestant.wire import Asked, Pending
from arena.text import printable
from arena.worker.program import NOT_STARTED
from arena.worker.protocol import Failed

_BUSY = 0.25
"""Of its allowance: CPU time below which a contestant has slept, not computed."""
_WHY_SO_LONG = {
    "while": "does this while loop ever end?",
    "for": "is this for loop too long?",
    "": "too much to compute?",
}
MAX_PRINTED = 4 * 2**20
"""Bytes; what prints more is ended by its confinement."""
_MAX_MESSAGE = 1000
_MAX_TEXT = 4096


@dataclass(slots=True)
class Misconduct:
    """Why a contestant forfeits."""

    termination: Termination
    message: str
    """One sentence."""
    traceback: str = ""
    output: str = ""


@dataclass(frozen=True, slots=True)
class CodeLocation:
    """Where in its own code a bot was."""

    line: str
    """Such as `my_bot.py:12`, by the path from where the bot lies."""
    loop: str = ""
    """`while` or `for` if it was in such a loop."""
    loop_line: str = ""
    """Where that begins."""
    traceback: str = ""
    """The calls that led there, the innermost last."""


_REPORTED = {
    termination.value: termination
    for termination in (
        Termination.START_FAILURE,
        Termination.CRASH,
        Termination.EXIT,
        Termination.MEMORY,
        Termination.OUTPUT_FLOOD,
        Termination.INVALID_REPLY,
    )
}
"""What a contestant may say of itself; all else the referee sees for itself."""


def reported(reply: Failed) -> Misconduct:
    """Return what a contestant's process says of its bot, in a size fit to keep."""
    return Misconduct(
        _REPORTED.get(reply.termination, Termination.CRASH),
        printable(reply.message[:_MAX_MESSAGE], lines=False).strip()
        or "its process did not say what went wrong",
        printable(reply.traceback[-_MAX_TEXT:]),
        printable(reply.output[-_MAX_TEXT:]),
    )


def late(
    head: Pending, cpu: float, wall: float, place: CodeLocation | None = None
) -> Misconduct:
    """Return the misconduct of a request that took so many seconds.

    `place` is where it was then, if that is known.
    """
    what = {
        Asked.LOAD: "its file was not read",
        Asked.BEGIN: "it was not ready for the game",
        Asked.ACT: "it had not decided",
        Asked.END: "its end() had not returned",
    }[head.asked]
    where = place.line if place else ""
    if cpu < _BUSY * head.allowance:
        how = f"{wall:.2f} s of waiting (asleep?)"
    else:
        how = f"{cpu:.2f} s of CPU time"
        if cpu < head.allowance:  # Others kept the machine busy.
            how += f" in {wall:.2f} s"
        if place is not None:
            how += f" ({_WHY_SO_LONG[place.loop]})"
            where = place.loop_line or where
    message = f"{where}: {what} after {how}" if where else f"{what} after {how}"
    return Misconduct(Termination.TIMEOUT, message, place.traceback if place else "")


def late_program(
    head: Pending, cpu: float, wall: float, *, has_partial: bool
) -> Misconduct:
    """Return the misconduct of a program at whose request so many seconds went by."""
    how = f"{cpu:.2f} s of CPU time"
    if cpu < head.allowance:
        how = f"{wall:.2f} s of waiting (does it flush its output after each line?)"
        if has_partial:
            how = f"{wall:.2f} s of waiting (its line has no end yet)"
    message = f'had not answered "{head.asked.word}" after {how}'
    return Misconduct(Termination.TIMEOUT, message)


def pondering(seconds: float) -> Misconduct:
    """Return the misconduct of computing while others decide, if that is forbidden."""
    return Misconduct(
        Termination.TIMEOUT,
        f"it computed for {seconds:.2f} s of CPU time while others decided, which "
        "this league forbids (limits.ponder)",
    )


def death(returncode: int | None) -> Misconduct:
    """Return the misconduct of a process that ended by itself."""
    if returncode is None or returncode >= 0:
        return Misconduct(
            Termination.EXIT, f"its process ended itself with status {returncode}"
        )
    if -returncode == signal.SIGKILL:
        return Misconduct(
            Termination.MEMORY, "its process was killed by the system (memory?)"
        )
    try:
        name = signal.Signals(-returncode).name
    except ValueError:
        name = f"signal {-returncode}"
    return Misconduct(Termination.CRASH, f"its process was ended by {name}")


def death_of_program(
    head: Pending, returncode: int | None, printed: str, *, is_flood: bool
) -> Misconduct:
    """Return the misconduct of a program that ended before it had answered.

    `printed` is the end of what it said of it; `is_flood` if that was more than it may.
    """
    if is_flood:
        return Misconduct(
            Termination.OUTPUT_FLOOD,
            f"printed more than {MAX_PRINTED // 2**20} MiB to stderr",
        )
    if returncode is None or returncode < 0:
        return death(returncode)
    lines = printed.strip().splitlines()
    if returncode == NOT_STARTED and head.asked is Asked.LOAD and lines:
        return Misconduct(
            Termination.START_FAILURE, printable(lines[-1][-_MAX_MESSAGE:], lines=False)
        )
    return Misconduct(
        Termination.EXIT,
        f'exited with status {returncode} before it had answered "{head.asked.word}"',
    )
