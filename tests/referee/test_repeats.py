"""What is nobody's clear fault is asked again, twice a game, and then charged."""

import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace
from play_units import GENEROUS, HONEST, bot, bot_at, play, unit_of, without_seconds

from arena.records.game_record import GameRecord, Termination
from arena.referee.contestant.clock import Spent
from arena.referee.contestant.request_pipe import RequestPipe
from arena.referee.contestant.wire import BotRequest, RequestKind
from arena.referee.work_unit import EntrySpec, Limits

TWIN = replace(HONEST, id="twin")
SLEEPY = bot("slow.py", "Slow")
HASTY = Limits(start=10.0, move=0.1, bank=0.0, margin=0.0, memory=256)
THREADS = "arena.referee.contestant.request_pipe.read_threads"

only_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux counts the CPU time of others"
)


@dataclass
class Kills:
    """How many processes of the first seat the system is still to kill."""

    deciding: int = 0
    idle: int = 0
    killed: set[RequestPipe] = field(default_factory=set, compare=False)

    def kill(self, pipe: RequestPipe) -> bool:
        """Kill a process; say whether it was still there, and not killed before."""
        if pipe in self.killed:
            # It can have answered before it died.
            return False
        self.killed.add(pipe)
        try:
            os.kill(pipe.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True


@pytest.fixture
def kills(monkeypatch: pytest.MonkeyPatch) -> Kills:
    left = Kills()
    send, rest = RequestPipe._send, RequestPipe._rest
    first: set[RequestPipe] = set()

    def send_and_kill(pipe: RequestPipe) -> None:
        send(pipe)
        head = pipe.pending[0] if pipe.pending else None
        if head is None or head.seat or head.kind is not RequestKind.ACT:
            return
        if not head.replayed:
            first.add(pipe)
            left.deciding -= bool(left.deciding and left.kill(pipe))

    def rest_and_kill(pipe: RequestPipe, cpu: float) -> None:
        rest(pipe, cpu)
        if pipe in first:
            left.idle -= bool(left.idle and left.kill(pipe))

    monkeypatch.setattr(RequestPipe, "_send", send_and_kill)
    monkeypatch.setattr(RequestPipe, "_rest", rest_and_kill)
    return left


def repeats(record: GameRecord) -> list[int]:
    """Return for each seat how often it was asked again."""
    return [times.repeated for times in record.times]


@pytest.mark.parametrize("way", ["deciding", "idle"])
def test_system_may_kill_two_processes_in_a_game(way: str, kills: Kills) -> None:
    unit = unit_of(HONEST, TWIN, games=1, limits=GENEROUS)
    expected = without_seconds(play(unit))
    setattr(kills, way, 2)
    (record,) = play(unit)
    assert kills == Kills()
    assert repeats(record) == [2, 0]
    assert without_seconds([record]) == expected


LEAVES = """
import os
import threading

from arena import Bot


class Leaves(Bot):
    def zombie_dice(self, obs):
        if {when}:
            threading.Timer(0.05, os._exit, [0]).start()
        return "stop"
"""


def leaves(folder: Path, when: str = "False") -> EntrySpec:
    """Return a bot that takes short turns, and leaves during the one after `when`."""
    file = folder / "leaves.py"
    file.write_text(LEAVES.format(when=when))
    return bot_at(file, "Leaves")


@pytest.mark.parametrize("way", ["deciding", "idle"])
def test_third_kill_in_a_game_is_a_forfeit(
    way: str, kills: Kills, tmp_path: Path
) -> None:
    """A bot that fills the memory of the machine gets no time by it."""
    setattr(kills, way, 1000)
    unit = unit_of(leaves(tmp_path), TWIN, games=1, limits=GENEROUS)
    (record,) = play(replace(unit, max_decisions=100))
    assert record.forfeits == (True, False)
    assert record.termination == Termination.MEMORY
    assert repeats(record) == [2, 0]


@only_linux
def test_what_was_used_until_the_kill_is_used(kills: Kills) -> None:
    burns = bot("burns.py", seconds=0.05)
    kills.deciding = 2
    unit = unit_of(burns, HONEST, games=1, limits=GENEROUS, max_decisions=4)
    (record,) = play(unit)
    assert repeats(record) == [2, 0]
    # Of what it did until then little is known, but it is no decision.
    assert record.seconds[0] >= 0.2


@pytest.mark.parametrize(
    ("when", "forfeits"), [("obs.round == 2", True), ("False", False)]
)
def test_who_leaves_in_the_middle_of_a_game_forfeits_it(
    when: str, forfeits: bool, tmp_path: Path
) -> None:
    """To come back costs time that nobody else has, and gives it some."""
    unit = unit_of(leaves(tmp_path, when), SLEEPY, games=1, limits=GENEROUS)
    (record,) = play(replace(unit, max_decisions=30))
    assert record.forfeits == (forfeits, False)
    if forfeits:
        assert record.termination == Termination.EXIT
        assert record.faults[0].message == "its process ended itself with status 0"


@only_linux
def test_sleep_that_can_not_be_told_from_waiting_is_charged_the_third_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(THREADS, lambda pid: None)
    (record,) = play(unit_of(SLEEPY, HONEST, games=1, limits=HASTY))
    assert record.forfeits == (True, False)
    assert record.termination == Termination.TIMEOUT
    assert repeats(record) == [2, 0]
    assert "had been asked again twice already" in record.faults[0].message
    assert record.times[0].slept >= 0.05


@only_linux
def test_sleep_is_charged_at_once() -> None:
    (record,) = play(unit_of(SLEEPY, HONEST, games=1, limits=HASTY))
    assert record.forfeits == (True, False)
    assert record.termination == Termination.TIMEOUT
    assert repeats(record) == [0, 0]
    assert "of waiting (asleep?)" in record.faults[0].message


@only_linux
def test_what_is_unclear_is_no_part_of_what_is_late_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wait = RequestPipe.wait_until_late

    async def wait_with_doubts(pipe: RequestPipe) -> tuple[BotRequest, Spent]:
        head, spent = await wait(pipe)
        return head, spent._replace(unclear=100.0)

    monkeypatch.setattr(RequestPipe, "wait_until_late", wait_with_doubts)
    (record,) = play(unit_of(SLEEPY, HONEST, games=1, limits=HASTY))
    assert repeats(record) == [0, 0]
    assert "asked again" not in record.faults[0].message
    assert record.times[0].slept < 100.0


@only_linux
def test_a_limit_for_the_game_ends_it() -> None:
    limits = replace(GENEROUS, margin=0.0, game=0.5)
    unit = unit_of(bot("burns.py", seconds=0.15), TWIN, games=1, limits=limits)
    (record,) = play(replace(unit, max_decisions=100))
    assert record.forfeits == (True, False)
    assert record.termination == Termination.TIMEOUT
    assert "(limits.game)" in record.faults[0].message
    assert record.seconds[0] >= 0.5
