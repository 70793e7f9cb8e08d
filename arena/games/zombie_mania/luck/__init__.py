"""The value of Zombie Mania!, by which luck is taken out of its scores."""

from typing import Final

from arena.games.zombie_mania.luck.value import ZombieManiaValue

VALUE: Final = ZombieManiaValue
