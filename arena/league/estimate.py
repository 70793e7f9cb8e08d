"""How long a league will take, from a short trial of its own bots."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from arena.league.executors import cores, play_here
from arena.league.plan import Plan
from arena.league.queue import Queue
from arena.referee.record import GameRecord, Unit
from arena.referee.sandbox import Sandbox

TRIAL = 5.0
"""Seconds that a trial may take; a match that has begun is played to its end."""


@dataclass(slots=True)
class _Costs:
    """Seconds that a trial has shown."""

    starts: list[float] = field(default_factory=list)
    """Of a match beside its decisions, by entry: starting contestants, refereeing."""
    decisions: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    """Of one game, by label and entry."""

    def add(self, match: Unit, records: Sequence[GameRecord], wall: float) -> None:
        rest = max(0.0, wall - sum(sum(r.seconds) for r in records))
        self.starts.append(rest / len(match.entries))
        for record in records:
            for entry, seconds in zip(record.seats, record.seconds, strict=True):
                self.decisions.setdefault((match.label, entry), []).append(seconds)

    def of(self, unit: Unit) -> float:
        if not self.starts:
            return 0.0
        everyone = [s for seconds in self.decisions.values() for s in seconds]
        unknown = fmean(everyone) if everyone else 0.0
        seated = Counter(place for task in unit.games for place in task.seats)
        seconds = 0.0
        for place, games in seated.items():
            known = self.decisions.get((unit.label, unit.entries[place].id))
            seconds += games * (fmean(known) if known else unknown)
        return median(self.starts) * len(unit.entries) + seconds


async def estimate_seconds(
    plan: Plan, queue: Queue, workers: int, sandbox: Sandbox
) -> float:
    """Return about how many seconds a queue will take with so many referees.

    Plays one fixture of a few matches, such that every entry is seen in every
    game if the time allows; the results are not recorded.  Empties the queue.
    """
    costs = _Costs()
    seen: set[tuple[str, str]] = set()
    end = time.monotonic() + TRIAL
    for match in plan.matches:
        entries = {(match.label, e.id) for e in match.entries if not e.refused}
        if entries <= seen or time.monotonic() > end or not queue.missing:
            continue
        seen |= entries
        trial = match.unit(range(len(match.entries)))
        before = time.monotonic()
        records = await play_here(trial, sandbox)
        costs.add(trial, records, time.monotonic() - before)
    return sum(map(costs.of, queue.units())) / min(workers, cores())
