"""Standings: tallies, the overall Elo, ranks, and leagues at the edge of sense."""

from dataclasses import replace
from math import inf, isfinite, nan, sqrt
from random import Random

import numpy as np
import pytest
from rated import standings
from simulated import game, played

from arena.ratings import MEAN_ELO, Result, Standing, Standings, fit
from arena.ratings.claims import MAX_LOOKS, Claim, Strengths, claims


def match(label: str, pair: str, won: int, lost: int, drawn: int = 0) -> list[Result]:
    """Return a match of two with independent games; seats alternate."""
    results = []
    for n, outcome in enumerate("+" * won + "-" * lost + "=" * drawn):
        places = {"+": (1, 2), "-": (2, 1), "=": (1, 1)}[outcome]
        turn = -1 if n % 2 else 1
        results.append(game(f"{pair}{n}", pair[::turn], places[::turn], label=label))
    return results


def by_name(table: Standings) -> dict[str, Standing]:
    return {row.entry: row for row in table.rows}


def counts(row: Standing) -> tuple[int, int, int, int, int]:
    return row.games, row.wins, row.draws, row.losses, row.forfeits


LOST = ((1, 0, 0, 1, 0), 0.0)
SHARED = ((1, 0, 1, 0, 0), 0.5)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        (
            [game(1, "AB"), game(2, "BA"), game(3, "AB", (1, 1))],
            {"A": ((3, 1, 1, 1, 0), 0.5), "B": ((3, 1, 1, 1, 0), 0.5)},
        ),
        (
            [game(1, "ABC", (1, 2, 3)), game(2, "BCA", (1, 1, 3))],
            {
                "A": ((2, 1, 0, 1, 0), 0.5),
                "B": ((2, 0, 1, 1, 0), 0.25),
                "C": ((2, 0, 1, 1, 0), 0.25),
            },
        ),
        ([game(1, "ABC", (1, 1, 1))], dict.fromkeys("ABC", ((1, 0, 1, 0, 0), 1 / 3))),
        (
            [game(1, "ABCD", (2, 1, 2, 4))],
            {"A": LOST, "B": ((1, 1, 0, 0, 0), 1.0), "C": LOST, "D": LOST},
        ),
        (
            [game(1, "AB", (2, 1), forfeits="A"), game(2, "AB")],
            {"A": ((2, 1, 0, 1, 1), 0.5), "B": ((2, 1, 0, 1, 0), 0.5)},
        ),
        (
            [game(1, "ABC", (3, 1, 1), forfeits="A")],
            {"A": ((1, 0, 0, 1, 1), 0.0), "B": SHARED, "C": SHARED},
        ),
    ],
    ids=["pairs", "three", "all-share", "shared-second", "forfeit", "forfeit-of-three"],
)
def test_games_are_counted(
    results: list[Result],
    expected: dict[str, tuple[tuple[int, int, int, int, int], float]],
) -> None:
    rows = by_name(standings(results, ["g"]))

    assert set(rows) == set(expected)
    for name, (tally, score) in expected.items():
        assert counts(rows[name]) == tally
        assert rows[name].score == pytest.approx(score)


@pytest.mark.parametrize("places", [(1, 1), (2, 2)])
def test_who_forfeits_has_lost_whatever_his_place(places: tuple[int, int]) -> None:
    table = standings([game(1, "AB", places, forfeits="AB")], ["g"])

    assert table.fits[0].clean is None
    for row in table.rows:
        assert counts(row) == (1, 0, 0, 1, 1)
        assert row.score == 0.0
        assert row.elo == pytest.approx(MEAN_ELO)


def test_an_entry_that_only_forfeits_ends_at_the_bottom() -> None:
    results = match("g", "AB", 12, 8)
    results += [game(f"x{n}", "AX", (1, 2), forfeits="X") for n in range(10)]
    results += [game(f"y{n}", "XB", (2, 1), forfeits="X") for n in range(10)]
    last = standings(results, ["g"]).rows[-1]

    assert last.entry == "X"
    assert last.open_below
    assert not last.open_above
    assert last.elo is not None
    assert isfinite(last.elo)
    assert counts(last) == (20, 0, 0, 20, 20)


