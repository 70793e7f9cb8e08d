"""The bots of a file, with the ids and names they have before they meet others.

Ids come from file and class, never from what a bot says of itself; students are looked
up later (`owners.py`).  Each file is a proxy plugin of the league's plugin manager; its
code runs only in a contestant's process, which is asked to describe it.
"""

import os
import re
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec.structs import replace

from arena.errors import ConfigError, starting_contestants
from arena.hooks import hookimpl
from arena.league.built_in.bots import own_instead
from arena.league.config.settings import MAX_NAME_CHARS, NEWEST_FORM, BotSettings
from arena.league.entries.entry import Entry, shown_files
from arena.league.entries.hand_ins.contents import MAIN
from arena.league.entries.hand_ins.hand_in import HandIn, Refused
from arena.league.entries.looks import fit_to_print
from arena.league.entries.other_files import (
    hint_at,
    is_meant,
    misnamed,
    why_no_bot,
    why_no_python,
)
from arena.league.entries.patterns import is_pattern, matches, why_no_match
from arena.league.entries.programs import (
    command_line,
    command_words,
    find_program,
    why_not_started,
)
from arena.league.entries.sources import (
    bot_files,
    hand_ins_among,
    has_python,
    is_collected,
    is_package,
    is_real_folder,
)
from arena.referee.ask_bot import read_bots
from arena.referee.contestant.json_lines import PROGRAM
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.sandbox import Sandbox
from arena.referee.sandbox.level import start_folder
from arena.referee.work_unit import EntrySpec, Limits
from arena.text import did_you_mean, duration, printable, some_of
from arena.worker.compat import GUESTS
from arena.worker.protocol import BotInfo

_ALL_BOTS = re.compile(r"(\A|: )bots\Z")
"""The place in a league's file that names all bots."""
_ONE_BOT = re.compile(r"(\A|: )bots\[\d+\]\Z")
"""The place of the settings of one there."""
_MUCH_READING = 0.05
"""Part of the limit `start` above which the author is told of it."""
_MAX_BOTS_PER_FILE = 20
"""Bots in a file; the games of a league grow with the square of all of them."""

_SHOWN = 3
"""Names in an error."""


