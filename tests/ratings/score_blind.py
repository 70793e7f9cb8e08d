"""Leagues of Zombie Dice between bots that never look at the score.

So how likely each beats each is known exactly, and with it what a fit should find.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from exact_scores import chance_to_win, turn_scores
from simulated import every_pair, projected

from arena.games import TERMINAL, Game, Table, derive_seed
from arena.games.luck import find_value, luck_of
from arena.ratings import MEAN_ELO, Result
from arena.ratings.claims import Strengths, better
from arena.ratings.elo.fit import fit_pool
from arena.ratings.elo.luck_share import take_luck
from arena.ratings.elo.pool import Bools, Floats, build_pool

LABEL = "zombie_dice"


class Blind(NamedTuple):
    """Stops with a brain, and so many brains or so many shotguns."""

    brains: int
    shotguns: int

    @property
    def name(self) -> str:
        """What it is called; no two have the same."""
        return f"{self.brains} brains or {self.shotguns} shotguns"

    def stops(self, brains: int, shotguns: int) -> bool:
        """Say whether it stops with so many in its turn."""
        return brains > 0 and (brains >= self.brains or shotguns >= self.shotguns)

    def decide(self, obs: Any) -> str:
        """Return its action in any game of Zombie Dice; it never boards the bus."""
        legal = obs.legal_actions
        if "stop" in legal and self.stops(obs.brains, obs.shotguns):
            return "stop"
        return "roll" if "roll" in legal else str(legal[0])


SOURCE = """
from arena import Bot


class Blind(Bot):
    def __init__(self, brains, shotguns):
        self.most = brains, shotguns

    def zombie_dice(self, obs):
        brains, shotguns = self.most
        enough = obs.brains >= brains or obs.shotguns >= shotguns
        return "stop" if obs.brains and enough else "roll"
