"""How far a league has come: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from types import TracebackType
from typing import Protocol, Self

from arena.league.run import Progress

_LINE_EVERY = 10.0


class ProgressView(Protocol):
    """Shows `Progress` while a league is played."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def show(self, progress: Progress) -> None:
        """Show a new state."""


def progress_view() -> ProgressView:
    """Return the view that fits where standard error goes."""
    return Bar() if sys.stderr.isatty() else Lines()


class Lines:
    """A line at the beginning and the end, and now and then in between."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._next = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def show(self, progress: Progress) -> None:
        """Print a line if it is time for one."""
        now = time.monotonic()
        is_done = progress.recorded == progress.planned
        if now < self._next and not is_done:
            return
        self._next = now + _LINE_EVERY
        line = f"{progress.recorded} of {progress.planned} games"
        if progress.forfeits:
            line += f", {progress.forfeits} forfeits"
        if progress.played and not is_done:
            left = progress.planned - progress.recorded
            seconds = (now - self._started) * left / progress.played
            line += f", about {duration(seconds)} left"
        print(line, file=sys.stderr, flush=True)


class Bar:
    """A live bar with the time left."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("games"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("league", total=None, note="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def show(self, progress: Progress) -> None:
        """Move the bar."""
        note = f"{progress.forfeits} forfeits" if progress.forfeits else ""
        self._bar.update(
            self._task,
            total=progress.planned,
            completed=progress.recorded,
            note=note,
        )


def duration(seconds: float) -> str:
    """Return a time for a person: `40 s`, `3 min`, `2.5 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
