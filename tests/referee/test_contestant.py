"""A contestant's process that can't be kept alive."""

from pathlib import Path

import pytest
import trio
from matches import GENEROUS, HONEST, ZOO, bot_at, play, task
from msgspec.structs import replace

from arena.referee.contestant import Contestant
from arena.referee.describe import describe
from arena.referee.misconduct import Misconduct
from arena.referee.record import Termination
from arena.referee.requests import Pending
from arena.referee.sandbox import LimitsSandbox
from arena.worker.protocol import Answer, BotInfo, Done

GAMES = ("zombie_dice", "ox_blocks")


class Listener:
    """Counts how often a contestant gets ready, until it is refused."""

    def __init__(self) -> None:
        self.lives = 0
        self.refusal: Misconduct | None = None

    def on_ready(self, who: Contestant, bots: tuple[BotInfo, ...]) -> None:
        self.lives += 1

    def on_refusal(self, who: Contestant, fault: Misconduct) -> None:
        self.refusal = fault

    def on_reply(
        self, who: Contestant, pending: Pending, reply: Done | Answer, seconds: float
    ) -> None:
        raise AssertionError("nothing was asked")

    def on_misconduct(
        self, who: Contestant, pending: Pending, fault: Misconduct, seconds: float
    ) -> None:
        raise AssertionError("nothing was asked")

    def requests_to_repeat(self, who: Contestant) -> list[Pending]:
        return []

    def settle(self) -> None:
        pass


def test_one_that_keeps_dying_while_idle_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "dying.py"
    file.write_text(
        "import os, signal\n"
        "from arena import Bot\n"
        "class Culprit(Bot):\n"
        "    def act(self, obs): return 'stop'\n"
        "signal.signal(signal.SIGALRM, lambda *_: os._exit(3))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.05)\n"
    )
    listener = Listener()
    entry = bot_at(file, "Culprit")
    contestant = Contestant(0, entry, GAMES, GENEROUS, LimitsSandbox(), listener)

    async def run() -> None:
        with trio.fail_after(60):
            await contestant.run()

    trio.run(run)
    assert contestant.refused
    assert listener.refusal is not None
    assert listener.refusal.termination == Termination.EXIT
    # On a slow machine it may have died before it was ready, which ends it sooner.
    assert 1 <= listener.lives <= 4


def described(file: Path) -> tuple[BotInfo, ...] | Misconduct:
    async def run() -> tuple[BotInfo, ...] | Misconduct:
        with trio.fail_after(60):
            return await describe(str(file), GAMES, GENEROUS, LimitsSandbox())

    return trio.run(run)


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
        ("import_fails.py", "import_fails.py:5: IndexError"),
        ("import_exits.py", "its process ended itself"),
        ("misspelt_method.py", "misspelt_method.py: Culprit has no method named"),
    ],
)
def test_description_of_a_file_that_can_not_be_read(file: str, start: str) -> None:
    fault = described(ZOO / file)
    assert isinstance(fault, Misconduct)
    assert fault.termination == Termination.START_FAILURE
    assert fault.message.startswith(start)


def test_no_bot_calls_its_forfeit_a_natural_end() -> None:
    forger = bot_at(ZOO / "forges_a_fault.py", "Culprit")
    match = task(forger, replace(HONEST, id="other"), games=3, in_flight=1)
    for record in play(match):
        assert record.forfeits[record.seats.index("Culprit")]
        assert record.termination in (Termination.CRASH, Termination.INVALID_REPLY)
