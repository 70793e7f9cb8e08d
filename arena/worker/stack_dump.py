"""Where a contestant's process is, told by itself when it is sent a signal.

Python writes it down at once, whatever the bot is busy with, in Python or in C.
"""

import faulthandler
import re
import signal

HEADING = b"Stack (most recent call first):\n"
"""What comes before the calls, the innermost first."""
_END = re.compile(rb'/__main__\.py", line \d+ in <module>\n|^  \.\.\.\n', re.M)


def dump_signal() -> int:
    """Return the number of the signal; 0 where there is none."""
    return getattr(signal, "SIGUSR2", 0) if hasattr(faulthandler, "register") else 0


def dump_stack(descriptor: int) -> None:
    """Write to `descriptor`, whenever the signal comes, what this process does."""
    number = dump_signal()
    if number:
        faulthandler.register(number, descriptor, all_threads=False, chain=False)


def cut_dump(printed: bytes) -> tuple[bytes, bytes]:
    """Return what was printed before the last of them, and the lines below its heading.

    A bot can write such lines itself: it speaks only of its own.
    """
    before, heading, after = printed.rpartition(HEADING)
    return (before, after) if heading else (printed, b"")


def is_whole(told: bytes) -> bool:
    """Say whether the outermost call has been written down, or as many as there may.

    Calls of a greenlet have no such end.
    """
    return _END.search(told) is not None
