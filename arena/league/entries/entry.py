"""A bot enrolled in a league."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.league.config.info import EntryInfo, LabelInfo
from arena.league.entries.programs import command_line
from arena.referee.work_unit import EntrySpec


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot enrolled in a league."""

    id: str
    """`file:Class`, or the name that the league's file gives it."""
    name: str
    """As in the tables: unique, short and fit to print."""
    path: Path
    bot: str
    """Name of the class; `program` for a program."""
    params: dict[str, Any]
    games: tuple[str, ...]
    """Names of the games it has methods for."""
    code: str
    """Hash of everything its file consists of."""
    files: tuple[Path, ...]
    """All files that it consists of, its own first."""
    command: tuple[str, ...] = ()
    """The command of a program, as in the league's file; empty for a bot in Python."""
    program: str = ""
    """The absolute path of the program that `command` begins with."""
    looks_back: bool = True
    """True if it has a method `end` of its own."""
    refused: str = ""
    """Why its file can't be read; it forfeits all its games."""
    is_named: bool = False
    """True if the league's file gave the name."""

    @property
    def stem(self) -> str:
        """The name of its file in its id; empty if the league's file named the bot."""
        return "" if self.is_named else self.id.rpartition(":")[0]

    @property
    def file(self) -> str:
        """The file's name, as the tables show it."""
        return self.path.name

    def spec(self) -> EntrySpec:
        """Return the facts of it that a referee needs."""
        return EntrySpec(
            id=self.id,
            path=str(self.path),
            bot=self.bot,
            params=self.params,
            files=tuple(map(str, self.files)),
            command=command_line(self.program, self.command),
            code=self.code,
            looks_back=self.looks_back,
            refused=self.refused,
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
        )
