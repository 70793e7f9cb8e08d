"""Zombie Mania!: dice are set aside to get rid of one's zombies.

By Reiner Knizia.  `arena rules zombie_mania` tells the rules, with the words of
`rules.py`; `rulings.py` says where they are from.

Chance outcomes are the icons thrown, in the order blue, green, brown, gravestone,
building, x2, such as `blue blue x2`.  Actions are `keep blue x2` (icons in the same
order), `roll`, `stop`, `move 0`, `move 2 graveyard` and `move 2 seat 1`.  Their ids are
in this order: the keeps by number of dice, then by icons; roll; stop; move 0; moves to
the graveyard; moves to each seat.
"""

from arena.games.zombie_mania.game import ZombieMania
from arena.games.zombie_mania.observation import Phase, ZombieManiaObservation
from arena.games.zombie_mania.options import ZombieManiaOptions
from arena.games.zombie_mania.state import ZombieManiaState

__all__ = [
    "Phase",
    "ZombieMania",
    "ZombieManiaObservation",
    "ZombieManiaOptions",
    "ZombieManiaState",
]
