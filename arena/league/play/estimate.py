"""An estimate of how long a league will take, from a short trial of its own bots.

The trial plays some of the league's fixtures with as many referees as the league will
have: first fixtures with every entry in every game, if the time allows, then the
quickest entries against each other, many games at once as in the league.  So it shows
the lowest cost of a decision, what slower bots add to it, and what it costs to start a
bot.  Nothing of it is recorded.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice, zip_longest
from math import inf
from random import Random
from statistics import fmean, median

import trio

from arena.league.config.league_file import LeagueConfig
from arena.league.play.league_luck import luck_seconds
from arena.league.play.local_executor import LocalExecutor
from arena.league.schedule.matches import Match
from arena.league.schedule.plan import Plan
from arena.league.schedule.queue import Queue
from arena.records.batch import Batch, read_records
from arena.records.game_record import GameRecord
from arena.referee.ask_bot import ask_for_bots
from arena.referee.cores import busy_contestants
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import EntrySpec, GameTask, Restart, WorkUnit

TRIAL_S = 4.0
"""For which units are begun."""
_EXTRA_S = 4.0
"""For the units to end that show the cost of a decision."""
_STARTED_ENTRIES = 8
"""So many are started to time it."""
_LENGTH_GAMES = 30
"""Of a label, at the most, that its length of a game is taken from."""
_UNIT_GAMES = 256
"""In a unit that shows the cost of a decision."""
_GAMES_OF_SLOW_BOTS = 8
"""That are in flight at a time."""


@dataclass(slots=True)
class _PlayedUnit:
    """A unit and its games so far."""

    unit: WorkUnit
    begun: float
    is_warm_up: bool = False
    seconds: float = 0.0
    """From begin to the last of these games."""
    records: list[GameRecord] = field(default_factory=list)

    @property
    def shows_most(self) -> bool:
        """True if it says no more than what a decision costs at the most."""
        return self.is_warm_up or len(self.records) < len(self.unit.games)


class _Trial:
    """Units to be played until the time is up, and their games."""

    def __init__(self, units: Iterator[WorkUnit], seconds: float, workers: int) -> None:
        self._units = units
        self._end = time.monotonic() + seconds
        self._warming_up = workers
        """Units that take longer than others: meanwhile referees are started."""
        self._playing: dict[str, _PlayedUnit] = {}
        """By id of a game."""
        self.played: list[_PlayedUnit] = []
        self.batches: list[Batch] = []
        self.first = 0.0
        """Seconds until the first batch."""
        self._begun_at = time.monotonic()

    def next(self) -> WorkUnit | None:
        now = time.monotonic()
        unit = next(self._units, None) if now < self._end else None
        if unit is not None:
            playing = _PlayedUnit(unit, now, is_warm_up=self._warming_up > 0)
            self._warming_up = max(0, self._warming_up - 1)
            self._playing.update((task.game_id, playing) for task in unit.games)
        return unit

    def give_back(self, unit: WorkUnit, left: Sequence[GameTask]) -> None:
        """Forget the games that were not played: an entry forfeits all the time."""

    async def deliver(self, batches: Sequence[Batch]) -> None:
        if not self.batches:
            self.first = time.monotonic() - self._begun_at
        self.batches += batches
        for batch in batches:
            for record in read_records(batch.records):
                playing = self._playing.pop(record.game_id)
                if not playing.records:
                    self.played.append(playing)
                playing.records.append(record)
                playing.seconds = time.monotonic() - playing.begun


@dataclass(slots=True)
class _EntryTimes:
    """The games of an entry under a label; the times are those of each of its games."""

    charged: list[float] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    slowest: list[float] = field(default_factory=list)
    """Charged seconds of the slowest decision."""
    forfeits: int = 0

    @property
    def is_failing(self) -> bool:
        """True if it has forfeited every game: it will be quarantined."""
        return self.forfeits == len(self.charged)

    def in_sequence(self, games: int) -> float:
        """Return the seconds of so many games: what one process does in them.

        Who fails is ended and begins again, and is asked once more for all that it has
        decided in other games.
        """
        mean = fmean(self.charged)
        if not self.is_failing:
            return games * mean
        last = fmean(self.slowest)
        repeated = min(games, _GAMES_OF_SLOW_BOTS) * max(0.0, mean - last)
        return games * (repeated + last)

    @property
    def cpu_share(self) -> float:
        """The part of the charged seconds in which it needs a core."""
        charged = sum(self.charged)
        return 1.0 - sum(self.slept) / charged if charged else 1.0


@dataclass(slots=True)
class _Label:
    """Times and lengths of the games of a label."""

    entries: defaultdict[str, _EntryTimes] = field(
        default_factory=lambda: defaultdict(_EntryTimes)
    )
    """By id."""
    decisions: list[int] = field(default_factory=list)
    """Numbers of decisions of all seats, game by game."""
    least: float = inf
    """Seconds of a decision of the quickest entry, with all that is around it."""

    def add(self, records: Sequence[GameRecord]) -> None:
        for record in records:
            self.decisions.append(record.decisions)
            for seat, (entry, times) in enumerate(
                zip(record.seats, record.times, strict=True)
            ):
                own = self.entries[entry]
                own.charged.append(record.seconds[seat])
                own.slept.append(times.slept)
                own.slowest.append(times.slowest)
                own.forfeits += record.forfeits[seat]

    def means(self) -> dict[str, float]:
        """Return the mean seconds of a game of each entry, the quickest first."""
        means = {id_: fmean(own.charged) for id_, own in self.entries.items()}
        return dict(sorted(means.items(), key=lambda item: item[1]))

    def failing(self) -> set[str]:
        """Return the entries that forfeit all their games."""
        return {id_ for id_, own in self.entries.items() if own.is_failing}


def _unit_cost(label: _Label, start: float, busy: int) -> Callable[[WorkUnit], float]:
    """Return a function: the seconds that a referee needs for a unit of a label.

    `start` are the seconds that it takes to start an entry.  Only `busy` of the
    entries of a unit can compute at the same time; any number can sleep.
    """
    means = label.means()
    if not means:
        return lambda unit: 0.0
    # Quick entries are quicker still with many games at once.
    usual = 2.0 * min(means.values())
    # Of an entry that was not in the trial.  Who fails plays few games.
    playing = [mean for id_, mean in means.items() if id_ not in label.failing()]
    unknown = fmean(max(0.0, mean - usual) for mean in playing or [0.0])
    length = fmean(label.decisions)
    least = label.least * length if length else 0.0

    def excess(entry: str, games: int) -> tuple[float, float]:
        """Return the seconds beyond the usual, and those of them on a core."""
        own = label.entries.get(entry)
        if own is None:
            return games * unknown, games * unknown
        seconds = max(0.0, own.in_sequence(games) - games * usual)
        return seconds, seconds * own.cpu_share

    def seconds(unit: WorkUnit) -> float:
        times = [
            excess(unit.entries[place].id, games)
            for place, games in _games_of(unit).items()
        ]
        computing = sum(cpu for _, cpu in times) / busy
        return (
            start * _starts(unit)
            + least * len(_playable(unit))
            + max([computing, *(whole for whole, _ in times)])
        )

    return seconds


async def estimate(
    config: LeagueConfig, plan: Plan, queue: Queue, workers: int, sandbox: Sandbox
) -> tuple[float, list[Batch]]:
    """Return the seconds that a queue will take, and the games of the trial.

    The seconds are to play it with so many referees, and to work out its luck.

    Raises:
        LeagueError: the machine can't start a process.
    """
    labels = {match.label: _Label() for match in plan.matches}
    matches = _by_label(plan)
    start = await _start_seconds(matches, sandbox)
    executor = LocalExecutor(workers, sandbox.spec, lambda _: None)
    coverage = _Trial(_coverage(matches), TRIAL_S / 2, 0)
    # Its games are played to their ends: slow bots may play no others.
    await executor.play(coverage, coverage.deliver)
    for played in coverage.played:
        labels[played.unit.label].add(played.records)
    rates = _Trial(_rates(matches, labels, workers), TRIAL_S / 2, workers)
    # Where it takes long to start, as on a busy machine, so does all else.
    with trio.move_on_after(TRIAL_S / 2 + max(_EXTRA_S, coverage.first)):
        await executor.play(rates, rates.deliver)
    _learn(labels, coverage, start)
    _learn(labels, rates, start)
    busy = busy_contestants(workers)
    costs = {name: _unit_cost(label, start, busy) for name, label in labels.items()}
    play = longest = 0.0
    games: Counter[str] = Counter()
    failing = {name: label.failing() for name, label in labels.items()}
    for unit in queue.units(failing):
        seconds = costs[unit.label](unit)
        play += seconds
        longest = max(longest, seconds)
        games[unit.label] += len(unit.games)
    seconds = coverage.first + max(play / workers, longest)
    batches = coverage.batches + rates.batches
    if config.luck_adjustment:
        specs = {game.label: game.spec for game in config.games}
        made, each = await luck_seconds(specs, batches)
        seconds += made
        seconds += sum(each.get(x, 0.0) * games[x] for x in games) / workers
    return seconds, batches


def _learn(labels: dict[str, _Label], trial: _Trial, start: float) -> None:
    """Take the cost of a decision of the quickest entries from a trial.

    A label without games in the trial keeps the cost that it has.  One of which no unit
    has come to its end but in the warm-up, as on a busy machine, has no higher cost
    than its games show.
    """
    shown: dict[str, list[float]] = {}
    for played in trial.played:
        label = labels[played.unit.label]
        decisions = sum(record.decisions for record in played.records)
        if len(label.decisions) < _LENGTH_GAMES:
            label.decisions += [record.decisions for record in played.records]
        if not decisions:
            continue
        rest = max(played.seconds - start * _starts(played.unit), 0.0)
        if played.shows_most:
            label.least = min(label.least, rest / decisions)
        else:
            shown.setdefault(played.unit.label, []).append(rest / decisions)
    for name, found in shown.items():
        labels[name].least = median(found)


def _by_label(plan: Plan) -> dict[str, list[Match]]:
    """Return the playable matches of each label in a random order."""
    found: dict[str, list[Match]] = {}
    for match in plan.matches:
        if sum(not entry.refused for entry in match.entries) > 1:
            found.setdefault(match.label, []).append(match)
    for name, matches in found.items():
        Random(name).shuffle(matches)
    return found


async def _start_seconds(matches: dict[str, list[Match]], sandbox: Sandbox) -> float:
    """Return the seconds that it takes to start an entry and read its file."""
    entries: dict[str, tuple[Match, EntrySpec]] = {}
    for match in (match for found in matches.values() for match in found):
        for spec in match.unit(()).entries:
            if len(entries) < _STARTED_ENTRIES and not spec.refused:
                entries.setdefault(spec.id, (match, spec))
    seconds = []
    for match, spec in islice(cycle(entries.values()), len(entries) + 1):
        begun = time.monotonic()
        await ask_for_bots(
            spec, (match.terms.unit.game.name,), match.unit(()).limits, sandbox
        )
        seconds.append(time.monotonic() - begun)
    # The very first had to wait for the sandbox.
    return median(seconds[1:]) if seconds else 0.0


def _coverage(matches: dict[str, list[Match]]) -> Iterator[WorkUnit]:
    """Yield fixtures so that every entry is in one of each label, labels in turn."""
    for in_turn in zip_longest(*map(_covering, matches.values())):
        for match in in_turn:
            if match is not None:
                yield match.unit(range(len(match.entries)))


def _covering(matches: Sequence[Match]) -> Iterator[Match]:
    seen: set[str] = set()
    for match in matches:
        entries = {entry.id for entry in match.entries if not entry.refused}
        if not entries <= seen:
            seen |= entries
            yield match


def _rates(
    matches: dict[str, list[Match]], labels: dict[str, _Label], workers: int
) -> Iterator[WorkUnit]:
    """Yield units of the quickest entries of each label in turn, for all referees."""
    chosen = [
        _quickest(found, labels[name].means())
        for name, found in matches.items()
        if labels[name].entries
    ]
    for number in range(4 * workers):
        for match in chosen:
            size = len(match.entries)
            fixtures = -(-_UNIT_GAMES // size)
            repetitions = range(number * fixtures, (number + 1) * fixtures)
            yield match.again(repetitions, "trial").unit(range(fixtures * size))


def _quickest(matches: Sequence[Match], means: Iterable[str]) -> Match:
    """Return the match of the quickest entries; `means` has the quickest first."""
    ranks = {entry: rank for rank, entry in enumerate(means)}
    return min(
        matches,
        key=lambda match: sum(ranks.get(e.id, len(ranks)) for e in match.entries),
    )


def _starts(unit: WorkUnit) -> int:
    """Return the number of processes that a unit takes."""
    games = _games_of(unit)
    if unit.restart is Restart.GAME:
        return games.total()
    seatings = 1 if unit.restart is Restart.LEAGUE else unit.game.players
    return seatings * len(games)


def _games_of(unit: WorkUnit) -> Counter[int]:
    """Return the number of games of each entry of a unit that needs a process."""
    return Counter(
        place
        for task in _playable(unit)
        for place in task.seats
        if not unit.entries[place].refused
    )


def _playable(unit: WorkUnit) -> Sequence[GameTask]:
    """Return the games of a unit that somebody can play against somebody."""
    if not any(entry.refused for entry in unit.entries):
        return unit.games
    can = [not entry.refused for entry in unit.entries]
    return [task for task in unit.games if sum(can[place] for place in task.seats) > 1]
