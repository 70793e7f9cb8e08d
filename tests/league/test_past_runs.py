"""What runs came to is kept: once, in order, and never more than can be read."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_store import played, refused

from arena.league.results import past_runs
from arena.league.results.past_runs import (
    PastPlace,
    PastRun,
    PastStanding,
    bound,
    decode_runs,
    encode_run,
)
from arena.league.results.store import FILE_NAME, Store

elo = st.floats(-1e6, 1e6)
place = st.builds(
    lambda elo, low, high, places: PastPlace(elo, low, high, *sorted(places)),
    elo,
    st.none() | elo,
    st.none() | elo,
    st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)),
)
words = st.text(max_size=500)
standing = st.builds(
    PastStanding,
    words,
    words,
    words,
    st.none() | place,
    st.dictionaries(words, place, max_size=3),
)
run = st.builds(
    lambda standings, *rest: PastRun(
        tuple(sorted(standings, key=lambda x: x.entry)), *rest
    ),
    st.lists(standing, max_size=4, unique_by=lambda x: x.entry),
    st.integers(0, 10**12),
    words,
    st.none() | st.tuples(words, elo),
)


def run_of(games: int) -> PastRun:
    at = PastPlace(1000.5, 990.0, None, 1, 2)
    return PastRun((PastStanding("a.py:A", "A", "v1", at, {"dice": at}),), games)


@given(run)
def test_what_is_kept_comes_out_as_it_was(kept: PastRun) -> None:
    assert decode_runs([encode_run(kept)]) == (kept,)


def test_a_run_is_kept_if_it_differs_from_the_last_one(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store.runs.kept() == ()
        for games in (4, 4, 8, 4, 4):
            store.runs.keep(run_of(games))
        assert [kept.games for kept in store.runs.kept()] == [4, 8, 4]


@pytest.mark.parametrize(
    ("limit", "most"),
    [("MOST_RUNS", 3), ("MOST_BYTES", 3 * len(encode_run(run_of(1))))],
)
def test_the_oldest_give_way(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_runs, limit, most)
    with Store.open(tmp_path) as store:
        for games in range(1, 8):
            store.runs.keep(run_of(games))
        assert [kept.games for kept in store.runs.kept()] == [5, 6, 7]


def test_a_run_that_is_too_large_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_runs, "MOST_BYTES", len(encode_run(run_of(4))))
    with Store.open(tmp_path) as store:
        store.runs.keep(run_of(4))
        store.runs.keep(run_of(10**6))
        assert [kept.games for kept in store.runs.kept()] == [4]


@pytest.mark.parametrize("limit", ["MOST_RUNS", "MOST_BYTES"])
def test_more_than_arena_keeps_is_not_read(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = played(tmp_path)
    with Store.open(tmp_path) as store:
        store.runs.keep(run_of(4))
        store.runs.keep(run_of(5))
    monkeypatch.setattr(past_runs, limit, 1)
    with Store.read(tmp_path) as store, refused(path, "is damaged"):
        store.runs.kept()


def test_a_folder_of_before_runs_were_kept_is_read_and_goes_on(tmp_path: Path) -> None:
    played(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.execute("DROP TABLE standings")
    with Store.read(tmp_path) as store:
        assert store.runs.kept() == ()
    with Store.open(tmp_path) as store:
        store.runs.keep(run_of(4))
        assert store.runs.kept() == (run_of(4),)


@given(st.none() | st.floats())
def test_an_end_that_says_nothing_is_none(end: float | None) -> None:
    kept = PastPlace(0.0, bound(end), None, 1, 1)
    assert kept.low is None or kept.low == end
    one = PastRun((PastStanding("a", "A", "", kept, {}),), 0)
    assert decode_runs([encode_run(one)]) == (one,)
