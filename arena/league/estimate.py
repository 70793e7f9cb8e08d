"""How long a league will take, from a short trial of its own bots."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from msgspec.structs import replace

from arena.league.executors import cores, play_here
from arena.league.plan import Plan
from arena.referee.record import GameRecord, Unit
from arena.referee.sandbox import Sandbox

TRIAL = 5.0
"""Seconds that a trial may take; a match that has begun is played to its end."""


@dataclass(slots=True)
class _Costs:
    """Seconds that a trial has shown."""

    starts: list[float] = field(default_factory=list)
    """Of a match beside its decisions: starting two contestants, refereeing."""
    decisions: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    """Of one game, by label and entry."""

    def add(self, match: Unit, records: Sequence[GameRecord], wall: float) -> None:
        self.starts.append(max(0.0, wall - sum(sum(r.seconds) for r in records)))
        for record in records:
            for entry, seconds in zip(record.seats, record.seconds, strict=True):
                self.decisions.setdefault((match.label, entry), []).append(seconds)

    def of(self, unit: Unit) -> float:
        if not self.starts:
            return 0.0
        everyone = [s for seconds in self.decisions.values() for s in seconds]
        unknown = fmean(everyone) if everyone else 0.0
        game = 0.0
        for entry in unit.entries:
            known = self.decisions.get((unit.label, entry.id))
            game += fmean(known) if known else unknown
        return median(self.starts) + game * len(unit.games)


async def estimate_seconds(
    plan: Plan, units: Sequence[Unit], workers: int, sandbox: Sandbox
) -> float:
    """Return about how many seconds `units` will take with so many referees.

    Plays one fixture of a few matches, such that every entry is seen in every
    game if the time allows; the results are not recorded.
    """
    costs = _Costs()
    seen: set[tuple[str, str]] = set()
    end = time.monotonic() + TRIAL
    for match in plan.matches:
        entries = {(match.label, e.id) for e in match.entries if not e.refused}
        if entries <= seen or time.monotonic() > end or not units:
            continue
        seen |= entries
        trial = replace(match, games=match.games[: len(match.entries)])
        before = time.monotonic()
        records = await play_here(trial, sandbox)
        costs.add(trial, records, time.monotonic() - before)
    return sum(map(costs.of, units)) / min(workers, cores())
