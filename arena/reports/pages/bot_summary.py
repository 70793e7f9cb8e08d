"""What a bot's page says first: where it stands, and what to do about it."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from arena.ratings.claims import Strengths, better
from arena.ratings.elo.pool import Bools
from arena.ratings.labels import label_strengths
from arena.reports.report import Report, ReportRow
from arena.reports.tables.columns import place_in
from arena.reports.tables.verdict import why
from arena.text import called, counted, listed

_MOST_NAMES = 4
"""Of more bots a sentence says how many they are."""


def bot_summary(report: Report, row: ReportRow) -> list[str]:
    """Return where a bot stands in a few sentences, the most important first.

    Without games there are none.
    """
    if not row.games:
        return []
    return [*_faults(report, row), *_orders(report, row), *_best_and_worst(report, row)]


def _orders(report: Report, row: ReportRow) -> Iterator[str]:
    """Yield whom it is surely better and worse than, and whom neither.

    In the table of all games, or in each game if it is not ranked there.  Nothing is
    sure of a league that is not finished.
    """
    if report.played < report.planned:
        return
    rank = {x.bot: i for i, x in enumerate(report.rows)}
    if report.overall is not None and row.bot in report.overall.entries:
        yield from _order(report.overall, row.bot, rank, "")
        return
    for board in report.boards:
        for strengths in () if board.fits is None else label_strengths(board.fits):
            if row.bot in strengths.entries:
                where = f"{board.label.label}: " if report.columns else ""
                yield from _order(strengths, row.bot, rank, where)


def _order(
    strengths: Strengths, bot: str, rank: Mapping[str, int], where: str
) -> Iterator[str]:
    found = compared(strengths, bot)
    above, level, below = (sorted(x, key=rank.__getitem__) for x in found)
    parts = [
        f"surely behind {_some(above)}" if above else "",
        f"surely ahead of {_some(below)}" if below else "",
        f"not to be told from {_some(level)} by these games" if level else "",
    ]
    told = "; ".join(filter(None, parts))
    if told:
        yield f"{where}{told}." if where else f"{told[0].upper()}{told[1:]}."


def compared(strengths: Strengths, bot: str) -> tuple[list[str], list[str], list[str]]:
    """Return who is surely better than a bot, who is neither, and who surely worse."""
    names = strengths.entries
    own = names.index(bot)
    is_better = better(strengths)
    above, below = is_better[:, own], is_better[own]

    def those(which: Bools) -> list[str]:
        return [names[i] for i in np.flatnonzero(which) if i != own]

    return those(above), those(~above & ~below), those(below)


def _best_and_worst(report: Report, row: ReportRow) -> Iterator[str]:
    """Yield the games of its best and its worst place.

    Only if the places that it may have in these are apart.
    """
    # At the first and at the last of them: which share of the bots is before it.
    first: dict[str, float] = {}
    last: dict[str, float] = {}
    for board in report.boards:
        label = board.label.label
        part = row.per_game.get(label)
        if part and part.rank_low is not None and part.rank_high is not None:
            players = len(board.pools[part.pool])
            first[label] = (part.rank_low - 1) / players
            last[label] = (part.rank_high - 1) / players
    if not first:
        return
    best, worst = min(last, key=last.__getitem__), max(first, key=first.__getitem__)
    if last[best] >= first[worst]:
        return
    places = {b.label.label: place_in(b, row) for b in report.boards}
    yield (
        f"Its best game is {best}, with place {places[best]}; its worst is {worst}, "
        f"with place {places[worst]}."
    )


def _faults(report: Report, row: ReportRow) -> Iterator[str]:
    own = [x for x in report.forfeits if x.bot == row.bot]
    if own:
        share = "all" if len(own) == row.games else f"{len(own):,} of"
        yield (
            f"It forfeits {share} {counted(row.games, 'game')}: {why(own)}. Repair "
            "that first: each is a loss."
        )


def _some(names: Sequence[str]) -> str:
    """Return the first names, and how many others there are."""
    told = [called(name) for name in names]
    rest = len(told) - _MOST_NAMES
    if rest < 2:
        return listed(told)
    return listed([*told[:_MOST_NAMES], f"{rest} others"])
