"""A bot that misbehaves loses exactly its games, and is told why."""

import os
import re
from pathlib import Path

import pytest
from matches import HONEST, QUICK, bot, bot_at, play, task, without_seconds
from msgspec.structs import replace

from arena.referee.record import Limits, Termination

HASTY = Limits(start=1.5, move=1.0, bank=0.2, memory=256)
T = Termination
MAY_FORK = os.geteuid() == 0
"""The kernel does not count the processes of root."""

CASES = [
    ("loops", T.TIMEOUT, r"it had not decided after \d+\.\d\d s of CPU time"),
    ("loops_later", T.TIMEOUT, r"it had not decided after \d+\.\d\d s of CPU time"),
    ("loops_ignoring_sigterm", T.TIMEOUT, "it had not decided after"),
    ("loops_catching_all", T.TIMEOUT, "it had not decided after"),
    ("holds_the_gil", T.TIMEOUT, "it had not decided after"),
    (
        "sleeps",
        T.TIMEOUT,
        r"it had not decided after \d+\.\d\d s of waiting \(asleep\?\)",
    ),
    ("loops_in_start", T.TIMEOUT, "it was not ready for the game after"),
    ("import_loops", T.START_FAILURE, "its file was not read after"),
    ("raises", T.CRASH, "raises.py:9: ZeroDivisionError: division by zero"),
    ("raises_in_init", T.CRASH, "raises_in_init.py:8: KeyError: 'missing'"),
    ("raises_in_start", T.CRASH, "raises_in_start.py:8: RuntimeError: not today"),
    ("raises_keyboard_interrupt", T.CRASH, "raises_keyboard_interrupt.py:8: Keyboard"),
    ("raises_base_exception", T.CRASH, "raises_base_exception.py:12: Oops: base"),
    ("raises_unprintable", T.CRASH, "raises_unprintable.py:13: Oops: .its message"),
    ("raises_surrogates", T.CRASH, "raises_surrogates.py:8: FileNotFoundError: no su"),
    ("bad_parameters", T.CRASH, r"TypeError: .*'threshold'"),
    ("recurses", T.CRASH, "recurses.py:8: RecursionError: maximum recursion depth"),
    ("aborts", T.CRASH, "its process was ended by SIGABRT"),
    ("segfaults", T.CRASH, "its process was ended by SIGSEGV"),
    ("raises_system_exit", T.EXIT, "raises_system_exit.py:8: SystemExit: 1"),
    ("calls_sys_exit", T.EXIT, "calls_sys_exit.py:10: SystemExit"),
    ("exits_0", T.EXIT, "its process ended itself with status 0"),
    ("exits_3", T.EXIT, "its process ended itself with status 3"),
    ("closes_descriptors", T.EXIT, "its process ended itself with status 1"),
    ("closes_descriptors_and_stays", T.INVALID_REPLY, "closed its pipe"),
    ("hoards", T.MEMORY, "hoards.py:10: MemoryError"),
    ("hoards_at_once", T.MEMORY, "hoards_at_once.py:8: MemoryError"),
    ("kills_itself", T.MEMORY, r"its process was killed by the system \(memory\?\)"),
    ("prints_endlessly", T.OUTPUT_FLOOD, "printed more than 200000 bytes in one game"),
    ("prints_endlessly_catching_all", T.OUTPUT_FLOOD, "printed more than 200000 bytes"),
    ("writes_endlessly", T.OUTPUT_FLOOD, r"writes_endlessly.py:11: OSError: .*large"),
    ("returns_none", T.INVALID_REPLY, r".*a str; got None \(is a return missing\?\)"),
    ("returns_int", T.INVALID_REPLY, r".*legal_actions, a str; got 1 \(int\)"),
    (
        "returns_list",
        T.INVALID_REPLY,
        r".*legal_actions, a str; got \['stop'\] \(list\)",
    ),
    ("returns_subclass", T.INVALID_REPLY, r".*a str; got 'stop' \(Action\)"),
    (
        "returns_unshowable",
        T.INVALID_REPLY,
        r".*a str; got a value that can't be shown",
    ),
    ("returns_megabyte", T.INVALID_REPLY, r".*a str; got 'stopstop"),
    ("returns_surrogate", T.INVALID_REPLY, r".*a str; got 'stop\\udcff' \(str\)"),
    ("returns_nonsense", T.ILLEGAL_ACTION, "played 'bite'; legal were 'roll', 'stop'"),
    ("returns_other_games_action", T.ILLEGAL_ACTION, "played 'place b2'; legal were"),
    ("writes_to_descriptors", T.INVALID_REPLY, "sent a frame of .* bytes, over"),
    ("writes_small_garbage", T.INVALID_REPLY, "sent bytes that are not a reply"),
    ("answers_twice", T.INVALID_REPLY, "sent a reply nobody had asked for"),
    ("import_fails", T.START_FAILURE, "import_fails.py:5: IndexError: list index"),
    ("import_raises_base_exception", T.START_FAILURE, "import_.*py:15: Oops: base"),
    ("import_exits", T.START_FAILURE, r".* status 0 \(while its file was being read\)"),
    ("import_calls_sys_exit", T.START_FAILURE, ".*py:13: SystemExit: done"),
    ("import_hoards", T.START_FAILURE, "import_hoards.py:13: MemoryError"),
    ("imports_missing_package", T.START_FAILURE, ".*py:3: ModuleNotFoundError: No mod"),
    ("no_bot", T.START_FAILURE, "no_bot.py: no bot found; .*class Culprit, function"),
    ("misspelt_method", T.START_FAILURE, ".*'zombi_dice', did you mean 'zombie_dice'"),
]
LIMITS = {"import_loops": HASTY, "loops_in_start": HASTY}
SLOW = {case[0] for case in CASES if case[1] is T.TIMEOUT}
SLOW |= {"closes_descriptors_and_stays"}
"""Here every game takes its time."""


