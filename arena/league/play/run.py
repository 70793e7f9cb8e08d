"""Run a league: enrol, plan, play the missing games, record them as they end."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from arena.errors import ArenaError, ConfigError, RecordError
from arena.league.config.info import LeagueInfo
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig, check_isolation
from arena.league.config.students import check_grading
from arena.league.entries.bot_file import BotFile, files_of
from arena.league.entries.enrolment import Enrolment, changes, enrol, take_in
from arena.league.entries.entry import Entry
from arena.league.entries.hand_ins.depot import Depot
from arena.league.entries.isolation_level import isolated
from arena.league.entries.owners import Admission
from arena.league.entries.passed_over import passed_over
from arena.league.play.executor import Executor
from arena.league.play.interrupts import interruptible
from arena.league.play.local_executor import LocalExecutor
from arena.league.play.recorder import Progress, Recorder
from arena.league.results.played_games import PlayedGames
from arena.league.results.store import LuckTerms, Store
from arena.league.results.thaw import OpenLeague
from arena.league.schedule.core import Schedule, Stage, check_schedule, make_schedule
from arena.league.schedule.identity import entry_digest
from arena.league.schedule.matches import MatchTerms
from arena.league.schedule.plan import Plan
from arena.league.schedule.queue import Known, Queue
from arena.records.game_record import GameRecord
from arena.referee.isolation import Isolation, is_as_strong
from arena.text import counted, some_of

if TYPE_CHECKING:
    from arena.ratings import Result

_SHOWN_BOTS = 5
"""Names in a note."""


@dataclass(frozen=True, slots=True)
class LeagueEnd:
    """The state of a league after a run."""

    progress: Progress
    lost: int
    """Referees that died."""
    void: int
    """Games that were void because of that, and played again."""
    is_interrupted: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """A league that is ready to be played."""

    config: LeagueConfig
    keys: Keys
    files: tuple[BotFile, ...]
    """All hand-ins, as they were read."""
    enrolment: Enrolment
    schedule: Schedule
    plan: Plan
    """All possible games; those that depend on results are shared out evenly."""
    anchor: Entry | None
    isolation: Isolation

    @property
    def notes(self) -> list[str]:
        """Facts that the instructor should know, a sentence each."""
        return [
            *self.enrolment.told(),
            *self.plan.idle,
            *self.schedule.notes,
            *self._luck_notes(),
            *self.config.notes,
            *self.info().house_rules(),
            *self.isolation.notes(),
        ]

    def _luck_notes(self) -> list[str]:
        if not any(terms.game_terms.has_own_luck for terms in self.luck_terms()):
            return []
        return [
            "restart: league: a bot may know what fell in the other seatings of a "
            "fixture, so each has luck of its own; as that evens nothing out, Elo is "
            "less exact than with restart: match"
        ]

    @property
    def versions(self) -> dict[str, str]:
        """The digest of each entry, by its id."""
        return {entry.id: entry_digest(entry) for entry in self.enrolment.entries}

    def luck_terms(self) -> Iterator[LuckTerms]:
        """Yield what the luck of each label comes from."""
        for game in self.config.games:
            terms = MatchTerms.of(self.config, game, (), self.keys)
            yield LuckTerms(game.label, terms.rules, terms.game_terms)

    def info(self, exploring: tuple[int, int] | None = None) -> LeagueInfo:
        """Return the description of the league for its results folder.

        `exploring` is the start and stop, in the plan, of games that depend on results.
        """
        labels = tuple(game.info for game in self.config.games)
        entries = tuple(
            entry.info(labels, self.schedule.divisions.get(entry.id, 0))
            for entry in self.enrolment.entries
        )
        anchor = None
        if self.anchor is not None and self.config.anchor is not None:
            anchor = (self.anchor.id, self.config.anchor.elo)
        return replace(
            self.config.info(self.isolation.level, entries, self.keys),
            anchor=anchor,
            rejected=self.enrolment.rejected,
            rejected_at=self.enrolment.rejected_at,
            exploring=exploring,
            references=self.schedule.references,
        )

    async def changes(self) -> list[str]:
        """Return a sentence on each hand-in that is another now than when it was read.

        What was played stays, even if nothing can be read any more.
        """
        config = self.config
        try:
            found = await changes(
                self.files,
                config.game_names,
                f"{config.path}: shared",
                shared=config.shared,
                form=config.form,
            )
        except ArenaError as error:
            return [f"it is not known which bots have been changed meanwhile: {error}"]
        return [f"{file}: {note}" for file, note in found]

    def hand_ins(self) -> list[tuple[str, str]]:
        """Return hash and name of all that the league plays with."""
        return [
            (file.hand_in.code, file.path.name)
            for file in self.files
            if file.hand_in is not None
        ]

    def remaining(self, store: Store | None, workers: int) -> Queue:
        """Return the games that are not recorded in a store.

        Those that depend on missing results are shared out evenly.
        """
        faults = {} if store is None else PlayedGames(store.faults())
        stage, _ = _next_stage(self, self.schedule.first(), store, faults, workers)
        plan = self.schedule.bound(stage)
        return _queue(self.config, plan, faults, workers)


async def draft_league(config: LeagueConfig, keys: Keys, depot: Depot) -> Draft:
    """Read the bots of a league into a depot and plan its games; nothing is played.

    Raises:
        ConfigError: something in the league's file does not fit what is there.
        LeagueError: the machine could not start a process.
        RecordError: the bots can't be kept in the depot.
    """
    check_schedule(config)
    check_isolation(config)
    games = config.game_names
    where = f"{config.path}: bots"
    admission = Admission.of(config, keys.ids)
    files = files_of(config.bots, where, form=config.form, shared=config.shared)
    await take_in(
        files,
        games,
        depot,
        f"{config.path}: shared",
        shared=config.shared,
        form=config.form,
    )
    async with isolated(
        files,
        games,
        config.library,
        config.isolation,
        config.require_isolation,
    ) as (isolation, sandbox):
        enrolment = await enrol(files, games, config.limits, sandbox, where, admission)
    enrolment = enrolment.noting(passed_over(config.bots, files, config.known_files))
    anchor = None
    if config.anchor is not None:
        anchor = enrolment.called(config.anchor.bot, f"{config.path}: anchor.bot")
    schedule = make_schedule(config, enrolment, keys)
    plan = schedule.bound(schedule.first())
    draft = Draft(
        config, keys, tuple(files), enrolment, schedule, plan, anchor, isolation
    )
    check_grading(draft.info(), str(config.path))
    return draft


def other_entries(draft: Draft, store: Store) -> Iterator[str]:
    """Yield a sentence if bots are not the entries that they were in the last run."""
    try:
        before = {(e.place, e.bot, e.stem): e.id for e in store.info().entries}
    except RecordError:
        return  # Nothing was played, or by a version that knew no students.
    changed = sorted(
        entry.name
        for entry in draft.enrolment.entries
        if before.get((entry.place, entry.bot, entry.stem), entry.id) != entry.id
    )
    if changed:
        shown = some_of(changed[:_SHOWN_BOTS], len(changed))
        yield (
            f"{counted(len(changed), 'bot')} ({shown}) belong to other students than "
            "in the last run, or to some for the first time, so their games are played "
            "anew, and they may get another alias and division; what was played stays "
            "as history"
        )


def _next_stage(
    draft: Draft, stage: Stage, store: Store | None, faults: Known, workers: int
) -> tuple[Stage, Queue]:
    """Return the first stage, from this one on, with games to play; else the last."""
    results: dict[str, Result] = {}
    while True:
        queue = _queue(draft.config, stage.plan, faults, workers)
        if stage.is_whole or queue.missing:
            return stage, queue
        ids = [*queue.game_ids()]
        if store is not None:
            new = (id_ for id_ in ids if id_ not in results)
            results |= _results(store.records_of(new))
        recorded = [results[id_] for id_ in ids]
        stage = draft.schedule.next(stage, recorded, queue.quarantined)


def _queue(config: LeagueConfig, plan: Plan, faults: Known, workers: int) -> Queue:
    across = config.quarantine_is_for_all
    return Queue(plan, config.quarantine, faults, workers, across=across)


def _results(records: Iterable[GameRecord]) -> dict[str, "Result"]:
    """Return the results of games, by id."""
    # Imported late: numpy and scipy take longer than a round robin should wait.
    from arena.ratings import Result

    return {
        record.game_id: Result(
            record.label,
            record.fixture_id,
            record.seats,
            record.places,
            record.forfeits,
        )
        for record in records
    }


async def play_league(
    draft: Draft,
    store: Store,
    workers: int,
    on_progress: Callable[[Progress], None],
    tell: Callable[[str], None],
    address: str | None = None,
) -> LeagueEnd:
    """Play all games of a draft that are not recorded yet.

    `workers` referees of this machine play them, or the cluster at `address`.  `tell`
    gets sentences for the instructor, such as why no game ends.  SIGINT and SIGTERM
    end the run early; what has been played by then is recorded.

    Raises:
        RecordError: games can't be recorded any more.
        LeagueError: the machine can't play on; what was played is recorded.
    """
    stage = draft.schedule.first()
    progress = Progress(stage.most, 0)
    async with (
        interruptible() as interruption,
        _executor(draft, workers, tell, address) as executor,
    ):
        is_over = False
        while not is_over:
            faults = PlayedGames(store.faults())
            stage, queue = _next_stage(draft, stage, store, faults, workers)
            store.begin(
                draft.info(stage.exploring_games),
                queue.game_ids(),
                draft.versions,
                draft.luck_terms(),
            )
            _forget_prints(store)
            _check_recorded(store, draft.config.require_isolation)
            recorder = Recorder(store, queue, stage, progress, on_progress, tell)
            on_progress(recorder.progress)
            try:
                async with recorder.writing():
                    await executor.play(queue, recorder.deliver)
            finally:
                progress = recorder.progress
            is_over = stage.is_whole
    return LeagueEnd(
        progress=progress,
        lost=executor.lost,
        void=executor.void,
        is_interrupted=interruption.cancelled_caught,
    )


def _forget_prints(store: Store) -> None:
    """Forget what was printed in games that count no more: there is a limit, and a bot
    that was changed needs the room of its earlier version."""
    # What can't be written now is forgotten another time.
    with suppress(RecordError):
        store.prints.forget()


@asynccontextmanager
async def _executor(
    draft: Draft, workers: int, tell: Callable[[str], None], address: str | None
) -> AsyncIterator[Executor]:
    if address is None:
        yield LocalExecutor(workers, draft.isolation.spec, tell)
        return
    # Imported late: few leagues need it.
    from arena.league.play.cluster.cluster_executor import ClusterExecutor

    cluster = ClusterExecutor(
        address,
        draft.isolation.spec,
        draft.config.packages,
        {game.spec.name: game.spec.path for game in draft.config.games},
        draft.enrolment.entries,
        tell,
    )
    try:
        yield cluster
    finally:
        await cluster.close()


def check_results_folder(league: OpenLeague, folder: Path) -> None:
    """Check that a league does not write into what it is made of.

    Raises:
        ConfigError: its results would lie in what is frozen or handed in, or change the
            ranks that decide who is in which division.
    """
    place = folder.resolve()
    config = league.config
    given = [*config.shared]
    # What is not there is said by those who are to read it.
    with suppress(ConfigError):
        found = files_of(
            config.bots,
            f"{config.path}: bots",
            form=config.form,
            shared=config.shared,
        )
        given += [file.path for file in found]
    for handed_in in given:
        if handed_in.is_dir() and place.is_relative_to(handed_in.resolve()):
            raise ConfigError(
                str(folder),
                f"lies in {handed_in}, all of which a bot is given to read; choose "
                "another folder with --results",
            )
    if league.frozen is not None and place.is_relative_to(league.frozen.resolve()):
        raise ConfigError(
            str(folder),
            "lies in the frozen league, which stays as it is; choose another folder "
            "with --results",
        )
    divisions = config.divisions
    if divisions is not None and divisions.by == str(place):
        raise ConfigError(
            f"{config.path}: divisions.by",
            f"{folder} is where this league writes its own ranks, so every run would "
            "play other games; name the results of another league",
        )


def _check_recorded(store: Store, required: str | None) -> None:
    """Check that all recorded games were played at the required isolation level.

    Raises:
        RecordError: some were played at a weaker one.
    """
    for level, games in store.isolations().items():
        if required and not is_as_strong(level, required):
            raise RecordError(
                f"{store.path}: {games} of its games were played at isolation {level}, "
                f"and {required} is required; choose another folder with --results"
            )
