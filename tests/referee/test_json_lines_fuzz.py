"""Whatever bytes a program sends, they are a reply or a fault of its own."""

import re
import sys
from functools import partial
from random import Random

import pytest
from fuzzing import SERIAL, check, forget_peak, outcomes_of, peak_memory
from spoilt_lines import replies, spoilt

from arena.referee.contestant.json_lines import JsonLines
from arena.referee.contestant.wire import BotRequest, ReplyError
from arena.referee.work_unit import EntrySpec
from arena.text import printable
from arena.worker.protocol import Failed

WIRE = JsonLines(EntrySpec("js", "x.js", "program"), ("zombie_dice",))
LINES = 30_000
MANY_BYTES = 32 * 2**20
OUTCOMES = {
    "Answer",
    "Done",
    "Ready",
    "too long",
    "not complete",
    "crash",
    "invalid_reply",
    "start_failure",
    "answered with a line that can't be read as JSON",
    "answered with an empty line",
    "answered with JSON that is no object",
    "answered without its",
    "answered with an that is not the request's",
}
"""All that may come of a spoilt line."""


def parse(line: bytes, pending: BotRequest) -> str:
    """Return the outcome of a line.

    Whatever else comes than a reply of the exact types or a `ReplyError` is raised.
    """
    try:
        reply = WIRE.parse(line, pending)
    except ReplyError as error:
        text = str(error)
        # No more than so much of a line is repeated, whatever is in it.
        assert len(text) < 250
        assert printable(text, lines=False) == text
        head = re.sub(r' "\w+"', "", text).partition(":")[0]
        return head if head in OUTCOMES else text
    check(reply)
    return reply.termination if type(reply) is Failed else type(reply).__name__


@pytest.mark.skipif(
    sys.platform != "linux", reason="only /proc knows what a process uses"
)
def test_spoilt_lines_are_replies_or_faults() -> None:
    forget_peak()
    before = peak_memory()
    spoil = partial(spoilt, replies(SERIAL), Random(1))
    outcomes = outcomes_of(WIRE, LINES, spoil, parse)
    assert peak_memory() - before < MANY_BYTES
    assert outcomes.keys() == OUTCOMES
    # All that can come out has come out many times.
    assert min(outcomes.values()) > LINES / 5000
