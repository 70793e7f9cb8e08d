"""On a busy machine nobody loses for what others use of it, and nobody gains.

How long an honest bot may be kept from computing has its end: a second, and twice the
time that its decision may take.  So the machine is kept so busy here that the wall's
time of a decision is longer than that, and yet far from that end.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from matrix import divided
from play_units import HONEST, bot, play, unit_of
from sandboxes import why_not

from arena.records.game_record import GameRecord, Termination
from arena.referee.work_unit import Limits

BURNERS = 2 * (os.cpu_count() or 1)
BURN = "while True: pass"
LIMITS = Limits(start=60.0, move=0.2, bank=0.0, margin=0.05, memory=256)

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
    seconds: float, *, games: int = 2, level: str = ""
) -> list[GameRecord]:
    culprit = bot("burns.py", seconds=seconds)
    unit = unit_of(culprit, HONEST, games=games, limits=LIMITS, max_decisions=10)
    with burners():
        return play(unit, level=level)


@pytest.mark.parametrize(
    ("seconds", "games"), divided([(0.12, 2), (0.03, 8)], lambda case: case[1] == 2)
)
def test_honest_work_loses_no_game_on_a_busy_machine(
    seconds: float, games: int
) -> None:
    """The wall's time of 0.12 seconds is more than what is allowed, 0.25, and less
    than 1.5 if it gets between a half and a twelfth of a core."""
    for record in played_beside_burners(seconds, games=games):
        assert record.forfeits == (False, False)
        # It did burn what it should have.
        culprit = record.seats.index("Culprit")
        assert record.times[culprit].slowest >= seconds


@pytest.mark.parametrize(
    "level",
    divided(
        ("namespaces", "filters", "limits", "process"),
        lambda level: level in ("namespaces", "process"),
    ),
)
def test_gotcha_11_too_much_work_loses_every_game_at_every_level(level: str) -> None:
    """The clock is that of the contestant, whoever stands between it and the referee.

    That a bot's CPU time is seen at all shows whose clock it is.
    """
    if reason := why_not(level):
        pytest.skip(reason)
    for record in played_beside_burners(0.3, level=level):
        culprit = record.seats.index("Culprit")
        assert record.forfeits == tuple(s == culprit for s in (0, 1))
        assert record.termination == Termination.TIMEOUT
        message = record.faults[0].message
        expected = r"(it had not |\w+\(\) )decided after 0\.\d\d s( of CPU|,)"
        assert re.match(rf"(\w+\.py:\d+: )?{expected}", message)
