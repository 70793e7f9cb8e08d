"""The bots, labels and students that `grading:` names, found and checked."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec.structs import replace

from arena.errors import ConfigError
from arena.league.config.csv_table import CsvTable, read_table
from arena.league.config.info import EntryInfo, LeagueInfo, find_entry
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import BeatsSettings, GradingSettings, Overall
from arena.text import did_you_mean, listed, some_of

_SHOWN_NAMES = 10
"""Names in an error."""
_COLUMNS = ("student", "file")
_NAME = "name"
STUDENTS_FILE = "students.csv"
"""Its usual name; in a folder of bots it is no bot."""


@dataclass(frozen=True, slots=True)
class StudentRow:
    """One line of the students' file."""

    student: str
    file: str
    """Name of the bot's file, maybe with the folders it lies in; empty if there is
    none."""
    line: int
    """From 1."""
    name: str = ""
    """What the student is called, if the file has a column `name`."""

    @property
    def who(self) -> str:
        """The student, whatever capitals and spaces the name is written with."""
        return spelt_alike(self.student)


def spelt_alike(name: str) -> str:
    """Return what all spellings of a name have in common, capitals and spaces aside."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class _Bot(Protocol):
    """A bot with all by which the students' file can name it."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def stem(self) -> str: ...
    @property
    def place(self) -> str: ...


B = TypeVar("B", bound=_Bot)


def with_settings(info: LeagueInfo, config: LeagueConfig) -> LeagueInfo:
    """Return a league as it was played, graded, named and watched as `config` says."""
    return replace(
        info,
        grading=config.grading,
        pseudonyms=bool(config.pseudonyms),
        watch=config.watch,
    )


def file_stem(file: str) -> str:
    """Return the name of a bot's file as people say it: the last part, without .py."""
    return file.replace("\\", "/").rstrip("/").rpartition("/")[2].removesuffix(".py")


def bots_of(bots: Iterable[B], file: str) -> tuple[list[B], str]:
    """Return the bots that the students' file names, or why there are none.

    A folder must be the one that the file lies in.  Without one, of several files of
    one name that is meant which has kept its name.  A file in a folder that was handed
    in stands for that, and a bot may be called by the name that the league's file gives
    it.
    """
    bots = tuple(bots)
    found, why = _bots_of_one(bots, file)
    outer, has_folder, _ = file.rpartition("/")
    while has_folder and not found:
        found, _ = _bots_of_one(
            [bot for bot in bots if not bot.file.endswith(".py")], outer
        )
        outer, has_folder, _ = outer.rpartition("/")
    return found, "" if found else why


def _bots_of_one(bots: Sequence[B], file: str) -> tuple[list[B], str]:
    folder, _, name = file.rpartition("/")
    folder, stem = folder.rpartition("/")[2].strip("."), file_stem(name)
    found = [bot for bot in bots if file_stem(bot.file) == stem]
    places = sorted({bot.place for bot in found})
    if folder:
        found = [bot for bot in found if bot.place == f"{folder}/{stem}"]
        if places and not found:
            return [], f"there is no {file} in this league, but {listed(places)}"
    if _files(found) > 1:
        found = [b for b in found if b.file.rpartition("/")[2] == name] or found
    if _files(found) > 1:
        found = [bot for bot in found if bot.stem == stem and not folder]
        if not found:
            return [], f"{file} may be any of several files; call them differently"
    found = found or [bot for bot in bots if bot.id == bot.name == file]
    return found, missing_file(file)


def missing_file(file: str) -> str:
    """Return the words for a file that no bot of the league is in."""
    return f"there is no {file} in this league"


def _files(bots: Iterable[_Bot]) -> int:
    return len({(bot.place, bot.stem) for bot in bots})


def staff(info: LeagueInfo) -> frozenset[str]:
    """Return the ids of the bots that are there to be compared with.

    These are the references, the anchor, the bots that are to be beaten, and the one
    that groups of ranks have to be above.

    Raises:
        ConfigError: there is no such bot.
    """
    ids = {*info.references, *([info.anchor[0]] if info.anchor else [])}
    if info.grading is not None:
        for i, beats in enumerate(info.grading.beats):
            ids.add(_named(info, beats.bot, f"grading.beats[{i}].bot").id)
        floor = info.grading.rank_groups_above
        if floor is not None:
            ids.add(_named(info, floor, "grading.rank_groups_above").id)
    return frozenset(ids)