def test_one_label_is_the_same_overall() -> None:
    results = match("g", "AB", 30, 12) + match("g", "BC", 14, 14, 2)
    results += match("g", "AD", 9, 0)
    for row in standings(results, ["g"]).rows:
        (only,) = row.labels
        for name in ("elo", "elo_low", "elo_high"):
            assert getattr(row, name) == pytest.approx(getattr(only, name))
        for name in ("games", "score", "wins", "draws", "losses", "forfeits"):
            assert getattr(row, name) == getattr(only, name)
        assert (row.open_above, row.open_below) == (only.open_above, only.open_below)


@pytest.mark.parametrize(
    "weights", [None, {"one": 3.0}, {"one": 2.0, "two": 0.5}, {"two": 0.0}]
)
def test_overall_is_the_weighted_mean(weights: dict[str, float] | None) -> None:
    results = match("one", "AB", 30, 12) + match("two", "AB", 15, 25)
    table = standings(results, ["one", "two"], weights)
    w1, w2 = table.weights

    assert table.weights == tuple((weights or {}).get(g, 1.0) for g in ("one", "two"))
    for row in table.rows:
        ratings = [
            next(r for r in found.fit.ratings if r.entry == row.entry)
            for found in table.fits
        ]
        mean = (w1 * ratings[0].elo + w2 * ratings[1].elo) / (w1 + w2)
        halves = [rating.elo_high - rating.elo for rating in ratings]
        half = sqrt((w1 * halves[0]) ** 2 + (w2 * halves[1]) ** 2) / (w1 + w2)
        assert row.elo == pytest.approx(mean)
        assert row.elo_low == pytest.approx(mean - half, abs=1e-3)
        assert row.elo_high == pytest.approx(mean + half, abs=1e-3)
        assert row.games == 82
        assert row.score == pytest.approx((45 if row.entry == "A" else 37) / 82)


@pytest.mark.parametrize("anchor", [None, ("A", 1200.0)])
def test_who_does_not_play_a_label_counts_there_as_the_anchor(
    anchor: tuple[str, float] | None,
) -> None:
    results = match("one", "AB", 30, 12) + match("one", "BC", 12, 10)
    results += match("two", "AB", 15, 25)
    table = standings(results, ["one", "two"], anchor=anchor)
    row = by_name(table)["C"]
    one, two = row.labels
    base = MEAN_ELO if anchor is None else anchor[1]

    assert (two.label, two.games, two.elo, two.score) == ("two", 0, None, None)
    assert one.elo is not None
    assert one.elo_low is not None
    assert row.elo is not None
    assert row.elo == pytest.approx((one.elo + base) / 2.0)
    assert row.elo_low == pytest.approx(row.elo - (one.elo - one.elo_low) / 2.0)


def test_an_anchor_absent_from_a_label_sets_its_mean() -> None:
    results = match("one", "AB", 30, 12) + match("two", "BC", 15, 25)
    table = standings(results, ["one", "two"], anchor=("A", 1200.0))

    assert [found.fit.anchored for found in table.fits] == [True, False]
    assert by_name(table)["A"].elo == pytest.approx(1200.0)
    assert sum(r.elo for r in table.fits[1].fit.ratings) == pytest.approx(2400.0)


def test_labels_are_rated_apart() -> None:
    results = match("one", "AB", 30, 12) + match("two", "AB", 15, 25)
    table = standings(results, ["two", "one"])

    assert [found.label for found in table.fits] == ["two", "one"]
    for found in table.fits:
        assert found.fit.ratings == fit(results, found.label).ratings


def test_an_undefeated_label_opens_the_overall_interval() -> None:
    results = match("one", "AB", 12, 0) + match("two", "AB", 10, 10)
    both = by_name(standings(results, ["one", "two"]))
    two = by_name(standings(results, ["one", "two"], {"one": 0.0}))

    assert (both["A"].open_above, both["A"].open_below) == (True, False)
    assert (both["B"].open_above, both["B"].open_below) == (False, True)
    assert not any(row.open_above or row.open_below for row in two.values())


