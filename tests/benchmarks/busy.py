"""Measures what honest bots lose to a busy machine, and a league to a bot that sleeps.

    python tests/benchmarks/busy.py decisions [--json] [--loops N] [--only TEXT]
    python tests/benchmarks/busy.py league [--json] [--fixtures N] [--only TEXT]

Decisions are played with the shipped limits, in one cpu cgroup with all that keeps the
machine busy.  It ends with an error if one of an honest bot is lost.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path += [str(Path(__file__).parents[1] / name) for name in ("", "referee")]

import trio
from large_class import write_quick_class
from metering import arena
from play_units import bot_at
from sandboxes import best_level, sandbox_of
from timing import Row, command_line, per, show, shown

from arena.games import derive_seed, game_paths
from arena.records.game_record import GameRecord
from arena.referee.sandbox import Sandbox
from arena.referee.unit_player import play_unit
from arena.referee.work_unit import EntrySpec, GameTask, Limits, WorkUnit
from arena.worker.protocol import GameSpec

MODELS = Path(__file__).parents[2] / "bots"
GAME = "ox_blocks"
"""Its seats take turns, so a game of two decisions has one of each."""
DECISIONS = ((200, 0.01), (60, 0.1), (20, 0.4))
"""How many an honest bot makes, and its CPU seconds for each."""
LOOPS = 44
MOST_UNITS = 5
"""A game in which the other forfeits first has no decision of ours."""
SLEEPS_S = {"1 s": 1.0, "0.3 s": 0.3}
"""The first is more than a decision may take, the second is not."""
QUARANTINE = 10
"""Forfeits in a row, as leagues are by default."""
_CGROUPS = Path("/sys/fs/cgroup")
_BURN = "while True: pass"
_BOTS = '''"""One that computes for so long, and one that never stops."""

import hashlib
import threading
import time

from arena import Bot

THREADS = 100
BUFFER = bytes(2**20)


class Honest(Bot):
    def __init__(self, seconds):
        self.seconds = seconds

    def act(self, obs):
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass
        return obs.legal_actions[0]


def burn():
    while True:
        hashlib.sha256(BUFFER)  # Without the GIL.


class Quick(Bot):
    def act(self, obs):
        return obs.legal_actions[0]


class Burner(Quick):
    def start(self, obs):
        threading.stack_size(2**18)
        if threading.active_count() == 1:
            for _ in range(THREADS):
                threading.Thread(target=burn, daemon=True).start()
'''


def main() -> None:
    """Measure one of the two, and say whether an honest bot has lost anything."""
    parser = command_line(__doc__, loops=LOOPS, fixtures=2, only="")
    parser.add_argument("what", choices=("decisions", "league"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.what == "decisions":
            found = measure_decisions(folder, arguments.loops, arguments.only)
        else:
            found = measure_league(folder, arguments.fixtures, arguments.only)
    show(found, as_json=arguments.json)
    if lost := sum(row.get("lost", 0) for rows in found.values() for row in rows):
        sys.exit(f"{lost} decisions of honest bots were lost")


def measure_decisions(folder: Path, loops: int, only: str) -> dict[str, list[Row]]:
    """Play the decisions of an honest bot beside all that keeps a machine busy."""
    file = folder / "busy.py"
    file.write_text(_BOTS)
    ways = {
        "nothing": (0, "Quick"),
        f"{loops} loops": (loops, "Quick"),
        "100 threads of the opponent": (0, "Burner"),
        "both": (loops, "Burner"),
    }
    rows = []
    with ExitStack() as stack:
        where = stack.enter_context(_one_cgroup())
        sandbox = stack.enter_context(sandbox_of("best"))
        for way, (burners, other) in ways.items():
            if only not in way:
                continue
            with _burners(burners):
                for count, seconds in DECISIONS:
                    row = {"beside": way, "CPU, ms": round(1000 * seconds)}
                    rows.append(row | _decisions(file, other, count, seconds, sandbox))
    return {f"decisions at {best_level()}, {where}": rows}


def _decisions(
    file: Path, other: str, count: int, seconds: float, sandbox: Sandbox
) -> Row:
    """Return how many decisions were lost, and what the others were charged."""
    honest = bot_at(file, "Honest", seconds=seconds)
    opponent = bot_at(file, other)
    begun = time.perf_counter()
    charged: list[float] = []
    reasons: list[str] = []
    for number in range(MOST_UNITS):
        missing = count - len(charged) - len(reasons)
        if missing <= 0:
            break
        unit = _unit((opponent, honest), missing, number)
        for record in trio.run(play_unit, unit, sandbox):
            _note(record, charged, reasons)
    wall = time.perf_counter() - begun
    ratios = [each / seconds for each in charged]
    return {
        "decisions": len(charged) + len(reasons),
        "lost": len(reasons),
        "charged / CPU, median": shown(median(ratios)) if ratios else None,
        "most": shown(max(ratios)) if ratios else None,
        "wall s each": shown(per(wall, len(charged) + len(reasons))),
        "first reason": reasons[0] if reasons else "",
    }


def _note(record: GameRecord, charged: list[float], reasons: list[str]) -> None:
    """Note what became of the decision of the second seat."""
    fault = next((fault for fault in record.faults if fault.seat == 1), None)
    if fault is not None:
        reasons.append(fault.message)
    elif record.times[1].counts:
        charged.append(record.times[1].slowest)


def _unit(entries: tuple[EntrySpec, ...], games: int, number: int) -> WorkUnit:
    """Return games of one decision for each of two."""
    return WorkUnit(
        label=GAME,
        game=GameSpec(GAME, game_paths()[GAME], len(entries), {}),
        entries=entries,
        games=tuple(
            GameTask(
                game_id=f"game {number} {i}",
                fixture_id=f"fixture {number} {i}",
                match_id="match",
                seed=derive_seed("busy", number, i),
                seats=(0, 1),
            )
            for i in range(games)
        ),
        limits=Limits(),
        max_decisions=len(entries),
        in_flight=1,
    )


@contextmanager
def _burners(number: int) -> Iterator[None]:
    """Keep the machine busy with loops in processes of their own."""
    command = [sys.executable, "-I", "-S", "-c", _BURN]
    started = [subprocess.Popen(command) for _ in range(number)]
    try:
        yield
    finally:
        for burner in started:
            burner.kill()
            burner.wait()


@contextmanager
def _one_cgroup() -> Iterator[str]:
    """Put this process and all that it will start into a cpu cgroup of their own.

    Else the system would share the cores out by sessions, of which each contestant has
    its own.  Yields in a few words what has come of it.
    """
    with ExitStack() as stack:
        try:
            before = _cpu_cgroup()
            ours = before / f"arena-busy-{os.getpid()}"
            ours.mkdir()
            stack.callback(ours.rmdir)
            (ours / "cgroup.procs").write_text(f"{os.getpid()}")
            stack.callback((before / "cgroup.procs").write_text, f"{os.getpid()}")
            where = "in one cpu cgroup"
        except OSError as error:
            where = f"in no cpu cgroup of their own ({error.strerror})"
        yield where


def _cpu_cgroup() -> Path:
    """Return the folder of the cpu cgroup that this process is in.

    Raises:
        OSError: there is none, or it can't be divided.
    """
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "cpu" in controllers.split(","):
            return _CGROUPS / controllers / path.lstrip("/")
        if not controllers and (_CGROUPS / "cgroup.controllers").exists():
            found = _CGROUPS / path.lstrip("/")
            (found / "cgroup.subtree_control").write_text("+cpu")
            return found
    raise OSError(0, "there is no controller of the cpu")


def measure_league(folder: Path, fixtures: int, only: str) -> dict[str, list[Row]]:
    """Play a league of quick bots without and with one that sleeps."""
    alone = _league(folder / "alone", fixtures, None)
    rows = [alone | {"times alone": 1.0}]
    for name, seconds in SLEEPS_S.items():
        if only in name:
            found = _league(folder / name, fixtures, seconds)
            found["times alone"] = shown(per(found["wall s"], alone["wall s"]))
            found["after quarantine"] = _slowdown(found, alone)
            rows.append(found)
    return {"29 quick bots, and one that sleeps at each decision": rows}


def _slowdown(found: Mapping[str, Any], alone: Mapping[str, Any]) -> float | None:
    """Return how many times as long a game takes after the quarantine as without."""
    if found["until quarantine, s"] is None:
        return None
    left = found["honest games"] - found["of them before"]
    seconds = found["wall s"] - found["until quarantine, s"]
    return shown(per(per(seconds, left), per(alone["wall s"], alone["honest games"])))


def _league(folder: Path, fixtures: int, sleep: float | None) -> Row:
    """Play a league to its end, and read meanwhile what it tells."""
    config = write_quick_class(folder, MODELS, fixtures, sleep)
    command = [*arena(), "league", config.name, "--results", "results", "--json"]
    quarantined: float | None = None
    last: dict[str, Any] = {"recorded": 0, "forfeits": 0}
    before = 0
    notes = []
    begun = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "note":
                notes.append(event["text"])
            if event["event"] != "progress":
                continue
            last = event
            if quarantined is None and event["forfeits"] >= QUARANTINE:
                quarantined = time.perf_counter() - begun
                before = event["recorded"] - event["forfeits"]
    wall = time.perf_counter() - begun
    if process.returncode:
        sys.exit(f"the league ended with {process.returncode}")
    return {
        "sleeps": sleep,
        "wall s": shown(wall),
        "until quarantine, s": shown(quarantined),
        "honest games": last["recorded"] - last["forfeits"],
        "of them before": before,
        "forfeits": last["forfeits"],
        "notes": "; ".join(note for note in notes if "sleep" in note.lower()),
    }


if __name__ == "__main__":
    main()
