"""The decision times of each bot, by label and over all games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from arena.league.config.info import EntryInfo
from arena.records.decision_times import DecisionTimes, TimesCounter
from arena.records.game_record import GameRecord
from arena.text import counted, duration, listed, some_of

_ALL = "all"
"""Label of the row of all labels together."""
NEAR_LIMIT = 0.8
"""Share of the move limit that is worth a word."""
_MIN_SLEPT_S = 10.0
"""By one bot in its decisions, to be worth a word."""
_MIN_SLEPT_SHARE = 0.02
"""The same, of what all bots were charged."""
_MANY_TIMES = 4.0
"""As long as the others, game for game, computes who is worth a word."""
_MIN_USED_S = 60.0
"""Of CPU time, by all of these together, to be worth a word."""
_MIN_USED_SHARE = 0.5
"""The same, of what all bots have used."""
_SHOWN_BOTS = 3
"""Names in a note."""
_REMEDY = "a lower limits.move or limits.game in the league's file would shorten that"


@dataclass(frozen=True, slots=True)
class TimesRow:
    """A bot's times under one label; seconds as charged."""

    bot: str
    file: str
    label: str
    """`all` for all labels together; a label may be called so too."""
    is_total: bool
    """True for all labels together: the first row of a bot."""
    decisions: int
    median: float | None
    """None without decisions, as all that follows from them."""
    p99: float | None
    slowest: float | None
    limit: float
    """The move limit."""
    share_of_limit: float | None
    """The slowest decision by the move limit; more than 1 with the bank's help."""
    pondered: float
    """CPU seconds used while others decided."""
    games: int
    """Games in which it has decided."""
    cpu: float | None
    """CPU seconds of all decisions; None if some games are of before this was kept, as
    all that follows."""
    slept: float | None
    """Seconds that it slept in its decisions; they are charged too."""
    wall: float | None
    """Seconds that its decisions took by the clock on the wall."""
    share_of_league: float | None
    """What it was charged for these decisions, as a part of what all bots were charged
    for all of theirs."""
    repeated: int
    """Requests that were asked again, as it was unclear why they had no answer."""
    histogram: tuple[tuple[float, int], ...]
    """How many decisions took up to so many seconds, in ascending order."""

    @property
    def verdict(self) -> str:
        """The slowest decision: `near the limit`, `over the limit`, or nothing."""
        share = self.share_of_limit
        if share is None or share <= NEAR_LIMIT:
            return ""
        return "near the limit" if share <= 1.0 else "over the limit"


class _Sums:
    """The decision times of some games of an entry."""

    def __init__(self, parts: Iterable["_Sums"] = ()) -> None:
        self.times = TimesCounter()
        self.games = 0
        self.is_complete = True
        """False if a game is of before it was kept what decisions take in all."""
        for part in parts:
            self._add(part.times.total(), part.games, is_complete=part.is_complete)

    def add(self, times: DecisionTimes) -> None:
        """Add a game."""
        has_decided = bool(times.counts)
        is_complete = not has_decided or times.wall > 0.0 or times.charged > 0.0
        self._add(times, int(has_decided), is_complete=is_complete)

    def _add(self, times: DecisionTimes, games: int, *, is_complete: bool) -> None:
        self.times.add(times)
        self.games += games
        self.is_complete &= is_complete


