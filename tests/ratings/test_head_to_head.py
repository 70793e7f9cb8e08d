"""The crosstable, counted by hand."""

import pytest

from arena.ratings import Result, crosstable

FAIR = (False, False)
RESULTS = [
    Result("one", "1", ("A", "B"), (1, 2), FAIR),
    Result("one", "1", ("B", "A"), (1, 2), FAIR),
    Result("one", "2", ("A", "B"), (1, 1), FAIR),
    Result("one", "3", ("B", "A"), (2, 1), (True, False)),
    Result("two", "4", ("C", "A", "B"), (1, 2, 2), (False, False, False)),
]


@pytest.mark.parametrize(
    ("label", "games", "score"),
    [
        (
            None,
            ((0, 5, 1), (5, 0, 1), (1, 1, 0)),
            ((None, 0.6, 0.0), (0.4, None, 0.0), (1.0, 1.0, None)),
        ),
        ("one", ((0, 4), (4, 0)), ((None, 0.625), (0.375, None))),
        (
            "two",
            ((0, 1, 1), (1, 0, 1), (1, 1, 0)),
            ((None, 0.5, 0.0), (0.5, None, 0.0), (1.0, 1.0, None)),
        ),
        ("three", (), ()),
    ],
)
def test_every_ordered_pair_is_counted(
    label: str | None,
    games: tuple[tuple[int, ...], ...],
    score: tuple[tuple[float | None, ...], ...],
) -> None:
    table = crosstable(RESULTS, label)

    assert table.entries == ("A", "B", "C")[: len(games)]
    assert table.games == games
    assert table.score == score
    assert crosstable(RESULTS[::-1], label) == table


def test_entries_come_in_the_order_asked_for() -> None:
    table = crosstable(RESULTS, entries=["C", "Z", "A"])

    assert table.entries == ("C", "Z", "A")
    assert table.games == ((0, 0, 1), (0, 0, 0), (1, 0, 0))
    assert table.score == ((None, None, 1.0), (None, None, None), (0.0, None, None))