def test_claims_rest_on_the_errors_of_all_labels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """D does not play the second label, and some games of the first explore."""
    asked: list[Strengths] = []

    def note(strengths: Strengths) -> tuple[Claim, ...]:
        asked.append(strengths)
        return claims(strengths)

    for module in ("labels", "overall"):
        monkeypatch.setattr(f"arena.ratings.{module}.claims", note)
    rng = Random(7)
    first = [
        replace(result, label="one", explores=number % 3 == 0)
        for number, result in enumerate(played(rng, [2], 30, "ABCD"))
    ]
    second = [replace(r, label="two") for r in played(rng, [2], 12, "ABC")]
    weights = {"one": 1.0, "two": 3.0, "three": 0.0}
    results = [*first, *second, *match("three", "AB", 3, 2)]
    table = standings(results, ["one", "two", "three"], weights)

    one, two = (found.fit for found in table.fits[:2])
    *_, overall = asked
    assert [x.looks for x in asked] == [MAX_LOOKS + 1, 1, 1, MAX_LOOKS + 1]
    assert [x.df for x in asked[:2]] == [one.df, two.df]
    assert overall.entries == tuple("ABCD")
    assert not any(one.few + two.few)
    other = np.zeros((4, 4))
    other[:3, :3] = two.variance()
    other[3, :3] = other[:3, 3] = two.covariance.diagonal()[:3]
    parts = one.variance() / 16.0, other * 9.0 / 16.0
    variance = sum(parts)
    assert overall.variance == pytest.approx(variance)
    pairs = np.triu_indices(4, 1)
    inexact = parts[0] ** 2 / one.df + parts[1] ** 2 / two.df
    assert overall.df == pytest.approx((variance[pairs] ** 2 / inexact[pairs]).min())
    assert list(overall.games) == [by_name(table)[name].games for name in "ABCD"]


def test_rows_are_sorted_by_elo_and_equals_share_a_rank() -> None:
    results = match("g", "BA", 6, 6) + match("g", "CA", 9, 3) + match("g", "CB", 9, 3)
    results += match("g", "AD", 9, 3) + match("g", "BD", 9, 3)
    table = standings(results, ["g"], entries=["Z", "Y", "A"])

    assert [(row.rank, row.entry) for row in table.rows] == [
        (1, "C"),
        (2, "A"),
        (2, "B"),
        (4, "D"),
        (5, "Y"),
        (5, "Z"),
    ]


def test_each_label_has_ranks_of_its_own_by_the_same_rule() -> None:
    results = match("one", "BA", 6, 6) + match("one", "CA", 9, 3)
    results += match("one", "CB", 9, 3) + match("two", "AC", 9, 3)
    table = standings(results, ["one", "two"], entries=["Z"])

    assert {
        row.entry: tuple(label.rank for label in row.labels) for row in table.rows
    } == {"A": (2, 1), "B": (2, None), "C": (1, 2), "Z": (None, None)}


def test_an_entry_without_games_is_listed_without_elo() -> None:
    row = standings(match("g", "AB", 3, 2), ["g"], entries=["Q"]).rows[-1]

    assert (row.rank, row.entry, row.games, row.score) == (3, "Q", 0, None)
    assert (row.elo, row.elo_low, row.elo_high) == (None, None, None)


@pytest.mark.parametrize(
    ("labels", "entries", "anchor"),
    [
        ([], [], None),
        (["g"], [], None),
        (["g", "h"], ["solo"], None),
        (["g"], ["solo"], ("solo", 1000.0)),
        ([], ["solo"], ("other", 1000.0)),
    ],
)
def test_leagues_without_results(
    labels: list[str], entries: list[str], anchor: tuple[str, float] | None
) -> None:
    table = standings([], labels, anchor=anchor, entries=entries)

    assert [(row.rank, row.entry, row.elo) for row in table.rows] == [
        (1, name, None) for name in entries
    ]
    assert [found.label for found in table.fits] == labels


@pytest.mark.parametrize(
    ("labels", "weights", "message"),
    [
        (["h"], {}, "expected a label among h; found 'g'"),
        (["g", "g"], {}, "expected each once"),
        (["g"], {"h": 1.0}, "expected labels among g; found 'h'"),
        (["g"], {"g": -1.0}, r"weights\.g: expected 0 or more"),
        (["g"], {"g": nan}, r"weights\.g"),
        (["g"], {"g": inf}, r"weights\.g"),
        (["g"], {"g": 0.0}, "at least one above 0"),
    ],
)
def test_labels_and_weights_must_make_sense(
    labels: list[str], weights: dict[str, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        standings([game(1, "AB")], labels, weights)
