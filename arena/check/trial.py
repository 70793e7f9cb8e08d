"""One bot, tried as a league would play it, against harmless partners.

The real referee plays all games.  They are few, and fewer for a slow bot, so that no
student waits long; they tell little of its strength.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from msgspec.structs import replace

from arena.check.peak_memory import PeakMemory
from arena.games.replay import Replay
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.entries.entry import Entry
from arena.league.schedule.matches import Match, MatchTerms
from arena.records.decision_times import TimesCounter
from arena.records.game_record import Fault, GameRecord, Termination
from arena.records.prints import Printed
from arena.referee.sandbox import Sandbox
from arena.referee.unit_player import play_unit
from arena.referee.work_unit import GameTask, Restart, WorkUnit

FIXTURES = 10
"""With each partner, unless the bot is slow."""
MAX_GAMES = 10_000
"""With each partner, in each game."""
_TRIAL_S = 4.0
"""For all games of a bot; what one label does not need, the next ones have."""
_MAX_FORFEITS = 3
"""In a row, after the first fixtures; then the trial of a label ends."""
OUTPUT_LIMITS_BYTES = (0, 1_000, 10_000, 100_000)
"""Tried one after another, to find out how much a bot prints."""


RANDOM = "random partner"
"""The ids of partners that play at random begin so."""


def sensible(game: str) -> str:
    """Return how the ids of partners begin that are sensible in a game."""
    return f"sensible {game} partner"


def kind_of(partner: Entry) -> str:
    """Return the kind of a partner: `random` or `sensible`."""
    return partner.id.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two plays of one game, with the same luck, that differ."""

    record: GameRecord
    """Of the play at the same time as other games."""
    step: int
    """The first decision that differs."""
    decisions: tuple[str, str]
    """What was played there: among other games, and alone."""
    is_alone: bool
    """True if two plays alone differ too."""


@dataclass(slots=True)
class LabelTrial:
    """The trial of a bot in one of the league's games."""

    game: LeagueGame
    kinds: Mapping[str, str]
    """Kinds of partners, by their ids."""
    planned: int = 0
    """Number of games that it is to be tried in."""
    is_cut: bool = False
    """True if it was too slow for all of them."""
    records: list[GameRecord] = field(default_factory=list)
    """In the order of the plan, once all are played."""
    prints: dict[str, Sequence[Printed]] = field(default_factory=dict)
    """What was printed in these games, by their ids."""
    score: dict[str, tuple[float, int]] = field(default_factory=dict)
    """By kind of partner: games won, where a shared win is a part, and games played."""
    forfeits: int = 0
    reasons: tuple[str, ...] = ()
    """Of its forfeits."""
    fault: tuple[GameRecord, Fault] | None = None
    """The first of the bot's own."""
    times: TimesCounter = field(default_factory=TimesCounter)
    begin_s: float = 0.0
    """Charged for beginning its games, and for ending them."""
    repeated: int = 0
    """Number of games that were played again."""
    difference: Difference | None = None
    printed: int | None = None
    """Output limit in bytes that was enough for a game; None if not known."""

    @property
    def label(self) -> str:
        """As the league calls the game."""
        return self.game.label

    @property
    def has_timed_out(self) -> bool:
        """True if its first forfeit was a timeout."""
        return self.fault is not None and (
            self.fault[1].termination == Termination.TIMEOUT
        )

    @property
    def per_partner(self) -> int:
        """Number of games with each kind of partner that it is to be tried in."""
        return self.planned // max(1, len(set(self.kinds.values())))

    def count(self, entry: Entry) -> None:
        """Count the games of an entry, those that are played so far."""
        self.score, self.times, self.begin_s = {}, TimesCounter(), 0.0
        for record in self.records:
            seat = record.seats.index(entry.id)
            self.times.add(record.times[seat])
            self.begin_s += begin_seconds(record, seat)
            (kind, *_) = (self.kinds[x] for x in record.seats if x != entry.id)
            won, games = self.score.get(kind, (0.0, 0))
            self.score[kind] = won + record.returns[seat], games + 1
        faults = _faults(entry, self.records)
        self.forfeits = len(faults)
        self.reasons = tuple(dict.fromkeys(what.termination for _, what in faults))
        self.fault = next(iter(faults), None)


def begin_seconds(record: GameRecord, seat: int) -> float:
    """Return the seconds that a seat was charged for anything but decisions."""
    return max(0.0, record.times[seat].charged - record.seconds[seat])


