"""What is open where results tie bots together in one direction only, or in none."""

from dataclasses import replace
from itertools import combinations
from math import isinf, log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from rated import standings
from scipy.special import betaincinv
from separated import SETTINGS, Separated, measure
from simulated import game, match

from arena.ratings import MEAN_ELO, Fit, Rating, Result, fit
from arena.ratings.elo.fit import fit_pool
from arena.ratings.elo.pool import build_pool
from arena.ratings.elo.separation import Points, limited

K = 6
"""Entries of the graphs that are compared with brute force."""


def clean(pairs: dict[str, int], tag: str = "") -> list[Result]:
    """Return seat-swapped fixtures, so many of each pair; the first always wins."""
    return [
        game(f"{tag}{pair}{n}", seats, (1, 2) if seats == pair else (2, 1))
        for pair, fixtures in pairs.items()
        for n in range(fixtures)
        for seats in (pair, pair[::-1])
    ]


def even(names: str, fixtures: int) -> list[Result]:
    """Return so many fixtures of each pair in which both win a game.

    By turns that of the first seat and of the second, so that no seat is better.
    """
    return [
        game(f"{a}{b}{n}even", seats, ((1, 2), (2, 1))[n % 2])
        for a, b in combinations(names, 2)
        for n in range(fixtures)
        for seats in (a + b, b + a)
    ]


def by_name(found: Fit) -> dict[str, Rating]:
    return {rating.entry: rating for rating in found.ratings}


def gap(chance: float) -> float:
    """Return the difference in Elo at a chance."""
    return -400.0 * log10(1.0 / chance - 1.0)


def flags(found: Fit) -> dict[str, tuple[bool, bool]]:
    return {r.entry: (r.open_above, r.open_below) for r in found.ratings}


def reached(taken: list[tuple[int, int]]) -> np.ndarray:
    """Return what everyone reaches (Warshall 1962)."""
    found = np.eye(K, dtype=np.bool_)
    for taker, giver in taken:
        found[taker, giver] = True
    for between in range(K):
        found |= found[:, [between]] & found[[between]]
    return found


entry = st.integers(0, K - 1)
steps = st.lists(
    st.tuples(entry, entry, st.integers(0, 9)).filter(lambda step: step[0] != step[1]),
    min_size=1,
    max_size=24,
    unique=True,
)


@settings(max_examples=60)
@given(steps)
def test_a_limit_holds_whatever_fixture_is_left_out(
    taken: list[tuple[int, int, int]],
) -> None:
    found = limited(K, Points(*(np.array(c) for c in zip(*taken, strict=True))))

    each = [
        reached([(a, b) for a, b, number in taken if number != gone])
        for gone in {number for _, _, number in taken}
    ]
    assert (found == np.logical_and.reduce(each)).all()


@pytest.mark.parametrize(("fixtures", "least"), [(2, -291), (10, 140), (35, 382)])
def test_two_bots_are_as_far_apart_as_a_clean_record_says(
    fixtures: int, least: int
) -> None:
    found = by_name(fit(clean({"AB": fixtures}), "g"))

    a, b = found["A"], found["B"]
    assert a.elo_low - b.elo_high == pytest.approx(gap(0.025 ** (1 / fixtures)))
    assert round(a.elo_low - b.elo_high) == least
    assert (a.open_above, a.open_below) == (True, False)
    assert (b.open_above, b.open_below) == (False, True)
    assert a.elo_low <= a.elo <= a.elo_high
    assert a.elo + b.elo == pytest.approx(2 * MEAN_ELO)


@pytest.mark.parametrize(
    ("won", "is_open"),
    [
        # Of A's games of two in each fixture; one fixture's reversal is no evidence.
        ((2, 2, 2, 2), (True, False)),
        ((2, 2, 2, 1), (True, False)),
        ((2, 2, 2, 0), (True, False)),
        ((2, 2, 1, 1), (False, False)),
        ((2,), (True, True)),
        ((2, 0), (True, True)),
        ((1, 1), (False, False)),
    ],
)
def test_one_fixture_ties_nobody(
    won: tuple[int, ...], is_open: tuple[bool, bool]
) -> None:
    found = fit(match(won), "g")

    assert flags(found) == {"A": is_open, "B": is_open[::-1]}
    assert isinf(found.variance()[0, 1]) is all(is_open)


def test_a_draw_ties_both_ways() -> None:
    drawn = [game(f"x{n}", "AB", (1, 1)) for n in range(2)]

    assert flags(fit(clean({"AB": 9}) + drawn, "g"))["A"] == (False, False)
    assert flags(fit(clean({"AB": 9}) + drawn[:1], "g"))["A"] == (True, False)


