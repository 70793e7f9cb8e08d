"""Whatever bytes a contestant sends, they are a reply or a fault of its own."""

import sys
from collections import Counter

import pytest
import trio
from fuzzing import (
    OUTCOMES,
    SERIAL,
    check_spoilt,
    decode,
    forget_peak,
    household,
    peak_memory,
    play_beside,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matrix import divided
from play_units import WIRE, nothing_left, shared_sandbox

from arena.records.game_record import GameRecord, Termination
from arena.referee.contestant.wire import BotRequest, ReplyError, RequestKind
from arena.referee.work_unit import Restart
from arena.worker.protocol import Answer, FrameError, frame

MANY_BYTES = 32 * 2**20

only_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only /proc knows what a process uses"
)


def what_is_wrong(*parts: bytes) -> str:
    """Return what is told of bytes that are read part by part; empty if all is well."""
    reader = WIRE.reader()
    pending = BotRequest(RequestKind.ACT, SERIAL, b"", 1.0)
    try:
        for part in parts:
            for body in reader.feed(part):
                WIRE.parse(body, pending)
    except FrameError as error:
        return f"sent {error}"
    except ReplyError as error:
        return str(error)
    return ""


ANSWER = frame(Answer(SERIAL, "roll"))


@given(st.binary(min_size=1, max_size=8), st.integers(0, 40))
@settings(max_examples=50)
@example(b"!", 1)
@example((300).to_bytes(4, "little"), 4)
def test_bytes_before_a_reply_are_seen_at_once(stray: bytes, split: int) -> None:
    """And not taken for a part of a reply, the rest of which is late."""
    data = stray + ANSWER
    assert "where a reply was expected: " in what_is_wrong(data[:split], data[split:])


@pytest.mark.parametrize("stray", [b"I roll the dice!\n", b"!", b"hi", "é".encode()])
def test_bytes_before_a_reply_are_counted_and_shown(stray: bytes) -> None:
    counted = f"{len(stray)} byte{'s' * (len(stray) > 1)}"
    text = stray.decode()
    told = f"sent {counted} where a reply was expected: {text!r} (does it write to"
    assert what_is_wrong(stray + ANSWER).startswith(told)
    # The answers before count, and those that come in parts too.
    assert what_is_wrong(ANSWER[:7], ANSWER[7:] + stray, ANSWER).startswith(told)


def test_reply_that_is_too_long_is_told_from_what_is_none() -> None:
    long, longer = (frame(Answer(SERIAL, "a", "x" * 2**n)) for n in (17, 18))
    assert what_is_wrong(long) == ""
    assert what_is_wrong(longer) == "sent a reply of more than 262144 bytes"


@given(st.lists(st.binary(max_size=40), max_size=6))
@settings(max_examples=50)
def test_no_bytes_raise_in_the_referee(parts: list[bytes]) -> None:
    told = what_is_wrong(*parts, *(part + ANSWER for part in parts))
    assert told.isprintable()
    assert len(told) < 250


@only_linux
@pytest.mark.parametrize(
    "frames", divided((20_000, 1_000_000), lambda frames: frames == 20_000)
)
def test_spoilt_replies_are_replies_or_faults(frames: int) -> None:
    forget_peak()
    before = peak_memory()
    outcomes = decode(frames, seed=1)
    assert peak_memory() - before < MANY_BYTES
    # All that can come out has come out many times.
    assert outcomes.keys() == OUTCOMES
    assert min(outcomes.values()) > frames / 5000


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
    # Four contestants with five descriptors each, each with the first process of its
    # namespace, and what starts them.
    assert most[0] < 40
    assert most[1] <= 11
