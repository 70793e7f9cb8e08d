"""The plan of a league: who meets whom, and which games a change makes stale."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise, permutations
from pathlib import Path

import msgspec
import pytest
from plans import (
    entry,
    game_ids,
    ids_by_group,
    league,
    league_game,
    make_plan,
    tasks,
    whole,
)

from arena.games import get_game
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueGame
from arena.league.entries.enrolment import Enrolment
from arena.league.entries.entry import Entry
from arena.league.schedule.core import Groups, Schedule
from arena.league.schedule.plan import Plan
from arena.referee.work_unit import Limits, Restart

ANA, BEN, CID, DOT = (entry(name) for name in ("ana", "ben", "cid", "dot"))
THREE = (ANA, BEN, CID)


def test_everyone_meets_everyone_in_both_seats() -> None:
    plan = make_plan(league(), (*THREE, DOT))
    groups = [tuple(e.id for e in match.entries) for match in plan.matches]
    assert groups == list(combinations([e.id for e in (*THREE, DOT)], 2))
    for match in plan.matches:
        assert [task.seats for task in tasks(match)] == [(0, 1), (1, 0)] * 3
    check_fixtures(plan)


def check_fixtures(plan: Plan) -> None:
    """Check that a fixture has every rotation of the seats, and luck of its own."""
    seeds = Counter(task.seed for match in plan.matches for task in tasks(match))
    for match in plan.matches:
        size = len(match.entries)
        games = tasks(match)
        assert len(games) == len(match) == len(match.repetitions) * size
        for i in range(0, len(games), size):
            first = games[i]
            for turn, task in enumerate(games[i : i + size]):
                assert (task.fixture_id, task.seed) == (first.fixture_id, first.seed)
                assert task.seats == first.seats[turn:] + first.seats[:turn]
            assert sorted(first.seats) == list(range(size))
            assert seeds[first.seed] == size
    assert len(set(game_ids(plan))) == len(game_ids(plan))


def at_tables(players: int, bots: int, fixtures: int) -> Plan:
    """Return the plan of a league at larger tables."""
    game = league_game("zombie_dice", players=players, fixtures=fixtures)
    return make_plan(league(game), [entry(f"bot{i:02}") for i in range(bots)])


def meetings(plan: Plan) -> Counter[tuple[str, ...]]:
    """Return in how many games two have met."""
    return Counter(
        tuple(sorted(pair))
        for match in plan.matches
        for _ in tasks(match)
        for pair in combinations([e.id for e in match.entries], 2)
    )


def test_seven_at_tables_of_four_all_meet_and_sit_equally_often() -> None:
    plan = at_tables(4, 7, 10)
    check_fixtures(plan)
    # Seven groups of four have every pair twice: 5 times 7 groups, 4 games each.
    assert plan.games_by_label() == {"zombie_dice": 140}
    # A group that sits together again is one match.
    assert len({game.match_id for m in plan.matches for game in tasks(m)}) == 7
    assert [len(match) for match in plan.matches] == [5 * 4] * 7
    assert plan.meetings_by_label() == {"zombie_dice": (10, 10)}
    found = meetings(plan)
    assert len(found) == 21
    assert set(found.values()) == {40}
    seats = Counter(
        (match.entries[bot].id, seat)
        for match in plan.matches
        for task in tasks(match)
        for seat, bot in enumerate(task.seats)
    )
    assert len(seats) == 28
    assert set(seats.values()) == {20}


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("bots", range(5, 10))
def test_every_two_share_enough_fixtures(players: int, bots: int) -> None:
    plan = at_tables(players, bots, 6)
    check_fixtures(plan)
    games = meetings(plan)
    assert len(games) == bots * (bots - 1) // 2
    low, high = plan.meetings_by_label()["zombie_dice"]
    assert 6 <= low <= high <= low + 1
    assert (low * players, high * players) == (min(games.values()), max(games.values()))


@pytest.mark.parametrize("players", [3, 4])
def test_who_plays_after_whom_changes(players: int) -> None:
    (match,) = at_tables(players, players, 60).matches
    found = Counter(task.seats for task in tasks(match))
    assert set(found) == set(permutations(range(players)))
    # Rotations aside there are 2 and 6 orders: 30 and 10 times each, more or less.
    assert min(found.values()) >= 60 // len(found) * players // 2


def test_the_order_of_the_files_changes_nothing_at_large_tables() -> None:
    game = league_game("zombie_dice", players=3, fixtures=2)
    bots = [entry(f"bot{i}") for i in range(8)]
    assert make_plan(league(game), bots) == make_plan(league(game), bots[::-1])


def test_at_large_tables_the_games_of_groups_that_remain_are_kept() -> None:
    before, after = (ids_by_group(at_tables(3, bots, 6)) for bots in (7, 8))
    remain = before.keys() & after.keys()
    assert remain
    for group in remain:
        fewer, more = sorted((before[group], after[group]), key=len)
        assert more[: len(fewer)] == fewer


def test_only_those_meet_who_play_the_game() -> None:
    games = (league_game("zombie_dice"), league_game("ox_blocks"))
    entries = (ANA, entry("ben", "ox_blocks"), CID)
    plan = make_plan(league(*games), entries)
    assert plan.games_by_label() == {"zombie_dice": 6, "ox_blocks": 18}
    assert plan.meetings_by_label() == {"zombie_dice": (3, 3), "ox_blocks": (3, 3)}
    assert plan.idle == ()


@pytest.mark.parametrize(
    ("players", "entries", "reason"),
    [
        (2, (), "zombie_dice: no bot plays it, a table takes 2"),
        (2, (ANA,), "zombie_dice: only one bot plays it, a table takes 2"),
        (4, THREE, "zombie_dice: only 3 bots play it, a table takes 4"),
    ],
)
def test_a_game_that_too_few_play_is_named(
    players: int, entries: tuple[Entry, ...], reason: str
) -> None:
    game = league_game("zombie_dice", players=players)
    assert make_plan(league(game), entries) == Plan((), (reason,))


class Chain(Schedule):
    """A schedule of its own: everybody meets only who comes next."""

    def groups(
        self, game: LeagueGame, playing: Sequence[Entry]
    ) -> tuple[Groups, list[str]]:
        return Counter(dict.fromkeys(pairwise(range(len(playing))), game.fixtures)), []


def test_a_schedule_needs_to_say_only_who_sits_together() -> None:
    usual = make_plan(league(), THREE)
    found = Chain(league(), Enrolment(tuple(THREE), ()), Keys.of_seed(0))
    assert [match.entry_ids for match in found.plan.matches] == [
        ("ana:Bot", "ben:Bot"),
        ("ben:Bot", "cid:Bot"),
    ]
    # Their games are those that they have in any schedule.
    assert all(match in usual.matches for match in found.plan.matches)
    assert found.first().is_whole
    assert found.bound(found.first()) == found.plan
    assert (found.notes, found.overview({}), found.power_note) == ([], [], "")
    assert (found.references, found.divisions) == ((), {})


BEFORE = make_plan(league(), THREE)

# A change, and the parts of a match it may not touch.
STALE = {
    "seed": league(seed=1),
    "an option": league(league_game("zombie_dice", options={"target": 14})),
    "the referee's cap": league(league_game("zombie_dice", max_decisions=501)),
    "the label": league(league_game("zombie_dice", "dice")),
    "restart": league(restart=Restart.GAME),
    **{
        f"limits.{key}": league(limits=msgspec.structs.replace(Limits(), **{key: 77}))
        for key in Limits.__struct_fields__
    },
}


@pytest.mark.parametrize("change", STALE)
def test_a_change_of_the_terms_makes_all_games_stale(change: str) -> None:
    after = make_plan(STALE[change], THREE)
    assert len(game_ids(after)) == len(game_ids(BEFORE))
    assert not set(game_ids(after)) & set(game_ids(BEFORE))


MOVED = replace(BEN, path=Path("/elsewhere/ben.py"), name="Benjamin")
SAME = {
    "nothing": league(),
    "the name": league(name="large"),
    "the weight": league(league_game("zombie_dice", weight=2.0)),
    "games in flight": league(in_flight=1),
    "isolation": league(isolation="process", require_isolation="process"),
    "quarantine": league(quarantine=1),
    "where files are, and what bots are called": league(path=Path("/elsewhere.yaml")),
    "another game": league(league_game("ox_blocks"), league_game("zombie_dice")),
    "default options": league(
        league_game("zombie_dice", options=get_game("zombie_dice").options_dict)
    ),
    "more fixtures": league(league_game("zombie_dice", fixtures=5)),
}


@pytest.mark.parametrize("change", SAME)
def test_what_does_not_matter_to_a_game_leaves_it_alone(change: str) -> None:
    entries = (ANA, MOVED, CID) if change.startswith("where") else THREE
    after = make_plan(SAME[change], entries)
    assert set(game_ids(BEFORE)) <= set(game_ids(after))


@pytest.mark.parametrize(
    "changed",
    [
        entry("ben", code="new"),
        replace(BEN, bot="Other"),
        entry("ben", x=1),
        # Nothing in its file may have changed: a package it needs is missing.
        replace(BEN, refused="ben.py:1: ModuleNotFoundError"),
    ],
)
def test_a_changed_bot_is_played_again_with_the_same_luck(changed: Entry) -> None:
    plan = make_plan(league(), (ANA, changed, CID))
    before, after = ids_by_group(BEFORE), ids_by_group(plan)
    assert before.keys() == after.keys()
    for group, ids in after.items():
        assert (ids == before[group]) == (BEN.id not in group)
        assert {*ids}.isdisjoint(before[group]) == (BEN.id in group)
    seeds, same = (
        [game.seed for match in p.matches for game in tasks(match)]
        for p in (BEFORE, plan)
    )
    assert seeds == same


def test_others_come_and_go_without_a_trace() -> None:
    before = ids_by_group(BEFORE)
    after = ids_by_group(make_plan(league(), (*THREE, DOT)))
    assert {g: ids for g, ids in after.items() if DOT.id not in g} == before
    without = ids_by_group(make_plan(league(), (ANA, CID)))
    assert without == {g: ids for g, ids in before.items() if BEN.id not in g}


def test_a_repetition_is_the_same_whenever_it_is_planned() -> None:
    config = league(league_game("zombie_dice", fixtures=5))
    (match, *_) = make_plan(config, THREE).matches
    first, later = match.again(range(2)), match.again(range(2, 5))
    assert tasks(first) + tasks(later) == tasks(match)
    assert later.again(range(5)) == match
    other = match.again(range(5), "confirmation")
    assert not {g.seed for g in tasks(other)} & {g.seed for g in tasks(match)}
    plan = Plan((first, later, other), ())
    assert plan.matches_by_label() == {"zombie_dice": 1}
    assert plan.meetings_by_label() == {"zombie_dice": (10, 10)}


def test_the_referee_gets_what_the_league_says() -> None:
    odd = league(restart=Restart.GAME, quarantine=3, in_flight=5)
    for match in map(whole, make_plan(odd, THREE).matches):
        assert (match.restart, match.patience, match.in_flight) == ("game", 3, 5)
        for spec in match.entries:
            assert spec.files == (spec.path, "/bots/helper.py")
            assert spec.code == "code"


def test_two_games_of_one_kind_have_luck_of_their_own() -> None:
    games = (
        league_game("zombie_dice"),
        league_game("zombie_dice", "long", options={"target": 20}),
    )
    plan = make_plan(league(*games), THREE)
    seeds = Counter(game.seed for match in plan.matches for game in tasks(match))
    assert set(seeds.values()) == {2}


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_game_is_the_same_whichever_others_are_asked_for(players: int) -> None:
    game = league_game("zombie_dice", players=players, fixtures=4)
    entries = [entry(f"bot{i}") for i in range(6)]
    for match in make_plan(league(game), entries).matches:
        games = tasks(match)
        for i, task in enumerate(games):
            assert [*match.tasks([i])] == [task]
            assert [*match.game_ids([i])] == [task.game_id]
        odd = range(len(games) - 1, -1, -2)
        assert [*match.tasks(odd)] == [games[i] for i in odd]
        places = range(100, 100 + players)
        for task, moved in zip(games, match.tasks(range(9), places), strict=False):
            assert moved.seats == tuple(seat + 100 for seat in task.seats)
            assert msgspec.structs.replace(moved, seats=task.seats) == task


def test_games_are_made_only_when_they_are_asked_for() -> None:
    plan = make_plan(league(league_game("zombie_dice")), (ANA, BEN))
    (match,) = plan.matches
    match = match.again(range(10**9))
    plan = Plan((match,), ())
    assert len(plan) == 2 * 10**9
    (last,) = match.tasks([len(match) - 1])
    assert last == tasks(match.again(range(10**9 - 1, 10**9)))[1]
    assert plan.meetings_by_label() == {"zombie_dice": (10**9, 10**9)}
