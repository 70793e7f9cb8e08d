"""Who takes part: every bot of every file, with the name the tables give it.

Identity comes from file and class, never from what a bot says of itself.  Each
file is a proxy plugin of the league's plugin manager; its code runs only in a
contestant's process, which is asked to describe it.
"""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import trio

from arena.errors import ArenaError, ConfigError, starting_contestants
from arena.hooks import hookimpl
from arena.league.config import BotSettings
from arena.league.executors import cores
from arena.league.sources import bot_files, is_package, local_files, outline
from arena.plugins import plugin_manager
from arena.referee.code import code_hash
from arena.referee.describe import describe
from arena.referee.misconduct import Misconduct, printable
from arena.referee.record import EntrySpec, Limits
from arena.referee.sandbox import Sandbox
from arena.worker.protocol import BotInfo

_MAX_NAME = 60
_MAX_BOTS = 20
"""Bots in a file; the games of a league grow with the square of all of them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot enrolled in a league."""

    id: str
    """`file:Class`, or the name that the league's file gives it."""
    name: str
    """As in the tables: unique, short and fit to print."""
    path: Path
    bot: str
    """Name of the class."""
    params: dict[str, Any]
    games: tuple[str, ...]
    """Names of the games it has methods for."""
    code: str
    """Hash of everything its file consists of."""
    files: tuple[Path, ...]
    """All these, its own first."""
    looks_back: bool = True
    """Whether it has an `end` of its own."""
    refused: str = ""
    """Why its file can't be read; it forfeits all its games."""
    is_named: bool = False
    """Whether the league's file gave the name."""

    @property
    def file(self) -> str:
        """The file's name, as the tables show it."""
        return self.path.name


class BotFile:
    """A proxy plugin: answers for a file whose code runs elsewhere."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings: list[tuple[str, BotSettings]] = []
        """What the league's file says of it, each with its place there."""
        self.entries: list[Entry] = []
        self.problem = ""
        """Why no bot of it could be entered."""
        self.helpers: list[Path] = []
        """The files beside it that it imports."""

    @hookimpl
    def arena_bots(self) -> Sequence[Entry]:
        """Return the entries of this file."""
        return self.entries

    async def enrol(
        self, games: tuple[str, ...], limits: Limits, sandbox: Sandbox
    ) -> None:
        """Have the file described, and make entries of its bots.

        Raises:
            ConfigError: the league's file asks for what is not in it.
            LeagueError: the machine could not start a process.
        """
        if str(self.path) != printable(str(self.path), lines=False):
            self.problem = "its name is no valid text; rename it"
            return
        try:
            files = local_files(self.path)
            code = code_hash(files)
        except OSError as error:
            self.problem = f"can't be read ({error.strerror})"
            return
        self.helpers = files[1:]
        with starting_contestants():
            path = str(self.path)
            spec = EntrySpec(path, path, "", files=tuple(map(str, files)))
            heard = await describe(spec, games, limits, sandbox)
        refused = ""
        if isinstance(heard, Misconduct):
            refused = heard.message
            bots = [
                BotInfo(name, "", "", playable, ("**",), False)
                for name, playable in outline(self.path, games).items()
            ]
            if not bots:
                self.problem = refused
        else:
            # What a contestant's process says is not to be trusted.
            bots = list({b.bot: b for b in heard if _is_class_name(b.bot)}.values())
            if not bots:
                self.problem = f"names no class of at most {_MAX_NAME} letters"
        if len(bots) > _MAX_BOTS:
            self.problem = f"has {len(bots)} bots; a file may have {_MAX_BOTS}"
            return
        for where, settings in self.settings:
            for info in self._chosen(where, settings, bots):
                _check_params(where, settings, info)
                entry = Entry(
                    id=settings.name or f"{self.path.stem}:{info.bot}",
                    name=settings.name or _fit_to_print(info.name) or info.bot,
                    path=self.path,
                    bot=info.bot,
                    params=settings.params,
                    games=tuple(g for g in games if g in info.games),
                    code=code,
                    files=tuple(files),
                    looks_back=info.looks_back,
                    refused=refused,
                    is_named=settings.name is not None,
                )
                self.entries.append(entry)

    def _chosen(
        self, where: str, settings: BotSettings, bots: list[BotInfo]
    ) -> list[BotInfo]:
        chosen = [b for b in bots if settings.bot in (None, b.bot)]
        if settings.bot is not None and bots and not chosen:
            known = [b.bot for b in bots]
            raise ConfigError(
                f"{where}.bot",
                f"{self.path.name} has no bot {settings.bot!r}"
                f"{_hint(settings.bot, known)}",
            )
        if settings.name is not None and len(chosen) > 1:
            raise ConfigError(
                f"{where}.name",
                f"{self.path.name} has {len(chosen)} bots; say which with the key bot",
            )
        return chosen


def _check_params(where: str, settings: BotSettings, info: BotInfo) -> None:
    if "**" in info.parameters:
        return
    for key in settings.params:
        if key not in info.parameters:
            raise ConfigError(
                f"{where}.params.{key}",
                f"{info.bot} takes no such parameter"
                f"{_hint(key, list(info.parameters))}",
            )


