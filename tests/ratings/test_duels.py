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
from simulated import fixture, game, match, play_fixtures, play_lucky_fixtures

from arena.ratings import Result, build_pools
from arena.ratings.elo.luck_share import take_luck
from arena.ratings.elo.pool import Pool
from arena.ratings.match_ups.crosstable import crosstables
from arena.ratings.match_ups.duels import Duel, LabelDuel, duels
from arena.reports.grading.marks import needed_to_pass


def alone(label: LabelDuel) -> Duel:
    """Return the duel of a mark that names a game."""
    return Duel([label], [1.0])


def of_a(results: Sequence[Result]) -> Duel:
    (label,) = duels(build_pools(results), "B")["A"].values()
    return alone(label)


def clean(fixtures: int, score: float, trials: float) -> Duel:
    """Return a duel of two games a fixture that scatter as so many trials."""
    even = (fixtures - 1) * score * (1.0 - score) + 1 / 8
    scatter = fixtures * even / trials
    return alone(LabelDuel(2 * fixtures, fixtures, score, score, scatter))


@pytest.mark.parametrize("wins", [[2, 2, 1, 0, 2], [1] * 6, [2] * 5, [0, 0], [1]])
@pytest.mark.parametrize("score", [0.3, 0.5, 0.75])
def test_confidence_is_that_of_the_score_test(wins: list[int], score: float) -> None:
    duel = of_a(match(wins))

    c, p = len(wins), sum(wins) / (2 * len(wins))
    scatter = sum((won / 2 - p) ** 2 for won in wins) + 1 / 8
    trials = c * ((c - 1) * p * (1 - p) + 1 / 8) / scatter
    (label,) = duel.labels
    assert (duel.games, label.fixtures, duel.won, duel.score) == (2 * c, c, p, p)
    assert label.trials == pytest.approx(trials, rel=1e-12)
    # Nearer to 1/2 than the score that is asked for, the fixtures say more than that.
    shown = c**2 / scatter
    z = (p - score) * sqrt(min(shown, trials / (score * (1 - score))))
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

    for label, table in zip(("one", "two"), tables[1:], strict=True):
        place = {name: i for i, name in enumerate(table.entries)}
        for opponent in place:
            found = duels({label: pools[label]}, opponent)
            for bot in place:
                superiority = table.superiority[place[bot]][place[opponent]]
                if superiority is None:
                    assert bot not in found
                    continue
                duel = alone(found[bot][label])
                assert duel.score == table.score[place[bot]][place[opponent]]
                assert duel.confidence() == pytest.approx(superiority, abs=1e-12)
                assert found[bot].items() <= duels(pools, opponent)[bot].items()


def test_who_has_not_met_is_left_out() -> None:
    results = match([2, 1])

    assert duels(build_pools(results), "C") == {}
    assert list(duels(build_pools(results), "A")) == ["B"]
    assert duels({}, "A") == {}


def test_games_that_explore_say_nothing() -> None:
    planned = match([2, 0, 1])

    assert of_a(planned + fixture(9, 2, explores=True)) == of_a(planned)
    assert duels(build_pools(fixture(9, 2, explores=True)), "B") == {}


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
    duel = clean(50, 0.6, 50.0)

    z, power = norm.ppf(0.95), norm.ppf(0.8)
    fixtures = 0.25 * ((z + power) / 0.1) ** 2
    more = duel.more_games(0.5, 0.95, 0.95)
    assert more is not None
    # Student's t for 150 fixtures is a little wider than normal; two digits are left.
    assert 2 * (fixtures - 50) < more <= 2 * (fixtures - 50) + 13
    # None for what is far away, and more where more certainty is needed to pass; the
    # variance of a failure is that of the fixtures.
    assert duel.more_games(0.1, 0.95, 0.95) == 2
    surer = duel.more_games(0.5, 0.99, 0.95)
    assert surer is not None
    assert surer > more
    assert duel.more_games(0.7, 0.99, 0.95) == pytest.approx(
        0.96 * (more + 100) - 100, abs=13
    )


def test_nobody_can_say_how_many_games_show_no_difference() -> None:
    assert of_a(match([1] * 6)).more_games(0.5, 0.95, 0.95) is None
    assert clean(50, 0.5001, 50.0).more_games(0.5, 0.95, 0.95) is None


def of_pool(pool: Pool) -> list[Duel]:
    """Return the duels of all with the first bot."""
    found = duels({"g": pool}, pool.entries[0]).values()
    return [alone(own["g"]) for own in found]


def against_reference(
    rng: np.random.Generator, bots: int, fixtures: int, chance: float, shared: float
) -> list[Duel]:
    """Let so many bots play fixtures of two games against the first bot."""
    pairs = np.stack([np.zeros(bots, np.int64), np.arange(1, bots + 1)], axis=1)
    chances = np.full((bots + 1, bots + 1), 0.5)
    chances[0, :], chances[:, 0] = 1.0 - chance, chance
    luck = np.full(chances.shape, shared)
    pool = play_fixtures(rng, np.repeat(pairs, fixtures, axis=0), chances, luck)
    return of_pool(pool)


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


