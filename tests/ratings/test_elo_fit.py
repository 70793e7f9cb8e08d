"""The fit against closed forms, exact sums and simulated truth."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, pairwise, permutations
from math import isfinite, log, log10, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from simulated import LOGIT, expected, game, logistic, match, pairings

from arena.ratings import MEAN_ELO, Fit, Rating, Result, fit


def swapped(
    pair: str, fixtures: int, first: str, second: str, tag: str = ""
) -> list[Result]:
    """Return seat-swapped fixtures of a pair, won by `first` and then `second`."""
    a, b = pair[0], pair[1]
    return [
        game(f"{tag}{pair}{number}", seats, (1, 2) if winner == seats[0] else (2, 1))
        for number in range(fixtures)
        for seats, winner in ((a + b, first), (b + a, second))
    ]


def difference(score: float) -> float:
    """Return the difference in Elo at an expected score."""
    return -400.0 * log10(1.0 / score - 1.0)


def by_name(found: Fit) -> dict[str, Rating]:
    return {rating.entry: rating for rating in found.ratings}


def independent_se(found: Fit) -> list[float]:
    """Return standard errors against the mean, as if no game shared its luck."""
    k = len(found.ratings)
    contrast = np.eye(k) - 1.0 / k
    variance = contrast @ found.curvature[:k, :k] @ contrast.T
    return [sqrt(v) for v in variance.diagonal()]


def surprises(results: Iterable[Result], found: Fit) -> dict[str, float]:
    """Return each entry's score less what was expected, phantom included.

    Summed game by game from the published numbers alone.
    """
    elo = {rating.entry: rating.elo for rating in found.ratings}
    worth = {(term.players, term.seat): term.elo for term in found.seat_terms}
    phantom = {
        name: level
        for level, group in zip(found.phantoms, found.components, strict=True)
        for name in group
    }
    total = {name: 0.5 - expected(e - phantom[name]) for name, e in elo.items()}
    for result in results:
        n = len(result.seats)
        for s, t in permutations(range(n), 2):
            a, b = result.seats[s], result.seats[t]
            gap = elo[a] - elo[b] + worth.get((n, s), 0.0) - worth.get((n, t), 0.0)
            ahead = (result.places[s] < result.places[t]) + 0.5 * (
                result.places[s] == result.places[t]
            )
            total[a] += 2.0 / n * (ahead - expected(gap))
    return total


@st.composite
def leagues(draw: st.DrawFn) -> list[Result]:
    count = draw(st.integers(1, 14))
    results = []
    for _ in range(count):
        seats = draw(st.permutations("ABCDE"))[: draw(st.integers(2, 4))]
        places = draw(
            st.lists(st.integers(1, 4), min_size=len(seats), max_size=len(seats))
        )
        fixture = draw(st.integers(0, 4))
        results.append(game(fixture, "".join(seats), places))
    return results


@pytest.mark.parametrize(("wins", "games"), [(1, 2), (3, 4), (7, 10), (19, 20)])
def test_two_entries_solve_the_score_equation(wins: int, games: int) -> None:
    results = [game(n, "AB", (1, 2) if n < wins else (2, 1)) for n in range(games)]
    a, b = fit(results, "g").ratings
    half = (a.elo - b.elo) / 2.0
    left = wins - games * expected(2.0 * half) + 0.5 - expected(half)

    assert a.elo + b.elo == pytest.approx(2.0 * MEAN_ELO)
    assert left == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("score", [0.6, 0.9])
def test_a_long_match_gives_the_difference_of_its_score(score: float) -> None:
    games = 8_000
    results = [
        game(n, "AB", (1, 2) if n < score * games else (2, 1)) for n in range(games)
    ]
    a, b = fit(results, "g").ratings

    assert a.elo - b.elo == pytest.approx(difference(score), abs=0.25)


@settings(max_examples=25)
@given(leagues(), st.randoms(use_true_random=False))
def test_any_league_is_finite_exact_and_free_of_order(
    results: list[Result], rng: Random
) -> None:
    found = fit(results, "g")
    shuffled = results.copy()
    rng.shuffle(shuffled)
    again = fit(shuffled, "g")

    for rating in found.ratings:
        numbers = (rating.elo, rating.elo_low, rating.elo_high, rating.se)
        assert all(isfinite(number) for number in numbers)
        assert rating.elo_low <= rating.elo <= rating.elo_high
    for surprise in surprises(results, found).values():
        assert surprise == pytest.approx(0.0, abs=1e-9)
    assert again.ratings == found.ratings
    assert again.seat_terms == found.seat_terms
    assert np.array_equal(again.covariance, found.covariance)


def test_two_draws_count_as_a_win_and_a_loss() -> None:
    others = [game(n, "AC") for n in range(3)] + [game(9, "BC", (2, 1))]
    one, other = (
        {r.entry: r.elo for r in fit([*others, *two], "g", ("C", 1000.0)).ratings}
        for two in (
            [game(5, "AB", (1, 2)), game(6, "AB", (2, 1))],
            [game(5, "AB", (1, 1)), game(6, "AB", (1, 1))],
        )
    )

    assert one == other


def test_nothing_but_draws_rates_everyone_alike() -> None:
    results = [
        game(a + b, a + b, (1, 1)) for a, b in permutations("ABCD", 2) for _ in "12"
    ]
    found = fit(results, "g")

    assert [rating.elo for rating in found.ratings] == [MEAN_ELO] * 4
    assert not any(rating.open_above or rating.open_below for rating in found.ratings)
    # Draws don't scatter, but so few of them are no proof of equality.
    assert [r.se for r in found.ratings] == pytest.approx(independent_se(found))
    assert all(rating.se > 30.0 for rating in found.ratings)


@pytest.mark.parametrize("places", [(1, 2, 3), (2, 5, 9)])
def test_only_the_order_of_places_counts(places: tuple[int, ...]) -> None:
    tables = [game(n, "".join(s), places) for n, s in enumerate(permutations("ABC"))]
    extra = game(9, "ABC", places)
    plain = game(9, "ABC", (1, 2, 3))

    assert fit([*tables, extra], "g").ratings == fit([*tables, plain], "g").ratings


def test_a_table_of_four_counts_as_half_a_game_of_each_pair() -> None:
    outcomes = [(1, 2, 3, 4), (2, 1, 3, 4), (1, 3, 2, 4)]
    tables = [game(n, "ABCD", outcomes[n % 3]) for n in range(12)]
    pairs = [
        game(f"{n}{a}{b}", a + b, (1, 2) if p < q else (2, 1))
        for n, places in enumerate(outcomes)
        for (a, p), (b, q) in permutations(zip("ABCD", places, strict=True), 2)
    ]
    of_tables, of_pairs = fit(tables, "g"), fit(pairs, "g")

    assert of_tables.seat_terms == ()
    assert of_pairs.seat_terms[0].elo == pytest.approx(0.0, abs=1e-9)
    assert [r.elo for r in of_tables.ratings] == pytest.approx(
        [r.elo for r in of_pairs.ratings], abs=1e-9
    )


@pytest.mark.parametrize(
    ("names", "worth", "games"),
    [("ABC", (0.0, 60.0), 1000), ("ABCD", (0, 50, -70), 200)],
)
def test_seat_terms_are_recovered(
    names: str, worth: tuple[float, ...], games: int
) -> None:
    """Gumbel performances have exactly logistic differences for every pair."""
    rng = Random(12)
    strengths = {name: 120.0 - 80.0 * i for i, name in enumerate(names)}
    results = []
    for n in range(games):
        for seats in permutations(strengths, len(worth)):
            performed = [
                strengths[name] + extra - LOGIT * log(-log(rng.random()))
                for name, extra in zip(seats, worth, strict=True)
            ]
            places = [1 + sum(q > p for q in performed) for p in performed]
            results.append(game(f"{seats}{n}", "".join(seats), places))
    found = fit(results, "g")

    size = len(worth)
    terms = [(t.players, t.seat) for t in found.seat_terms]
    assert terms == [(size, seat) for seat in range(1, size)]
    for term in found.seat_terms:
        assert term.elo == pytest.approx(worth[term.seat], abs=4.0 * term.se)
        assert term.se < 7.0
    middle = sum(strengths.values()) / len(names)
    for name, rating in by_name(found).items():
        elo = MEAN_ELO + strengths[name] - middle
        assert rating.elo == pytest.approx(elo, abs=17.0)


@pytest.mark.parametrize(
    ("seatings", "terms"),
    [
        (["AB"], []),
        (["AB", "CD"], []),
        (["AB", "BC"], []),
        (["AB", "BC", "AC"], [(2, 1)]),
        (["AB", "BA"], [(2, 1)]),
        (["AB", "BC", "CA"], [(2, 1)]),
        (["ABC"], []),
        (["ABC", "BCA", "CAB"], [(3, 1), (3, 2)]),
        (["ABC", "BAC"], [(3, 1)]),
        (["AB", "BA", "ABC"], [(2, 1), (3, 1)]),
    ],
)
def test_seat_terms_are_left_out_where_they_are_not_identified(
    seatings: list[str], terms: list[tuple[int, int]]
) -> None:
    results = [
        game(n, seats, range(1, len(seats) + 1)) for n, seats in enumerate(seatings)
    ]

    assert [(t.players, t.seat) for t in fit(results, "g").seat_terms] == terms


def test_a_game_that_the_first_seat_always_wins_is_about_the_seat() -> None:
    results = swapped("AB", 30, "A", "B") + swapped("BC", 30, "B", "C")
    found = fit(results, "g")
    (term,) = found.seat_terms

    assert [rating.elo for rating in found.ratings] == pytest.approx([MEAN_ELO] * 3)
    assert term.elo < -600.0
    assert term.se > 100.0


@pytest.mark.parametrize("leagues", divided((12, 40), lambda n: n == 12))
@pytest.mark.parametrize("shared", [-0.6, 0.0, 0.6])
def test_intervals_cover_the_truth(shared: float, leagues: int) -> None:
    rng = Random(2024)
    truth = {name: 80.0 * i - 240.0 for i, name in enumerate("ABCDEFG")}
    inside = 0
    for _ in range(leagues):
        for rating in fit(pairings(rng, logistic(truth), 8, shared), "g").ratings:
            elo = MEAN_ELO + truth[rating.entry]
            inside += rating.elo_low <= elo <= rating.elo_high

    # Entries of a league hang together: 4 standard errors of independent ones.
    error = sqrt(0.05 * 0.95 / (leagues * len(truth)))
    assert inside / (leagues * len(truth)) == pytest.approx(0.95, abs=4.0 * error)


@pytest.mark.parametrize(("shared", "smaller"), [(-0.7, True), (0.7, False)])
def test_luck_shared_by_a_fixture_sets_the_width(shared: float, smaller: bool) -> None:
    even = dict.fromkeys(combinations("ABCDE", 2), 0.5)
    found = fit(pairings(Random(5), even, 40, shared), "g")

    for rating, independent in zip(found.ratings, independent_se(found), strict=True):
        ratio = rating.se / independent
        assert ratio < 0.8 if smaller else ratio > 1.2


def test_fixtures_that_never_scatter_leave_the_error_of_independent_games() -> None:
    """One win each in every fixture: the sandwich alone would claim certainty."""
    found = fit(swapped("AB", 50, "A", "B"), "g")

    assert [r.se for r in found.ratings] == pytest.approx(independent_se(found))


def test_an_anchor_shifts_everyone_alike() -> None:
    rng = Random(8)
    chances = logistic({"A": 150.0, "B": 0.0, "C": -50.0})
    results = pairings(rng, chances, 30, shared=-0.5)
    free = by_name(fit(results, "g"))
    for name, level in (("A", 1000.0), ("C", 1500.0)):
        found = fit(results, "g", anchor=(name, level))
        held = by_name(found)

        assert found.anchored
        assert held[name].elo == held[name].elo_low == held[name].elo_high == level
        assert held[name].se == 0.0
        for a, b in combinations("ABC", 2):
            gap = free[a].elo - free[b].elo
            assert held[a].elo - held[b].elo == pytest.approx(gap, abs=1e-9)
    to_a = by_name(fit(results, "g", anchor=("A", 0.0)))
    to_c = by_name(fit(results, "g", anchor=("C", 0.0)))
    assert to_a["C"].se == pytest.approx(to_c["A"].se)


def test_few_clusters_make_no_difference_more_certain_than_their_games() -> None:
    """Of A, that is, who hardly lost; the others scatter as they do."""
    even = dict.fromkeys(combinations("BCD", 2), 0.5)
    wins = [game(f"x{n}", "AB") for n in range(5)]
    among_others = fit([*wins, *pairings(Random(0), even, 6, 0.9)], "g")
    for found, is_floored in (
        (among_others, True),
        (fit(match([2, 0, 1, 1]), "g"), False),
    ):
        k = len(found.ratings)
        robust, curved = (
            m.diagonal()[:k, None] + m.diagonal()[:k] - 2.0 * m[:k, :k]
            for m in (found.covariance, found.curvature)
        )
        assert found.few[0]
        assert bool(curved[0, 1] > robust[0, 1]) is is_floored
        assert found.variance()[0] == pytest.approx(np.maximum(curved, robust)[0])
        if is_floored:
            assert not any(found.few[1:])
            assert found.variance()[1:, 1:] == pytest.approx(robust[1:, 1:])


def test_an_undefeated_anchor_keeps_its_elo() -> None:
    found = fit(swapped("AB", 10, "A", "A"), "g", anchor=("A", 1300.0))
    a, b = found.ratings

    assert (a.elo_low, a.elo, a.elo_high) == (1300.0, 1300.0, 1300.0)
    assert not a.open_above
    assert b.elo_high == pytest.approx(1300.0 - difference(0.025 ** (1.0 / 10)))


def test_a_badly_known_anchor_makes_every_difference_uncertain() -> None:
    rng = Random(9)
    results = pairings(rng, dict.fromkeys(combinations("ABC", 2), 0.5), 40)
    results += swapped("AZ", 2, "A", "Z")
    held = by_name(fit(results, "g", anchor=("Z", 1000.0)))
    free = by_name(fit(results, "g"))

    assert min(held[name].se for name in "ABC") > 80.0
    assert max(free[name].se for name in "ABC") < 80.0


def test_an_absent_anchor_sets_the_mean() -> None:
    found = fit(swapped("AB", 5, "A", "B"), "g", anchor=("Z", 1200.0))

    assert not found.anchored
    assert sum(r.elo for r in found.ratings) / 2 == pytest.approx(1200.0)


def test_pools_that_never_met_are_told_apart() -> None:
    results = swapped("AB", 10, "A", "A") + swapped("CD", 10, "C", "D")
    found = fit(results + swapped("CE", 10, "C", "E"), "g")

    assert found.components == (("A", "B"), ("C", "D", "E"))
    assert all(isfinite(rating.elo) for rating in found.ratings)
    assert fit(results + swapped("BC", 1, "B", "C"), "g").components == (
        ("A", "B", "C", "D"),
    )


def test_a_ladder_of_clean_wins_stays_finite_and_ordered() -> None:
    names = "ABCDEFGHIJKLMNOP"
    results = [
        result for a, b in pairwise(names) for result in swapped(a + b, 500, a, a)
    ]
    found = fit(results, "g")
    elo = [rating.elo for rating in found.ratings]

    assert elo == sorted(elo, reverse=True)
    assert all(abs(surprise) < 1e-9 for surprise in surprises(results, found).values())


def test_games_and_clusters_are_counted() -> None:
    found = fit(swapped("AB", 7, "A", "B"), "g")
    nothing = fit([game(1, "AB")], "another label")

    assert (found.games, found.clusters) == (14, 7)
    assert found.covariance.shape == found.curvature.shape == (3, 3)
    assert (nothing.ratings, nothing.seat_terms, nothing.components) == ((), (), ())
    assert (nothing.games, nothing.clusters) == (0, 0)


@pytest.mark.parametrize(
    ("seats", "places", "forfeits", "message"),
    [
        ("A", (1,), 1, "two or more seats"),
        ("AB", (1,), 2, "1 places"),
        ("AB", (1, 2), 1, "1 forfeits"),
        ("AA", (1, 2), 2, "each entry in one seat"),
        ("AB", (0, 1), 2, "places from 1"),
    ],
)
def test_a_result_must_make_sense(
    seats: str, places: tuple[int, ...], forfeits: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Result("g", "f", tuple(seats), places, (False,) * forfeits)


@pytest.mark.parametrize("hopeless", ["C", "CD"])
def test_who_is_left_with_less_than_nothing_keeps_its_luck(hopeless: str) -> None:
    results = []
    for a, b in combinations("ABCD", 2):
        is_clear = a not in hopeless and b in hopeless
        for result in swapped(a + b, 10, a, a if is_clear else b):
            # What the hopeless have, they owe to luck, and more.
            luck = 0.15 * (
                (result.seats[0] in hopeless) - (result.seats[1] in hopeless)
            )
            results.append(replace(result, luck=(luck,)))
    raw, adjusted = (by_name(fit(results, "g", adjusted=on)) for on in (False, True))

    for name in "ABCD":
        assert adjusted[name].elo == pytest.approx(raw[name].elo)
        assert isfinite(adjusted[name].se)


def test_a_seat_that_is_left_with_more_than_everything_keeps_its_luck() -> None:
    results = [replace(r, luck=(-0.5,)) for r in swapped("AB", 20, "A", "B")]
    raw, adjusted = (fit(results, "g", adjusted=on) for on in (False, True))

    assert adjusted.seat_terms == raw.seat_terms
    assert adjusted.ratings == raw.ratings


def test_a_ladder_without_end_has_an_elo_without_luck() -> None:
    """Each beats the next, always: some four thousand Elo and more from the middle."""
    ladder = "ABCDEFGHIJKL"
    results = [
        replace(r, luck=(0.0,))
        for a, b in pairwise(ladder)
        for r in swapped(a + b, 100, a, a)
    ]
    raw, adjusted = (fit(results, "g", adjusted=on) for on in (False, True))

    assert raw.ratings[0].elo - MEAN_ELO > 4000.0
    assert [r.elo for r in adjusted.ratings] == pytest.approx(
        [r.elo for r in raw.ratings]
    )


def test_luck_is_taken_out_of_the_scores() -> None:
    # A has won 60 games of 80, 40 of them with a quarter of luck.
    results = [
        replace(r, luck=(0.25 if r.seats[0] == "A" else -0.25,))
        for r in swapped("AB", 20, "A", "A")
    ]
    for tag, winners in (("x", "AB"), ("y", "BA")):
        results += [
            replace(r, luck=(0.0,)) for r in swapped("AB", 10, *winners, tag=tag)
        ]
    a, b = fit(results, "g", adjusted=True).ratings
    half = (a.elo - b.elo) / 2.0
    left = 60 - 40 * 0.25 - 80 * expected(2.0 * half) + 0.5 - expected(half)

    assert left == pytest.approx(0.0, abs=1e-9)
    assert a.se < fit(results, "g").ratings[0].se
