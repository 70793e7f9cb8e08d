"""What is said of a contestant: in bounds, and safe to show."""

import signal

import pytest

from arena.referee.misconduct import death, printable, reported
from arena.referee.record import Termination
from arena.worker.protocol import Failed


@pytest.mark.parametrize(
    ("returncode", "termination"),
    [
        (0, Termination.EXIT),
        (3, Termination.EXIT),
        (-signal.SIGSEGV, Termination.CRASH),
        (-signal.SIGABRT, Termination.CRASH),
        (-signal.SIGKILL, Termination.MEMORY),
        (-200, Termination.CRASH),
    ],
)
def test_how_a_process_ended(returncode: int, termination: Termination) -> None:
    assert death(returncode).termination is termination


def test_a_report_can_claim_no_result_and_is_cut() -> None:
    fault = reported(Failed(1, "natural", "m" * 9999, "t" * 9999, "o" * 9999))
    assert fault.termination is Termination.CRASH
    assert len(fault.message) == 1000
    assert len(fault.traceback) == len(fault.output) == 4096


def test_a_report_without_a_word_is_given_some() -> None:
    assert reported(Failed(1, "crash", "  ", "", "")).message.startswith("its process")


def test_nothing_shown_can_play_tricks_on_a_terminal() -> None:
    assert printable("a\x1b[2Jb\r\u202ec\n\td") == "a\ufffd[2Jb\ufffd\ufffdc\n\td"
    assert printable("one\ntwo", lines=False) == "one\ufffdtwo"
