"""Whether a bot beats another: by hand, as in the crosstable, and in many leagues."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from scipy.stats import norm
from scipy.stats import t as student
from simulated import fixture, match, play_fixtures

from arena.ratings import Result, build_pools
from arena.ratings.match_ups.crosstable import crosstables
from arena.ratings.match_ups.duels import Duel, duels


def of_a(results: Sequence[Result]) -> Duel:
    return duels(build_pools(results).values(), "B")["A"]


@pytest.mark.parametrize("wins", [[2, 2, 1, 0, 2], [1] * 6, [2] * 5, [0, 0], [1]])
@pytest.mark.parametrize("score", [0.3, 0.5, 0.75])
def test_confidence_is_that_of_the_score_test(wins: list[int], score: float) -> None:
    duel = of_a(match(wins))

    c, p = len(wins), sum(wins) / (2 * len(wins))
    scatter = sum((won / 2 - p) ** 2 for won in wins) + 1 / 8
    trials = c * ((c - 1) * p * (1 - p) + 1 / 8) / scatter
    z = (p - score) / sqrt(score * (1 - score) / trials)
    assert (duel.games, duel.fixtures, duel.score) == (2 * c, c, p)
    assert duel.trials == pytest.approx(trials, rel=1e-12)
    assert duel.confidence(score) == pytest.approx(student.cdf(z, c), rel=1e-9)


@given(st.data())
@settings(max_examples=15)
def test_duels_agree_with_the_crosstable(data: st.DataObject) -> None:
    names = ("A", "B", "C")
    results = []
    for number in range(data.draw(st.integers(1, 12))):
        seats = data.draw(st.permutations(names))[: data.draw(st.integers(2, 3))]
        places = tuple(data.draw(st.permutations(range(1, len(seats) + 1))))
        label = data.draw(st.sampled_from(["one", "two"]))
        fair = (False,) * len(seats)
        results.append(Result(label, str(number // 2), tuple(seats), places, fair))
    pools = build_pools(results, ["one", "two"])
    tables = crosstables(pools, ["one", "two"], names)

    chosen = [list(pools.values()), [pools["one"]], [pools["two"]]]
    for own, table in zip(chosen, tables, strict=True):
        place = {name: i for i, name in enumerate(table.entries)}
        for opponent in place:
            found = duels(own, opponent)
            for bot in place:
                superiority = table.superiority[place[bot]][place[opponent]]
                low = table.low[place[bot]][place[opponent]]
                if superiority is None:
                    assert bot not in found
                    continue
                assert low is not None
                assert found[bot].score == table.score[place[bot]][place[opponent]]
                assert found[bot].confidence() == pytest.approx(superiority, abs=1e-12)
                # One-sided .975 is exactly an interval above.
                for score in (0.3, 0.5):
                    over = found[bot].confidence(score)
                    if abs(over - 0.975) > 1e-9:
                        assert (over > 0.975) is (low > score)


def test_who_has_not_met_is_left_out() -> None:
    results = match([2, 1])

    assert duels(build_pools(results).values(), "C") == {}
    assert list(duels(build_pools(results).values(), "A")) == ["B"]
    assert duels([], "A") == {}


def test_games_that_explore_say_nothing() -> None:
    planned = match([2, 0, 1])

    assert of_a(planned + fixture(9, 2, explores=True)) == of_a(planned)
    assert duels(build_pools(fixture(9, 2, explores=True)).values(), "B") == {}


def test_it_takes_five_clean_fixtures_to_be_95_percent_sure() -> None:
    for fixtures in range(1, 9):
        won, lost = of_a(match([2] * fixtures)), of_a(match([0] * fixtures))
        assert won.confidence() == pytest.approx(
            student.cdf(sqrt(fixtures), fixtures), rel=1e-12
        )
        assert (won.confidence() >= 0.95) is (fixtures >= 5)
        assert lost.confidence() == pytest.approx(1.0 - won.confidence(), rel=1e-9)


def test_more_games_are_what_the_difference_needs() -> None:
    # As many trials as fixtures, of which 60 % are won: (z + .84)² / 4 (.1)².
    duel = Duel(games=100, fixtures=50, score=0.6, trials=50.0)

    z, power = norm.ppf(0.95), norm.ppf(0.8)
    fixtures = 0.25 * ((z + power) / 0.1) ** 2
    more = duel.more_games(0.5, 0.95)
    assert more is not None
    # Student's t for 150 fixtures is a little wider than normal; two digits are left.
    assert 2 * (fixtures - 50) < more <= 2 * (fixtures - 50) + 13
    # As many as that are needed to fail at 70 %, and none for what is far away.
    assert duel.more_games(0.7, 0.95) == pytest.approx(
        0.84 * (more + 100) - 100, abs=13
    )
    assert duel.more_games(0.1, 0.95) == 2


def test_nobody_can_say_how_many_games_show_no_difference() -> None:
    assert of_a(match([1] * 6)).more_games(0.5, 0.95) is None
    near = Duel(games=100, fixtures=50, score=0.5001, trials=50.0)
    assert near.more_games(0.5, 0.95) is None


def against_reference(
    rng: np.random.Generator, bots: int, fixtures: int, chance: float, shared: float
) -> list[Duel]:
    """Let so many bots play fixtures of two games against the first bot."""
    pairs = np.stack([np.zeros(bots, np.int64), np.arange(1, bots + 1)], axis=1)
    chances = np.full((bots + 1, bots + 1), 0.5)
    chances[0, :], chances[:, 0] = 1.0 - chance, chance
    luck = np.full(chances.shape, shared)
    pool = play_fixtures(rng, np.repeat(pairs, fixtures, axis=0), chances, luck)
    return list(duels([pool], pool.entries[0]).values())


@pytest.mark.parametrize("bots", divided((500, 3000), lambda n: n == 500))
@pytest.mark.parametrize("shared", [-0.6, 0.0, 0.6])
@pytest.mark.parametrize("fixtures", [3, 10, 40])
def test_one_in_twenty_at_most_passes_by_luck(
    fixtures: int, shared: float, bots: int
) -> None:
    rng = np.random.default_rng(fixtures)

    found = against_reference(rng, bots, fixtures, 0.5, shared)

    assert len(found) == bots
    sure = np.array([duel.confidence() for duel in found])
    most = 0.05 + 4.0 * sqrt(0.05 * 0.95 / bots)
    assert (sure >= 0.95).mean() < most
    assert (sure <= 0.05).mean() < most


def test_more_games_leave_less_undecided() -> None:
    rng = np.random.default_rng(8)

    undecided = []
    for fixtures in (10, 40, 160, 640):
        found = against_reference(rng, 150, fixtures, 0.57, 0.0)
        sure = np.array([duel.confidence() for duel in found])
        undecided.append(((sure < 0.95) & (sure > 0.05)).mean())
        assert (sure <= 0.05).mean() < 0.05

    assert undecided == sorted(undecided, reverse=True)
    assert undecided[0] > 0.6
    assert undecided[-1] < 0.02


def test_as_many_games_as_said_decide_four_times_in_five() -> None:
    rng = np.random.default_rng(9)
    duel = Duel(games=40, fixtures=20, score=0.6, trials=40.0)
    more = duel.more_games(0.5, 0.95)
    assert more is not None

    found = against_reference(rng, 600, (40 + more) // 2, 0.6, 0.0)

    decided = np.mean([x.confidence() >= 0.95 for x in found])
    # Two digits of a number of games, and three standard errors of so many bots.
    assert decided == pytest.approx(0.8, abs=0.02 + 3.0 * sqrt(0.8 * 0.2 / 600))
