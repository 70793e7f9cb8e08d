"""What positions of Zombie Mania! are worth, and what luck was."""

from typing import Final

from arena.games.zombie_mania.luck.value import ZombieManiaValue

VALUE: Final = ZombieManiaValue
