"""Whatever a league may look like, its table makes sense."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from math import isfinite
from random import Random
from typing import Any

import pytest
from matrix import divided
from rated import standings
from simulated import expected, game

from arena.ratings import Result, Standings
from arena.ratings.claims import better
from arena.ratings.rows import Row

NAMES = "ABCDEF"
LABELS = ("one", "two", "three")


def games_of(rng: Random, label: str) -> list[Result]:
    """Return the games of a label: of any size, with any faults and any luck."""
    names = rng.sample(NAMES, rng.randint(2, len(NAMES)))
    spread = rng.choice([0.0, 300.0, 9000.0])
    strength = {name: rng.gauss(0.0, spread) for name in names}
    sizes = rng.choice([[2], [2], [2, 3], [4], [5, 6]])
    broken = rng.sample(names, rng.choice([0, 0, 1]))
    faulty = rng.choice([0.0, 0.1, 1.0])
    luck = rng.choice([None, 0.0, 0.3, 20.0])
    is_adaptive = rng.random() < 0.3
    results = []
    for number in range(rng.choice([1, 2, 5, 15])):
        group = rng.sample(names, min(rng.choice(sizes), len(names)))
        explores = is_adaptive and rng.random() < 0.5
        for turn in range(len(group)):
            seats = group[turn:] + group[:turn]
            lost = "".join(x for x in seats if x in broken or rng.random() < faulty / 5)
            points = dict.fromkeys(seats, 0)
            for one, other in combinations(seats, 2):
                gap = strength[one] - strength[other]
                points[one if rng.random() < expected(gap) else other] += 1
            rank = [-1 if name in lost else points[name] // 2 for name in seats]
            places = [1 + sum(x > own for x in rank) for own in rank]
            pairs = list(combinations(seats, 2))
            given = None if luck is None else [rng.uniform(-luck, luck) for _ in pairs]
            seated = "".join(seats)
            fixture = f"{label} {number}"
            results.append(game(fixture, seated, places, given, lost, explores, label))
    return results


def a_league(seed: int) -> tuple[list[Result], tuple[str, ...], dict[str, Any]]:
    """Return games, labels, and how they are to be rated."""
    rng = Random(seed)
    labels = LABELS[: rng.randint(1, 3)]
    results = [r for label in labels for r in games_of(rng, label)]
    rated: dict[str, Any] = {
        "weights": {label: rng.choice([0.5, 1.0, 3.0]) for label in labels[1:]},
        "anchor": rng.choice([None, ("A", 1000.0), ("B", 77.0)]),
        "entries": "Z" * rng.randint(0, 1),
        "winner_only": labels[: rng.randint(0, 1)],
        "owners": {name: rng.sample("xyz", 1) for name in rng.sample(NAMES, 3)},
        "results_alone": rng.random() < 0.2,
        "ranks_any": rng.random() < 0.5,
    }
    return results, labels, rated


def check_row(row: Row, rank: int | None) -> None:
    numbers = [getattr(row, name) for name in row.__dataclass_fields__]
    assert all(isfinite(x) for x in numbers if isinstance(x, float))
    if row.elo is None:
        assert rank is None
        return
    assert row.confirmed_elo is not None
    assert row.elo_low is not None
    assert row.elo_high is not None
    assert row.open_below or row.elo_low <= row.confirmed_elo + 1e-6
    assert row.open_above or row.confirmed_elo <= row.elo_high + 1e-6
    assert rank is not None
    assert row.rank_low is not None
    assert row.rank_high is not None
    assert row.rank_low <= rank <= row.rank_high


def claimed(table: Standings) -> list[tuple[object, ...]]:
    """Return what is claimed of each row, in all labels."""
    found = []
    for row in table.rows:
        claims: list[object] = [row.entry, row.missing]
        for x in (row, *row.labels):
            claims += [x.rank, x.rank_low, x.rank_high, x.group, x.is_separated]
            claims.append(x.more_games)
        found.append(tuple(claims))
    return found


def every_row(table: Standings) -> Iterable[tuple[Row, int | None]]:
    for row in table.rows:
        yield row, row.rank
        yield from ((part, part.rank) for part in row.labels)


@pytest.mark.parametrize(
    "seeds", divided((range(12), range(12, 200)), lambda seeds: len(seeds) == 12)
)
def test_any_league_has_a_table_that_makes_sense(seeds: range) -> None:
    for seed in seeds:
        results, labels, rated = a_league(seed)
        table = standings(results, labels, **rated)
        for row, rank in every_row(table):
            check_row(row, rank)
        if table.overall is not None:
            above = better(table.overall)
            assert not (above & above.T).any(), seed
        shuffled = Random(seed).sample(results, len(results))
        assert standings(shuffled, labels, **rated) == table, seed
        for anchor in (None, ("C", 5.0)):
            other = standings(results, labels, **(rated | {"anchor": anchor}))
            assert claimed(other) == claimed(table), (seed, anchor)


def test_who_is_called_what_makes_no_claim() -> None:
    """Nobody is ahead for his name but in the order of equals."""
    other = dict(zip(NAMES, reversed(NAMES), strict=True))
    for seed in range(12):
        results, labels, rated = a_league(seed)
        renamed = [
            replace(r, seats=tuple(other[name] for name in r.seats)) for r in results
        ]
        anchor = rated["anchor"] and (other[rated["anchor"][0]], rated["anchor"][1])
        owners = {other[name]: own for name, own in rated["owners"].items()}
        again = rated | {"anchor": anchor, "owners": owners}
        table = {
            row[0]: row[1:] for row in claimed(standings(results, labels, **rated))
        }
        for name, *claims in claimed(standings(renamed, labels, **again)):
            assert table[other.get(str(name), str(name))] == tuple(claims), (seed, name)
