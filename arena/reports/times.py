"""The decision times of each bot, by label and over all games."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.league.config.info import EntryInfo
from arena.records.decision_times import TimesCounter
from arena.records.game_record import GameRecord

_ALL = "all"
"""Label of the row of all labels together."""
NEAR_LIMIT = 0.8
"""Share of the move limit that is worth a word."""


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
    histogram: tuple[tuple[float, int], ...]
    """How many decisions took up to so many seconds, in ascending order."""

    @property
    def verdict(self) -> str:
        """The slowest decision: `near the limit`, `over the limit`, or nothing."""
        share = self.share_of_limit
        if share is None or share <= NEAR_LIMIT:
            return ""
        return "near the limit" if share <= 1.0 else "over the limit"


class TimesByEntry:
    """Adds up the decision times of all games, by entry and label."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, str], TimesCounter] = {}

    def add(self, record: GameRecord) -> None:
        """Add a game."""
        for entry, times in zip(record.seats, record.times, strict=True):
            key = entry, record.label
            own = self._times.get(key)
            if own is None:
                own = self._times[key] = TimesCounter()
            own.add(times)

    def rows(
        self, entries: Sequence[EntryInfo], labels: Sequence[str], limit: float
    ) -> Iterator[TimesRow]:
        """Yield a row for each entry and label it has games in, in this order."""
        for entry in entries:
            own = {
                label: self._times[entry.id, label]
                for label in labels
                if (entry.id, label) in self._times
            }
            if own:
                whole = TimesCounter(times.total() for times in own.values())
                yield _row(entry, _ALL, whole, limit, is_total=True)
                for label, times in own.items():
                    yield _row(entry, label, times, limit)


def _row(
    entry: EntryInfo,
    label: str,
    times: TimesCounter,
    limit: float,
    *,
    is_total: bool = False,
) -> TimesRow:
    is_known = times.decisions > 0
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
        histogram=tuple(times.histogram()),
    )
