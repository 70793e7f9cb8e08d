"""A league at larger tables: all meet all, in every seat, equally often."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from commands import BY_CHANCE, CAREFUL, FIRST, Course

BOTS = {
    "ana": FIRST,
    "ben": CAREFUL,
    "cid": BY_CHANCE,
    "dot": CAREFUL,
    "eve": BY_CHANCE,
    "fay": CAREFUL,
    "gus": BY_CHANCE,
}
EVEN = {"game": "zombie_dice", "players": 4, "fixtures": 4, "label": "even"}
UNEVEN = EVEN | {"players": 5, "fixtures": 3, "label": "uneven"}
LARGE = EVEN | {"players": 8, "label": "large"}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Seven bots, and a league of tables of four and of five that has been played."""
    course = Course(tmp_path_factory.mktemp("tables") / "course")
    for stem, decide in BOTS.items():
        course.write_bot(stem, decide, method="zombie_dice")
    course.write_league(EVEN, UNEVEN, LARGE)
    assert "large: only 7 bots play it" in course.arena("league", "small.yaml").err
    return course


def labelled(course: Course, label: str) -> list[dict[str, Any]]:
    """Return the games that were recorded under a label."""
    return [game for game in course.export() if game["label"] == label]


def meetings(games: list[dict[str, Any]]) -> Counter[tuple[str, ...]]:
    """Return the number of fixtures that two have shared."""
    tables = {game["fixture_id"]: sorted(game["seats"]) for game in games}
    return Counter(pair for table in tables.values() for pair in combinations(table, 2))


@pytest.mark.exhaustive
def test_seven_at_tables_of_four(course: Course) -> None:
    games = labelled(course, "even")
    met = meetings(games)
    assert len(met) == 21
    assert set(met.values()) == {4}
    seats = Counter(place for game in games for place in enumerate(game["seats"]))
    assert len(seats) == 7 * 4
    assert set(seats.values()) == {len(games) // 7}


@pytest.mark.exhaustive
def test_seven_at_tables_of_five_where_the_numbers_do_not_divide(
    course: Course,
) -> None:
    games = labelled(course, "uneven")
    met = meetings(games)
    assert len(met) == 21
    assert set(met.values()) == {3, 4}
    seats = Counter(place for game in games for place in enumerate(game["seats"]))
    assert set(seats.values()) == {len(games) // 7}


def test_a_fixture_has_every_rotation_of_its_seats(course: Course) -> None:
    fixtures: dict[str, list[list[str]]] = {}
    for game in course.export():
        fixtures.setdefault(game["fixture_id"], []).append(game["seats"])
    for tables in fixtures.values():
        first = tables[0]
        turned = [first[i:] + first[:i] for i in range(len(first))]
        assert sorted(tables) == sorted(turned)


def test_the_dry_run_says_how_many_games_it_makes(course: Course) -> None:
    done = course.arena("league", "small.yaml", "--dry-run")
    assert "large: only 7 bots play it, a table takes 8" in done.err
    lines = [line.split() for line in done.out.splitlines()]
    assert " ".join(lines[0]) == "game bots seats two bots meet matches games"
    # Twice the seven groups of four, and seven groups of five.
    assert ["even", "7", "4", "4", "7", "56"] in lines
    assert ["uneven", "7", "5", "3-4", "7", "35"] in lines
    assert ["large", "7", "8", "0", "0", "0"] in lines
    assert "91 games, of which 91 are recorded in results/small" in done.out
    counts = Counter(game["label"] for game in course.export())
    assert counts == {"even": 56, "uneven": 35}
