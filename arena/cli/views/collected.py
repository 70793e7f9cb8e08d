"""What a run of `arena collect` has come to: its table, its notes, what to do next."""

import json
import os
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tabulate import tabulate

from arena.cli.views.fitted_table import Heading, Kind, fitted_table
from arena.collect.collected import Collected, Row
from arena.collect.collection import EARLIER
from arena.collect.what_plays import Playing
from arena.league.config.students import STUDENTS_FILE
from arena.text import counted, cut_words, one_line, some_of, wrapped

_GAP_COLUMNS = 2
_PADDING = 2
"""Columns that a title takes more than its letters."""
_MIN_WIDTH = 72
_SHOWN = 3
_MANY = 8
_WIDE_COLUMNS = 120
_NAMES = ("student", "folder")
_NAME_COLUMNS = 18
_KINDS = {"student": Kind.NAME, "folder": Kind.NAME, "tries": Kind.NUMBER}
"""Of columns that are no texts."""
_NOTHING = "nothing"
_MISSING = "nothing"


@dataclass(frozen=True, slots=True)
class View:
    """What was collected, and what of it plays."""

    collected: Collected
    playing: Mapping[Path, Playing] | None
    """By the folder of the hand-in; None if nobody could be asked."""
    games: int
    """How many there are."""

    def exports(self) -> str:
        """Return what each export was taken for."""
        return "\n".join(
            one_line(f"{export}: {platform}, {counted(number, 'hand-in')}")
            for export, platform, number in self.collected.found
        )

    def table(self, width: int) -> str:
        """Return a table with a row for each student."""
        is_wide = width >= _WIDE_COLUMNS or width < _MIN_WIDTH
        rows = self.collected.rows
        times = [x.attempt.submitted for x in rows if x.attempt is not None]
        years = {time.year for time in times if time is not None}
        zones = {time.tzname() for time in times if time is not None}
        has_late = any(row.late for row in rows)
        titles = ["student", "handed in", "tries", "found", "will play"]
        if len(zones) == 1 and (zone := next(iter(zones))):
            titles[1] = f"{zone} time"
        cells = [
            [
                self._who(row),
                (", " if is_wide else "\n").join(_when(row, with_year=len(years) > 1)),
                str(row.attempts or ""),
                _found(row),
                "",
            ]
            for row in rows
        ]
        if not (years or has_late):
            titles.pop(1)
            cells = [[*row[:1], *row[2:]] for row in cells]
        if is_wide:
            titles.insert(1, "folder")
            for row, line in zip(rows, cells, strict=True):
                line.insert(1, _folder(row))
        if width < _MIN_WIDTH:
            for row, line in zip(rows, cells, strict=True):
                line[-1] = self._will_play(row)[0]
            headings = [Heading(x, _KINDS.get(x, Kind.TEXT)) for x in titles]
            return fitted_table(headings, cells, width)
        widths = _widths(titles, cells, width)
        fitted = [
            [_fitted(x, most) for x, most in zip(line, widths, strict=True)]
            for line in cells
        ]
        for row, line in zip(rows, fitted, strict=True):
            ways = [_fitted(x, widths[-1]) for x in self._will_play(row)]
            line[-1] = next((x for x in ways if "\n" not in x), ways[-1])
        return tabulate(fitted, titles, disable_numparse=True)

    def _will_play(self, row: Row) -> list[str]:
        """Return what will play, in words of which the first that fit are taken."""
        if row.attempt is None:
            return [""]
        if not row.counts:
            return [f"{_NOTHING}: too late"]
        found = self._playing(row)
        if problem := self._problem(row):
            what = "forfeits" if found is not None and found.forfeits else _NOTHING
            return [f"{what}: {problem}", f"{what}: see note"]
        if found is None:
            return ["?"]
        ways = (", ".join, self._number)
        return ["; ".join(f"{bot}: {way(x)}" for bot, x in found.bots) for way in ways]

    def _number(self, games: Sequence[str]) -> str:
        is_all = len(games) == self.games > 1
        return "all games" if is_all else counted(len(games), "game")

    def _playing(self, row: Row) -> Playing | None:
        if self.playing is None or row.place is None:
            return None
        return self.playing.get(row.place)

    def _problem(self, row: Row) -> str:
        """Return why nothing of a hand-in plays; empty if something does."""
        if row.attempt is None or not row.counts:
            return ""
        found = self._playing(row)
        if found is not None and found.bots:
            return ""
        own = "" if row.is_mended else row.attempt.problem
        return one_line(own or (found.problem if found is not None else ""))

    def _who(self, row: Row) -> str:
        """Return what a student is called, and nobody else here."""
        name = row.name or row.student
        is_shared = sum(name == (x.name or x.student) for x in self.collected.rows) > 1
        if is_shared and name != row.student:
            both = f"{name} ({row.student})"
            name = row.student if row.student.startswith(name) else both
        return one_line(name)

    def _label(self, row: Row) -> str:
        who = self._who(row)
        folder = _folder(row) or who
        return who if who == folder else f"{folder} ({who})"

    def notes(self) -> Iterator[str]:
        """Yield a sentence on all that the instructor should know.

        What keeps hand-ins from playing comes first.
        """
        problems, others = [], []
        for row in self.collected.rows:
            label = self._label(row)
            found = self._playing(row)
            problem = self._problem(row)
            does = "will not play"
            if found is not None and found.forfeits:
                does = "will forfeit all games"
            if problem:
                problems.append((label, one_line(f"{does}: {problem}")))
            texts = [text for text in (*row.news, *row.notes) if text != problem]
            if row.attempt is not None and not problem and found is not None:
                # It has been mended, or was not so bad.
                texts = [text for text in texts if text != row.attempt.problem]
            texts += found.notes if found is not None else ()
            others += [(label, text) for text in map(one_line, texts)]
        # Why somebody does not play is said of all.
        yield from _said_once(problems, len(problems))
        yield from _said_once(others, _MANY)
        yield from self.collected.on_times
        if name := self.collected.old_list:
            yield (
                f"{STUDENTS_FILE} did not say the same of students as the list of "
                f"--students, so it is kept as {name}; to go on with it, call it "
                f"{STUDENTS_FILE} again, and leave out --students"
            )
        if back := self.collected.back:
            some = some_of(back[:_MANY], len(back), with_total=True)
            yield f"back from {EARLIER}, as the latest that counts in this run: {some}"
        if unlisted := self.collected.unlisted:
            names = [
                one_line(key if not id_ or id_ in key else f"{key} ({id_})")
                for key, id_ in unlisted.items()
            ]
            yield (
                f"not in the list of students, so added to {STUDENTS_FILE}: "
                f"{some_of(names[:_MANY], len(names), with_total=True)}; to join one "
                "with a line of the list, write the id there, in the column of ids, or "
                "in a new one if there is none; a team by its name, in a column called "
                "team in the lines of its members"
            )
        left = defaultdict(list)
        for export, file, why in self.collected.left:
            left[export, why].append(one_line(file))
        for (export, why), files in left.items():
            some = some_of(files[:_SHOWN], len(files), with_total=True)
            yield f"{export}: left {some}: {one_line(why)}"
        if self.collected.roster.left:
            yield f"the list of students: left {', '.join(self.collected.roster.left)}"

    def summary(self) -> str:
        """Return how many play, and what is new."""
        rows = self.collected.rows
        handed_in = [row for row in rows if row.attempt is not None]
        lines = [
            f"{counted(len(rows), 'student')}: {len(handed_in)} handed in, "
            f"{len(rows) - len(handed_in)} did not"
        ]
        if self.playing is not None:
            found = [x for row in handed_in if (x := self._playing(row)) is not None]
            play = sum(bool(x.bots) for x in found)
            forfeit = sum(x.forfeits for x in found)
            lines[0] += f"; {play} will play"
            lines[0] += f", {forfeit} will forfeit all games" * bool(forfeit)
            lines[0] += f", {len(handed_in) - play - forfeit} will not"
        if not self.collected.is_first:
            first = sum(row.is_first for row in handed_in)
            new = sum(row.is_new for row in handed_in)
            lines.append(
                f"since the last run: {first} new, {new - first} again, "
                f"{len(handed_in) - new} as before"
            )
        return "\n".join(lines)

    def next_steps(self, league: Path | None, *, all_attempts: bool) -> str:
        """Return what to write into the league's file, and what to run then."""
        base = Path("configs" if os.path.isdir("configs") else ".")
        where = f"a league's file in {'this folder' if base == Path() else base}"
        if league is not None:
            base, where = league.parent, str(league)
        folder = os.path.relpath(self.collected.folder, base)
        bots = [folder, *([f"{folder}/{EARLIER}/*"] if all_attempts else [])]
        file = str(league or base / "LEAGUE.yaml")
        return (
            f"in {one_line(where)}, beside the bots that are there:\n"
            f"  bots: [{', '.join(map(_yaml, bots))}]\n"
            "  grading:\n"
            f"    students: {_yaml(f'{folder}/{STUDENTS_FILE}')}\n"
            f"then: arena league {shlex.quote(one_line(file))} --dry-run"
        )


