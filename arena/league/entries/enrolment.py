"""Everyone who takes part in a league: found, described and named apart."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import trio

from arena.errors import ArenaError, ConfigError
from arena.games import game_paths
from arena.league.config.info import find_entry
from arena.league.config.settings import NEWEST_FORM
from arena.league.entries.bot_file import BotFile, file_of
from arena.league.entries.entry import Entry, place_of
from arena.league.entries.hand_ins.depot import Depot, temporary_depot
from arena.league.entries.hand_ins.hand_in import HandIn, Refused
from arena.league.entries.hand_ins.messages import Task, Wish
from arena.league.entries.hand_ins.reading import read_hand_ins
from arena.league.entries.isolation_level import isolated
from arena.league.entries.looks import shape_of
from arena.league.entries.names import name_apart, name_for_organiser, renamed
from arena.league.entries.owners import Admission, LeftOut
from arena.league.entries.sources import find_bot_file
from arena.plugins import plugin_manager
from arena.referee.cores import count_cores
from arena.referee.isolation import Isolation
from arena.referee.sandbox import Sandbox
from arena.referee.sandbox.library import Library
from arena.referee.work_unit import Limits
from arena.text import behind, listed, some_of
from arena.worker.compat import GUESTS

_SHOWN = 3
"""Files in an error."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """Everyone who takes part, in a fixed order, and the files that don't."""

    entries: tuple[Entry, ...]
    rejected: tuple[tuple[str, str], ...]
    """Files without a bot that could be entered, and why."""
    notes: tuple[tuple[str, str], ...] = ()
    """Files whose bots are not entered as their author meant, and the remedy."""
    rejected_at: tuple[str, ...] = ()
    """Of each rejected file what `Entry.place` is of an entry."""
    students: Mapping[str, str] = field(default_factory=dict)
    """Of files as people are shown them: their students in brackets, for nobody but the
    organiser."""

    def find(self, name: str) -> Entry | None:
        """Return the entry that is called so, if there is but one (`find_entry`)."""
        return find_entry(self.entries, name)

    def noting(self, notes: Sequence[tuple[str, str]]) -> Self:
        """Return the same with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def told(self, *, refused: bool = True) -> Iterator[str]:
        """Yield sentences for the organiser on what does not play as it was meant.

        With `refused` also on bots that forfeit all games.
        """
        for file, why in self.rejected:
            yield self._about(file, f"not entered: {behind(file, why)}")
        reasons = dict.fromkeys(
            # Files of programs are often all called `main`.
            (e.name if e.command else e.file, e.file, e.refused)
            for e in sorted(self.entries, key=lambda e: e.file)
            if e.refused and refused
        )
        for bot, file, why in reasons:
            what = f"forfeits all games: {behind(file, why)}"
            yield f"{bot}{self.students.get(file, '')}: {what}"
        for file, note in self.notes:
            yield self._about(file, note)

    def _about(self, file: str, note: str) -> str:
        return f"{file}{self.students.get(file, '')}: {note}".removeprefix(": ")

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


async def take_in(
    files: Sequence[BotFile],
    games: tuple[str, ...],
    depot: Depot,
    where: str,
    *,
    shared: Sequence[Path] = (),
    form: int = NEWEST_FORM,
) -> None:
    """Read all hand-ins, once: what is kept of them in the depot is what plays.

    `where` is the place in the league's file that names what is `shared`.

    Raises:
        ConfigError: what is shared can't be read.
        LeagueError: the machine could not start a process.
        RecordError: they can't be kept there.
    """
    task = _task(games, shared, form, str(depot.place))
    readable = [file for file in files if not file.problem]
    read = await read_hand_ins([*map(_wish, readable)], task, where)
    for file, found in zip(readable, read, strict=True):
        file.take(found)


@asynccontextmanager
async def taken_in(
    files: Sequence[BotFile],
    games: tuple[str, ...],
    where: str,
    shared: Sequence[Path] = (),
    library: Library | None = None,
) -> AsyncIterator[tuple[Isolation, Sandbox]]:
    """Have hand-ins read and kept (`take_in`) for a while, and a sandbox for them.

    Raises:
        ConfigError: what is shared can't be read.
        LeagueError: the machine could not start a process, or a contestant.
        RecordError: they can't be kept.
    """
    with temporary_depot() as depot:
        await take_in(files, games, depot, where, shared=shared)
        async with isolated(files, games, library) as found:
            yield found


async def take_in_shared(
    shared: Sequence[Path], depot: Depot, where: str
) -> list[HandIn]:
    """Read what all bots may import, and keep all of it in the depot.

    Raises:
        ConfigError: it can't be read.
        LeagueError: the machine could not start a process.
        RecordError: it can't be kept there.
    """
    wishes = [Wish(str(path), is_program=True) for path in shared]
    task = _task((), (), NEWEST_FORM, str(depot.place))
    found = []
    for path, read in zip(
        shared, await read_hand_ins(wishes, task, where), strict=True
    ):
        if isinstance(read, Refused):
            raise ConfigError(where, f"{path} {read.reason}")
        found.append(read)
    return found


async def changes(
    files: Sequence[BotFile],
    games: tuple[str, ...],
    where: str,
    *,
    shared: Sequence[Path] = (),
    form: int = NEWEST_FORM,
) -> list[tuple[str, str]]:
    """Return the hand-ins that are others than when they were read, and a sentence.

    Raises:
        ConfigError: what is shared can't be read.
        LeagueError: the machine could not start a process.
    """
    taken = [(file, file.hand_in) for file in files if file.hand_in is not None]
    wishes = [_wish(file) for file, _ in taken]
    now = await read_hand_ins(wishes, _task(games, shared, form), where)
    return [
        (
            file.told,
            "was changed while the league was played; "
            + (
                "the new version plays in the next run"
                if isinstance(found, HandIn)
                else f"the next run would not take it: {found.reason}"
            ),
        )
        for (file, then), found in zip(taken, now, strict=True)
        if not isinstance(found, HandIn) or found.code != then.code
    ]


def _task(
    games: tuple[str, ...], shared: Sequence[Path], form: int, depot: str = ""
) -> Task:
    return Task(
        games=games,
        known=tuple(game_paths()),
        guests=dict(GUESTS),
        depot=depot,
        shared=tuple(map(str, shared)),
        form=form,
    )


def _wish(file: BotFile) -> Wish:
    return Wish(str(file.path), bool(file.command))


async def enrol(
    files: Sequence[BotFile],
    games: tuple[str, ...],
    limits: Limits,
    sandbox: Sandbox,
    where: str,
    admission: Admission | None = None,
) -> Enrolment:
    """Describe and name all bots of hand-ins that can play any of `games`.

    `where` is the place in the league's file, or on the command line, that
    named them; `admission` is what else that file says of who takes part.

    Raises:
        ConfigError: what is asked for does not fit what is there.
        LeagueError: the machine could not start a process.
    """
    admission = admission or Admission()
    twins = _tell_apart(files, admission.form)
    manager = plugin_manager()
    for file in files:
        manager.register(file, file.key)
    await describe_all(files, games, limits, sandbox, admission.form)
    answers = manager.hook.arena_bots()
    found = sorted((e for answer in answers for e in answer), key=lambda e: e.id)
    _check_ids(where, found)
    entries, left, doubts = admission.admit(found, files)
    helpers = {f for file in files for f in file.helpers}
    problems = [
        (file.path, file.problem)
        for file in files
        if file.problem and not helpers & {file.path, file.path / "__init__.py"}
    ]
    without, partly = _left_out(entries, left)
    problems += without
    shown = {file.path: file.shown for file in files}
    rejected = tuple((shown[path], problem) for path, problem in problems)
    apart = [(file.shown, note) for file in files if (note := file.apart())]
    students = admission.students_of(found, files)
    for file in files:
        file.students = students.get(file.shown, "")
    if not entries:
        both = [
            (file, "; it ".join([why, *(note for name, note in apart if name == file)]))
            for file, why in rejected
        ]
        raise ConfigError(where, _why_none(where, files, games, both))
    notes = [
        (file.shown, note) for file in files if file.entries for note in file.notes
    ]
    notes += _on_twins(twins, entries)
    staff = admission.staff_of(entries)
    named = name_apart(entries, staff, form=admission.form)
    called = admission.owners.called() if admission.owners else {}
    named = name_for_organiser(entries, named, staff, called)
    for bots_renamed, why in renamed(entries, named):
        # The names that it tells have the files in them.
        (name, *others) = dict.fromkeys(bot.file for bot in bots_renamed)
        notes.append(("" if others else name, why))
    return Enrolment(
        tuple(sorted(named, key=lambda e: e.id)),
        rejected,
        (*notes, *apart, *partly, *doubts),
        tuple(place_of(path) for path, _ in problems),
        students,
    )


def _why_none(
    where: str,
    files: Sequence[BotFile],
    games: Sequence[str],
    rejected: Sequence[tuple[str, str]],
) -> str:
    """Return the sentence that no hand-in has a bot, and why they have none."""
    playing = f"plays {listed(games, 'or')}"
    if len(files) == 1 and len(rejected) == 1:
        ((file, why),) = rejected
        if files[0].hand_in is None:
            return why if where == file else f"{file} {why}"
        in_it = "it" if where == file else file
        return f"no bot in {in_it} {playing}: {behind(file, why)}"
    places = dict.fromkeys(b.file for file in files for _, b in file.settings)
    shown = [f"{file}: {behind(file, why)}" for file, why in rejected[:_SHOWN]]
    more = f"; and {len(rejected) - _SHOWN} more" * (len(rejected) > _SHOWN)
    reasons = f" ({'; '.join(shown)}{more})" if shown else ""
    return f"no bot that {playing} was found in {', '.join(places)}{reasons}"


def _left_out(
    entries: Sequence[Entry], left: Sequence[LeftOut]
) -> tuple[list[tuple[Path, str]], list[tuple[str, str]]]:
    """Return files of which no bot may play, and files of which some may not, and why.

    `left` are the bots that may not, and the reason for each.
    """
    whole: list[tuple[Path, str]] = []
    partly: list[tuple[str, str]] = []
    some = {entry.path for entry in entries}
    for path in dict.fromkeys(x.entry.path for x in left):
        those = [x for x in left if x.entry.path == path]
        text = "; ".join(_why_left(those, has_others=path in some))
        if path in some:
            partly.append((those[0].entry.file, text))
        else:
            whole.append((path, text))
    return whole, partly


def _why_left(those: Sequence[LeftOut], *, has_others: bool) -> Iterator[str]:
    """Yield why bots of a file may not play; others of it may if it `has_others`."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for entry, why, copy_of in those:
        key = copy_of.file if copy_of else "", why
        reasons.setdefault(key, []).append(entry.bot)
    for (file, why), bots in reasons.items():
        if not file:
            yield f"{listed(bots)} may not play, for {why} (most_bots)"
        elif has_others or len(reasons) > 1:
            yield f"{listed(bots)} in it is copied in {file}, where it plays"
        else:
            yield f"is a copy of {file} by the same student, which plays"


