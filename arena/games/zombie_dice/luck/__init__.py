"""What positions of Zombie Dice are worth, and what luck was."""

from typing import Final

from arena.games.zombie_dice.luck.value import ZombieDiceValue

VALUE: Final = ZombieDiceValue