def _found(row: Row) -> str:
    if row.attempt is None:
        return _MISSING
    return one_line(row.attempt.found) + ", mended here" * row.is_mended


def _yaml(text: str) -> str:
    """Return a path as it stands in a league's file."""
    is_plain = re.fullmatch(r"[\w./-]+", text) is not None
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _folder(row: Row) -> str:
    if row.place is None:
        return ""
    return row.place.name if row.counts else f"{EARLIER}/{row.place.name}"


def _said_once(notes: Sequence[tuple[str, str]], most: int) -> Iterator[str]:
    """Yield notes, and once what many have in common, with that many of them."""
    labels = defaultdict(list)
    for label, text in dict.fromkeys(notes):
        labels[text].append(label)
    for label, text in dict.fromkeys(notes):
        who = labels[text]
        if len(who) <= _SHOWN:
            yield f"{label}: {text}"
        elif label == who[0]:
            yield f"{text}: {some_of(who[:most], len(who), with_total=True)}"


def _when(row: Row, *, with_year: bool) -> list[str]:
    time = None if row.attempt is None else row.attempt.submitted
    text = "" if time is None else _time(time, with_year=with_year)
    late = {"": "", "yes": "late"}.get(row.late, f"{row.late} late")
    return [*filter(None, [text, late])]


def _time(time: datetime, *, with_year: bool) -> str:
    return time.strftime("%Y-%m-%d %H:%M" if with_year else "%d %b %H:%M")


def _widths(
    titles: Sequence[str], cells: Sequence[Sequence[str]], width: int
) -> list[int]:
    """Return the width of each column: the last two share what the others leave."""
    needed = [len(title) + _PADDING for title in titles]
    for line in cells:
        parts = (max(map(len, cell.split("\n"))) for cell in line)
        needed = [*map(max, needed, parts)]
    room = width - _GAP_COLUMNS * (len(titles) - 1)
    most = [
        min(n, max(_NAME_COLUMNS, room // 6)) if title in _NAMES else n
        for n, title in zip(needed[:-2], titles, strict=False)
    ]
    room -= sum(most)
    found = min(needed[-2], room * 4 // 9)
    return [*most, found, max(room - found, len(titles[-1]))]


def _fitted(text: str, width: int) -> str:
    lines = [
        cut_words(part, width)
        for line in text.split("\n")
        for part in wrapped(line, width)
    ]
    return "\n".join(lines)