"""
"""The same as a student would write it: the class `Blind` of a bot file."""

NEVER = 99
"""More brains than a turn brings."""

BOTS = (
    Blind(5, 2),
    Blind(NEVER, 2),
    Blind(3, 2),
    Blind(3, 3),
    Blind(4, 3),
    Blind(5, 1),
    Blind(2, 2),
    Blind(3, 1),
)
"""From the best to the worst, about 175 Elo apart."""


def exact_chances(bots: Sequence[Blind], game: Game) -> Floats:
    """Return how likely the row beats the column in the base game, a tie being half.

    Both have equally many turns and look at nothing, so the seat makes no difference.
    """
    banked = [turn_scores(bot.stops).banked for bot in bots]
    found = np.full((len(bots), len(bots)), 0.5)
    for i, j in combinations(range(len(bots)), 2):
        found[i, j] = chance_to_win(
            banked[i],
            banked[j],
            game.options.target or 13,
            game.options.tiebreak_rounds,
        )
        found[j, i] = 1.0 - found[i, j]
    return found


class Played(NamedTuple):
    """Fixtures of two games with swapped seats: what the first bot of each pair got.

    All arrays are pairs by leagues by fixtures by 2, pairs in the order of
    `combinations`; in the last game of a fixture the second bot has seat 0.
    """

    bots: Sequence[Blind]
    score: Floats
    """1, 0.5 or 0."""
    luck: Floats

    @property
    def leagues(self) -> int:
        """How many leagues the fixtures make."""
        return int(self.score.shape[1])

    def results(self, league: int, *, paired: bool) -> list[Result]:
        """Return the games of a league, in fixtures or each in one of its own.

        For the latter the swapped games are those of the next league, which have luck
        of their own: as many games, and no luck twice.
        """
        found = []
        _, leagues, fixtures, _ = self.score.shape
        for pair, (i, j) in enumerate(every_pair(len(self.bots)).tolist()):
            names = self.bots[i].name, self.bots[j].name
            for number in range(fixtures):
                for swapped in (0, 1):
                    at = pair, league, number, swapped
                    if swapped and not paired:
                        at = pair, (league + 1) % leagues, number, swapped
                    score, luck = float(self.score[at]), float(self.luck[at])
                    fixture = f"{pair} {number}" + (f" {swapped}" if not paired else "")
                    places = (1 if score >= 0.5 else 2, 1 if score <= 0.5 else 2)
                    found.append(
                        Result(
                            LABEL,
                            fixture,
                            names[::-1] if swapped else names,
                            places[::-1] if swapped else places,
                            (False, False),
                            (-luck,) if swapped else (luck,),
                        )
                    )
        return found

    def correlation(self, *, adjusted: bool) -> float:
        """Return how the two scores of a bot in a fixture correlate; mean of pairs."""
        score = self.score - self.luck if adjusted else self.score
        both = score.reshape(len(score), -1, 2)
        return float(np.mean([np.corrcoef(x.T)[0, 1] for x in both]))


def play_leagues(
    game: Game, bots: Sequence[Blind], leagues: int, fixtures: int
) -> Played:
    """Play so many leagues, each with so many fixtures of every pair."""
    value = find_value(game)
    assert value is not None
    pairs = list(combinations(bots, 2))
    score = np.zeros((len(pairs), leagues, fixtures, 2))
    luck = np.zeros_like(score)
    for at in np.ndindex(score.shape):
        *fixture, swapped = at
        seats = pairs[at[0]][::-1] if swapped else pairs[at[0]]
        table = Table(game, derive_seed("leagues of four", *fixture))
        while (seat := table.advance()) != TERMINAL:
            table.act(seats[seat].decide(table.state.observation(seat)))
        first = table.state.returns()[0]
        (found,) = luck_of(value, table.history)
        score[at] = 1.0 - first if swapped else first
        luck[at] = -found if swapped else found
    return Played(bots, score, luck)


class Estimator(NamedTuple):
    """A way to rate a league of as many games."""

    name: str
    paired: bool
    taken: str
    """Of luck: none, all, or the share that helps."""
    study: float | None
    """RMSE that the study found, in Elo, with 8 bots and 10 fixtures a pair."""


ESTIMATORS = (
    Estimator("results, independent", False, "none", 26.9),
    Estimator("results, seat-paired", True, "none", 19.3),
    Estimator("all luck taken, independent", False, "all", 11.1),
    Estimator("all luck taken, seat-paired", True, "all", 10.0),
    Estimator("luck taken as it helps, seat-paired", True, "share", None),
)


class Rated(NamedTuple):
    """What an estimator made of all leagues: leagues by bots."""

    errors: Floats
    """Elo less the exact Elo."""
    covered: Bools
    """Whether the 95 % interval holds the exact Elo."""
    half_widths: Floats
    champions: Bools
    """Whether the best bot has the highest Elo: one a league."""
    decided: Floats
    """Pairs that are told apart: one a league."""
    wrong: Bools
    """Whether one of them is told apart the wrong way: one a league."""

    @property
    def rmse(self) -> float:
        """Root of the mean square error, in Elo."""
        return float(np.sqrt(np.square(self.errors).mean()))

    @property
    def rmse_error(self) -> float:
        """The standard error of that, from the scatter of the leagues."""
        squares = np.square(self.errors).mean(axis=1)
        scatter = np.sqrt(squares.var(ddof=1) / len(squares))
        return float(scatter / (2.0 * self.rmse))


def rate(played: Played, chance: Floats, estimator: Estimator) -> Rated:
    """Fit every league, and compare with a fit of endless games."""
    truth = MEAN_ELO + projected(chance)
    names = [bot.name for bot in played.bots]
    elos, lows, highs, decided, wrong = [], [], [], [], []
    for league in range(played.leagues):
        pool = build_pool(played.results(league, paired=estimator.paired))
        if estimator.taken == "share":
            taken = take_luck(pool)
            assert taken is not None
            pool = taken.pool
        found = fit_pool(pool, LABEL, None, adjusted=estimator.taken != "none")
        ratings = {rating.entry: rating for rating in found.ratings}
        elos.append([ratings[name].elo for name in names])
        lows.append([ratings[name].elo_low for name in names])
        highs.append([ratings[name].elo_high for name in names])
        order = [pool.entries.index(name) for name in names]
        variance = found.variance()[np.ix_(order, order)]
        games = np.full(len(names), pool.games)
        strengths = Strengths(
            tuple(names), np.array(elos[-1]), variance, games, found.df
        )
        apart = better(strengths)
        decided.append(apart.sum())
        wrong.append((apart & (truth[:, None] < truth)).any())
    elo, low, high = np.array(elos), np.array(lows), np.array(highs)
    return Rated(
        elo - truth,
        (low <= truth) & (truth <= high),
        (high - low) / 2.0,
        elo.argmax(axis=1) == truth.argmax(),
        np.array(decided),
        np.array(wrong),
    )
