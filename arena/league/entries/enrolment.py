"""Everyone who takes part in a league: found, described and named apart."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from arena.errors import ArenaError, ConfigError
from arena.league.config.info import find_entry
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import BotFile, files_of
from arena.league.entries.entry import Entry
from arena.league.entries.names import name_apart, renamed, shape_of
from arena.league.entries.owners import Admission
from arena.league.entries.sources import find_bot_file, is_package, unopened_folders
from arena.plugins import plugin_manager
from arena.referee.cores import count_cores
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import Limits
from arena.text import listed, printable

_UNOPENED = (
    "is a folder without __init__.py; put its files beside the others, or name the "
    "folder itself under bots:"
)


@dataclass(frozen=True, slots=True)
class Enrolment:
    """Everyone who takes part, in a fixed order, and the files that don't."""

    entries: tuple[Entry, ...]
    rejected: tuple[tuple[str, str], ...]
    """Files without a bot that could be entered, and why."""
    notes: tuple[tuple[str, str], ...] = ()
    """Files whose bots are not entered as their author meant, and the remedy."""

    def find(self, name: str) -> Entry | None:
        """Return the entry that is called so, if there is but one (`find_entry`)."""
        return find_entry(self.entries, name)

    def called(self, name: str, where: str) -> Entry:
        """Return the entry that is called so, which the league's file names at `where`.

        Raises:
            ConfigError: there is no such entry, or more than one.
        """
        entry = self.find(name)
        if entry is None:
            names = ", ".join(entry.name for entry in self.entries[:10])
            raise ConfigError(where, f"no bot is called {name!r}; there are {names}")
        return entry


async def enrol(
    bots: Sequence[BotSettings],
    games: tuple[str, ...],
    limits: Limits,
    sandbox: Sandbox,
    where: str,
    admission: Admission | None = None,
) -> Enrolment:
    """Find, describe and name all bots that can play any of `games`.

    `where` is the place in the league's file, or on the command line, that
    named them; `admission` is what else that file says of who takes part.

    Raises:
        ConfigError: what is asked for does not fit what is there.
        LeagueError: the machine could not start a process.
    """
    files = files_of(bots, where)
    _tell_apart(files)
    manager = plugin_manager()
    for file in files:
        manager.register(file, file.key)
    await _describe_all(files, games, limits, sandbox)
    answers = manager.hook.arena_bots()
    found = sorted((e for answer in answers for e in answer), key=lambda e: e.id)
    _check_ids(where, found)
    admission = admission or Admission()
    entries, left, doubts = admission.admit(found)
    helpers = {f for file in files for f in file.helpers}
    rejected = [
        (_shown(file.path), file.problem)
        for file in files
        if file.problem and not helpers & {file.path, file.path / "__init__.py"}
    ]
    rejected += [(f"{name}/", _UNOPENED) for name in _unopened(bots)]
    without, partly = _left_out(entries, left)
    rejected += without
    if not entries:
        reasons = "; ".join(problem for _, problem in rejected[:3])
        raise ConfigError(
            where,
            f"no bot for any of {', '.join(games)} was found in "
            f"{', '.join(b.file for b in bots)}" + (f" ({reasons})" if reasons else ""),
        )
    notes = [
        (_shown(file.path), note)
        for file in files
        if file.entries
        for note in file.notes
    ]
    named = name_apart(entries, admission.staff_of(entries))
    for bots_renamed, why in renamed(entries, named):
        files_renamed = dict.fromkeys(_shown(bot.path) for bot in bots_renamed)
        notes.append((", ".join(files_renamed), why))
    return Enrolment(
        tuple(sorted(named, key=lambda e: e.id)),
        tuple(rejected),
        (*notes, *partly, *doubts),
    )


def _left_out(
    entries: Sequence[Entry], left: Sequence[tuple[Entry, str]]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return files of which no bot may play, and files of which some may not, and why.

    `left` are the bots that may not, and the reason for each.
    """
    whole: list[tuple[str, str]] = []
    partly: list[tuple[str, str]] = []
    some = {entry.path for entry in entries}
    for path in dict.fromkeys(entry.path for entry, _ in left):
        those = [(entry.bot, why) for entry, why in left if entry.path == path]
        classes = listed(bot for bot, _ in those)
        text = f"{classes} may not play, for {those[0][1]} (most_bots)"
        (partly if path in some else whole).append((_shown(path), text))
    return whole, partly


async def enrol_one(text: str, game: str, limits: Limits, sandbox: Sandbox) -> Entry:
    """Return the bot of `FILE[:CLASS]` that plays a game.

    Raises:
        ConfigError: there is no such bot, or there are several.
        LeagueError: the machine could not start a process.
    """
    path, bot = find_bot_file(text)
    settings = BotSettings(file=str(path), bot=bot)
    enrolment = await enrol((settings,), (game,), limits, sandbox, text)
    if len(enrolment.entries) > 1:
        classes = ", ".join(entry.bot for entry in enrolment.entries)
        raise ConfigError(text, f"has several bots ({classes}); say {text}:CLASS")
    return enrolment.entries[0]


def _tell_apart(files: Sequence[BotFile]) -> None:
    """Give each file a name of its own in ids, and note where that is not the usual.

    What a student calls a file must neither stop the league nor touch another's bot:
    of two files of one name, the one that the league's file names first keeps it.
    """
    order: dict[Path, int] = {}
    for file in files:
        order.setdefault(file.path.parent, len(order))
    first: dict[str, Path] = {}
    shapes: dict[str, Path] = {}
    taken: set[str] = set()
    in_python = [file for file in files if not file.command]
    for file in sorted(
        in_python, key=lambda f: (order[f.path.parent], f.path.suffix != ".py")
    ):
        path = file.path
        longer = f"{path.parent.name}/{path.stem}"
        names = [
            path.stem,
            longer,
            *(f"{longer} {i}" for i in range(2, len(files) + 2)),
        ]
        file.stem = next(name for name in names if name not in taken)
        taken.add(file.stem)
        other = first.setdefault(path.stem, path)
        like = shapes.setdefault(shape_of(path.stem), path)
        if other != path:
            text = (
                f"{path} is called like {other}; its bots are entered as "
                f"{file.stem}:CLASS; rename one of the files"
            )
            file.notes.append(printable(text, lines=False))
        elif like != path:
            text = f"its name, {path.name!a}, looks like {like.name!a}; rename it"
            file.notes.append(text)


def _shown(path: Path) -> str:
    return printable(path.name, lines=False)


def _unopened(bots: Sequence[BotSettings]) -> Iterator[str]:
    """Yield the names of folders in folders of bots that are not searched for bots."""
    named = {Path(settings.file) for settings in bots}
    opened = {Path(settings.file) for settings in bots if settings.command is None}
    for path in sorted(opened):
        if path.is_dir() and not is_package(path):
            for folder in unopened_folders(path):
                if folder not in named:
                    yield printable(folder.name, lines=False)


async def _describe_all(
    files: list[BotFile], games: tuple[str, ...], limits: Limits, sandbox: Sandbox
) -> None:
    room = trio.CapacityLimiter(count_cores())
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
