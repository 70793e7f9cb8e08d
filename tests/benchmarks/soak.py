"""Plays and fuzzes for long, and shows that nothing grows.

python tests/benchmarks/soak.py decisions [NUMBER]
python tests/benchmarks/soak.py frames [NUMBER]
python tests/benchmarks/soak.py games [NUMBER]
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import nan
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / name) for name in ("", "referee")]

import numpy
import trio
from fuzzing import check_spoilt, decode, peak_memory, play_beside
from msgspec.structs import replace
from play_units import GENEROUS, bot, nothing_left, unit_of
from processes import parent_of
from sandboxes import best_level, sandbox_of, watched
from tabulate import tabulate
from zoo_ground import descendants

from arena.records.game_record import GameRecord
from arena.referee.contestant.contestant import IdleProcesses
from arena.referee.sandbox import LEVELS, Process
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import Restart

DEFAULTS = {"decisions": 2_000_000, "frames": 1_000_000, "games": 100_000}
GAMES = 500
MATCHES = 10
AT_ONCE = 100
"""Games of each match of spoilt replies, `MATCHES` of which are played beside."""
SAMPLES = 50
Sample = dict[str, float]


def memory_and_descriptors(pid: int) -> tuple[float, float, float]:
    """Return RSS and PSS in KiB, and open files; of others only root may know them."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        descriptors = len(os.listdir(f"/proc/{pid}/fd"))
    except PermissionError:
        return nan, nan, nan
    lines = dict(line.split(":", 1) for line in text.splitlines()[1:])
    return float(lines["Rss"].split()[0]), float(lines["Pss"].split()[0]), descriptors


def sample(roles: dict[str, int]) -> Sample:
    """Return what the processes use that play these roles, and how many there are."""
    found: Sample = {"processes": len(descendants())}
    for role, pid in roles.items():
        names = ("RSS, KiB", "PSS, KiB", "descriptors")
        for name, value in zip(names, memory_and_descriptors(pid), strict=True):
            found[f"{role}: {name}"] = value
    return found


def show(done: Sequence[int], samples: Sequence[Sample], unit: str) -> str:
    """Return a table of first and last samples, and of the later half's slope."""
    rows = []
    half = len(done) // 2
    for name in samples[0]:
        values = [each[name] for each in samples]
        slope = numpy.polyfit(numpy.array(done[half:]) / 1e6, values[half:], 1)[0]
        rows.append((name, values[0], max(values), values[-1], slope))
    headers = ["", "first", "most", "last", f"then, per million {unit}"]
    return tabulate(rows, headers=headers, floatfmt=("", ".0f", ".0f", ".0f", ".1f"))


class Sampler:
    """Takes a sample whenever a further part of the whole is done."""

    def __init__(self, whole: int, take: Callable[[], Sample]) -> None:
        self.begun = 0
        """What may be done, if whoever does it notes it."""
        self.done = 0
        self.at: list[int] = []
        self.samples: list[Sample] = []
        self._step = max(1, whole // SAMPLES)
        self._take = take

    def add(self, amount: int) -> None:
        """Note that so much more is done."""
        before = self.done // self._step
        self.done += amount
        if self.done // self._step > before:
            self.at.append(self.done)
            self.samples.append(self._take())
            print(".", end="", flush=True, file=sys.stderr)


def roles(started: Sequence[Process]) -> dict[str, int]:
    """Return who is the referee, the zygote or whatever starts them, and each bot."""
    found = {"referee": os.getpid()}
    starter = parent_of(started[0].pid)
    if starter is not None and starter != os.getpid():
        found["zygote"] = starter
    for number, process in enumerate(started[-2:]):
        found[f"contestant {number}"] = process.pid
    return found


async def soak_decisions(number: int, level: str) -> None:
    """Play units one after another in the same processes."""
    entries = (bot("drawing.py", "FromBoth", bias=0.4), bot("selective.py", deed=""))
    unit = unit_of(*entries, games=GAMES, limits=GENEROUS)
    unit = replace(unit, restart=Restart.LEAGUE)
    room = IdleProcesses()
    started_at = time.monotonic()
    with sandbox_of(level) as sandbox, watched(sandbox) as started:
        sampler = Sampler(number, lambda: sample(roles(started)))

        def hear(record: GameRecord) -> None:
            assert record.forfeits == (False, False), record.faults
            sampler.add(record.decisions)

        try:
            while sampler.done < number:
                await UnitPlayer(unit, sandbox, hear, idle_processes=room).play()
        finally:
            room.close()
        assert len(started) == 2
    print(show(sampler.at, sampler.samples, "decisions"))
    seconds = time.monotonic() - started_at
    print(f"\n{sampler.done:,} decisions at {level}, {sampler.done / seconds:,.0f}/s")


def soak_frames(number: int) -> None:
    """Decode spoilt replies, ten thousand at a time."""
    outcomes: Counter[str] = Counter()
    chunk = 10_000
    sampler = Sampler(number, lambda: sample({"referee": os.getpid()}))
    started_at = time.monotonic()
    for seed in range(-(-number // chunk)):
        outcomes += decode(chunk, seed)
        sampler.add(chunk)
    seconds = time.monotonic() - started_at
    print(show(sampler.at, sampler.samples, "frames"))
    print(tabulate(outcomes.most_common(), headers=["outcome", "times"]))
    print(f"\n{sampler.done:,} frames, {sampler.done / seconds:,.0f}/s")
    print(f"{peak_memory() / 2**20:.0f} MiB at most")


async def soak_games(number: int, level: str) -> None:
    """Play a bot that answers in spoilt replies, beside honest ones."""
    outcomes: Counter[str] = Counter()
    started_at = time.monotonic()
    with sandbox_of(level) as sandbox:
        first = await sandbox.spawn()
        mine = {name: pid for name, pid in roles([first]).items() if "con" not in name}
        sampler = Sampler(number, lambda: sample(mine))

        def hear(record: GameRecord) -> None:
            check_spoilt(record)
            outcomes[record.termination] += 1
            sampler.add(1)

        async def play(number: int) -> None:
            while sampler.begun < number:
                games = min(AT_ONCE, number - sampler.begun)
                begun, sampler.begun = sampler.begun, sampler.begun + games
                await play_beside(games, sandbox, Restart.MATCH, hear, first=begun)

        # Most of them wait for the rest of a frame that never comes.
        async with trio.open_nursery() as nursery:
            for _ in range(MATCHES):
                nursery.start_soon(play, number)
        first.close()
    seconds = time.monotonic() - started_at
    print(show(sampler.at, sampler.samples, "games"))
    print(tabulate(outcomes.most_common(), headers=["termination", "games"]))
    print(f"\n{sampler.done:,} games at {level}, {sampler.done / seconds:,.0f}/s")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=DEFAULTS)
    parser.add_argument("number", type=int, nargs="?")
    parser.add_argument("--level", choices=LEVELS, help="instead of the strongest")
    arguments = parser.parse_args()
    number = arguments.number or DEFAULTS[arguments.what]
    level = arguments.level or best_level()
    with nothing_left():
        if arguments.what == "frames":
            soak_frames(number)
        else:
            soak = soak_decisions if arguments.what == "decisions" else soak_games
            trio.run(soak, number, level)


if __name__ == "__main__":
    main()