@asynccontextmanager
async def one_hand_in(text: str, games: tuple[str, ...]) -> AsyncIterator[BotFile]:
    """Have the hand-in that a command line names (`find_bot_file`) read and kept.

    Raises:
        ConfigError: there is no such hand-in, or nothing that starts it.
        LeagueError: the machine could not start a process.
        RecordError: it can't be kept.
    """
    settings = find_bot_file(text)
    file = file_of(settings, text)
    file.settings.append((text, settings))
    with temporary_depot() as depot:
        await take_in([file], games, depot, text)
        yield file


async def enrol_one(
    file: BotFile,
    text: str,
    game: str,
    limits: Limits,
    sandbox: Sandbox,
    tell: Callable[[str], None],
) -> Entry:
    """Return the bot of a hand-in, which `text` has named, that plays a game.

    `tell` gets sentences for its author.

    Raises:
        ConfigError: there is no such bot, or there are several.
        LeagueError: the machine could not start a process.
    """
    enrolment = await enrol([file], (game,), limits, sandbox, text)
    if len(enrolment.entries) > 1:
        classes = [entry.bot for entry in enrolment.entries]
        raise ConfigError(
            text,
            f"has {len(classes)} bots that play {game}, {listed(classes)}; name one: "
            f"{text}:{classes[0]}",
        )
    for name, note in enrolment.notes:
        tell(f"{name}: {note}".removeprefix(": "))
    return enrolment.entries[0]


