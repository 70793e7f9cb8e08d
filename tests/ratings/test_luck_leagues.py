"""Luck taken out of games that were played: nearer to the truth, and just as fair."""

from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple

import pytest
from matrix import divided
from score_blind import (
    BOTS,
    ESTIMATORS,
    SOURCE,
    Played,
    Rated,
    exact_chances,
    play_leagues,
    rate,
)
from unequal import CASES, play_case, standard_error

from arena.games import TERMINAL, Table, derive_seed, get_game
from arena.ratings import Result
from arena.ratings.elo.pool import Floats

FOUR = BOTS[::2]
FIXTURES = 5
RAW, PAIRED, ADJUSTED, BOTH, SHARE = ESTIMATORS


class Leagues(NamedTuple):
    played: Played
    chance: Floats
    rated: dict[str, Rated]
    """What each estimator makes of them."""


@pytest.fixture(scope="module", params=divided((8, 20), lambda count: count == 8))
def leagues(request: pytest.FixtureRequest) -> Leagues:
    """Return so many small leagues of four."""
    game = get_game("zombie_dice", 2)
    played = play_leagues(game, FOUR, request.param, FIXTURES)
    chance = exact_chances(FOUR, game)
    rated = {each.name: rate(played, chance, each) for each in ESTIMATORS}
    return Leagues(played, chance, rated)


def test_the_exact_chances_are_those_of_the_games(leagues: Leagues) -> None:
    score = leagues.played.score
    for pair, (i, j) in enumerate(combinations(range(len(FOUR)), 2)):
        p = leagues.chance[i, j]
        error = sqrt(p * (1.0 - p) / score[pair].size)
        assert score[pair].mean() == pytest.approx(p, abs=4.0 * error)
        # Luck leaves much less to chance, and the mean where it was.
        adjusted = (score - leagues.played.luck)[pair].mean(axis=-1).ravel()
        assert adjusted.mean() == pytest.approx(p, abs=4.0 * standard_error(adjusted))
        assert standard_error(adjusted) < 0.6 * error


def test_the_bot_file_plays_what_the_exact_chances_are_of() -> None:
    file: dict[str, Any] = {}
    exec(SOURCE, file)
    table = Table(get_game("zombie_dice", 2), derive_seed("bot file"))
    while (seat := table.advance()) != TERMINAL:
        seen = table.state.observation(seat)
        for bot in BOTS:
            written = file["Blind"](**bot._asdict())
            assert written.zombie_dice(seen) == bot.decide(seen)
        table.act(BOTS[seat].decide(seen))


def test_leagues_without_luck_are_nearer_to_the_truth(leagues: Leagues) -> None:
    rmse = {name: found.rmse for name, found in leagues.rated.items()}
    # Few leagues may say a little less.
    slack = 1.25 if leagues.played.leagues < 20 else 1.0
    assert rmse[PAIRED.name] < slack * rmse[RAW.name]
    assert rmse[ADJUSTED.name] < 0.6 * slack * rmse[RAW.name]
    assert rmse[BOTH.name] < 0.7 * slack * rmse[PAIRED.name]


def test_the_luck_of_a_fixture_falls_to_both(leagues: Leagues) -> None:
    assert leagues.played.correlation(adjusted=False) < -0.25
    # Little of it is left once it is taken out.
    assert abs(leagues.played.correlation(adjusted=True)) < 0.15


def test_their_intervals_are_narrower_and_hold_the_truth(leagues: Leagues) -> None:
    for estimator in ESTIMATORS:
        covered = leagues.rated[estimator.name].covered
        assert covered.mean() > 0.95 - 3.0 * sqrt(0.05 * 0.95 / covered.size)
    widths = {name: each.half_widths.mean() for name, each in leagues.rated.items()}
    assert widths[PAIRED.name] < widths[RAW.name]
    assert widths[BOTH.name] < 0.7 * widths[PAIRED.name]


def test_a_league_of_independent_games_has_no_luck_twice(leagues: Leagues) -> None:
    def luck(results: list[Result]) -> list[float]:
        return [abs(x) for r in results for x in r.luck or ()]

    games = len(FOUR) * (len(FOUR) - 1) * FIXTURES
    in_fixtures, alone = (leagues.played.results(0, paired=x) for x in (True, False))
    assert len(in_fixtures) == len(alone) == games
    assert len({r.fixture for r in in_fixtures}) == games // 2
    assert len({r.fixture for r in alone}) == games
    after = leagues.played.results(1, paired=True)
    assert luck(alone)[::2] == luck(in_fixtures)[::2]
    assert luck(alone)[1::2] == luck(after)[1::2]
    for results in (in_fixtures, alone):
        seats = {r.seats for r in results}
        assert seats == {s[::-1] for s in seats}


@pytest.mark.parametrize(
    ("name", "fixtures", "factor"),
    divided(
        [
            ("zombie_dice, 2 seats", 40, 3.0),
            ("zombie_dice, 4 seats", 15, 3.0),
            ("zombie_dice, 2 seats", 200, 3.0),
            ("zombie_dice, 4 seats", 75, 3.0),
            ("ox_blocks, 2 seats", 150, 8.0),
            ("zombie_run, 2 seats", 150, 1.5),
            ("zombie_mania, 2 seats", 30, 4.0),
        ],
        lambda case: case[0].startswith("zombie_dice") and case[1] <= 40,
    ),
)
def test_scores_without_luck_have_the_same_mean(
    name: str, fixtures: int, factor: float
) -> None:
    sample = play_case(name, 0, fixtures)
    assert sample.raw.shape == (fixtures, CASES[name].players)
    assert abs(sample.bias) < 3.0
    assert abs(sample.worst_bias) < 3.0
    assert sample.factor > factor
    # The better contestant is the first of the two.
    assert sample.adjusted.mean() > 0.5
