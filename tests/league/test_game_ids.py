"""The ids and seeds of games, to the letter: there are leagues on disk."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from plans import entry, league, make_plan

from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.config.settings import Placing
from arena.league.schedule.identity import (
    GameTerms,
    entry_digest,
    fixture_games,
    fixture_seed,
    match_seed,
    rules_of,
    seed_id,
)
from arena.league.schedule.queue import Queue
from arena.referee.work_unit import Limits, Restart
from arena.worker.protocol import GameSpec

ANA, BEN, CID = entry("ana"), entry("ben", x=1, a=[0.5, None]), entry("čid")
LIMITS = Limits(10.0, 0.5, 2.0, 0.05, 1024, 1_000_000)
AT_TWO = ["6bad0fa744b2595b", "18334d43f18eb049", "37f3bfe21a9671bd"]
CONFIRMED = ["6bad0fa744b2595b", "153ee0ded110dd83", "e63b79600adf26a6"]
AT_THREE = ["e61450c522ac1a3f", "b92517ee18f6b13f", "9b3f776cebee7f3a"]


def dice(players: int, **changes: Any) -> LeagueConfig:
    """Return a league whose ids do not depend on the version of any rules."""
    game: Any = SimpleNamespace(
        rules_version=1, changed_options=("target",), seat_decisions=9
    )
    spec = GameSpec("zombie_dice", "module:Class", players, {"target": 13, "since": 1})
    found = LeagueGame(
        "dice",
        game,
        spec,
        fixtures=2,
        max_decisions=500,
        weight=1.0,
        placing=Placing.ALL,
    )
    return league(found, **({"limits": LIMITS} | changes))


@pytest.mark.parametrize(
    ("config", "series", "names", "ids"),
    [
        (
            dice(2),
            "",
            AT_TWO,
            "5c0134afbe56ccf5f21a c29967b73e055c523690 "
            "b3e54cfef6a53bc888ad fca055f326a1af16f3bc",
        ),
        (
            dice(2),
            "confirmation",
            CONFIRMED,
            "c726e49795d8bf1aadc6 bf10370493c84e4f09bd "
            "d293258eb538ee9ee1c3 6aa1a2b727f6ecf68149",
        ),
        (
            dice(3),
            "",
            AT_THREE,
            "95d4d39f41dfc25f91e1 5124db88f322147159a5 9d558b8afeb06a4cd27b "
            "e3bf2e711054a79e6c2b 45bf5bebe9cff3032886 3188dee6373115d1076e",
        ),
        (
            dice(
                2,
                restart=Restart.GAME,
                ponder=False,
            ),
            "",
            AT_TWO,
            "6fadc5e837bfdf2550ab 449b43ed7929c7f873ab "
            "ad8f01ab84f5e737ffcc 6ac2b01653f4c1f86d31",
        ),
    ],
)
def test_games_are_called_what_they_were_always_called(
    config: LeagueConfig, series: str, names: Sequence[str], ids: str
) -> None:
    entries = [ANA, replace(BEN, refused="ben.py:1: no"), CID]
    match = make_plan(config, entries).matches[0].again(range(9, 11), series)
    tasks = list(match.tasks(range(len(match))))
    assert " ".join(task.game_id for task in tasks) == ids
    assert " ".join(match.game_ids(range(len(match)))) == ids
    match_id, *fixture_ids = names
    assert {task.match_id for task in tasks} == {match_id}
    size = len(match.entries)
    assert [task.fixture_id for task in tasks[::size]] == fixture_ids
    assert [task.seed.hex()[:16] for task in tasks[::size]] == fixture_ids
    seats = [(0, 1), (1, 0)] if size == 2 else [(0, 2, 1), (2, 1, 0), (1, 0, 2)]
    assert [task.seats for task in tasks] == [*seats, *seats]


def test_luck_comes_from_what_it_always_came_from() -> None:
    options = {"target": 13, "since": 1, "set": ["a", None]}
    rules = rules_of("zombie_dice", 3, options, ("target", "set"))
    assert rules == '["zombie_dice", 3, {"set": ["a", null], "target": 13}]'
    match = match_seed(7, rules, ["ana:Bot", "čid:Bot"], "any terms")
    assert match.hex() == (
        "e422c2432dd6b921f04d7e8ca0639733713101c10d44d7557df826bfaeeaf030"
    )
    assert seed_id(match, b"") == "e422c2432dd6b921"
    assert fixture_seed(match, "", 3).hex() == (
        "9804a22e68404aaa8670cc5a7f44fad6b13b719436dbca1be46bf86d5f399c78"
    )
    assert fixture_seed(match, "confirmation", 3).hex() == (
        "8c719788ce40001baab57ee6b35fa07ac12fd00d20e48c79b560b32e88d06ec8"
    )
    two, five = (
        [seats for seats, _ in fixture_games(match, size, "", b"")] for size in (2, 5)
    )
    assert two == [(0, 1), (1, 0)]
    assert five[:2] == [(0, 1, 2, 4, 3), (1, 2, 4, 3, 0)]


def test_ids_depend_on_the_terms_that_they_always_depended_on() -> None:
    digests = [
        entry_digest(ANA),
        entry_digest(replace(BEN, refused="no")),
        entry_digest(replace(CID, command=("node", "x.js"))),
    ]
    assert digests == [
        '["code", "Bot", {}, false]',
        '["code", "Bot", {"a": [0.5, null], "x": 1}, true]',
        '["code", "Bot", {}, false, ["node", "x.js"]]',
    ]
    usual = '"dice", 1, [10.0, 0.5, 2.0, 0.05], [1024, 1000000], 500'
    config = dice(2)
    terms = GameTerms.of(config, config.games[0])
    assert terms.between(["[1]", "[2]"]) == f"[{usual}, [[1], [2]]]"
    config = dice(2, restart=Restart.GAME, ponder=False)
    terms = GameTerms.of(config, config.games[0])
    assert terms.between(["[1]", "[2]"]) == (
        f'[{usual}, [[1], [2]], "restart: game", "no pondering"]'
    )
    config = dice(2, limits=msgspec.structs.replace(LIMITS, game=60.0))
    terms = GameTerms.of(config, config.games[0])
    assert terms.between([]) == f'[{usual}, [], "seconds a game: 60.0"]'


def test_each_seating_has_luck_of_its_own_where_processes_go_on() -> None:
    """And games of before that was so are others, unless their league is frozen."""
    pair, three = (
        make_plan(dice(n, restart=Restart.LEAGUE), [ANA, BEN, CID]).matches[0]
        for n in (2, 3)
    )
    for match in (pair, three):
        tasks = list(match.tasks(range(len(match))))
        assert len({task.seed for task in tasks}) == len(tasks)
        assert len({task.fixture_id for task in tasks}) == len(match.repetitions)
        # Whichever others are asked for.
        assert [next(match.tasks([game])) for game in range(len(match))] == tasks
    shared = make_plan(dice(2), [ANA, BEN, CID]).matches[0]
    ids = [task.fixture_id for task in shared.tasks(range(len(shared)))]
    assert [task.fixture_id for task in pair.tasks(range(len(pair)))] == ids
    terms = '"restart: league, and luck for each seating"]'
    assert pair.terms.game_terms.between([]).endswith(terms)


def test_in_a_frozen_league_of_before_luck_is_shared_as_it_was() -> None:
    config = dice(2, restart=Restart.LEAGUE, form=1)
    match = make_plan(config, [ANA, BEN, CID]).matches[0]
    tasks = list(match.tasks(range(len(match))))
    assert [task.seed for task in tasks[::2]] == [task.seed for task in tasks[1::2]]
    assert match.terms.game_terms.between([]).endswith('"restart: league"]')


def test_quarantined_games_are_called_what_they_were_always_called() -> None:
    """Also if two went out at once; they are named in the order of the seats."""
    plan = make_plan(dice(3), [ANA, entry("ben"), CID])
    planned = list(plan.game_ids())
    both = {"čid:Bot": "crash", "ana:Bot": "crash"}
    queue = Queue(plan, 2, dict.fromkeys(planned[:2], both))
    assert list(queue.game_ids()) == [
        *planned[:2],
        "20f9de539f967827d3d5",
        "b3e03e2c419a43b340da",
        "e13500a9a1ccdd9b9919",
        "ce240048602d66be31dc",
    ]


def test_also_if_they_went_out_one_after_the_other() -> None:
    plan = make_plan(dice(2), [entry(name) for name in ("ana", "ben", "cid", "dot")])
    planned = list(plan.game_ids())
    known: dict[str, dict[str, str]] = {id_: {} for id_ in planned[:20]}
    for place in (12, 13):
        known[planned[place]] = {"cid:Bot": "crash"}
    for place in (16, 17):
        known[planned[place]] = {"dot:Bot": "exit"}
    assert list(Queue(plan, 2, known).game_ids()) == [
        *planned[:14],
        "02f8d5262a395351eca4",
        "c549d2b1df50a6bb687b",
        *planned[16:18],
        "e321437ce62bd51530fe",
        "bfa62dfe44b557f442f3",
        "ae91ff4ecabe35ef42ec",
        "1de029604cc861a84922",
        "cb216ea73cfe0595aab4",
        "e11d8efb4233c0712ebe",
    ]
