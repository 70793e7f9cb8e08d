"""Whatever bytes a contestant sends, they are a reply or a fault of its own."""

import sys
from collections import Counter

import pytest
import trio
from fuzzing import (
    OUTCOMES,
    check_spoilt,
    decode,
    forget_peak,
    household,
    peak_memory,
    play_beside,
)
from matrix import divided
from play_units import nothing_left, shared_sandbox

from arena.records.game_record import GameRecord, Termination
from arena.referee.work_unit import Restart

MANY_BYTES = 32 * 2**20

only_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only /proc knows what a process uses"
)


@only_linux
@pytest.mark.parametrize(
    "frames", divided((60_000, 1_000_000), lambda frames: frames == 60_000)
)
def test_spoilt_replies_are_replies_or_faults(frames: int) -> None:
    forget_peak()
    before = peak_memory()
    outcomes = decode(frames, seed=1)
    assert peak_memory() - before < MANY_BYTES
    # All that can come out has come out many times.
    assert outcomes.keys() == OUTCOMES
    assert min(outcomes.values()) > frames / 1000


@only_linux
@pytest.mark.parametrize(
    ("restart", "games"),
    divided(
        [(Restart.MATCH, 30), (Restart.GAME, 10), (Restart.MATCH, 200)],
        lambda case: case[1] <= 30,
    ),
)
def test_bot_that_speaks_in_bytes_forfeits_and_harms_nobody(
    restart: Restart, games: int
) -> None:
    outcomes: Counter[str] = Counter()
    before = household()
    most = [0, 0]

    def note(record: GameRecord) -> None:
        check_spoilt(record)
        outcomes[record.termination] += 1
        if outcomes.total() % 10 == 0:
            now = household()
            for which in (0, 1):
                most[which] = max(most[which], now[which] - before[which])

    async def run() -> None:
        with trio.fail_after(200):
            await play_beside(games, sandbox, restart, note)

    with shared_sandbox() as sandbox, nothing_left():
        trio.run(run)
    assert outcomes.total() == games
    assert outcomes[Termination.NATURAL] <= 1 + games / 50
    assert outcomes[Termination.INVALID_REPLY] > games / 2
    # Four contestants with five descriptors each, and what starts them.
    assert most[0] < 40
    assert most[1] <= 7
