"""A position of Pig from some of its fields."""

from arena.games.position_fields import Given, for_each_seat, wrong
from arena_pig.game import Pig


def complete(game: Pig, seat: int, given: Given) -> None:
    """Fill in what is not given: a turn of this seat, in which it must decide.

    Raises:
        PositionError: the fields that are given contradict each other.
    """
    scores = given.default("scores", (0,) * game.players)
    points = given.default("points", 5)
    rolls = given.default("rolls", max(1, -(-points // 6)))
    given.default("turn_seat", seat)
    given.default("turn", 1)
    given.default("rolling", False)
    for_each_seat("scores", scores, game.players)
    if not 0 <= min(scores) <= max(scores) < game.options.target:
        wrong("scores", f"expected 0 to {game.options.target - 1}; found {scores}")
    if given["turn_seat"] != seat:
        wrong("turn_seat", f"expected seat {seat}, which looks, to decide")
    if rolls < 1 or not 2 * rolls <= points <= 6 * rolls:
        wrong("points", f"{rolls} rolls without a 1 can't give {points}")
