"""What a contestant did wrong, in words for its author."""

import signal
from dataclasses import dataclass

from arena.records.game_record import Termination
from arena.referee.contestant.clock import Spent
from arena.referee.contestant.code_location import CodeLocation, told_location
from arena.referee.contestant.wire import BotRequest, RequestKind
from arena.referee.sandbox import MAX_THREADS
from arena.referee.work_unit import EntrySpec
from arena.text import printable, quoted
from arena.worker.protocol import Failed

_SMALL_PART = 0.1
_WHY_SO_LONG = {
    "while": "does this while loop ever end?",
    "for": "is this for loop too long?",
    "": "too much to compute?",
}
MAX_PRINTED_BYTES = 4 * 2**20
"""A process that prints more is ended by its confinement."""
_MAX_SAID_CHARS = 1000
_MAX_TEXT_CHARS = 4096


@dataclass(slots=True)
class Misconduct:
    """Why a contestant forfeits."""

    termination: Termination
    message: str
    """One sentence."""
    traceback: str = ""
    output: str = ""
    moment: int = -1
    """Of a guest: so many moves its process says that its code knew of; less than 0:
    all."""


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
"""Terminations that a contestant reports itself; the referee sees all others."""


def reported(reply: Failed, entry: EntrySpec) -> Misconduct:
    """Return the misconduct that an entry's process reports, as its saying."""
    location = told_location(entry, reply)
    message = f"{location.line}: {saying(reply.message)}"
    if entry.command:  # `JsonLines` has made this reply, and said what the program did.
        message = reply.message
    return Misconduct(
        _REPORTED.get(reply.termination, Termination.CRASH),
        message,
        location.traceback,
        printable(reply.output[-_MAX_TEXT_CHARS:]),
        reply.moment,
    )


def saying(text: str) -> str:
    """Return a sentence with a text of a contestant's, which nobody takes for ours."""
    text = text[:_MAX_SAID_CHARS].strip()
    if not text:
        return "its process did not say what went wrong"
    return f"its process says {quoted(text)}"


def late(
    head: BotRequest, spent: Spent, location: CodeLocation | None = None
) -> Misconduct:
    """Return the misconduct of a late request.

    `location` is the line of code that was running then, if that is known.
    """
    what = {
        RequestKind.LOAD: "its file was not read",
        RequestKind.BEGIN: "it was not ready for the game",
        RequestKind.ACT: "it had not decided",
        RequestKind.END: "its end() had not returned",
    }[head.kind]
    where = location.line if location else ""
    how = _spent_in_words(spent)
    if _has_mostly_waited(spent):
        how += " (asleep?)"
    elif location is not None:
        how += f" ({_WHY_SO_LONG[location.loop]})"
        where = location.loop_line or where
    message = f"{what} after {how}{_of_game(head)}{_unclear(spent)}"
    if where:
        message = f"{where}: {message}"
    traceback = location.traceback if location else ""
    return Misconduct(Termination.TIMEOUT, message, traceback)


def late_program(head: BotRequest, spent: Spent, *, has_partial: bool) -> Misconduct:
    """Return the misconduct of a program that has not answered in time."""
    how = _spent_in_words(spent)
    if _has_mostly_waited(spent):
        flush = "does it flush its output after each line?"
        how += f" ({'its line has no end yet' if has_partial else flush})"
    message = f'had not answered "{head.kind.word}" after {how}'
    message += f"{_of_game(head)}{_unclear(spent)}"
    return Misconduct(Termination.TIMEOUT, message)


def too_many_threads() -> Misconduct:
    """Return the misconduct of a process with more threads than it may have."""
    return Misconduct(
        Termination.MEMORY, f"it had more than {MAX_THREADS} threads at the same time"
    )


def _has_mostly_waited(spent: Spent) -> bool:
    return spent.slept + spent.unclear > spent.cpu


def _spent_in_words(spent: Spent) -> str:
    """Return what was charged, the larger part first, and small parts not at all."""
    waiting = spent.slept + spent.unclear
    parts = sorted([(spent.cpu, "of CPU time"), (waiting, "of waiting")], reverse=True)
    least = _SMALL_PART * (spent.cpu + waiting)
    return " and ".join(f"{s:.2f} s {what}" for s, what in parts if s >= least)


def _of_game(head: BotRequest) -> str:
    if not head.game_seconds:
        return ""
    return (
        f"; with it, it had used more than the {head.game_seconds:g} s that all its "
        "decisions of a game may take (limits.game)"
    )


def _unclear(spent: Spent) -> str:
    if not spent.unclear:
        return ""
    return (
        f"; for {spent.unclear:.2f} s of that it may have waited for the machine, but "
        "it had been asked again twice already"
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
    head: BotRequest, returncode: int | None, *, is_flood: bool
) -> Misconduct:
    """Return the misconduct of a program that ended before it had answered.

    `is_flood` is true if it has printed too much.
    """
    if is_flood:
        return Misconduct(
            Termination.OUTPUT_FLOOD,
            f"printed more than {MAX_PRINTED_BYTES // 2**20} MiB to stderr",
        )
    if returncode is None or returncode < 0:
        return death(returncode)
    return Misconduct(
        Termination.EXIT,
        f'exited with status {returncode} before it had answered "{head.kind.word}"',
    )