@dataclass(slots=True)
class Trial:
    """The trial of one bot."""

    entry: Entry
    reading_s: float = 0.0
    """Charged for reading its file."""
    is_read_for_each_game: bool = False
    """True if that is part of each game; else of each process."""
    labels: list[LabelTrial] = field(default_factory=list)
    """Those that were tried, or are."""
    untried: tuple[str, ...] = ()
    """Labels that were not tried after a timeout."""
    memory: int | None = None
    """Peak of any process in bytes of address space, of data if it is a program; None
    if the system does not tell.  Partners are small, so a large process is one of the
    bot."""

    @property
    def is_clean(self) -> bool:
        """True if it has not forfeited."""
        return not any(label.forfeits for label in self.labels)

    @property
    def planned(self) -> int:
        """Number of games that it was to be tried in."""
        return sum(label.planned for label in self.labels)

    @property
    def tried(self) -> int:
        """Number of games that were played."""
        return sum(len(label.records) for label in self.labels)

    @property
    def is_cut(self) -> bool:
        """True if it was too slow for some of them."""
        return any(label.is_cut for label in self.labels)

    @property
    def repeats(self) -> bool:
        """True if all games that were played again came out the same."""
        return all(label.difference is None for label in self.labels)


async def try_bot(
    trial: Trial,
    partners: Sequence[Entry],
    config: LeagueConfig,
    sandbox: Sandbox,
    games: int | None = None,
    share: float = 1.0,
    watch: Callable[[], None] = lambda: None,
) -> None:
    """Play a bot's games of a league against each partner, from every seat.

    `games` are played with each partner, however long they take; if None, as many as
    fit into a `share` of some seconds, by the time that the bot is charged.  The trial
    of a label ends soon after its first forfeit; a timeout ends the whole trial, as
    other games would take as long.  `watch` is called after each game.

    Raises:
        LeagueError: the machine could not start a process.
    """
    entry = trial.entry
    memory = PeakMemory(sandbox, is_program=bool(entry.command))
    mine = [game for game in config.games if game.spec.name in entry.games]
    seconds = share * _TRIAL_S
    for number, game in enumerate(mine):
        if trial.labels and trial.labels[-1].has_timed_out:
            break
        tables = _tables(entry, partners, config, game)
        label = _label(tables, game, games)
        trial.labels.append(label)
        part = seconds / (len(mine) - number)
        await _Tries(trial, label, tables, memory.sandbox, watch).play(games, part)
        seconds -= min(seconds, label.times.charged)
    trial.untried = tuple(game.label for game in mine[len(trial.labels) :])
    trial.memory = memory.peak


def _tables(
    entry: Entry, partners: Sequence[Entry], config: LeagueConfig, game: LeagueGame
) -> dict[str, Match]:
    """Return a match with each kind of partner; a table has only one kind."""
    kinds: dict[str, list[Entry]] = {}
    for partner in partners:
        # A sensible one may have methods for other games, but is not for them.
        is_meant = partner.id.startswith((RANDOM, sensible(game.spec.name)))
        if is_meant and game.spec.name in partner.games:
            kinds.setdefault(kind_of(partner), []).append(partner)
    found = {}
    for kind, others in kinds.items():
        table = (entry, *others[: game.spec.players - 1])
        together = tuple(sorted(table, key=lambda e: e.id))
        # The luck of a trial is public: `trial_config` has set a seed.
        terms = MatchTerms.of(config, game, together, Keys.of_seed(config.seed or 0))
        found[kind] = Match(terms, together, range(FIXTURES))
    return found


def _label(
    tables: Mapping[str, Match], game: LeagueGame, games: int | None
) -> LabelTrial:
    kinds = {e.id: kind for kind, table in tables.items() for e in table.entries}
    seats = sum(len(table.entries) for table in tables.values())
    return LabelTrial(game, kinds, planned=_fixtures(game, games) * seats)


