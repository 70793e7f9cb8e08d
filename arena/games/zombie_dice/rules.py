"""The rules in force, in words, from the tables that the game is played by."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.games.zombie_dice.game import ZombieDice


def rules_text(game: "ZombieDice") -> str:
    return "x"


def house_rules(game: "ZombieDice") -> tuple[str, ...]:
    return ()
