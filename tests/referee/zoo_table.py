"""Plays the zoo at a level of isolation: `zoo_table.py LEVEL [--json] [CASE ...]`.

What a bot says it has got at stands in the record; what it has done shows on the
ground it was let loose on, among the processes, and in the game of its opponent.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import msgspec
import trio
from tabulate import tabulate
from zoo_cases import CASES, QUICK, ROOMY, Case
from zoo_ground import Ground, Household

from arena.games import Observation, Table, derive_seed, game_paths, get_game
from arena.records.game_record import GameRecord
from arena.referee.contestant.contestant import IdleProcesses
from arena.referee.sandbox import (
    SANDBOXES,
    Process,
    Sandbox,
    SandboxSpec,
    open_sandbox,
)
from arena.referee.sandbox.library import find_library
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import EntrySpec, GameTask, Restart, WorkUnit
from arena.worker.confinement import make_undumpable
from arena.worker.protocol import GameSpec

TIMEOUT_S = 60.0
"""Seconds after which a unit that does not end has been spoilt."""
_USUAL = (QUICK, ROOMY)
_TWINS_DECISIONS = 30
_DECISIONS = 200
_GAME = "zombie_dice"


class Row(msgspec.Struct, frozen=True):
    """The result of one case at one level."""

    case: str
    level: str
    leaks: tuple[str, ...] = ()
    """Things that it got at, or did; empty if it was contained."""
    termination: str = ""
    """How its games ended, each way once."""
    messages: tuple[str, ...] = ()
    """Terminations of its faults."""
    oddities: tuple[str, ...] = ()
    """Errors in its records."""
    seconds: float = 0.0
    ran: bool = True

    @property
    def verdict(self) -> str:
        """The word of the table."""
        if not self.ran:
            return "not run"
        return "LEAKED" if self.leaks else "contained"


class HonestRoom(IdleProcesses):
    """Keeps the honest bot's process, next to which all others come and go."""

    def keep(self, key: tuple[object, ...], process: Process) -> None:
        """Keep it, and nobody else's."""
        if os.path.basename(str(key[0])) == "honest.py" and any(
            limits in key for limits in _USUAL
        ):
            super().keep(key, process)
        else:
            process.close()


def unit_of(case: Case, ground: Ground, level: str) -> WorkUnit:
    """Return the unit of a case; its culprit is the first entry."""
    known = ground.parameters()

    def entry(id: str, file: str, name: str, params: dict[str, Any]) -> EntrySpec:
        path = str(ground.bots / f"{file}.py")
        return EntrySpec(id, path, name, params, files=(path,))

    def culprit(id: str, me: str) -> EntrySpec:
        told = {"me": me, "deed": case.deed, **known}
        needs = (*case.needs, "deed") if case.deed else case.needs
        return entry(id, case.file, "Culprit", {name: told[name] for name in needs})

    other = {
        "honest": lambda: entry("Honest", "honest", "Honest", {}),
        "slow": lambda: entry("Slow", "slow", "Slow", {}),
        "twin": lambda: culprit("Twin", "b"),
    }[case.against]()
    return WorkUnit(
        label="label",
        game=GameSpec(_GAME, game_paths()[_GAME], 2, {}),
        entries=(culprit("Culprit", "a"), other),
        games=tuple(
            GameTask(
                f"game {i}",
                f"fixture {i}",
                "match",
                derive_seed("zoo", i),
                (1, 0) if i % 2 else (0, 1),
            )
            for i in range(case.games_at(level))
        ),
        limits=case.limits_at(level),
        max_decisions=_TWINS_DECISIONS if case.against == "twin" else _DECISIONS,
        in_flight=32,
        restart=Restart.GAME if case.restart is Restart.GAME else Restart.LEAGUE,
    )


def confessions(record: GameRecord, case: Case) -> Iterator[str]:
    """Describe the things that a game's culprits got at."""
    for fault in record.faults:
        if fault.entry != "Culprit" and case.against != "twin":
            yield f"its opponent forfeited: {fault.message}"
        for text in (fault.action, fault.output):
            if "leaked" in text:
                yield text.partition("leaked: ")[2][:100] or text[-100:]


def oddities(record: GameRecord) -> Iterator[str]:
    """Describe errors in a record of a game that only the culprit may lose."""
    if not record.faults:
        if any(record.forfeits):
            yield "there is a forfeit without a fault"
        return
    seat = record.seats.index("Culprit")
    (fault, *others) = record.faults
    found = {
        "faults": bool(others),
        "blame": (fault.seat, fault.entry) != (seat, "Culprit"),
        "end": fault.termination != record.termination,
        "forfeits": record.forfeits != tuple(s == seat for s in (0, 1)),
        "returns": record.returns != tuple(float(s != seat) for s in (0, 1)),
        "places": record.places != tuple(1 + (s == seat) for s in (0, 1)),
        "lines": "\n" in fault.message,
    }
    yield from (name for name, is_odd in found.items() if is_odd)


def _stop(obs: Observation) -> str:
    return "stop"


def _roll(obs: Observation) -> str:
    return "roll"


def _careful(obs: Any) -> str:
    return "stop" if obs.shotguns >= 2 else "roll"


def _eager(obs: Any) -> str:
    return "stop" if obs.brains else "roll"


_OPPONENTS: dict[str, Callable[[Any], str]] = {
    "honest": _careful,
    "slow": _eager,
    "twin": _roll,
}
"""The strategy of each opponent of a culprit."""