class BotFile:
    """A proxy plugin: answers for a hand-in whose code runs elsewhere."""

    def __init__(
        self, path: Path, command: tuple[str, ...] = (), program: str = ""
    ) -> None:
        self.path = path
        self.command = command
        self.program = program
        """The absolute path of the program that `command` begins with."""
        self.hand_in: HandIn | None = None
        """What was read of it; None if nothing was, or it was refused."""
        self.settings: list[tuple[str, BotSettings]] = []
        """Its settings in the league's file, each with its place there."""
        self.entries: list[Entry] = []
        self.stem = path.stem
        """Its name in the ids of its bots."""
        self.shown = printable(path.name, lines=False)
        """As in `Entry.shown`."""
        self.students = ""
        """Whose it is, in brackets, for the organiser alone; empty if nobody knows."""
        self.problem = ""
        """Why no bot of it could be entered."""
        if str(path) != printable(str(path), lines=False):
            self.problem = "its name is no valid text; rename the file"
        elif not command and is_meant(path) and path.is_file():
            self.problem = why_no_bot(path.name, path)
        elif not command and is_real_folder(path) and not has_python(path):
            self.problem = why_no_python(path, self.shown)
        self.notes: list[str] = []
        """Other sentences for its author."""
        self.said = ""
        """Why its process could not read it."""
        self.reading_s = 0.0
        """Seconds that were charged when it was read the last time."""

    def add(self, place: str, settings: BotSettings) -> None:
        """Add settings of the league's file; two that say no more than a path are one.

        Of these that counts which names the file itself.
        """
        plain = [own for own in self.settings if own[1].is_plain]
        if settings.is_plain and plain:
            if settings.file != str(self.path):
                return
            self.settings.remove(plain[0])
        self.settings.append((place, settings))

    @property
    def told(self) -> str:
        """What it is called in notes for the organiser, with its students."""
        return f"{self.shown}{self.students}"

    @property
    def key(self) -> str:
        """Its name as a plugin."""
        return f"{self.path}: {shlex.join(self.command)}".removesuffix(": ")

    @property
    def is_read_for_each_game(self) -> bool:
        """True if reading it is part of each game; else of each process."""
        modules = self.hand_in.modules if self.hand_in else frozenset[str]()
        return not self.command and not modules.isdisjoint(GUESTS)

    @hookimpl
    def arena_bots(self) -> Sequence[Entry]:
        """Return the entries of this file."""
        return self.entries

    @property
    def helpers(self) -> list[Path]:
        """The files beside it that it imports, in a league of form 1."""
        beside = self.hand_in.beside if self.hand_in else ()
        return [self.path.parent / name for name in beside]

    def take(self, found: HandIn | Refused) -> None:
        """Take what has been read of it."""
        if isinstance(found, Refused):
            self.problem = found.reason
            return
        self.hand_in = found
        if not self.command:
            self.notes += found.slips
            return
        # A program of its own is started where it is kept.
        start = start_folder(str(self.path), self.command)
        program = Path(os.path.normpath(os.path.join(start, self.command[0])))
        is_own = "/" in self.command[0] and program.is_relative_to(self.path)
        if is_own and found.home:
            kept = Path(found.home) / program.relative_to(self.path.parent)
            self.program = os.path.realpath(kept)

    async def ask(
        self, games: tuple[str, ...], limits: Limits, sandbox: Sandbox
    ) -> tuple[BotInfo, ...] | Misconduct:
        """Ask what was read for the bots in it.

        Raises:
            LeagueError: the machine could not start a process.
        """
        kept = self.hand_in
        assert kept is not None
        spec = EntrySpec(
            str(self.path),
            str(kept.path),
            "",
            files=tuple(map(str, kept.paths)),
            names=kept.names,
            folder=kept.read_folder,
            command=command_line(self.program, self.command),
            code=kept.code,
        )
        with starting_contestants():
            heard, self.reading_s = await read_bots(spec, games, limits, sandbox)
        self.said = heard.message if isinstance(heard, Misconduct) else ""
        return heard

    def misnamed(self) -> str:
        """Say which of its own files is not read for its name, and what to do."""
        own = self.hand_in.own if self.hand_in else ()
        for name in (file.partition("/")[2] for file in own):
            if meant := misnamed(name):
                return (
                    f"has {name}, which is not read; if it is the bot, call it {meant}"
                )
        return ""

    def apart(self) -> str:
        """Say what lies beside it that it could not import, and what to do, if any.

        For its organiser: who hands in may not ask so for the names of others' files.
        """
        kept = self.hand_in
        if kept is None or kept.folder or not self.said:
            return ""
        stem = self.path.stem
        for module in sorted(kept.modules):
            beside = self.path.with_name(module)
            is_there = beside.with_suffix(".py").is_file() or is_package(beside)
            if is_there and f"No module named '{module}'" in self.said:
                return (
                    f"imports {module}, which lies beside it and is a hand-in of its "
                    f"own; put both into one folder, such as {stem}/{MAIN} and "
                    f"{stem}/{module}{'' if beside.is_dir() else '.py'}"
                )
        return ""

    async def enrol(
        self,
        games: tuple[str, ...],
        limits: Limits,
        sandbox: Sandbox,
        form: int = NEWEST_FORM,
    ) -> None:
        """Have what was read described, and make entries of its bots.

        A hand-in that can't be read is one entry, unless the league's file names its
        classes: the first of them, with the games of all.  In leagues of older forms it
        is as many as it seems to have.

        Raises:
            ConfigError: the league's file asks for what is not in it.
            LeagueError: the machine could not start a process.
        """
        if not self.command and self.path.stem in GUESTS:
            stem, suffix = self.path.stem, self.path.suffix
            self.problem = (
                f"arena has a {stem} of its own, which bots that import it get; if "
                f"{stem}{suffix} is a bot, call it {stem}_bot{suffix}"
            )
            return
        kept = self.hand_in
        if kept is None:
            return
        heard = await self.ask(games, limits, sandbox)
        refused = ""
        if isinstance(heard, Misconduct):
            refused = why_not_started(heard) if self.command else heard.message
            bots = self._guess(kept, games)
            if not bots:
                self.problem = "; it ".join(filter(None, (refused, self.misnamed())))
        else:
            # What a contestant's process says is not to be trusted.
            bots = list({b.bot: b for b in heard if _is_class_name(b.bot)}.values())
            if not bots:
                self.problem = f"names no class of at most {MAX_NAME_CHARS} letters"
            if not self.command and self.reading_s > _MUCH_READING * limits.start:
                self.notes.append(self._on_reading(limits))
        is_one = bool(refused) and form > 3
        if len(bots) > _MAX_BOTS_PER_FILE and not is_one:
            self.problem = f"has {len(bots)} bots; a file may have {_MAX_BOTS_PER_FILE}"
            return
        for where, settings in self.settings:
            known = bots
            if is_one and settings.bot is None:
                played = tuple(g for g in games if any(g in b.games for b in bots))
                known = [replace(b, games=played) for b in bots[:1]]
            for info in self._chosen(where, settings, known):
                _check_params(where, settings, info)
                entry = Entry(
                    id=settings.name or f"{self.stem}:{info.bot}",
                    name=settings.name or fit_to_print(info.name) or self._call(info),
                    path=self.path,
                    hand_in=kept,
                    bot=info.bot,
                    params=settings.params,
                    games=tuple(g for g in games if g in info.games),
                    command=self.command,
                    program=self.program,
                    looks_back=info.looks_back,
                    guest=GUESTS.get(info.guest, ""),
                    refused=refused,
                    is_named=settings.name is not None,
                    stem="" if settings.name else self.stem,
                    shown=self.shown,
                )
                self.entries.append(entry)

    def _on_reading(self, limits: Limits) -> str:
        """Say that much is done whenever it is read, and what to do about it."""
        how_often = "each of its processes"
        if self.is_read_for_each_game:
            how_often = "each of its games"
        return (
            f"to read it takes {duration(self.reading_s)} (the limit start is "
            f"{limits.start:g} s), for {how_often}: do the work that stands outside of "
            "functions once, at home, and let the bot read the result from a data "
            "file in its folder"
        )

    def _guess(self, kept: HandIn, games: tuple[str, ...]) -> list[BotInfo]:
        """Return the bots of a file that can't be asked; they forfeit."""
        found = {PROGRAM: games} if self.command else kept.outline
        return [
            BotInfo(name, "", "", playable, ("**",), False)
            for name, playable in found.items()
        ]

    def _call(self, info: BotInfo) -> str:
        """Return the name of a bot that has given itself none."""
        return (fit_to_print(self.path.stem) if self.command else "") or info.bot

    def _chosen(
        self, where: str, settings: BotSettings, bots: list[BotInfo]
    ) -> list[BotInfo]:
        chosen = [b for b in bots if settings.bot in (None, b.bot)]
        if settings.bot is not None and bots and not chosen:
            known = [b.bot for b in bots]
            raise ConfigError(
                _key(where, "bot"),
                f"{self.shown} has no bot {settings.bot!r}{_hint(settings.bot, known)}",
            )
        if settings.name is not None and len(chosen) > 1:
            raise ConfigError(
                _key(where, "name"),
                f"{self.shown} has {len(chosen)} bots; say which with the key bot",
            )
        return chosen