def test_one_table_breaks_all_chains_that_lead_over_it() -> None:
    """C has taken points off A and off B, which are tied; but at one table."""
    games = even("AB", 4) + clean({"AC": 3, "BC": 3})
    at_one = [game(0, "CAB", (1, 2, 3)), game(0, "ABC", (2, 3, 1))]
    at_two = [at_one[0], replace(at_one[1], fixture="1")]

    assert flags(fit(games + at_one, "g", ("C", 1000.0)))["A"] == (True, False)
    assert flags(fit(games + at_two, "g", ("C", 1000.0)))["A"] == (False, False)


GROUPS = even("ABC", 6) + even("DE", 6) + clean({a + b: 2 for a in "ABC" for b in "DE"})
"""Two groups, of three and of two, that no game ties from both sides."""


def test_the_largest_group_is_the_middle() -> None:
    found = fit(GROUPS, "g")
    ratings = by_name(found)

    assert found.middle == (("A", "B", "C"),)
    assert sum(ratings[name].elo for name in "ABC") / 3 == pytest.approx(MEAN_ELO)
    assert [name for name, ends in flags(found).items() if ends[1]] == ["D", "E"]
    assert not any(above for above, _ in flags(found).values())
    # Twelve fixtures came out clean; the bots of a group are only nearly equal.
    exact = MEAN_ELO - gap(0.025 ** (1 / 12))
    for name in "DE":
        assert exact < ratings[name].elo_high < exact + 60.0
        assert ratings[name].elo < ratings[name].elo_high
    # Of groups as large it is the one with more games.
    two = fit(even("AB", 4) + even("CD", 6) + clean({"AC": 3}), "g")
    assert two.middle == (("C", "D"),)
    assert fit(clean({"AB": 3, "BC": 3, "AC": 3}), "g").middle == (("A", "B", "C"),)


def test_a_fit_of_fewer_games_has_the_same_zero() -> None:
    """Or the Elo with all games and that with some could not be compared."""
    whole = fit(GROUPS, "g")
    fewer = build_pool(r for r in GROUPS if {*r.seats} not in ({"A", "B"}, {"A", "C"}))
    alone, alike = (fit_pool(fewer, "g", None, like=x) for x in (None, whole))

    assert alone.middle == (("D", "E"),)
    assert alike.middle == whole.middle == (("A", "B", "C"),)
    assert flags(alike)["A"] == (True, True)
    assert np.diff([r.elo for r in alike.ratings]) == pytest.approx(
        np.diff([r.elo for r in alone.ratings])
    )


def test_no_anchor_changes_what_is_limited_or_claimed() -> None:
    free = fit(GROUPS, "g")
    elo = [rating.elo for rating in free.ratings]
    for at, name in enumerate("ABCDE"):
        held = fit(GROUPS, "g", (name, 1500.0))

        assert held.middle == ((name,),)
        assert (held.limits == free.limits).all()
        assert held.few == free.few
        assert held.variance() == pytest.approx(free.variance())
        assert [r.elo - 1500.0 for r in held.ratings] == pytest.approx(
            [own - elo[at] for own in elo]
        )
        ends = flags(held)
        assert [ends[n][0] for n in "ABC"] == [name in "DE"] * 3
        assert [ends[n][1] for n in "DE"] == [name in "ABC"] * 2


def test_an_anchor_that_nobody_is_tied_to_is_told() -> None:
    games = even("ABC", 6) + clean({"AZ": 5, "BZ": 5, "CZ": 5})
    found = fit(games, "g", ("Z", 1000.0))

    assert (found.anchored, found.anchor_is_apart) == (True, True)
    assert flags(found) == {
        **dict.fromkeys("ABC", (True, False)),
        "Z": (False, False),
    }
    for rating in found.ratings[:3]:
        assert rating.elo_low < 1000.0 + gap(0.025 ** (1 / 15)) < rating.elo
    assert not fit(games, "g", ("A", 1000.0)).anchor_is_apart
    assert not fit(games, "g").anchor_is_apart


def test_an_anchor_that_forfeits_all_its_games_holds_nothing() -> None:
    """Seen before: everybody at 1758 to 2223 +-490."""
    lost = [
        replace(r, forfeits=tuple(name == "Z" for name in r.seats))
        for r in clean({"AZ": 5, "BZ": 5})
    ]
    found = fit(even("AB", 6) + lost, "g", ("Z", 1200.0))
    one = replace(lost[0], forfeits=(False, False))

    assert (found.anchored, found.anchor_broken) == (False, True)
    assert found.middle == (("A", "B"),)
    assert [r.elo for r in found.ratings[:2]] == pytest.approx([1200.0] * 2)
    assert flags(found)["Z"] == (False, True)
    assert fit(lost[:10], "g", ("Z", 1200.0)).middle == (("A",),)
    played = fit([*even("AB", 6), one, *lost[1:]], "g", ("Z", 1200.0))
    assert (played.anchored, played.anchor_broken) == (True, False)


