"""A bot enrolled in a league."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.league.config.info import EntryInfo, LabelInfo
from arena.league.config.students import file_stem
from arena.league.entries.hand_ins.hand_in import HandIn
from arena.league.entries.programs import command_line
from arena.referee.work_unit import EntrySpec
from arena.text import printable


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
        """The file's name, as the tables show it."""
        return self.path.name

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
            shown="" if self.is_named else self.file_id,
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


def place_of(path: Path) -> str:
    """Return a hand-in with the folder that it lies in, as people say it."""
    text = f"{path.parent.name}/{file_stem(path.name)}"
    return printable(text, lines=False)
