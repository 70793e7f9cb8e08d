"""One bot against another: does it score more than so much, and after how many games?

The fixture is the trial, as in the crosstable (`crosstable.py`).  In one label, with C
fixtures, a share p of their games won, a mean score q of these without the luck that is
taken out of them, and Q the sum of the squared differences between a fixture's score
and q, the test of a score s is

    z = (q - s) / √v,   v = (Q + f) / C² · max(1, s (1 - s) / e),
    e = [(C - 1) p (1 - p) + f] / C,

by Student's t for C degrees of freedom.  The first factor is the variance that the
fixtures show, f = 1/8 being what a fixture of two even and independent games adds to Q.
The second makes it a score test, such as Wilson's interval inverts: the variance is
that of a score of s, and not of a p that luck has brought near 0 or 1, where games
hardly scatter.  Without luck, q may leave [0, 1] and is not binomial, but p is, and a
clean record remains one: so p says how near the end it is, and Q how much luck there is
left.  The maximum is for p nearer to 1/2 than s is, where the fixtures say more than s
would; at s = 1/2 it never matters.  There the confidence is the superiority of the
crosstable, unless the score has left [0, 1].

Of several labels the score is the mean by weight, with the sum of weight² v as its
variance, and the degrees of freedom of Welch and Satterthwaite.  What each label would
score if the mean was s is the likeliest, with C² e / (Q + f) trials in each (O. S.
Miettinen and M. Nurminen, Statistics in Medicine 4, 1985).  Of one label that is s.

How often it is wrong, as simulated, stands in `tests/benchmarks/ratings.py marks`.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri, stdtr, stdtrit

from arena.ratings.claims import MOST_GAMES, POWER, about
from arena.ratings.elo.pool import Pool, add_up
from arena.ratings.match_ups.meetings import (
    Meetings,
    add_fixtures,
    meetings,
    trials_of,
)


@dataclass(frozen=True, slots=True)
class LabelDuel:
    """The games of a bot against another in one label; those that explore are left out.

    With `score` and `scatter` of scores from which luck is taken.
    """

    games: int
    fixtures: int
    won: float
    """Share of the games in which it finished ahead, a shared place being half."""
    score: float
    """The same without luck; it may leave [0, 1]."""
    scatter: float
    """Q + f, as above."""

    @property
    def trials(self) -> float:
        """The number of independent trials that would scatter as the fixtures do."""
        return float(trials_of(*np.array([self.fixtures, self.won, self.scatter])))

    def variance(self, score: float) -> float:
        """Return the variance of its score, if it was `score` in the long run."""
        shown = self.scatter / self.fixtures**2
        return max(shown, score * (1.0 - score) / self.trials)


@dataclass(frozen=True, slots=True)
class Duel:
    """The games of a bot against another, in all labels that count."""

    labels: Sequence[LabelDuel]
    shares: Sequence[float]
    """What part each label is of the score; 1 in all, or less if some part is lost."""

    @property
    def games(self) -> int:
        """Those of all labels."""
        return sum(label.games for label in self.labels)

    @property
    def won(self) -> float:
        """Share of the games that it won: the mean of the labels."""
        return self._mean([label.won for label in self.labels])

    @property
    def score(self) -> float:
        """The same without the luck that is taken out."""
        return self._mean([label.score for label in self.labels])

    def confidence(self, score: float = 0.5) -> float:
        """Return the confidence that it would score more than `score` in the long run.

        `score` is less than the sum of the shares.
        """
        z, df = self._test(score)
        return float(stdtr(df, z))

    def more_games(self, score: float, passes: float, fails: float) -> int | None:
        """Return about how many more games decide whether it scores more than `score`.

        With probability 80 %, if its score is what it seems now and fixtures go on to
        scatter as they do, in all labels alike; to the confidence `passes` for the one,
        `fails` for the other.  Rounded up to two digits.  None if it is more than
        `MOST_GAMES`.
        """
        z, df = self._test(score)
        confidence = passes if z > 0.0 else fails
        fixtures = sum(label.fixtures for label in self.labels)
        per_fixture = self.games / fixtures
        most = int(MOST_GAMES / per_fixture) + 1

        def decides(more: int) -> bool:
            times = (fixtures + more) / fixtures
            needed = float(stdtrit(df * times, confidence)) + float(ndtri(POWER))
            return abs(z) * sqrt(times) >= needed

        more = bisect_left(range(1, most), True, key=decides)
        return about((more + 1) * per_fixture if more + 1 < most else inf)

    def _mean(self, scores: Sequence[float]) -> float:
        return sum(part * own for part, own in zip(self.shares, scores, strict=True))

    def _test(self, score: float) -> tuple[float, float]:
        """Return z and its degrees of freedom."""
        parts = [
            share**2 * label.variance(supposed)
            for label, share, supposed in zip(
                self.labels, self.shares, self._supposed(score), strict=True
            )
        ]
        inexact = sum(
            part**2 / label.fixtures
            for label, part in zip(self.labels, parts, strict=True)
        )
        variance = sum(parts)
        return (self.score - score) / sqrt(variance), variance**2 / inexact

    def _supposed(self, score: float) -> list[float]:
        """Return the likeliest score of each label, if their mean was `score`."""
        if len(self.labels) == 1:
            return [score / self.shares[0]]

        def excess(pull: float) -> float:
            return self._mean(self._at(pull)) - score

        low, high = -1.0, 1.0
        while excess(low) < 0.0:
            low *= 2.0
        while excess(high) > 0.0:
            high *= 2.0
        return self._at(brentq(excess, low, high, xtol=1e-12))

    def _at(self, pull: float) -> list[float]:
        """Return the scores of all labels, pulled as their shares are."""
        return [
            _pulled(min(max(label.score, 0.0), 1.0), pull * share / label.trials)
            for label, share in zip(self.labels, self.shares, strict=True)
        ]


def _pulled(score: float, pull: float) -> float:
    """Return the x where (score - x) / x (1 - x) is the pull: a lower one if positive.

    That is the derivative of a trial's log-likelihood.
    """
    if pull < 0.0:
        return 1.0 - _pulled(1.0 - score, -pull)
    return (
        2.0
        * score
        / (1.0 + pull + sqrt(max(0.0, (1.0 + pull) ** 2 - 4.0 * pull * score)))
    )


def duels(pools: Mapping[str, Pool], opponent: str) -> dict[str, dict[str, LabelDuel]]:
    """Return the duels of each bot with the opponent: by the bot's name, and by label.

    The luck of the pools is taken out of all scores.  Who has not met the opponent is
    left out, and so are labels where they have not met.
    """
    found: dict[str, dict[str, LabelDuel]] = {}
    for label, pool in pools.items():
        if opponent in pool.entries:
            for name, duel in _duels(pool, pool.entries.index(opponent)):
                found.setdefault(name, {})[label] = duel
    return dict(sorted(found.items()))


def _duels(pool: Pool, opponent: int) -> Iterator[tuple[str, LabelDuel]]:
    part = _against(meetings(pool), opponent)
    bots = len(pool.entries)
    fixtures, won, _ = add_fixtures(part, part.first, bots, part.score)
    _, score, scatter = add_fixtures(part, part.first, bots, part.score - part.luck)
    games = add_up(part.first, part.games * ~part.explores, bots)
    for i, name in enumerate(pool.entries):
        if games[i]:
            yield (
                name,
                LabelDuel(
                    games=int(games[i]),
                    fixtures=int(fixtures[i]),
                    won=float(won[i]),
                    score=float(score[i]),
                    scatter=float(scatter[i]),
                ),
            )


def _against(part: Meetings, opponent: int) -> Meetings:
    """Return the meetings with one opponent, which is the second of each."""
    turned = part.first == opponent
    whole = part._replace(
        first=np.where(turned, part.second, part.first),
        score=np.where(turned, part.games - part.score, part.score),
        luck=np.where(turned, -part.luck, part.luck),
    )
    met = turned | (part.second == opponent)
    return Meetings(*(column[met] for column in whole))
