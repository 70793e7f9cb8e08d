"""How each bot plays, beside all others.

What is counted in a game comes from the game's folder (`arena.games.style`).  It tells
strategies: show it where all games may be watched, and on private pages.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from heapq import nsmallest
from math import sqrt
from multiprocessing import get_context

import msgspec

from arena.games import GameSpecError, get_game
from arena.games.style import Measure, Style, StyleError, find_style
from arena.league.config.info import LabelInfo
from arena.league.results.store import Store
from arena.plugins import load_plugins
from arena.referee.cores import count_cores
from arena.reports.games import Games
from arena.reports.report import Report

MAX_GAMES = 100
"""Of a bot under a label; so many are looked at."""
FROM_AHEAD = Measure(
    "(from ahead)",
    "Loses from ahead",
    "Of the games in which it was alone in front after half of all that happened, how "
    "many it lost.",
    is_share=True,
)
"""What is counted in every game, behind its own measures."""
_MIN_VALUES = 5
"""With fewer, a mean tells nothing of a bot."""
_MOST_IN_SUMMARY = 3
_MIN_DISTANCE = 0.2
"""Standard deviations: what is called a small difference (J. Cohen, "Statistical Power
Analysis for the Behavioral Sciences", 1988); less is not worth a word."""
_ERRORS = 4.0
"""Standard errors beyond which a difference is no luck: values of a game go together,
and there are many bots and measures."""
_ROUNDING = 1e-12
"""Of a square, at the most: that of many values that were added up."""
_GAMES = "(games)"
"""Counted as a measure: those that were looked at."""
_GAMES_PER_JOB = 200
_MIN_POOL_GAMES = 6000
"""Games from which more than one process is quicker."""


@dataclass(frozen=True, slots=True)
class StyleLine:
    """One measure of a bot, beside all others."""

    title: str
    """A few words."""
    about: str
    """One sentence: what exactly is counted."""
    is_share: bool
    """True if the means are shares, from 0 to 1."""
    own: float
    """The mean of all its values."""
    others: float | None
    """The mean of all values of all others together; None if they have too few."""
    values: int
    """Its own, of which `own` is the mean."""
    distance: float = 0.0
    """How far it is from the others, in standard deviations of all values; 0 where luck
    may have made the difference."""

    @property
    def own_text(self) -> str:
        """As it is shown: `62 %` or `2.4`."""
        return self._text(self.own)

    @property
    def others_text(self) -> str:
        """The same of the others; empty if they have too few values."""
        return "" if self.others is None else self._text(self.others)

    def _text(self, mean: float) -> str:
        return f"{100.0 * mean:.0f} %" if self.is_share else f"{mean:.1f}"


@dataclass(frozen=True, slots=True)
class LabelStyle:
    """How a bot plays under a label."""

    label: str
    games: int
    """Of its own, that were looked at."""
    lines: tuple[StyleLine, ...]
    """In the order of the game's measures, then `FROM_AHEAD`; those without enough
    values left out."""

    @property
    def summary(self) -> str:
        """The measures in which it differs most, in a sentence; empty if in none.

        What it does comes before what follows from it.
        """
        far = [line for line in self.lines if line.distance >= _MIN_DISTANCE]
        far.sort(key=lambda line: (line.title == FROM_AHEAD.title, -line.distance))
        told = [
            f"{line.title[0].lower()}{line.title[1:]} {line.own_text} (others "
            f"{line.others_text})"
            for line in far[:_MOST_IN_SUMMARY]
        ]
        return f"Most unlike the others: {'; '.join(told)}." if told else ""


@dataclass(frozen=True, slots=True)
class PlayingStyles:
    """How all bots play."""

    by_bot: Mapping[str, tuple[LabelStyle, ...]]
    """In the league's order; labels left out where nothing can be said."""
    problems: tuple[str, ...]
    """Why there is no style of a game, a sentence each."""


class _Game(msgspec.Struct, frozen=True, array_like=True):
    """A game to be looked at."""

    bots: tuple[str, ...]
    """In seat order; empty where nothing is to be counted."""
    lost: tuple[bool, ...]
    """In seat order."""
    history: tuple[str, ...]


class _Job(msgspec.Struct, frozen=True):
    """Games of a label."""

    label: LabelInfo
    games: tuple[_Game, ...]


class _Sum:
    """Values that are added up."""

    __slots__ = ("squares", "total", "values")

    def __init__(self) -> None:
        self.values = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, values: int, total: float, squares: float) -> None:
        self.values += values
        self.total += total
        self.squares += squares

    def add_value(self, value: float) -> None:
        self.add(1, value, value * value)


_Sums = dict[tuple[str, str], _Sum]
"""By bot and the name of a measure."""


def playing_styles(store: Store, report: Report, games: Games) -> PlayingStyles:
    """Look at the games of all bots of a report, at most `MAX_GAMES` of each a label.

    Those with the lowest ids are taken, which are hashes; what a bot has forfeited
    tells nothing of its style.

    Raises:
        RecordError: the store is damaged.
    """
    styles: dict[str, Style] = {}
    problems = []
    for board in report.boards:
        label = board.label
        try:
            style = find_style(get_game(label.game, label.players, label.options))
        except (GameSpecError, StyleError) as error:
            problems.append(str(error))
        else:
            if style is not None:
                styles[label.label] = style
    chosen = _chosen(games, styles)
    sums: dict[str, _Sums] = defaultdict(lambda: defaultdict(_Sum))
    for label_name, found in _counted(_jobs(store, report, chosen), len(chosen)):
        if isinstance(found, str):
            problems.append(found)
            styles.pop(label_name, None)
            continue
        for key, parts in found.items():
            sums[label_name][key].add(*parts)
    by_bot: dict[str, list[LabelStyle]] = {row.bot: [] for row in report.rows}
    for name, style in styles.items():
        totals = _totals(sums[name])
        for bot, own in by_bot.items():
            measures = *style.measures, FROM_AHEAD
            lines = _lines(bot, measures, sums[name], totals)
            if lines:
                number = sums[name][bot, _GAMES].values
                own.append(LabelStyle(name, number, lines))
    return PlayingStyles(
        {bot: tuple(own) for bot, own in by_bot.items()},
        tuple(dict.fromkeys(problems)),
    )


