"""One bot against another: does it score more than so much, and after how many games?

One definition with the crosstable: the fixture is the trial, and the confidence is that
of the score test which its interval inverts (`crosstable.py`). One-sided: confidence
.975 above 1/2 is exactly an interval above 1/2.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from scipy.special import ndtri, stdtrit

from arena.ratings.claims import MOST_GAMES, POWER, about
from arena.ratings.elo.pool import Ints, Pool, add_up
from arena.ratings.match_ups.meetings import (
    Meetings,
    add_fixtures,
    meetings,
    superiority_over,
    trials_of,
)


@dataclass(frozen=True, slots=True)
class Duel:
    """The games of a bot against another; those that explore are left out."""

    games: int
    fixtures: int
    score: float
    """Share of the games in which it finished ahead, a shared place being half."""
    trials: float
    """Number of independent trials that would scatter as the fixtures do."""

    def confidence(self, score: float = 0.5) -> float:
        """Return the confidence that it would score more than `score` in the long run.

        For 1/2 the superiority of the crosstable.
        """
        columns = np.array([[self.fixtures], [self.score], [self.trials]])
        return float(superiority_over(score, *columns)[0])

    def more_games(self, score: float, confidence: float) -> int | None:
        """Return about how many more games decide whether it scores more than `score`.

        With probability 80 %, if its score is what it seems now and fixtures go on to
        scatter as they do; with so much `confidence` for the one or the other.  Rounded
        up to two digits.  None where it is too close to say.
        """
        spread = sqrt(score * (1.0 - score) * self.fixtures / self.trials)
        effect = abs(self.score - score) / spread
        if effect == 0.0:
            return None
        per_fixture = self.games / self.fixtures
        most = int(MOST_GAMES / per_fixture) + 1

        def decides(fixtures: int) -> bool:
            needed = float(stdtrit(fixtures, confidence)) + float(ndtri(POWER))
            return effect * sqrt(fixtures) >= needed

        more = bisect_left(
            range(1, most), True, key=lambda n: decides(self.fixtures + n)
        )
        return about((more + 1) * per_fixture if more + 1 < most else inf)


def duels(pools: Iterable[Pool], opponent: str) -> dict[str, Duel]:
    """Return the duel of each bot with the opponent, by the bot's name.

    Of all pools together, each game counting once.  Who has not met it is left out.
    """
    index: dict[str, int] = {}
    parts = []
    for pool in pools:
        if opponent in pool.entries:
            number = pool.entries.index(opponent)
            own = [index.setdefault(name, len(index)) for name in pool.entries]
            parts.append(_against(meetings(pool), number, np.array(own, np.int64)))
    if not parts:
        return {}
    part = Meetings(*map(np.concatenate, zip(*parts, strict=True)))
    numbers = add_fixtures(part, part.first, len(index), part.score)
    fixtures, share, _ = numbers
    trials = trials_of(*numbers)
    counted = part.first[~part.explores]
    games = add_up(counted, part.games[~part.explores], len(index))
    return {
        name: Duel(int(games[i]), int(fixtures[i]), float(share[i]), float(trials[i]))
        for name, i in sorted(index.items())
        if games[i]
    }


def _against(part: Meetings, opponent: int, index: Ints) -> Meetings:
    """Return the meetings with one opponent, which is the second of each.

    `index` has what the entries of the pool are called instead.
    """
    turned = part.first == opponent
    bots = np.where(turned, part.second, part.first)
    score = np.where(turned, part.games - part.score, part.score)
    luck = np.where(turned, -part.luck, part.luck)
    met = turned | (part.second == opponent)
    whole = part._replace(first=index[bots], score=score, luck=luck)
    return Meetings(*(column[met] for column in whole))
