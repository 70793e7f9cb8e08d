"""Units of work: what is played together, and in which order it is taken."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix import divided
from plans import entry, game_ids, league, league_game, make_plan, next_of

from arena.league.schedule import unit_picker as units
from arena.league.schedule.plan import Plan
from arena.league.schedule.queue import Queue
from arena.league.schedule.unit_picker import MOST_ENTRIES, MOST_GAMES
from arena.referee.work_unit import WorkUnit

FEW = 32
"""Games that may always be together."""


def plan_of(bots: int, fixtures: int, players: int = 2, labels: int = 1) -> Plan:
    games = [
        league_game("zombie_dice", f"dice {i}", players=players, fixtures=fixtures)
        for i in range(labels)
    ]
    return make_plan(league(*games), [entry(f"bot{i:03}") for i in range(bots)])


def taken(queue: Queue) -> Iterator[WorkUnit]:
    """Yield all units of a queue."""
    return iter(queue.next, None)


def sizes(queue: Queue) -> list[int]:
    return [len(unit.games) for unit in taken(queue)]


@settings(max_examples=50)
@given(
    bots=st.integers(2, 18),
    players=st.integers(2, 4),
    fixtures=st.sampled_from([1, 1, 2, 5, 30, 250]),
    labels=st.integers(1, 2),
    workers=st.integers(1, 5),
    share=st.sampled_from([0.0, 0.0, 0.1, 0.9, 1.0]),
    seed=st.integers(0, 2**32),
)
def test_every_missing_game_is_in_one_unit(
    bots: int,
    players: int,
    fixtures: int,
    labels: int,
    workers: int,
    share: float,
    seed: int,
) -> None:
    luck = Random(seed)
    plan = plan_of(bots, min(fixtures, 1 + 1000 // bots**2), players, labels)
    ids = game_ids(plan)
    known = {id_ for id_ in ids if luck.random() < share}
    places = {id_: place for place, id_ in enumerate(ids)}
    found = list(taken(Queue(plan, 3, {id_: {} for id_ in known}, workers)))
    games = [task.game_id for unit in found for task in unit.games]
    assert len(games) == len(set(games))
    assert set(games) == set(ids) - known
    # No fixture is in two units: all of it is recorded together.
    fixtures_of = [{(u.label, task.fixture_id) for task in u.games} for u in found]
    assert sum(map(len, fixtures_of)) == len(set().union(*fixtures_of))
    left = len(games)
    for unit in found:
        order = [places[task.game_id] for task in unit.games]
        assert order == sorted(order)
        seated = {place for task in unit.games for place in task.seats}
        assert seated == set(range(len(unit.entries)))
        assert len({e.id for e in unit.entries}) == len(unit.entries) <= MOST_ENTRIES
        most = min(MOST_GAMES, max(FEW, left // (2 * workers)))
        assert len(unit.games) <= most
        left -= len(unit.games)
    # They are the games of the plan, whoever else is in the unit.
    played = {
        (task.game_id, *(unit.entries[place].id for place in task.seats)): task.seed
        for unit in found
        for task in unit.games
    }
    planned = {
        (task.game_id, *(match.entries[place].id for place in task.seats)): task.seed
        for match in plan.matches
        for task in match.tasks(range(len(match)))
        if task.game_id not in known
    }
    assert played == planned


def test_of_short_matches_those_are_together_that_the_same_entries_play() -> None:
    queue = Queue(plan_of(100, 1), 0, {})
    for _ in range(4):
        unit = next_of(queue)
        assert len(unit.entries) == 24
        matches = Counter(task.match_id for task in unit.games)
        assert list(matches.values()) == [2] * (24 * 23 // 2)


@pytest.mark.parametrize(
    ("bots", "fixtures", "least"),
    divided([(120, 1, 14.0), (60, 4, 20.0), (40, 25, 80.0)], lambda x: x[0] == 120),
)
def test_a_process_is_started_for_many_games(
    bots: int, fixtures: int, least: float
) -> None:
    found = list(taken(Queue(plan_of(bots, fixtures), 0, {}, 2)))
    games = sum(len(unit.games) for unit in found)
    assert games / sum(len(unit.entries) for unit in found) > least


def test_the_games_of_a_new_bot_are_played_together_too() -> None:
    plan = plan_of(61, 1)
    new = plan.matches[30].entries[1].id
    known: dict[str, dict[str, str]] = {
        id_: {}
        for match in plan.matches
        if new not in {e.id for e in match.entries}
        for id_ in match.game_ids(range(len(match)))
    }
    queue = Queue(plan, 0, known)
    assert queue.missing == 120
    assert [len(unit.entries) for unit in taken(queue)] == [24, 19, 17, 4]


@pytest.mark.parametrize(
    ("players", "games", "games_if_begun"),
    divided([(2, 1000, 999), (3, 999, 998), (7, 994, 1000)], lambda x: x[0] == 3),
)
def test_a_long_match_is_cut_between_fixtures(
    players: int, games: int, games_if_begun: int
) -> None:
    plan = plan_of(players, 10_000 // players, players)
    first, *_ = plan.game_ids()
    assert sizes(Queue(plan, 0, {}))[:2] == [games, games]
    assert sizes(Queue(plan, 0, {first: {}}))[:2] == [games_if_begun, games]


def test_a_fixture_is_whole_however_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "_FEWEST_GAMES", 1)
    plan = plan_of(3, 5, 3)
    assert sizes(Queue(plan, 0, {}, 100)) == [3] * 5
    first, _, third, *_ = plan.game_ids()
    assert sizes(Queue(plan, 0, {first: {}, third: {}}, 100)) == [1, 3, 3, 3, 3]


def test_what_is_left_is_cut_evenly() -> None:
    # 2 x 1000 games for two referees: a quarter of what is left, down to 32 or fewer.
    found = sizes(Queue(plan_of(2, 1000), 0, {}, 2))
    assert found[:3] == [500, 374, 280]
    assert found[-3:] == [32, 26, 26]


def test_early_games_are_taken_early() -> None:
    """As it is decided in the plan's order who is quarantined."""
    rows = [
        {int(unit.entries[task.seats[0]].id[3:6]) for task in unit.games}
        | {int(unit.entries[task.seats[1]].id[3:6]) for task in unit.games}
        for unit in taken(Queue(plan_of(40, 1), 0, {}))
    ]
    lowest = [min(row) for row in rows]
    assert lowest == sorted(lowest)
    assert lowest[0] == 0
    assert len(rows) > 5


def test_what_is_given_back_comes_last() -> None:
    queue = Queue(plan_of(20, 1), 10, {})
    first = next_of(queue)
    queue.note([(task.game_id, {}) for task in first.games[:10]])
    queue.give_back(first, first.games[10:])
    *others, last = (task.game_id for unit in taken(queue) for task in unit.games)
    left = {task.game_id for task in first.games[10:]}
    assert {*others[-len(left) + 1 :], last} == left


@pytest.mark.parametrize("players", [2, 3])
def test_games_of_several_labels_are_apart(players: int) -> None:
    plan = plan_of(5, 1, players, labels=3)
    labels = [unit.label for unit in taken(Queue(plan, 0, {}))]
    assert list(dict.fromkeys(labels)) == ["dice 0", "dice 1", "dice 2"]
    assert sorted(labels) == labels
