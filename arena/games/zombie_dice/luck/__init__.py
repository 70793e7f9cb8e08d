"""The value of Zombie Dice, by which luck is taken out of its scores."""

from typing import Final

from arena.games.zombie_dice.luck.value import ZombieDiceValue

VALUE: Final = ZombieDiceValue
