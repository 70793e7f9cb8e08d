"""The plan of a league: who meets whom, and which games a change makes stale."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.games import get_game
from arena.league.config import LeagueConfig, LeagueGame
from arena.league.entries import Entry
from arena.league.plan import PART, Plan, make_plan
from arena.referee.record import Limits
from arena.worker.protocol import GameSpec


def entry(name: str, *games: str, code: str = "code", **params: Any) -> Entry:
    """Return an entry that plays games; all of them if none is named."""
    return Entry(
        id=f"{name}:Bot",
        name=name,
        path=Path(f"/bots/{name}.py"),
        bot="Bot",
        params=params,
        games=games or ("zombie_dice", "ox_blocks"),
        code=code,
    )


def league_game(name: str, label: str = "", **changes: Any) -> LeagueGame:
    """Return a game of a league; keys as in its file."""
    game = get_game(name, changes.pop("players", 2), changes.pop("options", {}))
    found = LeagueGame(
        label=label or name,
        game=game,
        spec=GameSpec(name, "module:Class", game.players, game.options_dict),
        fixtures=3,
        max_decisions=500,
        weight=1.0,
    )
    return replace(found, **changes)


def league(*games: LeagueGame, **changes: Any) -> LeagueConfig:
    """Return a league; keys as in its file."""
    found = LeagueConfig(
        path=Path("league.yaml"),
        name="small",
        seed=0,
        bots=(),
        games=games or (league_game("zombie_dice"),),
        anchor=None,
        limits=Limits(),
        in_flight=32,
    )
    return replace(found, **changes)


ANA, BEN, CID, DOT = (entry(name) for name in ("ana", "ben", "cid", "dot"))
THREE = (ANA, BEN, CID)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_meets_everyone_in_every_seating(players: int) -> None:
    game = league_game("zombie_dice", players=players)
    plan = make_plan(league(game), (*THREE, DOT))
    groups = [tuple(e.id for e in match.entries) for match in plan.matches]
    assert groups == list(combinations([e.id for e in (*THREE, DOT)], players))
    for match in plan.matches:
        assert len(match.games) == 3 * players
        for number, task in enumerate(match.games):
            # Each bot has each seat once in a fixture, and all share its luck.
            first = match.games[number - number % players]
            assert (task.fixture_id, task.seed) == (first.fixture_id, first.seed)
            turned = tuple((s + number % players) % players for s in range(players))
            assert task.seats == turned
    fixtures = {task.seed for match in plan.matches for task in match.games}
    assert len(fixtures) == 3 * len(groups)
    assert len(set(plan.game_ids())) == len(plan.game_ids())


def test_only_those_meet_who_play_the_game() -> None:
    games = (league_game("zombie_dice"), league_game("ox_blocks"))
    entries = (ANA, entry("ben", "ox_blocks"), CID)
    plan = make_plan(league(*games), entries)
    assert plan.games_by_label() == {"zombie_dice": 6, "ox_blocks": 18}
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


def ids_by_group(plan: Plan) -> dict[tuple[str, ...], set[str]]:
    """Return the ids of all games by label and entries."""
    return {
        (match.label, *(e.id for e in match.entries)): {g.game_id for g in match.games}
        for match in plan.matches
    }


BEFORE = make_plan(league(), THREE)

# A change, and the parts of a match it may not touch.
STALE = {
    "seed": league(seed=1),
    "an option": league(league_game("zombie_dice", options={"target": 14})),
    "the referee's cap": league(league_game("zombie_dice", max_decisions=501)),
    "the label": league(league_game("zombie_dice", "dice")),
    **{
        f"limits.{key}": league(limits=msgspec.structs.replace(Limits(), **{key: 77}))
        for key in Limits.__struct_fields__
    },
}


@pytest.mark.parametrize("change", STALE)
def test_a_change_of_the_terms_makes_all_games_stale(change: str) -> None:
    after = make_plan(STALE[change], THREE)
    assert len(after.game_ids()) == len(BEFORE.game_ids())
    assert not set(after.game_ids()) & set(BEFORE.game_ids())


SAME = {
    "nothing": league(),
    "the name": league(name="large"),
    "the weight": league(league_game("zombie_dice", weight=2.0)),
    "games in flight": league(in_flight=1),
    "where its file is": league(path=Path("/elsewhere.yaml")),
    "another game": league(league_game("ox_blocks"), league_game("zombie_dice")),
    "default options": league(
        league_game("zombie_dice", options=get_game("zombie_dice").options_dict)
    ),
    "more fixtures": league(league_game("zombie_dice", fixtures=5)),
}


@pytest.mark.parametrize("change", SAME)
def test_what_does_not_matter_to_a_game_leaves_it_alone(change: str) -> None:
    after = make_plan(SAME[change], THREE)
    assert set(BEFORE.game_ids()) <= set(after.game_ids())


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
    before, after = (
        ids_by_group(make_plan(league(), entries))
        for entries in ((ANA, BEN, CID), (ANA, changed, CID))
    )
    assert before.keys() == after.keys()
    for group, ids in after.items():
        assert (ids == before[group]) == (BEN.id not in group)
        assert (ids & before[group] == set()) == (BEN.id in group)
    seeds = [
        [game.seed for match in make_plan(league(), es).matches for game in match.games]
        for es in ((ANA, BEN, CID), (ANA, changed, CID))
    ]
    assert seeds[0] == seeds[1]


def test_others_come_and_go_without_a_trace() -> None:
    before = ids_by_group(BEFORE)
    after = ids_by_group(make_plan(league(), (*THREE, DOT)))
    assert {g: ids for g, ids in after.items() if DOT.id not in g} == before
    without = ids_by_group(make_plan(league(), (ANA, CID)))
    assert without == {g: ids for g, ids in before.items() if BEN.id not in g}


def test_where_a_bot_is_and_what_it_is_called_does_not_matter() -> None:
    moved = replace(BEN, path=Path("/elsewhere/ben.py"), name="Benjamin")
    after = make_plan(league(), (ANA, moved, CID))
    assert after.game_ids() == BEFORE.game_ids()


def test_two_games_of_one_kind_have_luck_of_their_own() -> None:
    games = (
        league_game("zombie_dice"),
        league_game("zombie_dice", "long", options={"target": 20}),
    )
    plan = make_plan(league(*games), THREE)
    seeds = Counter(game.seed for match in plan.matches for game in match.games)
    assert set(seeds.values()) == {2}


def test_units_hold_what_is_missing() -> None:
    game = league_game("zombie_dice", fixtures=PART)
    plan = make_plan(league(game), (ANA, BEN))
    ids = plan.game_ids()
    assert [len(unit.games) for unit in plan.units(set())] == [PART, PART]
    assert plan.units(set(ids)) == []
    played = set(ids[: PART + 1]) | {ids[-1], "of another league"}
    (unit,) = plan.units(played)
    assert [game.game_id for game in unit.games] == ids[PART + 1 : -1]
    (match,) = plan.matches
    assert msgspec.structs.replace(unit, games=match.games) == match
