"""What it is worth to hand in versions that play alike, and to choose the luckiest.

A new version meets new luck, be it new by a comment only.  The dice here come from
keys, versions and terms as those of a league do; how strong the bots are is known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest
from matrix import divided
from score_blind import BOTS, Blind, exact_chances
from simulated import projected

from arena.games import TERMINAL, Table, derive_seed, get_game
from arena.league.config.keys import Keys
from arena.league.schedule.identity import GameTerms, fixture_seed, match_seed
from arena.ratings import MEAN_ELO, Result, fit

GAME = get_game("zombie_dice", 2)
LABEL = "zombie_dice"
VERSIONS = 20


@dataclass(frozen=True)
class Size:
    """A league, and how often it is played here."""

    bots: Sequence[Blind]
    fixtures: int
    leagues: int


SMALL = Size(BOTS[::2], 10, 4)
SHIPPED = Size(BOTS, 20, 8)
"""With as many fixtures as in `configs/classroom.yaml`, and about as many bots."""
GAIN = 27.0
"""Elo, in leagues of shipped size: the mean of 80, with an error of 1."""


class Rolled(NamedTuple):
    """What came of the leagues, in Elo above the truth: one number each."""

    luckiest: np.ndarray
    """Of the best of all versions."""
    final: np.ndarray
    """Of the same version in the final run."""
    scatter: float
    """Standard deviation of the versions of a league."""


@pytest.fixture(
    scope="module",
    params=divided((SMALL, SHIPPED), lambda size: size is SMALL),
    ids=lambda size: f"{len(size.bots)} bots",
)
def size(request: pytest.FixtureRequest) -> Size:
    return request.param


@pytest.fixture(scope="module")
def rolled(size: Size) -> Rolled:
    """Play the leagues: one bot tries all versions, and there is a final run."""
    middle = size.bots[len(size.bots) // 2]
    strengths = projected(exact_chances(size.bots, GAME))
    truth = MEAN_ELO + strengths[size.bots.index(middle)]
    luckiest, final, scatters = [], [], []
    for number in range(size.leagues):
        first = Keys(derive_seed("first run", number))
        fresh = Keys(derive_seed("final run", number))
        others = [*games_of_others(size, middle, first)]
        elos = [
            elo_of(middle, [*others, *games(size, middle, version, first)])
            for version in range(VERSIONS)
        ]
        best = int(np.argmax(elos))
        last = [
            *games_of_others(size, middle, fresh),
            *games(size, middle, best, fresh),
        ]
        luckiest.append(elos[best] - truth)
        final.append(elo_of(middle, last) - truth)
        scatters.append(np.std(elos, ddof=1))
    return Rolled(np.array(luckiest), np.array(final), float(np.mean(scatters)))


def games(size: Size, bot: Blind, version: int, keys: Keys) -> Iterator[Result]:
    """Play all games of a version of a bot."""
    for other in size.bots:
        if other is not bot:
            yield from match(size, (bot, other), (version, 0), keys)


def games_of_others(size: Size, bot: Blind, keys: Keys) -> Iterator[Result]:
    for pair in combinations([x for x in size.bots if x is not bot], 2):
        yield from match(size, pair, (0, 0), keys)


def match(
    size: Size, pair: tuple[Blind, Blind], versions: tuple[int, int], keys: Keys
) -> Iterator[Result]:
    terms = GameTerms("the usual ones", ()).between(map(str, versions))
    seed = match_seed(keys.luck, "the rules", [bot.name for bot in pair], terms)
    for repetition in range(size.fixtures):
        fixture = fixture_seed(seed, "", repetition)
        for seats in (pair, pair[::-1]):
            table = Table(GAME, fixture)
            while (seat := table.advance()) != TERMINAL:
                table.act(seats[seat].decide(table.state.observation(seat)))
            returns = table.state.returns()
            places = tuple(1 if x == max(returns) else 2 for x in returns)
            names = tuple(bot.name for bot in seats)
            yield Result(LABEL, fixture.hex(), names, places, (False, False))


def elo_of(bot: Blind, results: Sequence[Result]) -> float:
    (elo,) = (x.elo for x in fit(results, LABEL).ratings if x.entry == bot.name)
    return elo


def error(numbers: np.ndarray) -> float:
    """Return the standard error of a mean."""
    return float(numbers.std(ddof=1)) / sqrt(len(numbers))


def test_the_luckiest_of_many_that_play_alike_is_overrated(
    rolled: Rolled, size: Size
) -> None:
    """By as much as the best of so many draws of the same normal distribution."""
    best_of_many = 1.867
    expected = best_of_many * rolled.scatter
    gain = rolled.luckiest.mean()
    assert gain == pytest.approx(expected, abs=3.0 * error(rolled.luckiest))
    assert gain > 4.0 * error(rolled.luckiest)
    if size is SHIPPED:
        assert gain == pytest.approx(GAIN, abs=3.0 * error(rolled.luckiest))


def test_a_final_run_takes_it_away(rolled: Rolled) -> None:
    assert abs(rolled.final.mean()) < 2.0 * error(rolled.final)
    # Though each by itself is as much off as any.
    lost = rolled.luckiest - rolled.final
    assert lost.mean() > 2.0 * error(lost)
