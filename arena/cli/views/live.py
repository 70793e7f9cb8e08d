"""The live page of a league that is played: where it is told of, and what is wrong."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.cli.views.events import Output
from arena.reports.live.process import PATIENCE_S, LeagueState, LiveOrder, LiveWriter

_SLOWER = 4
"""Times as long as the report of a league its last live page may take."""


@dataclass(slots=True)
class LiveView:
    """Keeps the live page going, and tells people of it; no league waits for it."""

    order: LiveOrder
    output: Output
    writer: LiveWriter
    state: LeagueState = LeagueState.INTERRUPTED
    """What the last page is to say."""
    patience_s: float = PATIENCE_S
    is_told: bool = False

    def go_on(self) -> None:
        """Start what writes the page, if need be, and pass on what it says."""
        self.writer.start()
        self._tell()

    def all_played(self) -> None:
        """Take note that all games are played, though the league is not over."""
        self.writer.all_played()

    def finish(self, seconds: float) -> None:
        """Take note that the league is over, and that its report took so long."""
        self.state = LeagueState.FINISHED
        self.patience_s += _SLOWER * seconds

    def end(self) -> None:
        """Have the last page written."""
        try:
            self.writer.end(self.state, self.patience_s)
        finally:
            self._tell()

    def _tell(self) -> None:
        """Tell people why there is no new page, and once where the page is."""
        if problem := self.writer.problem():
            self.output.note(f"the live page can't be written: {problem}")
        page = Path(self.order.results, "live", "index.html")
        if not self.is_told and os.path.isfile(page):
            self.is_told = True
            self.output.note(f"the live page is there: open {page}")


@contextmanager
def live_view(order: LiveOrder | None, output: Output) -> Iterator[LiveView | None]:
    """Keep a live page going during the block; none without an order."""
    if order is None:
        yield None
        return
    view = LiveView(order, output, LiveWriter(order))
    try:
        yield view
    finally:
        view.end()