def _chosen(games: Games, styles: Mapping[str, Style]) -> dict[str, set[str]]:
    """Return the games to be looked at by id, each with the bots to be counted."""
    refs = games.refs
    of_bot: dict[tuple[str, str], list[str]] = defaultdict(list)
    for game_id, i, j in zip(refs.ids, refs.seating, refs.end, strict=True):
        seating, end = refs.seatings[i], refs.ends[j]
        if seating.label in styles:
            for bot, forfeited in zip(seating.bots, end.forfeits, strict=True):
                if not forfeited:
                    of_bot[seating.label, bot].append(game_id)
    chosen: dict[str, set[str]] = defaultdict(set)
    for (_, bot), ids in of_bot.items():
        for game_id in nsmallest(MAX_GAMES, ids):
            chosen[game_id].add(bot)
    return chosen


def _jobs(
    store: Store, report: Report, chosen: Mapping[str, set[str]]
) -> Iterator[_Job]:
    labels = {board.label.label: board.label for board in report.boards}
    waiting: dict[str, list[_Game]] = defaultdict(list)
    for record in store.records(history=True) if chosen else ():
        wanted = chosen.get(record.game_id)
        if wanted is None:
            continue
        names = [report.names[entry] for entry in record.seats]
        bots = tuple([name if name in wanted else "" for name in names])
        own = waiting[record.label]
        lost = tuple([place > 1 for place in record.places])
        own.append(_Game(bots, lost, record.history))
        if len(own) == _GAMES_PER_JOB:
            yield _Job(labels[record.label], tuple(own))
            own.clear()
    for label, own in waiting.items():
        if own:
            yield _Job(labels[label], tuple(own))


_Found = dict[tuple[str, str], tuple[int, float, float]] | str
"""The parts of `_Sums`; or why there are none, a sentence."""


def _counted(jobs: Iterable[_Job], games: int) -> Iterator[tuple[str, _Found]]:
    """Yield the label of each job and what is found in it, whoever does it.

    `games` is the number of all of them.  Few wait at any time: there may be many.
    """
    processes = count_cores()
    if games < _MIN_POOL_GAMES or processes == 1:
        yield from ((job.label.label, _count(job)) for job in jobs)
        return
    with ProcessPoolExecutor(
        processes, get_context("spawn"), initializer=load_plugins
    ) as pool:
        waiting: deque[tuple[str, Future[_Found]]] = deque()
        for job in jobs:
            waiting.append((job.label.label, pool.submit(_count, job)))
            if len(waiting) > 2 * processes:
                label, done = waiting.popleft()
                yield label, done.result()
        for label, done in waiting:
            yield label, done.result()


def _count(job: _Job) -> _Found:
    label = job.label
    sums: _Sums = defaultdict(_Sum)
    try:
        style = find_style(get_game(label.game, label.players, label.options))
        assert style is not None
        for game in job.games:
            for bot in filter(None, game.bots):
                sums[bot, _GAMES].add_value(0.0)
            for seat, measure, value in style.count(game.history):
                if game.bots[seat]:
                    sums[game.bots[seat], measure].add_value(value)
            leader = style.leader(game.history)
            if leader is not None and game.bots[leader]:
                key = game.bots[leader], FROM_AHEAD.name
                sums[key].add_value(game.lost[leader])
    except (GameSpecError, StyleError) as error:
        return str(error)
    return {key: (x.values, x.total, x.squares) for key, x in sums.items()}


def _totals(sums: _Sums) -> dict[str, _Sum]:
    """Return the sums over all bots, by measure."""
    totals: dict[str, _Sum] = defaultdict(_Sum)
    for (_, measure), own in sums.items():
        totals[measure].add(own.values, own.total, own.squares)
    return totals


def _lines(
    bot: str, measures: Iterable[Measure], sums: _Sums, totals: Mapping[str, _Sum]
) -> tuple[StyleLine, ...]:
    lines = []
    for measure in measures:
        own = sums.get((bot, measure.name))
        if own is None or own.values < _MIN_VALUES:
            continue
        all_bots = totals[measure.name]
        values = all_bots.values - own.values
        others = None
        if values >= _MIN_VALUES:
            others = (all_bots.total - own.total) / values
        lines.append(
            StyleLine(
                measure.title,
                measure.about,
                measure.is_share,
                own.total / own.values,
                others,
                own.values,
                0.0 if others is None else _distance(own, all_bots),
            )
        )
    return tuple(lines)


def _distance(own: _Sum, all_bots: _Sum) -> float:
    """Return how far a mean is from that of the others, as `StyleLine.distance`."""
    others = all_bots.values - own.values
    difference = abs(own.total / own.values - (all_bots.total - own.total) / others)
    mean = all_bots.total / all_bots.values
    variance = all_bots.squares / all_bots.values - mean * mean
    # Equal values may differ by what sums of them are rounded by.
    if variance <= _ROUNDING * mean * mean:
        return 0.0
    if difference <= _ERRORS * sqrt(variance * (1 / own.values + 1 / others)):
        return 0.0
    return difference / sqrt(variance)