def test_limits_on_a_way_over_others_add_up() -> None:
    """A and C have not met; of each of the two gaps, ten fixtures came out clean."""
    found = by_name(fit(clean({"AB": 10, "BC": 10}), "g", ("C", 1000.0)))

    low, middle = (gap(chance ** (1 / 10)) for chance in (0.025, 0.5))
    exact = 2 * middle - 2**0.5 * (middle - low)
    assert found["B"].elo_low == pytest.approx(1000.0 + low)
    assert found["A"].elo_low == pytest.approx(1000.0 + exact)


def test_luck_that_is_taken_out_ties_nobody() -> None:
    """Nor does it part anybody: A and B have each won in four fixtures."""
    for results in (clean({"AB": 6}), match([2, 2, 1, 1, 1, 1])):
        lucky = [
            replace(r, luck=((0.3 if r.seats[0] == "A" else -0.3),)) for r in results
        ]
        raw, adjusted = (fit(lucky, "g", adjusted=on) for on in (False, True))
        assert flags(adjusted) == flags(raw)
        assert (adjusted.limits == raw.limits).all()
        assert adjusted.middle == raw.middle


def test_few_points_limit_a_gap_from_both_sides() -> None:
    """Two groups of four; in two of their 32 fixtures the lower one won a game."""
    games = even("ABCD", 6) + even("EFGH", 6)
    games += clean({a + b: 2 for a in "ABCD" for b in "EFGH"})
    upset = {"AE0", "DH0"}
    games = [
        replace(r, places=(1, 2)) if r.fixture in upset and r.seats[0] in "EH" else r
        for r in games
    ]
    found = by_name(fit(games, "g", ("H", 1000.0)))

    # A fixture has points at the most as often as both its games together.
    least = gap(1.0 - betaincinv(3, 30, 0.975))
    most = gap(1.0 - betaincinv(2, 31, 0.025) / 2.0)
    for name in "ABCD":
        rating = found[name]
        assert not rating.open_above
        assert rating.elo_low - 1000.0 < least + 10.0
        assert rating.elo_high - 1000.0 > most - 10.0
        # The phantoms alone would bring the groups nearer, and say so surely.
        assert rating.elo - 1000.0 < gap(1.0 - 2 / 64)
        assert rating.elo + 1.96 * rating.se < rating.elo_high
    # Of one piece with the anchor.
    e = found["E"]
    assert e.elo_high - e.elo == pytest.approx(e.elo - e.elo_low)


QUICK = "10+10, 1000 apart", "5 bots, anchor -600", "4+4 at tables"


@pytest.mark.parametrize(
    ("setting", "leagues"),
    divided(
        [
            *((s, 15) for s in SETTINGS if s.name.startswith(QUICK)),
            *((s, 60) for s in SETTINGS),
        ],
        lambda case: case[1] == 15,
    ),
    ids=lambda value: getattr(value, "name", value),
)
def test_limits_and_intervals_hold_the_truth(setting: Separated, leagues: int) -> None:
    """Seen before, of 10+10 bots: 58 of 100."""
    found = measure(setting, leagues)

    assert found["it holds"] is None or found["it holds"] > 0.97
    assert found["all"] > 0.935 - 3.0 * max(found["SE"], 0.01)
    assert found["wrong claims"] <= 0.05 + 3.0 * (0.05 / leagues) ** 0.5


def test_copies_of_one_bot_are_no_middle_for_all_others() -> None:
    """Nine of one owner that lose all to two that are tied: else both were open."""
    copies = "CDEFGHIJK"
    games = [("A", "B"), ("B", "A"), *zip(copies, copies[1:] + "C", strict=True)]
    games += [(loser, winner) for loser, winner in games]
    games += [(winner, loser) for winner in "AB" for loser in copies]
    results = [
        game(f"{number} {turn}", "".join(pair))
        for number, pair in enumerate(games)
        for turn in range(3)
    ]
    one = {copy: ["one"] for copy in copies}
    by_owner = standings(results, ["g"], owners=one).fits[0].fit
    assert by_owner.middle == (("A", "B"),)
    (alone,) = standings(results, ["g"]).fits
    assert alone.fit.middle == ((*copies,),)
