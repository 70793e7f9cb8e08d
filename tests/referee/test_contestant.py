"""Reports of a contestant's process about its bot."""

import os
import re
import signal
from pathlib import Path

import play_units
import pytest
from msgspec.structs import replace
from play_units import HONEST, ZOO, bot_at, play, unit_of, without_seconds

from arena.records.game_record import Termination
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.sandbox import Process
from arena.worker.protocol import BotInfo

GAMES = ("zombie_dice", "ox_blocks")


def described(file: Path) -> tuple[BotInfo, ...] | Misconduct:
    return play_units.described(bot_at(file, ""), GAMES)


def test_description_of_a_file() -> None:
    assert described(ZOO / "watchful.py") == (
        BotInfo("Watchful", "", "", ("zombie_dice",), ("log", "threshold"), True),
    )
    assert described(ZOO / "slow.py") == (
        BotInfo("Slow", "", "", ("zombie_dice",), (), False),
    )


@pytest.mark.parametrize(
    ("file", "start"),
    [
        ("import_fails.py", "import_fails.py:5: its process says 'IndexError"),
        ("import_exits.py", "its process ended itself"),
        (
            "misspelt_method.py",
            'misspelt_method.py:7: its process says "Culprit has no',
        ),
    ],
)
def test_description_of_a_file_that_can_not_be_read(file: str, start: str) -> None:
    fault = described(ZOO / file)
    assert isinstance(fault, Misconduct)
    assert fault.termination == Termination.START_FAILURE
    assert fault.message.startswith(start)


TEXTS = [
    ("def act(self, obs)\n", "culprit.py:5: its process says .SyntaxError: expected"),
    (
        "def act(self, obs):\n        x = 1\n\treturn x\n",
        "culprit.py:7: its process says .TabError: ",
    ),
    (
        "def act(self, obs):\n        return (\n",
        "culprit.py:6: its process says .SyntaxError: '.' was nev",
    ),
    ("def act(self, obs):\n        return '\0'\n", "culprit.py.*: .*null"),
    ("def act(self, obs):\n        return '\udcff'\n", r"culprit.py.*: .*utf-8"),
]


@pytest.mark.parametrize(("text", "message"), TEXTS)
def test_text_that_is_no_python(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "culprit.py"
    start = "from arena import Bot\n\n\nclass Culprit(Bot):\n    "
    file.write_bytes((start + text).encode(errors="surrogateescape"))
    fault = described(file)
    assert isinstance(fault, Misconduct)
    assert fault.termination == Termination.START_FAILURE
    assert re.match(message, fault.message), fault.message


def test_what_comes_unasked_costs_the_next_game_that_is_asked_of_it() -> None:
    rude = bot_at(ZOO / "speaks_unasked.py", "Culprit")
    slow = bot_at(ZOO / "slow.py", "Slow")
    records = play(unit_of(rude, slow, games=2, in_flight=1))
    faults = [fault for record in records for fault in record.faults]
    assert {fault.entry for fault in faults} == {"Culprit"}
    assert {fault.termination for fault in faults} == {Termination.INVALID_REPLY}
    (message,) = {fault.message for fault in faults}
    assert message.startswith("sent a reply nobody had asked for")


@pytest.mark.parametrize("level", ["process", ""])
def test_a_process_that_is_killed_before_it_has_a_bot_is_started_again(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = unit_of(HONEST, replace(HONEST, id="other"), games=2)
    expected = without_seconds(play(unit, level=level))
    victims = 2
    confined = Process.confined

    async def killed(process: Process) -> None:
        nonlocal victims
        if victims:
            victims -= 1
            os.kill(process.pid, signal.SIGKILL)
            await process.wait()
            os.set_blocking(process.read_fd, True)
            os.read(process.read_fd, 100)  # It may have been quicker.
        await confined(process)

    monkeypatch.setattr(Process, "confined", killed)
    assert without_seconds(play(unit, level=level)) == expected
    assert not victims
