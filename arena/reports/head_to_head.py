"""What every bot scored against each other, and what their Elo predicts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple

from arena.ratings import Fit
from arena.reports.game_refs import Seating
from arena.reports.report import Board

_MIN_GAMES = 10
"""With fewer games under a label, a bot has no upsets."""


@dataclass(slots=True)
class HeadToHead:
    """The games of a bot against another under a label, added up."""

    label: str
    opponent: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    forfeits: int = 0
    """Of the bot itself."""
    expected_points: float | None = 0.0
    """The points that the Elo of both predicts; None where one has none."""

    @property
    def losses(self) -> int:
        """Games that it has neither won nor drawn."""
        return self.games - self.wins - self.draws

    @property
    def score(self) -> float:
        """Mean, 0 to 1, a shared place being half: as in the crosstable."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def expected(self) -> float | None:
        """The score that the Elo of both predicts; None where one has none."""
        points = self.expected_points
        return None if points is None else points / self.games


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


def head_to_head_by_bot(
    counts: Iterable[GameCount],
    chances: Mapping[str, Chances],
    order: Iterable[str],
) -> dict[str, tuple[HeadToHead, ...]]:
    """Return the scores of each bot, by label, then by opponent in `order`."""
    found: dict[str, dict[tuple[str, str], HeadToHead]] = defaultdict(dict)
    for seating, places, forfeits, number in counts:
        for seat, other in permutations(range(len(seating.bots)), 2):
            key = seating.label, seating.bots[other]
            own = found[seating.bots[seat]].setdefault(key, HeadToHead(*key))
            own.games += number
            own.wins += number * (places[seat] < places[other])
            own.draws += number * (places[seat] == places[other])
            own.forfeits += number * forfeits[seat]
            score = chances[seating.label].score(seating.bots, seat, other)
            if score is None or own.expected_points is None:
                own.expected_points = None
            else:
                own.expected_points += number * score
    keys = list(product(chances, order))
    return {
        bot: tuple(by_key[key] for key in keys if key in by_key)
        for bot, by_key in found.items()
    }
