"""What positions of Zombie Run! are worth, and what luck was."""

from typing import Final

from arena.games.zombie_run.luck.value import ZombieRunValue

VALUE: Final = ZombieRunValue
