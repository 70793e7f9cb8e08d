"""On a busy machine nobody loses for what others use of it, and nobody gains."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from matches import HONEST, bot, play, task
from sandboxes import why_not

from arena.referee.record import GameRecord, Limits, Termination

BURNERS = 4
BURN = "while True: pass"
LIMITS = Limits(start=20.0, move=0.05, bank=0.0, margin=0.005, memory=256)

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="the wall stands in for CPU time elsewhere"
)


@contextmanager
def burners() -> Iterator[None]:
    """Keep all cores busy."""
    command = [sys.executable, "-I", "-S", "-c", BURN]
    started = [subprocess.Popen(command) for _ in range(BURNERS)]
    try:
        yield
    finally:
        for burner in started:
            burner.kill()
            burner.wait()


def played_beside_burners(
    *,
    seconds: float = 0.0,
    asleep: bool = False,
    games: int = 2,
    level: str = "",
) -> list[GameRecord]:
    match = task(
        bot("burns.py", seconds=seconds, asleep=asleep),
        HONEST,
        games=games,
        limits=LIMITS,
        max_decisions=20,
    )
    with burners():
        return play(match, level=level)


@pytest.mark.parametrize("seconds", [0.01, 0.02, 0.04])
def test_honest_work_loses_no_game_on_a_busy_machine(seconds: float) -> None:
    for record in played_beside_burners(seconds=seconds, games=8):
        assert record.forfeits == (False, False)
        # It did burn what it should have.
        culprit = record.seats.index("Culprit")
        assert record.times[culprit].slowest >= seconds


@pytest.mark.parametrize("level", ["namespaces", "filters", "limits", "process"])
def test_gotcha_11_too_much_work_loses_every_game_at_every_level(level: str) -> None:
    """The clock is that of the contestant, whoever stands between it and the referee.

    That a bot's CPU time is seen at all shows whose clock it is.
    """
    if reason := why_not(level):
        pytest.skip(reason)
    for record in played_beside_burners(seconds=0.065, level=level):
        culprit = record.seats.index("Culprit")
        assert record.forfeits == tuple(s == culprit for s in (0, 1))
        assert record.termination == Termination.TIMEOUT
        message = record.faults[0].message
        expected = r"(it had not |\w+\(\) )decided after 0\.0\d s( of CPU|,)"
        assert re.match(rf"(\w+\.py:\d+: )?{expected}", message)


def test_sleep_is_ended_by_the_wall() -> None:
    for record in played_beside_burners(asleep=True):
        assert record.termination == Termination.TIMEOUT
        assert record.forfeits[record.seats.index("Culprit")]
        message = record.faults[0].message
        expected = r"it had not decided after \d+\.\d\d s of waiting \(asleep\?\)"
        assert re.fullmatch(rf"\w+\.py:\d+: {expected}", message)