def _check_params(where: str, settings: BotSettings, info: BotInfo) -> None:
    if "**" in info.parameters:
        return
    for key in settings.params:
        if key not in info.parameters:
            raise ConfigError(
                _key(where, f"params.{key}"),
                f"{info.bot} takes no such parameter"
                f"{_hint(key, list(info.parameters))}",
            )


def files_of(
    bots: Sequence[BotSettings],
    where: str,
    *,
    form: int = NEWEST_FORM,
    shared: Collection[Path] = (),
) -> list[BotFile]:
    """Return the hand-ins that settings name, none of them read yet.

    A folder that is no package holds hand-ins; it is one itself if its settings are
    more than a path.  What a pattern matches counts as if it lay in one.  What is
    `shared` by all is none.

    Raises:
        ConfigError: what is named is not there.
    """
    files: dict[tuple[Path, tuple[str, ...]], BotFile] = {}
    named = {Path(settings.file) for settings in bots}
    by_itself: set[Path] = set()
    for i, settings in enumerate(bots):
        place = f"{where}[{i}]" if _ALL_BOTS.search(where) else where
        paths, is_inside = _named_by(settings, place, form)
        command, program = _command(settings, paths[0], place) if paths else ((), "")
        for path in paths:
            is_another = path in named and not (is_package(path) or path.is_file())
            if is_inside and (path in shared or is_another):
                continue
            if not is_inside or form < 5:
                by_itself.add(path)
            file = files.setdefault((path, command), BotFile(path, command, program))
            file.add(place, settings)
    # A file of a hand-in that another pattern names is part of that.
    whole = {path for path, _ in files}
    for path, command in list(files):
        if path not in by_itself and not whole.isdisjoint(path.parents):
            del files[path, command]
    if not files:
        folders = dict.fromkeys(Path(settings.file) for settings in bots)
        reasons = "; ".join(f"{folder} {why_no_python(folder)}" for folder in folders)
        raise ConfigError(where, f"no bot was found: {reasons}")
    if form > 4:
        shown = shown_files(file.path for file in files.values())
        for file in files.values():
            file.shown = shown[file.path]
    return list(files.values())