def _fixtures(game: LeagueGame, games: int | None) -> int:
    return FIXTURES if games is None else -(-games // game.spec.players)


class _Tries:
    """The games of a bot's trial in one of the league's games."""

    def __init__(
        self,
        trial: Trial,
        label: LabelTrial,
        tables: Mapping[str, Match],
        sandbox: Sandbox,
        watch: Callable[[], None],
    ) -> None:
        self._trial = trial
        self._entry = trial.entry
        self._label = label
        self._tables = tables
        self._sandbox = sandbox
        self._watch = watch

    async def play(self, games: int | None, seconds: float) -> None:
        """Play `games` with each partner; if None, as many as fit into `seconds`."""
        label, entry = self._label, self._entry
        number = _fixtures(label.game, games)
        await self._play(_unit(self._tables, range(1), patience=1))
        # What else the machine does must not decide how much is tried.
        seats = [(x, x.seats.index(entry.id)) for x in label.records]
        taken = sum(x.seconds[seat] + begin_seconds(x, seat) for x, seat in seats)
        if games is None and number * taken > seconds:
            number = max(1, int(seconds / taken))
            label.is_cut = number < FIXTURES
        if number > 1 and not _faults(entry, label.records):
            await self._play(_unit(self._tables, range(1, number), _MAX_FORFEITS))
        label.count(entry)
        if label.fault is not None:
            return
        # The first and the last: what a bot keeps between games grows.
        again = _unit(self._tables, range(0, number, max(1, number - 1)), patience=1)
        if taken + self._trial.reading_s * len(again.games) > seconds:
            again = replace(again, games=again.games[:1])
        # Where a partner forfeits, some are not played.
        known = {record.game_id for record in label.records}
        mine = tuple(task for task in again.games if task.game_id in known)
        again = replace(again, games=mine)
        await _repeat(label, again, self._sandbox)
        if not entry.command:
            await _measure_output(label, entry, again, self._sandbox)

    async def _play(self, unit: WorkUnit) -> None:
        """Play a unit, and bring its games in order."""
        order = {task.game_id: place for place, task in enumerate(unit.games)}
        known = list(self._label.records)

        def take(record: GameRecord) -> None:
            self._label.records.append(record)
            self._watch()

        heard = self._label.prints.__setitem__
        played = await play_unit(unit, self._sandbox, take, heard)
        played.sort(key=lambda record: order[record.game_id])
        self._label.records = known + played


def _unit(
    tables: Mapping[str, Match], repetitions: range, patience: int = 0
) -> WorkUnit:
    """Return fixtures of all tables as one unit, as a league joins short matches."""
    matches = [table.again(repetitions) for table in tables.values()]
    entries = {e.id: e for match in matches for e in match.entries}
    ids = list(entries)
    tasks: list[GameTask] = []
    for match in matches:
        places = [ids.index(e.id) for e in match.entries]
        tasks += match.tasks(range(len(match)), places)
    return replace(
        matches[0].terms.unit,
        entries=tuple(x.spec() for x in entries.values()),
        games=tuple(tasks),
        patience=patience,
    )


def _faults(
    entry: Entry, records: Iterable[GameRecord]
) -> list[tuple[GameRecord, Fault]]:
    """Return the forfeits of an entry, each with its game."""
    return [
        (record, fault)
        for record in records
        for fault in record.faults
        if fault.entry == entry.id
    ]


async def _repeat(trial: LabelTrial, unit: WorkUnit, sandbox: Sandbox) -> None:
    """Play games again, each in processes of its own, and compare the plays."""
    alone = replace(unit, restart=Restart.GAME)
    before = {record.game_id: record for record in trial.records}
    order = [task.game_id for task in unit.games]
    played = await play_unit(alone, sandbox)
    for record in sorted(played, key=lambda record: order.index(record.game_id)):
        trial.repeated += 1
        first = before[record.game_id]
        if _is_same(first, record) or trial.difference is not None:
            continue
        task = next(task for task in unit.games if task.game_id == record.game_id)
        (again,) = await play_unit(replace(alone, games=(task,)), sandbox)
        step, decisions = _first_difference(trial.game, first, record)
        trial.difference = Difference(
            first, step, decisions, is_alone=not _is_same(record, again)
        )


def _is_same(one: GameRecord, other: GameRecord) -> bool:
    return (one.history, one.termination) == (other.history, other.termination)


def _first_difference(
    game: LeagueGame, one: GameRecord, other: GameRecord
) -> tuple[int, tuple[str, str]]:
    """Return the first decision that differs, and what was played in each play."""
    together = zip(one.history, other.history, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], together))
    replay = Replay(game.game, one.history)
    step = sum(position < same for position in replay.decisions)
    return step, (_played(one, same), _played(other, same))


def _played(record: GameRecord, position: int) -> str:
    if position < len(record.history):
        return repr(record.history[position])
    return f"forfeit ({record.termination})"


async def _measure_output(
    trial: LabelTrial, entry: Entry, unit: WorkUnit, sandbox: Sandbox
) -> None:
    """Find out how much a bot prints in a game: try lower output limits."""
    trial.printed = None
    for cap in OUTPUT_LIMITS_BYTES:
        if cap >= unit.limits.output:
            return
        limits = replace(unit.limits, output=cap)
        capped = replace(unit, limits=limits, patience=1)
        faults = _faults(entry, await play_unit(capped, sandbox))
        if not any(f.termination == Termination.OUTPUT_FLOOD for _, f in faults):
            trial.printed = cap
            return
