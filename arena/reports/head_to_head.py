"""What every bot scored against each other, and what their Elo predicts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from arena.ratings import Fit
from arena.reports.game_refs import Seating
from arena.reports.report import Board

_MIN_GAMES = 10
"""With fewer games under a label, a bot has no upsets."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The games of a bot against another under a label."""

    label: str
    opponent: str
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    """Of the bot itself."""
    score: float
    """Mean, 0 to 1, a shared place being half: as in the crosstable."""
    expected: float | None
    """The score that the Elo of both predicts; None where one has none."""


class Chances:
    """The scores that the Elo of a label predicts.

    Of two bots at a table, the one that the fit puts d Elo above the other, seats
    included, scores 1 / (1 + 10^(-d/400)) (`arena.ratings.elo.fit`).
    """

    def __init__(self, board: Board) -> None:
        fit: Fit | None = None if board.fits is None else board.fits.fit
        tallies = {} if board.fits is None else board.fits.tallies
        self._elo = {r.entry: r.elo for r in fit.ratings} if fit else {}
        self._seats = (
            {(t.players, t.seat): t.elo for t in fit.seat_terms} if fit else {}
        )
        self._known = {bot for bot, own in tallies.items() if own.games >= _MIN_GAMES}

    def score(self, bots: tuple[str, ...], seat: int, other: int) -> float | None:
        """Return the score of a seat against another; None where one has no Elo."""
        mine, theirs = self._strength(bots, seat), self._strength(bots, other)
        if mine is None or theirs is None:
            return None
        return float(1.0 / (1.0 + 10.0 ** ((theirs - mine) / 400.0)))

    def knows(self, bot: str) -> bool:
        """Return True if a bot has enough games to trust its Elo."""
        return bot in self._known

    def _strength(self, bots: tuple[str, ...], seat: int) -> float | None:
        elo = self._elo.get(bots[seat])
        # The first seat is what the others are compared with; that of others may be
        # impossible to tell from strength.
        return None if elo is None else elo + self._seats.get((len(bots), seat), 0.0)


class GameCount(NamedTuple):
    """The number of games with the same seating and result; in seat order."""

    seating: Seating
    places: tuple[int, ...]
    forfeits: tuple[bool, ...]
    number: int


class _Sum:
    """Adds up the games of one bot against another."""

    __slots__ = ("draws", "expected", "forfeits", "games", "is_known", "wins")

    def __init__(self) -> None:
        self.games = self.wins = self.draws = self.forfeits = 0
        self.expected = 0.0
        self.is_known = True


def head_to_head_by_bot(
    counts: Iterable[GameCount],
    chances: Mapping[str, Chances],
    order: Iterable[str],
) -> dict[str, tuple[HeadToHead, ...]]:
    """Return the scores of each bot, by label, then by opponent in `order`."""
    sums: dict[str, dict[tuple[str, str], _Sum]] = defaultdict(dict)
    for seating, places, forfeits, number in counts:
        for seat, other in permutations(range(len(seating.bots)), 2):
            own = sums[seating.bots[seat]]
            key = seating.label, seating.bots[other]
            found = own.get(key) or own.setdefault(key, _Sum())
            found.games += number
            found.wins += number * (places[seat] < places[other])
            found.draws += number * (places[seat] == places[other])
            found.forfeits += number * forfeits[seat]
            score = chances[seating.label].score(seating.bots, seat, other)
            found.is_known &= score is not None
            found.expected += number * (score or 0.0)
    names = list(order)
    return {bot: tuple(_sorted(own, list(chances), names)) for bot, own in sums.items()}


def _sorted(
    own: Mapping[tuple[str, str], _Sum], labels: Iterable[str], names: Iterable[str]
) -> Iterator[HeadToHead]:
    for label in labels:
        for opponent in names:
            found = own.get((label, opponent))
            if found is not None:
                yield HeadToHead(
                    label=label,
                    opponent=opponent,
                    games=found.games,
                    wins=found.wins,
                    draws=found.draws,
                    losses=found.games - found.wins - found.draws,
                    forfeits=found.forfeits,
                    score=(found.wins + found.draws / 2) / found.games,
                    expected=found.expected / found.games if found.is_known else None,
                )
