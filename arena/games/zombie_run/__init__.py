"""Zombie Run!, a card game of memory and nerve for 2 to 18 players.

`arena rules zombie_run` tells the rules, with the words of `rules.py`; `rulings.py`
says where they are from.

The notation of actions is in the rules; positions count from 1.  A chance outcome is
the value of the card dealt or drawn, such as `7`.
"""

from arena.games.zombie_run.cards import HORDE, STREET
from arena.games.zombie_run.game import ZombieRun
from arena.games.zombie_run.observation import Phase, ZombieRunObservation
from arena.games.zombie_run.options import ZombieRunOptions
from arena.games.zombie_run.state import ZombieRunState

__all__ = [
    "HORDE",
    "STREET",
    "Phase",
    "ZombieRun",
    "ZombieRunObservation",
    "ZombieRunOptions",
    "ZombieRunState",
]
