"""What must not matter to a league changes no digit of it."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random

sys.path += [str(Path(__file__).parents[1] / room) for room in ("league", "reports")]

import leagues
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plans import entry, league, league_game, make_plan
from rated import crosstable, standings
from simulated import played, same

from arena.league.config.info import EntryInfo
from arena.league.results.store import Store
from arena.ratings import MEAN_ELO, Result, Standings, fit
from arena.ratings.elo.fit import fit_pool
from arena.ratings.elo.pool import Pool, build_pool, select, without_exploring
from arena.ratings.labels import fit_label


def with_forfeits(rng: Random, results: Iterable[Result]) -> list[Result]:
    """Return the results with a forfeit of some who came last, and some exploring."""
    found = []
    for result in results:
        last = max(result.places)
        if rng.random() < 0.1 and result.places.count(last) == 1:
            lost = tuple(place == last for place in result.places)
            result = replace(result, forfeits=lost)
        found.append(replace(result, explores=len(result.seats) == 2))
    return found


def a_league() -> list[Result]:
    """Return a league with all there is: two labels, luck, forfeits, exploring."""
    rng = Random(31)
    results = with_forfeits(rng, played(rng, [2, 2, 3, 4], 60, "ABCDEF", luck=0.3))
    # Luck has more digits than sums are free of order with.
    results = [replace(r, luck=tuple(x / 3.0 for x in r.luck or ())) for r in results]
    other = played(rng, [2], 30, "ABCDXY")
    return results + [replace(r, label="h", fixture=f"h{r.fixture}") for r in other]


def rated(results: Iterable[Result]) -> Standings:
    return standings(results, ["g", "h"], {"g": 2.0}, anchor=("C", 1100.0))


# What must not matter.


def test_the_order_of_the_games_changes_no_bit() -> None:
    results = a_league()
    table, scores = rated(results), crosstable(results)
    assert any(row.labels[0].results_elo is not None for row in table.rows)
    assert any(row.clean_elo is not None for row in table.rows)
    assert table.fits[0].confirmed is not None
    rng = Random(32)
    for _ in range(3):
        rng.shuffle(results)
        shuffled = rated(results)
        assert shuffled == table
        assert crosstable(results) == scores
        for again, before in zip(shuffled.fits, table.fits, strict=True):
            for name in ("fit", "confirmed", "results", "clean"):
                assert same(getattr(again, name), getattr(before, name))


def test_a_league_in_two_files_is_the_same_league(tmp_path: Path) -> None:
    results = [
        replace(result, luck=result.luck or (0.25,), explores=False)
        for result in a_league()
    ]
    parts = results[::2], results[1::2]
    for number, part in enumerate(parts):
        write(tmp_path / str(number), part)
    back = list(chain.from_iterable(read(tmp_path / n) for n in "10"))
    assert sorted(back, key=repr) == sorted(results, key=repr)
    assert rated(back) == rated(results)
    assert crosstable(back) == crosstable(results)


def write(folder: Path, results: Sequence[Result]) -> None:
    """Write the games into a results folder, with their luck."""
    who = {x: EntryInfo(x, x, f"{x}.py", ("g", "h"), "") for x in "ABCDEFXY"}
    records, luck = leagues.records_of(results, who)
    info = leagues.league(who.values(), ("g", "h"))
    values = [leagues.value_of(label) for label in "gh"]
    leagues.fill(folder, info, records, luck, values)


def read(folder: Path) -> Iterator[Result]:
    """Yield the results of the games in a folder."""
    with Store.read(folder) as store:
        for r, luck in store.records_with_luck():
            yield Result(r.label, r.fixture_id, r.seats, r.places, r.forfeits, luck)


@settings(max_examples=10)
@given(
    st.sets(st.sampled_from(["ana", "ben", "cid", "dot", "eva"]), min_size=2),
    st.sampled_from(["aaa", "bob", "zoe"]),
)
def test_another_bot_leaves_every_game_of_the_others_as_it_was(
    names: set[str], newcomer: str
) -> None:
    """The same ids, fixtures, seats and luck, in the same order."""
    config = league(league_game("zombie_dice"), league_game("ox_blocks", fixtures=2))
    others = [entry(name) for name in sorted(names)]
    more = sorted([*others, entry(newcomer)], key=lambda e: e.id)
    before, after = make_plan(config, others), make_plan(config, more)
    kept = [
        match
        for match in after.matches
        if newcomer not in {spec.id.partition(":")[0] for spec in match.entries}
    ]
    assert kept == list(before.matches)
    assert len(after.matches) == len(kept) + 2 * len(others)


def test_a_bot_in_another_game_changes_nothing_in_this_one() -> None:
    results = a_league()
    more = [
        replace(r, label="h", fixture=f"new{r.fixture}")
        for r in played(Random(5), [2], 12, "AZ")
    ]
    before, after = rated(results), rated(results + more)
    for row in before.rows:
        (now,) = (new for new in after.rows if new.entry == row.entry)
        assert now.labels[0] == row.labels[0]
    assert same(after.fits[0].fit, before.fits[0].fit)


def test_whoever_joins_changes_no_cell_of_the_others() -> None:
    rng = Random(6)
    results = played(rng, [2], 40, "ABCD", luck=0.3)
    more = [
        replace(r, fixture=f"new{r.fixture}")
        for r in played(rng, [2], 30, "ABCDZ", luck=0.3)
        if "Z" in r.seats
    ]
    before, after = crosstable(results), crosstable(results + more)
    assert after.entries == (*before.entries, "Z")
    assert before.adjusted is not None
    assert after.adjusted is not None
    for name in ("score", "low", "high", "superiority"):
        for old, new in ((before, after), (before.adjusted, after.adjusted)):
            cells = tuple(row[:-1] for row in getattr(new, name)[:-1])
            assert cells == getattr(old, name)
    assert tuple(row[:-1] for row in after.games[:-1]) == before.games


def test_pools_that_never_met_each_have_their_own_mean() -> None:
    rng = Random(8)
    results = played(rng, [2], 20, "ABC") + [
        replace(r, fixture=f"x{r.fixture}") for r in played(rng, [2], 20, "XYZ")
    ]
    free = {r.entry: r.elo for r in fit(results, "g").ratings}
    held = fit(results, "g", anchor=("Y", 1234.0))
    fixed = {r.entry: r.elo for r in held.ratings}

    for pool in ("ABC", "XYZ"):
        assert sum(free[name] for name in pool) == pytest.approx(3.0 * MEAN_ELO)
    assert sum(fixed[name] for name in "ABC") == pytest.approx(3.0 * 1234.0)
    assert fixed["Y"] == 1234.0
    assert fixed["X"] - 1234.0 == pytest.approx(free["X"] - free["Y"])
    assert np.isinf(held.variance()[0, 3:]).all()
    table = standings(results, ["g"])
    assert table.weights == (0.0,)
    assert {row.labels[0].pool for row in table.rows} == {0, 1}
    for row in table.rows:
        assert row.labels[0].rank in (1, 2, 3)
        assert (row.labels[0].rank_high or 9) <= 3


# Which games are fitted.


def test_games_are_selected_as_if_there_were_no_others() -> None:
    rng = Random(9)
    results = with_forfeits(rng, played(rng, [2, 3, 4], 50, "ABCDEF", luck=0.3))
    pool = build_pool(results)
    by_size = [[r for r in results if len(r.seats) == n] for n in (2, 3, 4)]
    chosen = [["F" not in r.seats and rng.random() < 0.7 for r in x] for x in by_size]
    chosen[1] = [False] * len(chosen[1])
    kept = [
        result
        for games, marks in zip(by_size, chosen, strict=True)
        for result, mark in zip(games, marks, strict=True)
        if mark
    ]
    found = select(pool, [np.array(marks, bool) for marks in chosen])
    expected = build_pool(kept)
    assert (found.entries, found.clusters) == (expected.entries, expected.clusters)
    assert "F" not in found.entries
    assert found.games == len(kept) > 10
    assert rows_of(found) == rows_of(expected)


def rows_of(pool: Pool) -> list[object]:
    return [
        None if column is None else (column.shape, column.tolist())
        for table in pool.tables
        for column in table
    ]


def test_games_that_explore_sharpen_the_elo_but_no_interval() -> None:
    rng = Random(10)
    certain = played(rng, [2], 30, "ABCD", luck=0.2)
    more = [
        replace(r, fixture=f"x{r.fixture}", explores=True)
        for r in played(rng, [2], 40, "ABCD", luck=0.2)
    ]
    fits = fit_label("g", build_pool(certain + more), None, winner_only=False)
    assert fits.taken is not None
    assert same(fits.fit, fit_pool(fits.taken.pool, "g", None, adjusted=True))
    rest = without_exploring(fits.taken.pool)
    assert same(fits.confirmed, fit_pool(rest, "g", None, adjusted=True))
    assert same(fits.results, fit(certain, "g"))
    before, after = (
        standings(x, ["g"], results_alone=True).rows for x in (certain, certain + more)
    )
    now = {row.entry: row for row in after}
    for row in before:
        new = now[row.entry]
        limits = new.confirmed_elo, new.elo_low, new.elo_high
        assert limits == (row.elo, row.elo_low, row.elo_high)
        assert new.elo != row.elo
        assert new.games > row.games


def test_the_clean_elo_is_that_of_the_fixtures_without_a_forfeit() -> None:
    rng = Random(11)
    results = played(rng, [2, 3], 40, "ABCD")
    spoilt = {results[n].fixture for n in (3, 20, 50)}
    results = [
        replace(r, forfeits=tuple(p == max(r.places) for p in r.places))
        if number in (3, 20, 50)
        else r
        for number, r in enumerate(results)
    ]
    rest = [r for r in results if r.fixture not in spoilt]
    assert 0 < len(rest) < len(results) - 3
    expected = {r.entry: r.elo for r in fit(rest, "g").ratings}
    other = [replace(r, label="h") for r in played(rng, [2], 20, "ABCD", luck=0.3)]
    for row in standings([*results, *other], ["g", "h"]).rows:
        one, two = row.labels
        assert one.clean_elo == expected[row.entry] != one.elo
        assert two.clean_elo is None is one.results_elo
        assert two.results_elo is not None
        # Overall a label that has none counts as it is.
        assert None is not row.clean_elo != row.elo
        assert row.results_elo is not None


@pytest.mark.parametrize("size", [2, 3])
def test_luck_is_taken_out_of_all_games_or_of_none(size: int) -> None:
    results = played(Random(6), [2, 3], 40, luck=0.3)
    assert fit_label("g", build_pool(results), None, winner_only=False).taken
    # Of the first of its tables it is not known.
    number = next(n for n, r in enumerate(results) if len(r.seats) == size)
    results[number] = replace(results[number], luck=None)
    pool = build_pool(results)
    fits = fit_label("g", pool, None, winner_only=False)
    assert not pool.knows_luck
    assert fits.taken is None
    assert fits.results is None
    assert same(fits.fit, fit(results, "g"))
    with pytest.raises(ValueError, match="g: expected the luck of every game"):
        fit(results, "g", adjusted=True)
    for row in standings(results, ["g"]).rows:
        assert row.labels[0].results_elo is None


def test_luck_says_nothing_of_winners_at_larger_tables() -> None:
    of_three = build_pool(played(Random(13), [3], 20, luck=0.2))
    of_two = build_pool(played(Random(13), [2], 20, luck=0.2))
    assert fit_label("g", of_three, None, winner_only=True).taken is None
    assert fit_label("g", of_three, None, winner_only=False).taken is not None
    assert fit_label("g", of_two, None, winner_only=True).taken is not None