def _tell_apart(
    files: Sequence[BotFile], form: int
) -> list[tuple[BotFile, list[BotFile]]]:
    """Give each file a name of its own in ids; return who is called like whom.

    What a student calls a file must neither stop the league nor touch another's bot:
    of two files of one name, the one that the league's file names first keeps it, and
    what it names itself comes before what lies in a folder of bots.
    """
    order: dict[Path, int] = {}
    for file in files:
        order.setdefault(file.path.parent, len(order))
    first: dict[str, tuple[BotFile, list[BotFile]]] = {}
    shapes: dict[str, Path] = {}
    taken: set[str] = set()
    in_python = [file for file in files if not file.command]
    for file in sorted(
        in_python,
        key=lambda f: (
            form > 1 and all(str(f.path) != x.file for _, x in f.settings),
            order[f.path.parent],
            f.path.suffix != ".py",
        ),
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
        other, twins = first.setdefault(path.stem, (file, []))
        like = shapes.setdefault(shape_of(path.stem), path)
        if other is not file:
            twins.append(file)
        elif like != path:
            text = f"its name, {path.name!a}, looks like {like.name!a}; rename it"
            file.notes.append(text)
    return [*first.values()]


def _on_twins(
    groups: Sequence[tuple[BotFile, list[BotFile]]], entries: Sequence[Entry]
) -> Iterator[tuple[str, str]]:
    """Yield a note on files of one name whose bots go by it; not by their students."""
    by_file = {entry.path for entry in entries if entry.stem and not entry.owners}
    for first, twins in groups:
        those = [file for file in twins if file.path in by_file]
        if len(those) == 1:
            (file,) = those
            yield (
                file.shown,
                f"is called like {first.shown}; its bots are entered as "
                f"{file.stem}:CLASS; rename one of the files",
            )
        elif those:
            names = some_of((x.told for x in those[:_SHOWN]), len(those))
            yield (
                names,
                f"{len(those)} files are called like {first.shown}; their bots are "
                f"entered as {those[0].stem}:CLASS and so on; rename the files, or say "
                "in a students' file whose they are",
            )


async def describe_all(
    files: Sequence[BotFile],
    games: tuple[str, ...],
    limits: Limits,
    sandbox: Sandbox,
    form: int = NEWEST_FORM,
) -> None:
    """Have all bots of hand-ins described, so that each file has its entries.

    Raises:
        ConfigError: the league's file asks for what is not in one.
        LeagueError: the machine could not start a process.
    """
    room = trio.CapacityLimiter(count_cores())
    problems: list[ArenaError] = []

    async def one(file: BotFile) -> None:
        async with room:
            try:
                await file.enrol(games, limits, sandbox, form)
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
