"""Standings: tallies, ranks, and leagues at the edge of sense."""

from math import inf, isfinite, nan

import pytest
from rated import standings
from simulated import game

from arena.ratings import MEAN_ELO, Result, Standing, Standings, fit


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


def test_labels_are_rated_apart() -> None:
    results = match("one", "AB", 30, 12) + match("two", "AB", 15, 25)
    table = standings(results, ["two", "one"])

    assert [found.label for found in table.fits] == ["two", "one"]
    for found in table.fits:
        assert found.fit.ratings == fit(results, found.label).ratings


def test_rows_are_sorted_by_elo_and_equals_share_a_rank() -> None:
    results = match("g", "BA", 6, 6) + match("g", "CA", 9, 3) + match("g", "CB", 9, 3)
    results += match("g", "AD", 9, 3) + match("g", "BD", 9, 3)
    table = standings(results, ["g"], entries=["Z", "Y", "A"])

    assert [(row.rank, row.entry) for row in table.rows] == [
        (1, "C"),
        (2, "A"),
        (2, "B"),
        (4, "D"),
        (None, "Y"),
        (None, "Z"),
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

    assert (row.rank, row.entry, row.games, row.score) == (None, "Q", 0, None)
    assert row.missing == ("g",)
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
        (None, name, None) for name in entries
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