def is_undisturbed(record: GameRecord, unit: WorkUnit, case: Case) -> bool:
    """Say whether a game went as it does between bots that only play.

    What the culprits of the zoo play then, is always to stop, always to roll, or
    with care.
    """
    game = get_game(unit.game.name, unit.game.players, {})
    task = next(t for t in unit.games if t.game_id == record.game_id)
    for mine in (_stop, _careful, _roll):
        sides = (mine, _OPPONENTS[case.against])
        policies = [sides[entry] for entry in task.seats]
        table = Table(game, task.seed)
        while (seat := table.advance()) >= 0 and table.decisions < unit.max_decisions:
            table.act(policies[seat](table.observe(1.0)))
        if tuple(table.history) == record.history:
            return True
    return False


class Trial:
    """Lets cases loose in one sandbox, on one ground."""

    def __init__(self, sandbox: Sandbox, ground: Ground) -> None:
        self._sandbox = sandbox
        self._ground = ground
        self._room = HonestRoom()
        self._household: Household | None = None

    async def run(self, cases: Sequence[Case]) -> list[Row]:
        """Play some cases at the same time; damage that is found is all of theirs."""
        if self._household is None:
            # What is kept for all cases is there from now on.
            for limits in _USUAL:
                await self._play(Case("patches_rules", limits=limits), self._room)
            self._household = Household({self._ground.victim})
        rows: dict[str, Row] = {}

        async def play(case: Case) -> None:
            room = self._room if len(cases) == 1 else None
            rows[case.name] = await self._play(case, room)

        async with trio.open_nursery() as nursery:
            for case in cases:
                nursery.start_soon(play, case)
        damage = self._ground.damage()
        if changes := self._household.changes({self._ground.victim}):
            damage += changes
            self.close()
        return [_with_leaks(rows[case.name], damage) for case in cases]

    def close(self) -> None:
        """Put away what is kept for the next case."""
        self._room.close()
        self._household = None

    async def _play(self, case: Case, room: IdleProcesses | None) -> Row:
        unit = unit_of(case, self._ground, self._sandbox.name)
        records: list[GameRecord] = []
        leaks: list[str] = []
        begun = time.monotonic()
        try:
            with trio.fail_after(TIMEOUT_S):
                await UnitPlayer(
                    unit, self._sandbox, records.append, idle_processes=room
                ).play()
        except (ExceptionGroup, trio.TooSlowError) as error:
            leaks.append(f"spoilt the unit: {error!r}")
        seconds = time.monotonic() - begun
        for record in records:
            leaks += confessions(record, case)
            if not record.faults and not is_undisturbed(record, unit, case):
                leaks.append("the game is another than without it")
        if len(records) != len(unit.games) and not leaks:
            leaks.append(f"{len(records)} of {len(unit.games)} games came to an end")
        faults = [fault for record in records for fault in record.faults]
        return Row(
            case=case.name,
            level=self._sandbox.name,
            leaks=tuple(leaks),
            termination=", ".join(sorted({str(r.termination) for r in records})),
            messages=tuple(fault.message for fault in faults),
            oddities=tuple(odd for r in records for odd in oddities(r)),
            seconds=seconds,
        )


def _with_leaks(row: Row, leaks: Sequence[str]) -> Row:
    return msgspec.structs.replace(
        row, leaks=tuple(dict.fromkeys([*row.leaks, *leaks]))
    )


async def play_zoo(level: str, cases: Sequence[Case]) -> list[Row]:
    """Try all cases that may run at a level; the dangerous ones only if it held.

    Returns one row a case, in the order of the cases.

    Raises:
        OSError: this machine can't have the level.
    """
    root = os.geteuid() == 0
    library = find_library((), [game_paths()[_GAME]])
    spec = SandboxSpec(level, SANDBOXES[level], library)
    rows: dict[str, Row] = {}
    groups = [[case for case in cases if case.patient]]
    others = [case for case in cases if not case.patient]
    groups += [[case] for case in sorted(others, key=lambda case: case.dangerous)]
    held = True
    with (
        Ground() as ground,
        open_sandbox(spec) as sandbox,
        closing(Trial(sandbox, ground)) as trial,
    ):
        for group in groups:
            runs = [
                case
                for case in group
                if case.may_run(level, root) and (held or not case.dangerous)
            ]
            for case, row in zip(runs, await trial.run(runs), strict=True):
                rows[case.name] = row
                held &= not row.leaks or not case.is_kept(level, root)
    return [rows.get(case.name) or Row(case.name, level, ran=False) for case in cases]


def show(rows: Sequence[Row]) -> str:
    """Return a table of what came of all cases."""
    return tabulate(
        [
            (
                row.case,
                row.verdict,
                row.termination,
                f"{row.seconds:.2f}" if row.ran else "",
                re.sub(r"\s+", " ", "; ".join(row.leaks))[:80],
            )
            for row in rows
        ],
        headers=["case", "", "termination", "seconds", "what leaked"],
        disable_numparse=True,
        colalign=("left", "left", "left", "right", "left"),
    )


def main() -> None:
    """Play the zoo and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("level", choices=SANDBOXES)
    parser.add_argument("case", nargs="*", help="only these")
    parser.add_argument("--json", action="store_true", help="rows, not a table")
    arguments = parser.parse_args()
    cases = [c for c in CASES if not arguments.case or c.name in arguments.case]
    os.environ["ARENA_ZOO_SECRET"] = "brains"
    make_undumpable()
    rows = trio.run(play_zoo, arguments.level, cases)
    if arguments.json:
        sys.stdout.buffer.write(msgspec.json.encode(rows))
    else:
        print(show(rows))


if __name__ == "__main__":
    main()
