"""The stack dump that a contestant's process writes when it gets a signal.

Python writes it at once, whatever the bot is busy with, in Python or in C.
"""

import faulthandler
import re
import signal

HEADING = b"Stack (most recent call first):\n"
"""The line before the calls, of which the innermost comes first."""
_END = re.compile(rb'/__main__\.py", line \d+ in <module>\n|^  \.\.\.\n', re.M)


def dump_signal() -> int:
    """Return the number of the signal; 0 on systems without it."""
    return getattr(signal, "SIGUSR2", 0) if hasattr(faulthandler, "register") else 0


def dump_stack(descriptor: int) -> None:
    """Have this process dump its stack to `descriptor` whenever the signal comes."""
    number = dump_signal()
    if number:
        faulthandler.register(number, descriptor, all_threads=False, chain=False)


def cut_dump(printed: bytes) -> tuple[bytes, bytes]:
    """Return the output before the last dump, and the calls of that dump.

    A bot can fake a dump; it names only the bot's own lines anyway.
    """
    before, heading, after = printed.rpartition(HEADING)
    return (before, after) if heading else (printed, b"")


def is_whole(calls: bytes) -> bool:
    """Say whether a dump has all its calls, or as many as Python writes.

    Dumps of a greenlet have no such end.
    """
    return _END.search(calls) is not None
