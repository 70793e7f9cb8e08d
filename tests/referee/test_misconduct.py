"""Messages about a contestant are limited, and safe to show."""

import signal

import pytest

from arena.records.game_record import Termination
from arena.referee.contestant.clock import Spent
from arena.referee.contestant.misconduct import (
    death,
    death_of_program,
    late,
    late_program,
    reported,
)
from arena.referee.contestant.wire import BotRequest, RequestKind
from arena.referee.work_unit import EntrySpec
from arena.worker.protocol import Failed

ANA = EntrySpec("ana", "/bots/ana.py", "Ana", sources=(("/bots/ana.py", b"pass"),))


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
    fault = reported(Failed(1, "natural", "m" * 9999, "o" * 9999), ANA)
    assert fault.termination is Termination.CRASH
    assert fault.message == f"ana.py: its process says '{'m' * 1000}'"
    assert len(fault.output) == 4096


def test_a_report_without_a_word_is_given_some() -> None:
    fault = reported(Failed(1, "crash", "  "), ANA)
    assert fault.message == "ana.py: its process did not say what went wrong"


@pytest.mark.parametrize(
    ("spent", "has_partial", "message"),
    [
        (
            Spent(cpu=0.5, wall=9.0),
            False,
            'had not answered "act" after 0.50 s of CPU time',
        ),
        (
            Spent(cpu=0.3, slept=0.2),
            True,
            'had not answered "act" after 0.30 s of CPU time and 0.20 s of waiting',
        ),
        (
            Spent(slept=2.0),
            False,
            'had not answered "act" after 2.00 s of waiting '
            "(does it flush its output after each line?)",
        ),
        (
            Spent(cpu=0.1, slept=2.0),
            True,
            'had not answered "act" after 2.00 s of waiting (its line has no end yet)',
        ),
    ],
)
def test_how_a_program_was_late(spent: Spent, has_partial: bool, message: str) -> None:
    head = BotRequest(RequestKind.ACT, 1, b"", allowance=0.5)
    fault = late_program(head, spent, has_partial=has_partial)
    assert (fault.termination, fault.message) == (Termination.TIMEOUT, message)


@pytest.mark.parametrize(
    ("spent", "game_seconds", "message"),
    [
        (Spent(cpu=0.5), 0.0, "it had not decided after 0.50 s of CPU time"),
        (Spent(slept=0.5), 0.0, "it had not decided after 0.50 s of waiting (asleep?)"),
        (
            Spent(cpu=0.2, wall=0.2),
            90.0,
            "it had not decided after 0.20 s of CPU time; with it, it had used more "
            "than the 90 s that all its decisions of a game may take (limits.game)",
        ),
        (
            Spent(cpu=0.1, unclear=0.4),
            0.0,
            "it had not decided after 0.40 s of waiting and 0.10 s of CPU time "
            "(asleep?); for 0.40 s of that it may have waited for the machine, but it "
            "had been asked again twice already",
        ),
    ],
)
def test_how_a_bot_was_late(spent: Spent, game_seconds: float, message: str) -> None:
    head = BotRequest(RequestKind.ACT, 1, b"", 0.5, game_seconds=game_seconds)
    fault = late(head, spent)
    assert (fault.termination, fault.message) == (Termination.TIMEOUT, message)


@pytest.mark.parametrize(
    ("asked", "returncode", "termination", "message"),
    [
        (
            RequestKind.ACT,
            0,
            "exit",
            'exited with status 0 before it had answered "act"',
        ),
        (
            RequestKind.END,
            127,
            "exit",
            'exited with status 127 before it had answered "end"',
        ),
        (
            RequestKind.LOAD,
            1,
            "exit",
            'exited with status 1 before it had answered "load"',
        ),
        (
            RequestKind.LOAD,
            127,
            "exit",
            'exited with status 127 before it had answered "load"',
        ),
        (RequestKind.ACT, -11, "crash", "its process was ended by SIGSEGV"),
        (
            RequestKind.ACT,
            -9,
            "memory",
            "its process was killed by the system (memory?)",
        ),
    ],
)
def test_how_a_program_ended(
    asked: RequestKind, returncode: int, termination: str, message: str
) -> None:
    head = BotRequest(asked, 1, b"", allowance=0.5)
    fault = death_of_program(head, returncode, is_flood=False)
    assert (fault.termination, fault.message) == (termination, message)
    flood = death_of_program(head, returncode, is_flood=True)
    assert flood.termination == Termination.OUTPUT_FLOOD