def check_grading(info: LeagueInfo, where: str) -> None:
    """Check that a league has all that its grading names.

    `where` is the file that says how it is graded.

    Raises:
        ConfigError: something is not there, or contradicts itself.
    """
    grading = info.grading
    if grading is None:
        return
    seen: dict[BeatsSettings, int] = {}
    for i, beats in enumerate(grading.beats):
        key = f"{where}: grading.beats[{i}]"
        bot = _named(info, beats.bot, f"{key}.bot")
        labels = [label.label for label in info.labels]
        if beats.game is not None and beats.game not in labels:
            raise ConfigError(
                f"{key}.game",
                f"there is no game {beats.game!r} in this league"
                f"{_hint(beats.game, labels)}",
            )
        if beats.game is not None and beats.game not in bot.labels:
            raise ConfigError(
                f"{key}.game",
                f"{bot.name} does not play {beats.game}; name another bot",
            )
        weights = {x.label: x.weight for x in info.labels if x.label in bot.labels}
        if beats.game is None and not any(weights.values()):
            raise ConfigError(
                key,
                f"no game that {bot.name} plays has any weight; name one under game",
            )
        if info.references and bot.id not in info.references:
            raise ConfigError(
                f"{key}.bot",
                f"not everybody meets {bot.name} in this schedule; name it under "
                "references too",
            )
        mark = replace(beats, bot=bot.id, points=0.0)
        if seen.setdefault(mark, i) != i:
            raise ConfigError(
                key, f"asks for the same as beats[{seen[mark]}]; leave one out"
            )
    _check_floor(info, grading, f"{where}: grading.rank_groups_above")
    _check_cutoffs(grading, f"{where}: grading.cutoffs")
    if grading.students is not None:
        read_students(Path(grading.students))


def _named(info: LeagueInfo, name: str, key: str) -> EntryInfo:
    found = find_entry(info.entries, name)
    if found is None:
        names = [entry.name for entry in info.entries]
        stems = [file_stem(entry.file) for entry in info.entries]
        raise ConfigError(key, f"no bot is called {name!r}{_hint(name, names, stems)}")
    return found


def _hint(name: str, known: Sequence[str], also: Sequence[str] = ()) -> str:
    shown = some_of(known[:_SHOWN_NAMES], len(known))
    return f"; {did_you_mean(name, [*known, *also], f'there are {shown}')}"


def _check_floor(info: LeagueInfo, grading: GradingSettings, key: str) -> None:
    """Check that the bot that groups of ranks have to be above has a rank itself."""
    if grading.rank_groups_above is None:
        return
    if not grading.rank_groups:
        raise ConfigError(key, "is of no use without rank_groups; leave it out")
    bot = _named(info, grading.rank_groups_above, key)
    missing = [x.label for x in info.labels if x.weight and x.label not in bot.labels]
    if missing and info.overall == Overall.ALL:
        raise ConfigError(
            key,
            f"{bot.name} does not play {listed(missing)}, so it has no overall rank; "
            "name a bot that plays all games",
        )


def _check_cutoffs(grading: GradingSettings, where: str) -> None:
    by_points: dict[float, str] = {}
    for grade, points in grading.cutoffs.items():
        other = by_points.setdefault(points, grade)
        if other != grade:
            raise ConfigError(
                f"{where}.{grade}",
                f"takes {points:g} points as {other} does; give each grade its own",
            )


def read_students(path: Path) -> tuple[StudentRow, ...]:
    """Read whose a bot file is: a CSV file with the columns `student` and `file`.

    In UTF-8, with commas or semicolons.  A column `name` says what people call the
    student; other columns are left alone.

    Raises:
        ConfigError: it can't be read, or a line is wrong.
    """
    return tuple(_rows(path, read_table(path)))


def _rows(path: Path, table: CsvTable) -> Iterable[StudentRow]:
    header = [cell.strip().casefold() for cell in table.header]
    for column in _COLUMNS:
        if header.count(column) != 1:
            found = ", ".join(header) or "nothing"
            raise ConfigError(
                f"{path}:1",
                f"expected the columns student and file, once each; found {found}",
            )
    student_at, file_at = map(header.index, _COLUMNS)
    name_at = header.index(_NAME) if header.count(_NAME) == 1 else student_at
    lines: dict[tuple[str, str], int] = {}
    spelt: dict[str, StudentRow] = {}
    for line, cells in table.rows:
        student, file = cells[student_at].strip(), cells[file_at].strip()
        if not student:
            raise ConfigError(f"{path}:{line}", f"{file!r} has no student beside it")
        file = file.replace("\\", "/").rstrip("/")
        before = lines.setdefault((student, file.removesuffix(".py")), line)
        if before != line:
            what = f"the file {file!r}" if file else "no file"
            raise ConfigError(
                f"{path}:{line}",
                f"{student!r} with {what} is in line {before} already; leave one out",
            )
        name = cells[name_at].strip() if name_at != student_at else ""
        row = StudentRow(student, file, line, name)
        same = spelt.setdefault(row.who, row)
        if same.student != student:
            raise ConfigError(
                f"{path}:{line}",
                f"{student!a} is spelt {same.student!a} in line {same.line}; write "
                "each student in one way",
            )
        yield row
