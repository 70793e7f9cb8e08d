"""A bot enrolled in a league."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.league.config.info import EntryInfo, LabelInfo
from arena.league.config.students import file_stem
from arena.league.entries.hand_ins.hand_in import HandIn
from arena.league.entries.programs import command_line
from arena.referee.work_unit import EntrySpec
from arena.text import cut_start, printable

_MAX_SHOWN_CHARS = 200
"""Of a file with its folders."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot enrolled in a league."""

    id: str
    """The name that the league's file gives it, or else a hash of its students, or else
    `file:Class`."""
    name: str
    """As in the tables: unique, short and fit to print."""
    path: Path
    """The file or folder that was handed in; what was read of it is in `hand_in`."""
    bot: str
    """Name of the class; `program` for a program."""
    params: dict[str, Any]
    games: tuple[str, ...]
    """Names of the games it has methods for."""
    hand_in: HandIn
    command: tuple[str, ...] = ()
    """The command of a program, as in the league's file; empty for a bot in Python."""
    program: str = ""
    """The absolute path of the program that `command` begins with."""
    looks_back: bool = True
    """True if it has a method `end` of its own."""
    refused: str = ""
    """Why its file can't be read; it forfeits all its games."""
    guest: str = ""
    """As in `EntrySpec`."""
    is_named: bool = False
    """True if the league's file gave the name."""
    stem: str = ""
    """What its file is called, and no other one; empty if the league's file named the
    bot."""
    students: tuple[str, ...] = ()
    """Those whose bot it is, as in `StudentRow.who`: for private files only."""
    owners: tuple[str, ...] = ()
    """Hashes of the same; empty if nobody knows of any."""
    called: str = ""
    """As in tables for the organiser alone, by its students if need be."""
    shown: str = ""
    """Its file as people are shown it (`shown_files`); empty if by its name alone."""

    @property
    def file_id(self) -> str:
        """Its file and class, as its file is called apart from others."""
        return f"{self.stem or self.path.stem}:{self.bot}"

    @property
    def place(self) -> str:
        """Its file with the folder that it lies in, as people say it."""
        return place_of(self.path)

    @property
    def file(self) -> str:
        """The file's name as the tables show it: with folders that tell it apart."""
        return self.shown or self.path.name

    @property
    def file_in_brackets(self) -> str:
        """The same behind the name of a bot: a file without what it ends in."""
        is_file = self.path.name in self.hand_in.files
        return self.file.removesuffix(self.path.suffix) if is_file else self.file

    @property
    def code(self) -> str:
        """Hash of everything it consists of."""
        return self.hand_in.code

    def spec(self) -> EntrySpec:
        """Return the facts of it that a referee needs."""
        return EntrySpec(
            id=self.id,
            path=str(self.hand_in.path),
            bot=self.bot,
            params=self.params,
            files=tuple(map(str, self.hand_in.paths)),
            names=self.hand_in.names,
            folder=self.hand_in.read_folder,
            command=command_line(self.program, self.command),
            code=self.code,
            looks_back=self.looks_back,
            refused=self.refused,
            guest=self.guest,
            shown="" if self.is_named else f"{self.file_in_brackets}:{self.bot}",
        )

    def info(self, labels: Iterable[LabelInfo], division: int = 0) -> EntryInfo:
        """Return the facts of it that reports need, in a league of these labels."""
        return EntryInfo(
            id=self.id,
            name=self.name,
            file=self.file,
            labels=tuple(x.label for x in labels if x.game in self.games),
            refused=self.refused,
            code=self.code,
            division=division,
            bot=self.bot,
            stem=self.stem,
            place=self.place,
            owners=self.owners,
        )


def shown_files(paths: Iterable[Path]) -> dict[Path, str]:
    """Return each path as people are shown it: as many folders as tell it apart.

    Of a file whose name no other one has, that is the name alone.
    """
    alike: dict[str, list[Path]] = {}
    for path in sorted(set(paths)):
        alike.setdefault(path.name, []).append(path)
    found = {}
    for group in alike.values():
        for number, path in enumerate(group, 1):
            tail = [path.name]
            for folder in path.parents:
                if not _ends(group, tail):
                    break
                tail.insert(0, folder.name)
            text = printable("/".join(tail), lines=False)
            if len(text) > _MAX_SHOWN_CHARS:
                text = f"{cut_start(text, _MAX_SHOWN_CHARS)} {number}"
            found[path] = text
    return found


def _ends(group: Sequence[Path], tail: Sequence[str]) -> bool:
    """Return True if several paths end in the same names."""
    return sum(path.parts[-len(tail) :] == tuple(tail) for path in group) > 1


def place_of(path: Path) -> str:
    """Return a hand-in with the folder that it lies in, as people say it."""
    text = f"{path.parent.name}/{file_stem(path.name)}"
    return printable(text, lines=False)
