"""The time for a game: bots that play to win never meet it, and those that stall do."""

from itertools import product
from math import inf
from typing import Any

import msgspec
import pytest
from bot_games import models, play_out

from arena.games import get_game
from arena.referee.work_unit import Limits

NEEDED = [
    ("zombie_dice", 2, {}, 138),
    ("zombie_dice", 8, {"horde": True}, 180),
    ("zombie_dice", 2, {"dice": {"red": 13}}, 2000),
    ("ox_blocks", 2, {}, 90),
    ("ox_blocks", 2, {"size": 4}, 160),
    ("ox_blocks", 2, {"faces": [1, 1, 4]}, 1000),
    ("zombie_run", 2, {}, 205),
    ("zombie_run", 4, {"hand": 6, "rounds": 10}, 610),
    ("zombie_run", 4, {"round_cap": 3}, 35),
    ("zombie_run", 18, {}, 505),
    ("zombie_mania", 2, {}, 244),
    ("zombie_mania", 5, {"games": 3}, 588),
]


@pytest.mark.parametrize(("name", "players", "options", "decisions"), NEEDED)
def test_the_time_for_a_game_is_that_of_its_decisions_and_the_bank(
    name: str, players: int, options: dict[str, Any], decisions: int
) -> None:
    game = get_game(name, players, options)
    assert game.seat_decisions == decisions
    limits = Limits(move=2.0, bank=5.0).in_game(game)
    assert limits.game_seconds == decisions * 2.0 + 5.0
    assert limits == Limits(move=2.0, bank=5.0, game=limits.game_seconds)


def test_a_league_may_say_another_time_for_a_game() -> None:
    limits = Limits(game=7.0)
    assert limits.in_game(get_game("zombie_run", 2)) == limits
    assert limits.game_seconds == 7.0
    assert Limits().game_seconds == inf
    # As it goes to a referee.
    longest = Limits(move=86400.0).in_game(
        get_game("ox_blocks", 2, {"faces": (1, 1, 4)})
    )
    assert (
        msgspec.msgpack.decode(msgspec.msgpack.encode(longest), type=Limits) == longest
    )


def test_two_that_never_end_a_round_meet_it_before_half_of_their_game() -> None:
    class Staller:
        def act(self, obs: Any) -> str:
            return next(x for x in obs.legal_actions if "shout" not in x)

        def start(self, obs: Any) -> None:
            pass

    _, decisions = play_out("zombie_run", (Staller, Staller), 0)  # type: ignore[arg-type]
    assert decisions == [505, 505]
    assert get_game("zombie_run", 2).seat_decisions < 505 / 2


TABLES = [
    ("zombie_dice", {}, 2),
    ("zombie_dice", {"horde": True}, 2),
    ("zombie_dice", {"preset": "direct_to_video_sequel", "bus": True}, 4),
    ("ox_blocks", {}, 2),
    ("ox_blocks", {"size": 4}, 2),
    ("zombie_run", {}, 2),
    ("zombie_run", {}, 6),
    ("zombie_run", {"hand": 6}, 4),
    ("zombie_mania", {}, 2),
    ("zombie_mania", {"games": 3}, 5),
]
BOTS = (
    ("all_rounder",),
    ("experts",),
    ("experts", "all_rounder"),
    ("all_rounder", "random"),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("table", "names"), [*product(TABLES, BOTS)])
def test_games_of_our_bots_take_far_fewer_decisions(
    table: tuple[str, dict[str, Any], int], names: tuple[str, ...]
) -> None:
    name, options, players = table
    bots = [models()[names[seat % len(names)]] for seat in range(players)]
    needed = get_game(name, players, options).seat_decisions
    for seed in range(2):
        _, decisions = play_out(name, bots, seed, options)
        assert max(decisions) < 0.75 * needed