@dataclass(frozen=True, slots=True)
class Enrolment:
    """Everyone who takes part, in a fixed order, and the files that don't."""

    entries: tuple[Entry, ...]
    rejected: tuple[tuple[str, str], ...]
    """Files without a bot that could be entered, and why."""

    def find(self, name: str) -> Entry | None:
        """Return the only entry with this id, else file, else class, else name.

        In this order, lest a bot takes the place of another by what it says of
        itself.
        """
        for names in (
            lambda e: (e.id,),
            lambda e: (e.path.stem, e.path.name),
            lambda e: (e.bot,),
            lambda e: (e.name,),
        ):
            found = [entry for entry in self.entries if name in names(entry)]
            if found:
                return found[0] if len(found) == 1 else None
        return None


async def enrol(
    bots: Sequence[BotSettings],
    games: tuple[str, ...],
    limits: Limits,
    sandbox: Sandbox,
    where: str,
) -> Enrolment:
    """Find, describe and name all bots that can play any of `games`.

    `where` is the place in the league's file, or on the command line, that
    named them.

    Raises:
        ConfigError: what is asked for does not fit what is there.
        LeagueError: the machine could not start a process.
    """
    files = _files(bots, where)
    manager = plugin_manager()
    for file in files:
        try:
            manager.register(file, file.path.stem)
        except ValueError:
            twins = [f.path for f in files if f.path.stem == file.path.stem]
            raise ConfigError(
                file.settings[0][0],
                f"two bots of one name: {twins[0]} and {twins[1]}; rename one",
            ) from None
    await _describe_all(files, games, limits, sandbox)
    answers = manager.hook.arena_bots()
    entries = sorted((e for answer in answers for e in answer), key=lambda e: e.id)
    _check_ids(where, entries)
    helpers = {f for file in files for f in file.helpers}
    rejected = [
        (printable(file.path.name, lines=False), file.problem)
        for file in files
        if file.problem and file.path not in helpers
    ]
    if not entries:
        reasons = "; ".join(problem for _, problem in rejected[:3])
        raise ConfigError(
            where,
            f"no bot for any of {', '.join(games)} was found in "
            f"{', '.join(b.file for b in bots)}" + (f" ({reasons})" if reasons else ""),
        )
    return Enrolment(tuple(_name_apart(entries)), tuple(rejected))


def bot_paths(bots: Sequence[BotSettings], where: str) -> list[Path]:
    """Return the bot files and packages that settings name, each once.

    Raises:
        ConfigError: what is named is not there.
    """
    return [file.path for file in _files(bots, where)]


def _files(bots: Sequence[BotSettings], where: str) -> list[BotFile]:
    files: dict[Path, BotFile] = {}
    for i, settings in enumerate(bots):
        place = f"{where}[{i}]"
        path = Path(settings.file)
        if not os.path.exists(path):
            raise ConfigError(place, f"no such file or folder: {path}")
        paths = [path]
        if path.is_dir() and not is_package(path):
            if settings.bot or settings.name or settings.params:
                raise ConfigError(
                    place, f"{path} is a folder of bots; bot, name and params need one"
                )
            try:
                paths = bot_files(path)
            except OSError as error:
                raise ConfigError(
                    place, f"{path} can't be read ({error.strerror})"
                ) from None
        for path in paths:
            files.setdefault(path, BotFile(path)).settings.append((place, settings))
    return list(files.values())


async def _describe_all(
    files: list[BotFile], games: tuple[str, ...], limits: Limits, sandbox: Sandbox
) -> None:
    room = trio.CapacityLimiter(cores())
    problems: list[ArenaError] = []

    async def one(file: BotFile) -> None:
        async with room:
            try:
                await file.enrol(games, limits, sandbox)
            except ArenaError as error:
                problems.append(error)

    async with trio.open_nursery() as nursery:
        for file in files:
            nursery.start_soon(one, file)
    if problems:
        raise min(problems, key=str)


def _check_ids(where: str, entries: Sequence[Entry]) -> None:
    for id_, times in Counter(entry.id for entry in entries).items():
        if times > 1:
            raise ConfigError(
                where,
                f"{times} bots of one name: {id_!r}; give each a name of its own",
            )


def _name_apart(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Add the file's name, and if need be the class, to names that stand twice."""
    taken = Counter(entry.name.casefold() for entry in entries)
    in_file = Counter((entry.path, entry.name.casefold()) for entry in entries)
    for entry in entries:
        key = entry.name.casefold()
        if taken[key] == 1 or entry.is_named:
            yield entry
            continue
        longest = f"{entry.name} ({entry.id})"
        names = [longest, *(f"{longest} {i}" for i in range(2, len(entries) + 2))]
        if in_file[entry.path, key] == 1:
            names.insert(0, f"{entry.name} ({entry.path.stem})")
        name = next(n for n in names if not taken[n.casefold()])
        taken[name.casefold()] = 1
        yield replace(entry, name=name)


def _is_class_name(name: str) -> bool:
    return name.isidentifier() and len(name) <= _MAX_NAME


def _fit_to_print(name: str) -> str:
    text = unicodedata.normalize("NFKC", name)
    text = "".join(c if c.isprintable() else " " for c in text)
    return re.sub(r"\s+", " ", text).strip()[:_MAX_NAME].strip()


def _hint(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; it has {', '.join(known)}" if known else ""
