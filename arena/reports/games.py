"""What single games say: who met whom with what end, and which are worth a look."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from arena.league.results.store import Store
from arena.records.decision_times import TimesCounter
from arena.records.game_record import GameRecord, Termination
from arena.reports.game_refs import End, GameRef, GameRefs, Seating
from arena.reports.head_to_head import (
    Chances,
    Counted,
    Forfeits,
    HeadToHead,
    Places,
    versus_by_bot,
)
from arena.reports.highlights import Failure, Highlight, Reason, pick_highlights
from arena.reports.report import Report
from arena.reports.results_pass import Forfeit

__all__ = [
    "BotGames",
    "GameRef",
    "GameRefs",
    "Games",
    "HeadToHead",
    "Highlight",
    "Reason",
    "read_games",
]

BEATEN = "beaten"
"""How a bot has lost that has not forfeited."""


@dataclass(frozen=True, slots=True)
class BotGames:
    """All that single games say of one bot."""

    bot: str
    versus: tuple[HeadToHead, ...]
    """By label in the league's order, then by the opponents' rank."""
    losses: Mapping[str, Counter[str]]
    """By label, how often it lost and by what: `beaten`, or the termination of its own
    forfeit."""
    first_fault: Forfeit | None
    """In the order of the plan; one that was played, if there is any."""
    seconds: Mapping[str, tuple[tuple[float, int], ...]]
    """By label, how many decisions took up to so many seconds, in ascending order."""


@dataclass(frozen=True, slots=True)
class Games:
    """What the games of a league say one by one."""

    refs: GameRefs
    """All that were played, in the order of the plan, which aliases hide; quarantined
    ones left out."""
    by_bot: Mapping[str, BotGames]
    """Of all bots of the report."""
    worth: tuple[Highlight, ...]
    """By reason in the order of `Reason`; a game may be here twice."""

    @property
    def replays(self) -> frozenset[str]:
        """The ids of the games whose replays the pages hold."""
        return frozenset(worth.game.game_id for worth in self.worth)


def read_games(store: Store, report: Report) -> Games:
    """Look at all games of a report, under its names, in one pass.

    Raises:
        RecordError: the file is damaged.
    """
    gathered = GamesPass(report.names)
    for record in store.records():
        gathered.add(record)
    chances = {board.label.label: Chances(board) for board in report.boards}
    bots = [row.bot for row in report.rows]
    versus = versus_by_bot(gathered.counted(), chances, bots)
    losses = gathered.losses()
    seconds = gathered.seconds()
    faults = _first_faults(report.forfeits)
    by_bot = {
        bot: BotGames(
            bot=bot,
            versus=versus.get(bot, ()),
            losses={x: losses[x, bot] for x in report.labels if (x, bot) in losses},
            first_fault=faults.get(bot),
            seconds={x: seconds[x, bot] for x in report.labels if (x, bot) in seconds},
        )
        for bot in bots
    }
    refs, failures = gathered.refs, gathered.failures
    if report.is_anonymous:
        refs, places = refs.shuffled()
        moved = [replace(failure, game=places[failure.game]) for failure in failures]
        failures = sorted(moved, key=lambda failure: failure.game)
    worth = pick_highlights(refs, failures, chances)
    return Games(refs=refs, by_bot=by_bot, worth=worth)


def _first_faults(forfeits: Iterable[Forfeit]) -> dict[str, Forfeit]:
    """Return the first forfeit of each bot: that was played, if there is any."""
    first: dict[str, Forfeit] = {}
    for forfeit in forfeits:
        found = first.get(forfeit.bot)
        if found is None or (
            found.fault.termination == Termination.QUARANTINE
            and forfeit.fault.termination != Termination.QUARANTINE
        ):
            first[forfeit.bot] = forfeit
    return first


class GamesPass:
    """What is kept of the games."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """Take the name of each entry by its id."""
        self.refs = GameRefs()
        self.failures: list[Failure] = []
        self._names = names
        self._counts: Counter[tuple[int, Places, Forfeits]] = Counter()
        """How often such a seating came to such an end, played or not."""
        self._faults: dict[tuple[str, str], Counter[str]] = {}
        """By label and bot, as are the times."""
        self._times: dict[tuple[str, str], TimesCounter] = {}

    def add(self, record: GameRecord) -> None:
        """Add a game."""
        bots = tuple([self._names[entry] for entry in record.seats])
        seating, end = self.refs.numbers(
            Seating(record.label, bots),
            End(record.scores, record.places, record.forfeits, record.termination),
        )
        self._counts[seating, record.places, record.forfeits] += 1
        if record.termination != Termination.QUARANTINE:
            for fault in record.faults:
                failure = Failure.of(len(self.refs), bots[fault.seat], fault)
                self.failures.append(failure)
            self.refs.add(record.game_id, seating, end, record.decisions)
        for fault in record.faults:
            key = record.label, bots[fault.seat]
            self._faults.setdefault(key, Counter())[str(fault.termination)] += 1
        for bot, times in zip(bots, record.times, strict=True):
            key = record.label, bot
            own = self._times.get(key)
            if own is None:
                own = self._times[key] = TimesCounter()
            own.add(times)

    def counted(self) -> Iterator[Counted]:
        """Yield how often bots that sat so came to such an end, in the plan's order; as
        in a leaderboard, what was not played is forfeited like all else."""
        for (seating, places, forfeits), number in self._counts.items():
            yield Counted(self.refs.seatings[seating], places, forfeits, number)

    def losses(self) -> dict[tuple[str, str], Counter[str]]:
        """Return by label and bot how often it lost, and by what."""
        found = {key: Counter(faults) for key, faults in self._faults.items()}
        for seating, places, forfeits, number in self.counted():
            for seat, bot in enumerate(seating.bots):
                if places[seat] > 1 and not forfeits[seat]:
                    own = found.setdefault((seating.label, bot), Counter())
                    own[BEATEN] += number
        return found

    def seconds(self) -> dict[tuple[str, str], tuple[tuple[float, int], ...]]:
        """Return by label and bot how many decisions took up to so many seconds."""
        return {key: tuple(own.histogram()) for key, own in self._times.items()}