class TimesByEntry:
    """Adds up the decision times of all games, by entry and label."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], _Sums] = {}

    def add(self, record: GameRecord) -> None:
        """Add a game."""
        for entry, times in zip(record.seats, record.times, strict=True):
            key = entry, record.label
            own = self._sums.get(key)
            if own is None:
                own = self._sums[key] = _Sums()
            own.add(times)

    def rows(
        self, entries: Sequence[EntryInfo], labels: Sequence[str], limit: float
    ) -> Iterator[TimesRow]:
        """Yield a row for each entry and label it has games in, in this order."""
        league = _Sums(self._sums.values())
        charged = league.times.charged if league.is_complete else 0.0
        for entry in entries:
            own = {
                label: self._sums[entry.id, label]
                for label in labels
                if (entry.id, label) in self._sums
            }
            if own:
                whole = _Sums(own.values())
                yield _row(entry, _ALL, whole, limit, charged, is_total=True)
                for label, sums in own.items():
                    yield _row(entry, label, sums, limit, charged)


def _row(
    entry: EntryInfo,
    label: str,
    sums: _Sums,
    limit: float,
    charged: float,
    *,
    is_total: bool = False,
) -> TimesRow:
    """Return a row; `charged` are the seconds of all bots, 0 if they are not known."""
    times = sums.times
    is_known = times.decisions > 0
    is_complete = sums.is_complete
    return TimesRow(
        bot=entry.name,
        file=entry.file,
        label=label,
        is_total=is_total,
        decisions=times.decisions,
        median=times.quantile(0.5) if is_known else None,
        p99=times.quantile(0.99) if is_known else None,
        slowest=times.slowest if is_known else None,
        limit=limit,
        share_of_limit=times.slowest / limit if is_known else None,
        pondered=times.pondered,
        games=sums.games,
        cpu=max(0.0, times.charged - times.slept) if is_complete else None,
        slept=times.slept if is_complete else None,
        wall=times.wall if is_complete else None,
        share_of_league=times.charged / charged if charged else None,
        repeated=times.repeated,
        histogram=tuple(times.histogram()),
    )


def slow_bots(rows: Iterable[TimesRow], late: Set[str] = frozenset()) -> list[str]:
    """Return a sentence on who made a league wait by sleeping, and one by computing.

    They follow from the games that count, of this run and earlier ones, and need all of
    them to have the times.  Who was `late` in some has been asked again in others, and
    was quarantined in games that it had begun: what that took is in no record.
    """
    totals = [row for row in rows if row.is_total and row.games]
    slept = {row.bot: row.slept for row in totals if row.slept is not None}
    cpu = {row.bot: row.cpu for row in totals if row.cpu is not None}
    if len(cpu) < len(totals):
        return []
    charged = sum(slept.values()) + sum(cpu.values())
    least = max(_MIN_SLEPT_S, _MIN_SLEPT_SHARE * charged)
    sleepers = {bot: own for bot, own in slept.items() if own > least}
    games = {row.bot: row.games for row in totals}
    busy = {bot: own for bot, own in cpu.items() if _is_busy(bot, cpu, games)}
    return [*_sleepers(sleepers, late), *_busy_bots(busy, cpu)]


def repeated_bots(rows: Iterable[TimesRow]) -> list[str]:
    """Return a sentence on who was asked again, as nobody knew whose fault it was."""
    repeated = {row.bot: row.repeated for row in rows if row.is_total and row.repeated}
    if not repeated:
        return []
    return [
        f"{_names(repeated)} had to be asked again "
        f"{counted(sum(repeated.values()), 'time')}: the process was killed by the "
        "system or a person, or it could not be told whether it slept or waited for "
        "the machine; the third time in a game costs that game"
    ]


def _is_busy(bot: str, cpu: Mapping[str, float], games: Mapping[str, int]) -> bool:
    """True if a bot computes many times as long as the others do in as many games."""
    others = sum(cpu.values()) - cpu[bot]
    other_games = sum(games.values()) - games[bot]
    return cpu[bot] * other_games > _MANY_TIMES * others * games[bot]


def _sleepers(slept: Mapping[str, float], late: Set[str]) -> Iterator[str]:
    if slept:
        seconds = duration(sum(slept.values()))
        if not late.isdisjoint(slept):
            seconds = f"at least {seconds}"
        whose, whom = ("its", "it") if len(slept) == 1 else ("their", "them")
        yield (
            f"{_names(slept)} slept for {seconds} in {whose} decisions, and the others "
            f"in {whose} games waited for {whom}: sleep is charged like computing, so "
            f"{_REMEDY}"
        )


def _busy_bots(busy: Mapping[str, float], cpu: Mapping[str, float]) -> Iterator[str]:
    used, total = sum(busy.values()), sum(cpu.values())
    if used > max(_MIN_USED_S, _MIN_USED_SHARE * total):
        yield (
            f"{_names(busy)} used {100.0 * used / total:.0f} % of the computing time "
            f"of all {len(cpu)} bots ({duration(used)} of {duration(total)}): {_REMEDY}"
        )


def _names(amounts: Mapping[str, float]) -> str:
    """Return the bots with the most first, and no more than a few."""
    bots = sorted(amounts, key=lambda bot: (-amounts[bot], bot))
    if len(bots) <= _SHOWN_BOTS:
        return listed(bots)
    return some_of(bots[:_SHOWN_BOTS], len(bots), with_total=True)
