"""Balanced groups: who shares a table with whom, and how often."""

from collections import Counter
from functools import cache
from hashlib import sha256
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided

from arena.league.schedule import balanced_tables as groups
from arena.league.schedule.balanced_tables import balanced_groups

DO_NOT_EXIST = {
    # Fewer groups than entries (Fisher).
    (16, 6, 1),
    (21, 6, 1),
    # As many groups as entries, and two theorems on such (Bruck, Ryser and Chowla;
    # Hall and Connor).
    (15, 5, 2),
    (22, 7, 2),
    (21, 6, 2),
    # All were gone through by computer (Bilous and others, 2007).
    (22, 8, 4),
}
NOT_FOUND = {(16, 6, 3), (21, 6, 4), (21, 7, 3)}


def divides(entries: int, table: int, meetings: int) -> bool:
    """Return whether equal meetings would take whole numbers of groups."""
    seats = meetings * entries * (entries - 1)
    return seats % (entries * (table - 1)) == 0 == seats % (table * (table - 1))


@cache
def meetings_of_two(entries: int, table: int, meetings: int) -> tuple[int, int]:
    """Return how often two meet, at least and at most, where all is as promised."""
    found = balanced_groups(entries, table, meetings)
    assert found == sorted(found)
    sits = np.zeros((len(found), entries))
    for row, group in zip(sits, found, strict=True):
        assert list(group) == sorted(set(group))
        assert len(group) == table
        row[list(group)] = 1
    # How many groups each two share; on the diagonal, how many each is in.
    shared = (sits.T @ sits).astype(np.int_)
    of_each = np.diag(shared)
    assert of_each.max() - of_each.min() <= 1
    pairs = shared[np.triu_indices(entries, 1)]
    assert pairs.min() >= meetings
    return int(pairs.min()), int(pairs.max())


EASY = 15
"""Entries up to which groups are found quickly at any table."""
REACH = divided(
    [(t, n) for t in range(3, 9) for n in (EASY, 40 if t <= 5 else 27)],
    lambda case: case[1] == EASY,
)
"""Tables, and up to how many entries."""


@pytest.mark.parametrize(("table", "most"), REACH)
def test_all_meet_equally_often_where_the_numbers_divide(table: int, most: int) -> None:
    unequal = {
        (entries, table, meetings)
        for entries in range(table, most + 1)
        for meetings in range(1, 13)
        if divides(entries, table, meetings)
        and meetings_of_two(entries, table, meetings) != (meetings, meetings)
    }
    known = DO_NOT_EXIST | NOT_FOUND
    assert unequal == {c for c in known if c[1] == table and c[0] <= most}


@pytest.mark.parametrize(("table", "most"), REACH)
def test_two_meet_at_most_once_more_than_two_others(table: int, most: int) -> None:
    for entries in range(table, most + 1):
        for meetings in (1, 2, 10):
            low, high = meetings_of_two(entries, table, meetings)
            assert high - low <= 1


@pytest.mark.parametrize("entries", divided((9, 12, 17, 23), lambda n: n <= 12))
def test_large_tables_are_balanced_too(entries: int) -> None:
    for table in range(9, entries + 1):
        for meetings in (1, 10):
            low, high = meetings_of_two(entries, table, meetings)
            assert high - low <= 1


@pytest.mark.exhaustive
@settings(max_examples=40, derandomize=True)
@given(st.data())
def test_any_numbers_are_balanced(data: st.DataObject) -> None:
    entries = data.draw(st.integers(3, 60))
    table = data.draw(st.integers(3, min(entries, 5)))
    meetings = data.draw(st.integers(1, 100))
    low, high = meetings_of_two(entries, table, meetings)
    assert high - low <= 1


@pytest.mark.parametrize(
    ("entries", "table", "meetings", "most"),
    divided(
        [(35, 5, 2, 2), (66, 3, 1, 2), (300, 4, 2, 3)],
        lambda case: case[0] < 300,
    ),
)
def test_many_entries_are_balanced(
    entries: int, table: int, meetings: int, most: int
) -> None:
    assert meetings_of_two(entries, table, meetings) == (meetings, most)


@pytest.mark.parametrize("effort", divided((2000, 0), lambda effort: effort))
def test_where_the_search_gives_up_all_meet_and_play_enough(
    effort: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if effort:  # It gives up sooner, and what it finds is not to be kept.
        monkeypatch.setattr(groups, "_MAX_EFFORT", effort)
    monkeypatch.setattr(groups, "_find", groups._find.__wrapped__)
    low, high = meetings_of_two.__wrapped__(27, 14, 10)
    assert high - low == 2


@pytest.mark.parametrize(("table", "most"), REACH)
def test_there_are_hardly_more_groups_than_it_takes(table: int, most: int) -> None:
    excess = {3: 1.04, 4: 1.08, 5: 1.17}.get(table, 1.35)
    for entries in range(2 * table, most + 1):
        pairs = 10 * entries * (entries - 1) / (table * (table - 1))
        assert len(balanced_groups(entries, table, 10)) <= excess * pairs


def test_one_table_for_all_needs_one_group() -> None:
    assert balanced_groups(5, 5, 3) == [(0, 1, 2, 3, 4)] * 3


@pytest.mark.parametrize("entries", range(4, 20))
def test_when_one_is_left_out_everybody_is(entries: int) -> None:
    everyone = set(range(entries))
    found = balanced_groups(entries, entries - 1, entries - 2)
    left_out = [everyone.difference(group) for group in found]
    assert sorted(map(sorted, left_out)) == [[entry] for entry in range(entries)]


def test_seven_at_tables_of_four() -> None:
    # The complements of the lines of the projective plane with seven points.
    found = balanced_groups(7, 4, 2)
    assert len(found) == len(set(found)) == 7
    lines = [set(range(7)).difference(group) for group in found]
    assert all(len(a & b) == 1 for a, b in combinations(lines, 2))


def test_many_meetings_repeat_the_groups_of_few() -> None:
    few = Counter(balanced_groups(7, 4, 2))
    assert Counter(balanced_groups(7, 4, 100)) == dict.fromkeys(few, 50)


@pytest.mark.parametrize(
    ("numbers", "digest"),
    [
        # On a circle, on one with a hub, on a torus, on one with a hub; by who is away.
        ((30, 4, 10), "85bb48ee4369024a"),
        ((9, 3, 1), "24dd12f51d9d267d"),
        ((25, 4, 1), "aab48917dadb80d0"),
        ((28, 4, 1), "e610a303ad0d5a46"),
        ((13, 8, 5), "fd0bc1f17c4155ba"),
    ],
)
def test_the_same_numbers_give_the_same_groups_everywhere(
    numbers: tuple[int, int, int], digest: str
) -> None:
    found = repr(balanced_groups(*numbers))
    assert sha256(found.encode()).hexdigest()[:16] == digest