def test_the_best_of_twenty_copies_is_no_surer_than_one() -> None:
    rng = np.random.default_rng(12)
    copies, students = 20, 60
    found = against_reference(rng, copies * students, 20, 0.5, 0.0)
    sure = np.array([duel.confidence() for duel in found]).reshape(students, copies)

    assert (sure >= 0.95).any(axis=1).mean() > 0.3
    most = 0.05 + 4.0 * sqrt(0.05 * 0.95 / students)
    assert (sure >= needed_to_pass(0.95, copies)).any(axis=1).mean() < most


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
    duel = clean(20, 0.6, 40.0)
    more = duel.more_games(0.5, 0.95, 0.95)
    assert more is not None

    found = against_reference(rng, 600, (40 + more) // 2, 0.6, 0.0)

    decided = np.mean([x.confidence() >= 0.95 for x in found])
    # Two digits of a number of games, and three standard errors of so many bots.
    assert decided == pytest.approx(0.8, abs=0.02 + 3.0 * sqrt(0.8 * 0.2 / 600))


def test_luck_is_taken_out_of_scores_and_of_their_scatter() -> None:
    results = [
        game(n, "AB", (1, 2) if won else (2, 1), luck=[luck])
        for n, (won, luck) in enumerate([(1, 0.25), (1, 0.25), (0, -0.5), (1, 0.5)])
    ]
    duel = of_a(results)

    scores = [0.75, 0.75, 0.5, 0.5]
    scatter = sum((x - 0.625) ** 2 for x in scores) + 1 / 8
    assert (duel.won, duel.score) == (0.75, 0.625)
    (label,) = duel.labels
    assert label.scatter == pytest.approx(scatter, rel=1e-12)
    # The results say how near to its end the score is.
    assert label.trials == pytest.approx(4 * (3 * 0.75 * 0.25 + 1 / 8) / scatter)


@pytest.mark.parametrize("chance", divided((0.8, 0.5, 0.9), lambda p: p == 0.8))
def test_marks_without_luck_keep_their_level(chance: float) -> None:
    rng = np.random.default_rng(round(100 * chance))
    bots, fixtures = 200, 10
    pairs = np.stack([np.zeros(bots, np.int64), np.arange(1, bots + 1)], axis=1)
    chances = np.full((bots + 1, bots + 1), 0.5)
    chances[0, :], chances[:, 0] = 1.0 - chance, chance
    shared = np.full(chances.shape, 1.0)
    wrong = decided = 0
    for _ in range(4):
        # All games of a fixture end alike, and a good part of luck is known: Student's
        # test would be sure of what is not so in a third of all clean records.
        played = np.repeat(pairs, fixtures, axis=0)
        taken = take_luck(play_lucky_fixtures(rng, played, chances, shared, 0.8))
        assert taken is not None
        found = of_pool(taken.pool)
        wrong += sum(duel.confidence(chance) >= 0.95 for duel in found)
        decided += sum(duel.confidence(chance - 0.35) >= 0.95 for duel in found)

    assert wrong / (4 * bots) < 0.05 + 4.0 * sqrt(0.05 * 0.95 / (4 * bots))
    assert decided / (4 * bots) > 0.5


def test_a_mean_of_games_that_are_alike_is_one_of_all_their_trials() -> None:
    one = LabelDuel(20, 10, 0.7, 0.7, 1.0)
    both = Duel([one, one], [0.5, 0.5])

    variance = one.variance(0.5) / 2
    assert both.score == pytest.approx(0.7)
    assert both.games == 40
    z = (0.7 - 0.5) / sqrt(variance)
    assert both.confidence(0.5) == pytest.approx(student.cdf(z, 20), rel=1e-9)
    # A game that weighs nothing to speak of changes nothing.
    other = LabelDuel(20, 10, 0.1, 0.1, 1.0)
    nearly = Duel([one, other], [1.0 - 1e-9, 1e-9])
    assert nearly.confidence(0.5) == pytest.approx(alone(one).confidence(0.5), abs=1e-6)


def test_a_game_that_is_lost_costs_its_share() -> None:
    one = LabelDuel(20, 10, 0.9, 0.9, 0.5)
    half = Duel([one], [0.5])

    assert half.score == 0.45
    assert half.confidence(0.4) == pytest.approx(alone(one).confidence(0.8), rel=1e-12)
    assert half.confidence(0.49) < 0.5


@pytest.mark.parametrize("scores", [(1.0, 0.0), (0.95, 0.05), (0.9, 0.7, 0.2)])
def test_the_mean_of_specialists_keeps_its_level(scores: tuple[float, ...]) -> None:
    rng = np.random.default_rng(len(scores))
    leagues, fixtures = 400, 6
    pools = [against_reference(rng, leagues, fixtures, p, 0.0) for p in scores]
    mean = sum(scores) / len(scores)
    shares = [1.0 / len(scores)] * len(scores)
    sure = np.array(
        [
            Duel([label for duel in own for label in duel.labels], shares).confidence(
                mean
            )
            for own in zip(*pools, strict=True)
        ]
    )
    most = 0.05 + 4.0 * sqrt(0.05 * 0.95 / leagues)
    assert (sure >= 0.95).mean() < most
    assert (sure <= 0.05).mean() < most
