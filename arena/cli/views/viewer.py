"""A recorded game in a terminal, to step through by keys."""

import os
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from rich.console import Console, Group
from rich.text import Text

from arena.cli.views.keys import GONE, keys_of
from arena.reports.replay.drawings import DrawingError, find_drawing
from arena.reports.replay.frames import Frames, frames
from arena.reports.replay.story import (
    GameStory,
    decision_lines,
    revealing_seats,
    sight_lines,
)

_HELP = """\
n, right    the next decision
b, left     the decision before
t           the next turn
r           the next round
s, Home     the start
e, End      the end
g           go to a decision: type its number, then Enter
o           what the seats see: of the one to act, of all, of none
down, up    more lines, where there are more than fit
q           leave

A decision is shown as it was before it was taken, with what was played
there at the end. Any key goes back."""
_FOOT = "n next  b back  t turn  r round  s start  e end  g go  o seats  ? help  q quit"
_SHORT_FOOT = "n b t r s e g o  ? help  q quit"
_WIDE_COLUMNS = 120
"""Width from which observations stand beside the position."""
_SIGHTS = 3
"""Ways to show observations: those of the seat to act, of all seats, of none."""
_NAMES = {
    "right": "n",
    " ": "n",
    "left": "b",
    "home": "s",
    "end": "e",
    "\x04": "q",
    "escape": "q",
    GONE: "q",
}


class Viewer:
    """Shows a game decision by decision."""

    def __init__(
        self, story: GameStory, head: Sequence[str], result: Sequence[str], step: int
    ) -> None:
        """Prepare a viewer that begins at decision `step`.

        `head` has the game's title, its seats (indented) and whether it reproduces;
        `result` is shown at the end.
        """
        self._story = story
        self._title = head[0]
        seats = [line.strip() for line in head if line.startswith("  ")]
        self._seats = "   ".join(seats)
        self._verdict = " ".join(x for x in head[1:] if not x.startswith("  "))
        self._result = result
        self._step = step
        self._scroll = 0
        self._sights = 0
        self._number: str | None = None
        """Digits typed so far of the decision to go to."""
        self._helps = False
        self._most = 0
        """Lines by which the decision can be scrolled."""
        # The size in the environment is that of the start, and stays when it changes.
        told = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
        self._console = Console(highlight=False, _environ=told)

    def run(self) -> None:
        """Show the game until the person quits."""
        console = self._console
        with keys_of(sys.stdin.fileno()) as keys, console.screen() as screen:
            while True:
                screen.update(self._frame(*console.size))
                key = keys.next()
                if not self._obey(_NAMES.get(key, key)):
                    return

    def _obey(self, key: str) -> bool:
        """Do what a key stands for; return False if that is to quit."""
        if self._helps:
            self._helps = False
        elif self._number is not None:
            self._type(key)
        elif key == "q":
            return False
        elif key == "?":
            self._helps = True
        elif key == "g":
            self._number = ""
        elif key == "o":
            self._sights = (self._sights + 1) % _SIGHTS
        elif key in ("up", "down", "page up", "page down"):
            lines = 1 if key in ("up", "down") else 10
            way = lines if key.endswith("down") else -lines
            self._scroll = max(0, min(self._scroll + way, self._most))
        else:
            self._go({"n": self._step + 1, "b": self._step - 1, "s": 0}.get(key, key))
        return True

    def _go(self, to: int | str) -> None:
        last = len(self._story) - 1
        if to == "e":
            to = last
        elif to == "t":
            to = self._after([position for position, _ in self._frames.turns])
        elif to == "r":
            to = self._after(self._frames.rounds)
        if isinstance(to, int) and to != self._step:
            self._step = max(0, min(to, last))
            self._scroll = 0

    def _after(self, starts: Sequence[int]) -> int:
        """Return the first decision after the next of the given positions."""
        replay = self._story.replay
        stops = (*replay.decisions, len(replay.history))
        place = bisect_right(starts, stops[self._step])
        if place == len(starts):
            return len(stops) - 1
        return bisect_left(stops, starts[place])

    @cached_property
    def _frames(self) -> Frames:
        replay = self._story.replay
        try:
            return frames(replay, find_drawing(replay.game))
        except DrawingError:
            return frames(replay, None)

    def _type(self, key: str) -> None:
        """Add a key to the number of the decision to go to."""
        assert self._number is not None
        if key.isdecimal():
            self._number += key
        elif key in ("\x7f", "\b"):
            self._number = self._number[:-1]
        elif key in ("\r", "\n"):
            number, self._number = self._number, None
            if number:
                self._go(int(number))
        elif key == "q":
            self._number = None

    def _frame(self, width: int, height: int) -> Group:
        """Return the content of a screen of this size."""
        if self._helps:
            return Group(*(Text(line, no_wrap=True) for line in _HELP.splitlines()))
        head = [
            Text(self._title, "bold"),
            Text(self._seats),
            Text(self._verdict, "dim" if self._verdict.startswith("it rep") else "red"),
            Text("─" * width, "dim"),
        ]
        body = self._body(width)
        room = max(1, height - len(head) - 2)
        self._most = max(0, len(body) - room)
        self._scroll = min(self._scroll, self._most)
        shown = body[self._scroll : self._scroll + room]
        shown += [Text("")] * (room - len(shown))
        if self._number is not None:
            foot = f"go to decision: {self._number}_"
        else:
            foot = _FOOT if width >= len(_FOOT) else _SHORT_FOOT
        rest = self._most - self._scroll
        more = f"{rest} more lines below: down " if rest else ""
        line = Text(more.rjust(width, "─")[:width], "dim")
        lines = [*head, *shown, line, Text(foot, "bold")]
        for each in lines:
            each.no_wrap = True
            each.truncate(width, overflow="ellipsis")
        return Group(*lines)

    def _body(self, width: int) -> list[Text]:
        """Return the lines of a decision, with observations below or beside."""
        story = self._story
        view = story[self._step]
        seats = {0: [view.seat or 0], 1: revealing_seats(view), 2: []}[self._sights]
        is_wide = width >= _WIDE_COLUMNS and bool(seats)
        half = width // 2 - 1 if is_wide else width
        left = decision_lines(view, story, half)
        if self._step == len(story) - 1:
            left += ["", *self._result]
        right: list[str] = []
        for seat in seats:
            right += [""] * bool(right) + sight_lines(view, story, seat, half)
        if not is_wide:
            return [*map(_styled, left), Text(""), *map(_styled, right)]
        rows = []
        for i in range(max(len(left), len(right))):
            row = _styled(left[i]) if i < len(left) else Text("")
            row.truncate(half, overflow="ellipsis", pad=True)
            rows.append(row + "  " + (_styled(right[i]) if i < len(right) else ""))
        return rows


def _styled(line: str) -> Text:
    if " forfeits: " in line and not line.startswith(" "):
        return Text(line, "bold red")
    return Text(line, "" if line.startswith(" ") else "bold")
