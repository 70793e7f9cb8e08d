"""Runs in a process of its own: writes the live page until the league is over.

`python -m arena.reports.live.writer` reads from stdin a `LiveOrder` in a line, then
how the league stands (`LeagueState`), when all is played and when it has ended, a line
each; if stdin just ends, the league was killed.  It says on stdout why a page can't be
written.  It only reads what the league records.
"""

import os
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from arena.errors import ArenaError
from arena.league.config.info import LeagueInfo
from arena.league.config.settings import Watch
from arena.league.results.store import Store
from arena.plugins import load_plugins
from arena.reports.grading.aliases import alias_key, aliases_for
from arena.reports.live.board import Places, board_of, places_of
from arena.reports.live.page import LivePage
from arena.reports.live.process import LeagueState, LiveOrder
from arena.reports.live.watching import GamePicker, WatchedGame
from arena.reports.report import Report, read_report
from arena.reports.results_pass import GamesSoFar
from arena.reports.watched import watch_in_force
from arena.text import waiting_time
from arena.worker.confinement import make_undumpable

_NICENESS = 2
"""Two thirds of what a busy core gives to a referee: the page is late by a few seconds
then, and not by a minute."""
_MOST_SHARE = 4
"""Times as long as a page takes of the processor, at least, until the next one.  How
long it takes on a busy machine is no measure: it would stand still for long."""
_MOVES_S = 20.0
"""What has moved is told of the last so many seconds, if there was a page."""
_PACE_S = 60.0
"""The time that is left follows from the games of the last so many seconds."""
_MOST_ORDER_BYTES = 2**16


class _Marks:
    """What the page said before: how many games were played, and who stood where."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int, Places]] = deque()

    def add(self, report: Report) -> None:
        """Note how the league stands now."""
        now = time.monotonic()
        self._marks.append((now, report.played, places_of(report)))
        while len(self._marks) > 2 and self._marks[1][0] <= now - _PACE_S:
            self._marks.popleft()

    def before(self, report: Report) -> Places:
        """Return who stood where a while ago, in any of the tables of now."""
        since = time.monotonic() - _MOVES_S
        now = places_of(report).keys()
        known = [(then, x) for then, _, x in self._marks if not now.isdisjoint(x)]
        lately = (places for then, places in known if then >= since)
        return next(lately, known[-1][1] if known else {})

    def left(self, report: Report) -> str:
        """Return the time that is left, for people; empty if nobody knows."""
        if not self._marks:
            return ""
        then, played, _ = self._marks[0]
        seconds = time.monotonic() - then
        left = report.planned - report.played
        if report.played <= played or not left:
            return ""
        return waiting_time(seconds * left / (report.played - played))


class _Writer:
    """Writes one page after another."""

    def __init__(self, order: LiveOrder) -> None:
        self._order = order
        self._results = Path(order.results)
        self._page = LivePage(self._results, order.seconds)
        self._picker = GamePicker()
        self._marks = _Marks()
        self._so_far = GamesSoFar()
        self._aliases: Mapping[str, str] = {}
        self._game: WatchedGame | None = None
        self._last: tuple[Report, LeagueInfo, bool] | None = None
        """What the last page told of."""

    def close(self, state: LeagueState) -> None:
        """Say on the last page how the league stands now, without a look at it.

        Raises:
            RecordError: it can't be written.
        """
        if self._last is not None:
            self._write(*self._last, state)

    def write(self, store: Store, state: LeagueState) -> None:
        """Write the page of a league in a state.

        Raises:
            ArenaError: it can't be written, or made.
        """
        order = self._order
        with store.snapshot():
            info = store.info()
            has_pseudonyms = order.has_pseudonyms or info.pseudonyms
            names = {entry.id: entry.name for entry in info.entries}
            if has_pseudonyms:
                names = self._names(info)
            # With names, even the bots' own, it says nothing of what is in their files
            # nor of what they print.
            so_far = None if state.is_last else self._so_far
            report = read_report(store, names, so_far=so_far)
            watch = watch_in_force(info.watch, is_anonymous=has_pseudonyms)
            # A game shows how its bots play.
            if watch != Watch.ALL:
                self._game = None
            elif state == LeagueState.PLAYING or self._game is None:
                ranks = {bot: rank for (_, bot), rank in places_of(report).items()}
                found = self._picker.pick(store, names, ranks)
                self._game = found or self._game
        self._last = report, info, has_pseudonyms
        self._write(report, info, has_pseudonyms, state)
        self._marks.add(report)

    def _write(
        self, report: Report, info: LeagueInfo, has_pseudonyms: bool, state: LeagueState
    ) -> None:
        board = board_of(
            report,
            state,
            self._marks.before(report),
            left=self._marks.left(report) if state == LeagueState.PLAYING else "",
            is_open=info.exploring is not None,
            is_anonymous=has_pseudonyms,
            is_secretive=has_pseudonyms and not self._order.is_first,
        )
        self._page.write(board, self._game, {x.game for x in info.labels})

    def _names(self, info: LeagueInfo) -> dict[str, str]:
        """Return the alias of each entry, by its id."""
        if not self._aliases.keys() >= {entry.id for entry in info.entries}:
            key = alias_key(info, self._results, self._order.alias_text)
            self._aliases = aliases_for(info, self._results, key)
        return {entry.id: self._aliases[entry.id] for entry in info.entries}


def run(order: LiveOrder) -> None:
    """Write the page until stdin ends."""
    writer = _Writer(order)
    told = ""
    state = LeagueState.PLAYING
    wait = 0.0
    while not state.is_last:
        state = _wait(state, wait)
        began = time.process_time()
        problem = ""
        try:
            if state.is_last:
                # What follows may take long.  Of a part of the games, nothing is final.
                writer.close(
                    LeagueState.PLAYED if state == LeagueState.FINISHED else state
                )
            with Store.read(Path(order.results)) as store:
                writer.write(store, state)
        except (ArenaError, OSError) as error:
            problem = str(error)
        if problem and problem != told:
            # If nobody reads it, nobody has to.
            with suppress(OSError):
                os.write(sys.stdout.fileno(), f"{problem}\n".encode())
        told = problem
        wait = max(order.seconds, _MOST_SHARE * (time.process_time() - began))


def _wait(state: LeagueState, seconds: float) -> LeagueState:
    """Wait for so long, or for news of the league; return how it stands."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    if not ready:
        return state
    try:
        return LeagueState(os.read(sys.stdin.fileno(), 100).decode().split()[-1])
    except (ValueError, IndexError):
        return LeagueState.INTERRUPTED


def main() -> None:
    """Do as the order says, at low priority."""
    # The league says when it is over; what stops the league must not stop its last
    # page.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.nice(_NICENESS)
    # If memory runs out, it is the first to go.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    # Bots of the same user could read the keys of aliases in its memory.
    make_undumpable()
    line = b""
    while not line.endswith(b"\n") and len(line) < _MOST_ORDER_BYTES:
        # Not more than the line: the rest is for `select` to see.
        read = os.read(sys.stdin.fileno(), 1)
        if not read:
            return
        line += read
    load_plugins()
    run(msgspec.json.decode(line, type=LiveOrder))


if __name__ == "__main__":
    main()