@pytest.mark.parametrize(("file", "termination", "message"), CASES)
def test_culprit_forfeits_its_games(
    file: str, termination: Termination, message: str
) -> None:
    records = play(
        task(
            bot(f"{file}.py"),
            HONEST,
            games=1 if file in SLOW else 4,
            limits=LIMITS.get(file, QUICK),
        )
    )
    for record in records:
        culprit = record.seats.index("Culprit")
        assert record.termination == termination
        assert record.forfeits == tuple(seat == culprit for seat in (0, 1))
        assert record.returns == tuple(float(seat != culprit) for seat in (0, 1))
        assert record.places == tuple(2 if seat == culprit else 1 for seat in (0, 1))
        (fault,) = record.faults
        assert (fault.seat, fault.entry) == (culprit, "Culprit")
        assert fault.termination == termination
        assert re.match(message, fault.message), fault.message
        assert "\n" not in fault.message


HARMLESS = [
    "import_prints",
    "prints_some",
    "writes_some",
    "raises_in_end",
    "exits_in_end",
    "loops_in_end",
]


@pytest.mark.parametrize("file", HARMLESS)
def test_harmless_oddity_costs_nothing(file: str) -> None:
    games = 1 if file == "loops_in_end" else 12
    odd = play(task(bot(f"{file}.py"), HONEST, games=games))
    twin = replace(HONEST, id="Culprit")
    assert without_seconds(odd) == without_seconds(
        play(task(twin, HONEST, games=games))
    )


TEXTS = [
    ("def act(self, obs)\n", r"culprit.py:5: SyntaxError: expected ':'"),
    ("def act(self, obs):\n        x = 1\n\treturn x\n", "culprit.py:7: TabError: "),
    (
        "def act(self, obs):\n        return (\n",
        "culprit.py:6: SyntaxError: '.' was nev",
    ),
    ("def act(self, obs):\n        return '\0'\n", "culprit.py.*: .*null"),
    ("def act(self, obs):\n        return '\udcff'\n", r"culprit.py.*: .*utf-8"),
]


@pytest.mark.parametrize(("text", "message"), TEXTS)
def test_text_that_is_no_python(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "culprit.py"
    start = "from arena import Bot\n\n\nclass Culprit(Bot):\n    "
    file.write_bytes((start + text).encode(errors="surrogateescape"))
    for record in play(task(bot_at(file, "Culprit"), HONEST, games=2)):
        (fault,) = record.faults
        assert fault.termination == Termination.START_FAILURE
        assert re.match(message, fault.message), fault.message


def test_children_are_killed_with_their_bot() -> None:
    for record in play(task(bot("forks.py"), HONEST)):
        if MAY_FORK:
            assert record.termination == Termination.NATURAL
        else:
            assert record.faults[0].message.startswith("forks.py:11: BlockingIOError")


def test_child_that_holds_the_pipes_holds_up_nothing() -> None:
    for record in play(task(bot("forks_and_exits.py"), HONEST)):
        assert record.termination == (T.EXIT if MAY_FORK else T.CRASH)


def test_child_that_left_the_group_does_not_hold_up_the_match() -> None:
    orphans = 2 if MAY_FORK else 0
    records = play(task(bot("daemonises.py"), HONEST, games=2), orphans=orphans)
    assert {r.termination for r in records} == {T.EXIT if MAY_FORK else T.CRASH}


def test_death_between_decisions_ends_no_match() -> None:
    slow = bot("slow.py", "Slow")
    for record in play(task(bot("exits_while_idle.py"), slow, games=2)):
        assert not record.forfeits[record.seats.index("Slow")]