def _named_by(settings: BotSettings, place: str, form: int) -> tuple[list[Path], bool]:
    """Return the hand-ins that settings name; True if they lie in a folder of bots.

    Raises:
        ConfigError: there is nothing, or too much for what the settings say.
    """
    path = Path(settings.file)
    is_one = settings.command is not None or not settings.is_plain
    if is_pattern(path):
        found = matches(path)
        if not found:
            raise ConfigError(place, why_no_match(path))
        if not is_one:
            return hand_ins_among(found, form=form), True
        if len(found) > 1:
            names = some_of((x.name for x in found[:_SHOWN]), len(found))
            raise ConfigError(
                place,
                f"{path} names {len(found)} files and folders ({names}); bot, name, "
                "params and command need one",
            )
        (path,) = found
    if not os.path.exists(path):
        raise ConfigError(place, f"no such file or folder: {path}{hint_at(path)}")
    is_hand_in = not path.is_dir() or is_package(path) or is_collected(path)
    if settings.command is not None or is_hand_in:
        return [path], False
    if is_one and form == 1:
        raise ConfigError(
            place, f"{path} is a folder of bots; bot, name and params need one"
        )
    if is_one:
        return [path], False
    try:
        return bot_files(path, form=form), True
    except OSError as error:
        raise ConfigError(place, f"{path} can't be read ({error.strerror})") from None


def file_of(settings: BotSettings, where: str) -> BotFile:
    """Return the hand-in that settings name, not read yet, and without its settings.

    `where` has named it on a command line.

    Raises:
        ConfigError: it is no bot, or its program is not there.
    """
    path = Path(settings.file)
    if settings.command is None and path.is_file() and path.suffix != ".py":
        raise ConfigError(where, why_no_bot(where, path))
    file = BotFile(path, *_command(settings, path, where))
    file.notes += filter(None, [own_instead(where, path)])
    return file


def _key(where: str, key: str) -> str:
    """Return the place of a bot's key, if its settings stand in a league's file."""
    return f"{where}.{key}" if _ONE_BOT.search(where) else where


def _command(
    settings: BotSettings, path: Path, place: str
) -> tuple[tuple[str, ...], str]:
    """Return the command of a program, and what that names first by its path."""
    if settings.command is None:
        return (), ""
    if settings.bot is not None:
        raise ConfigError(
            _key(place, "bot"), "a program has no classes; leave the key bot out"
        )
    try:
        command = command_words(settings.command)
        return command, find_program(command, start_folder(str(path), command))
    except ValueError as error:
        raise ConfigError(_key(place, "command"), str(error)) from None


def _is_class_name(name: str) -> bool:
    return name.isidentifier() and len(name) <= MAX_NAME_CHARS


def _hint(name: str, known: list[str]) -> str:
    otherwise = f"it has {', '.join(known)}"
    return f"; {did_you_mean(name, known, otherwise)}" if known else ""
