"""The tokens and moves of Zombie Mania!, as players and options make them."""

from functools import cache
from typing import Final

from arena.games.zombie_mania.dice import MOST_TO_GRAVEYARD, MOST_TO_SEAT
from arena.games.zombie_mania.options import ZombieManiaOptions

GRAVEYARD: Final = -1
"""The target of a move that is no seat."""

_TOKENS: Final = {2: 12, 3: 12, 4: 10, 5: 8}
"""Tokens of each seat by the number of players (ruling 69)."""


class ZombieManiaSetup:
    """The tables that all states of a game share."""

    def __init__(self, players: int, options: ZombieManiaOptions) -> None:
        self.games: Final = options.games
        """The number of games in a series."""
        self.tokens: Final = options.tokens or _TOKENS[players]
        """The tokens of each seat at the start of a game."""
        self.moves: Final = _moves(players)
        """The number of tokens and the target, a seat or -1, of each move."""


@cache
def _moves(players: int) -> dict[str, tuple[int, int]]:
    moves = {"move 0": (0, GRAVEYARD)}
    for amount in range(1, MOST_TO_GRAVEYARD + 1):
        moves[f"move {amount} graveyard"] = (amount, GRAVEYARD)
    for seat in range(players):
        for amount in range(1, MOST_TO_SEAT + 1):
            moves[f"move {amount} seat {seat}"] = (amount, seat)
    return moves


@cache
def legal_moves(players: int, own: int, most: int, may_send: bool) -> tuple[str, ...]:
    """Return the moves of seat `own` of so many tokens or fewer."""
    return tuple(
        x
        for x, (amount, target) in _moves(players).items()
        if amount <= most and (target == GRAVEYARD or (may_send and target != own))
    )
