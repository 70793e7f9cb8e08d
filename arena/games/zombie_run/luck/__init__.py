"""The value of Zombie Run!, by which luck is taken out of its scores."""

from typing import Final

from arena.games.zombie_run.luck.value import ZombieRunValue

VALUE: Final = ZombieRunValue
