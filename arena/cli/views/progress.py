"""Progress of a league: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from arena.league.play.recorder import Progress
from arena.text import waiting_time

_LINE_INTERVAL_S = 10.0
_PACE_S = 60.0
"""The time that is left follows from the games of the last so many seconds: once a bot
that has held a league up is in quarantine, it must not count on."""

Show = Callable[[Progress], None]


def progress_view() -> AbstractContextManager[Show]:
    """Return a context with a function that shows progress on stderr."""
    return _bar() if sys.stderr.isatty() else _lines()


@contextmanager
def _lines() -> Iterator[Show]:
    """Print a line at the beginning, at the end, and at intervals in between."""
    due = time.monotonic()
    # Times and numbers of games, from the first on: before them, bots are loaded.
    marks: deque[tuple[float, int]] = deque()

    def show(progress: Progress) -> None:
        nonlocal due
        now = time.monotonic()
        if not marks and progress.played:
            marks.append((now, progress.played))
        is_done = progress.recorded == progress.planned
        if now < due and not is_done:
            return
        due = now + _LINE_INTERVAL_S
        up_to = "up to " if progress.is_open else ""
        line = f"{progress.recorded} of {up_to}{progress.planned} games"
        if progress.stage:
            line += f" ({progress.stage})"
        if progress.forfeits:
            line += f", {progress.forfeits} forfeits"
        while len(marks) > 1 and marks[1][0] <= now - _PACE_S:
            marks.popleft()
        if marks and progress.played > marks[0][1] and not is_done:
            left = progress.planned - progress.recorded
            seconds = (now - marks[0][0]) * left / (progress.played - marks[0][1])
            line += f", about {waiting_time(seconds)} left"
        if marks:
            marks.append((now, progress.played))
        print(line, file=sys.stderr, flush=True)

    yield show


@contextmanager
def _bar() -> Iterator[Show]:
    """Show a live bar with the time that is left."""
    from rich import progress as bars
    from rich.console import Console

    with bars.Progress(
        bars.BarColumn(bar_width=None),
        bars.MofNCompleteColumn(),
        bars.TextColumn("games"),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.fields[note]}"),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("league", total=None, note="")

        def show(progress: Progress) -> None:
            notes = [progress.stage] if progress.stage else []
            if progress.forfeits:
                notes.append(f"{progress.forfeits} forfeits")
            bar.update(
                task,
                total=progress.planned,
                completed=progress.recorded,
                note=", ".join(notes),
            )

        yield show
