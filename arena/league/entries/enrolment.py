"""Everyone who takes part in a league: found, described and named apart."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from arena.errors import ArenaError, ConfigError
from arena.league.config.info import find_entry
from arena.league.config.settings import BotSettings
from arena.league.entries.bot_file import BotFile, files_of
from arena.league.entries.entry import Entry
from arena.league.entries.sources import find_bot_file, is_package, unopened_folders
from arena.plugins import plugin_manager
from arena.referee.cores import count_cores
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import Limits
from arena.text import printable

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
) -> Enrolment:
    """Find, describe and name all bots that can play any of `games`.

    `where` is the place in the league's file, or on the command line, that
    named them.

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
    entries = sorted((e for answer in answers for e in answer), key=lambda e: e.id)
    _check_ids(where, entries)
    helpers = {f for file in files for f in file.helpers}
    rejected = [
        (_shown(file.path), file.problem)
        for file in files
        if file.problem and not helpers & {file.path, file.path / "__init__.py"}
    ]
    rejected += [(f"{name}/", _UNOPENED) for name in _unopened(bots)]
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
    named = tuple(_name_apart(entries))
    return Enrolment(named, tuple(rejected), (*notes, *_renamed(entries, named)))


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
        if other != path:
            text = (
                f"{path} is called like {other}; its bots are entered as "
                f"{file.stem}:CLASS; rename one of the files"
            )
            file.notes.append(printable(text, lines=False))


def _renamed(
    entries: Sequence[Entry], named: Sequence[Entry]
) -> Iterator[tuple[str, str]]:
    """Yield files and a sentence for all bots of one name that have got another."""
    groups: dict[str, list[tuple[Entry, Entry]]] = {}
    for old, new in zip(entries, named, strict=True):
        if old.name != new.name:
            groups.setdefault(old.name.casefold(), []).append((old, new))
    for pairs in groups.values():
        files = ", ".join(dict.fromkeys(_shown(old.path) for old, _ in pairs))
        shown = ", ".join(new.name for _, new in pairs)
        yield (
            files,
            f"the name {pairs[0][0].name!r} is taken more than once; the tables say "
            f"{shown}; give each bot a name of its own",
        )


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
            names.insert(0, f"{entry.name} ({entry.stem or entry.path.stem})")
        name = next(n for n in names if not taken[n.casefold()])
        taken[name.casefold()] = 1
        yield replace(entry, name=name)
