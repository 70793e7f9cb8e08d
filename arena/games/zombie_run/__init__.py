"""Zombie Run!, a card game of memory and nerve for 2 to 18 players.

Source: the leaflet (The Haywire Group, 2014, item 235).  `arena rules zombie_run` tells
the rules, with the words of `rules.py`, and the numbers of the rulings where the
leaflet is silent or ambiguous.  What speaks for a ruling, or follows from it:

*  46: the deck has 45 cards worth 1 to 9 zombies.  How many there are of each is not
   printed; five of each is the only even split and sums to 450.
*  47: no source says who has the first turn; there is no option for it, as a league
   rotates the seats.
*  50: a seat knows what it has looked at or drawn, all know where a card taken from the
   discard pile lies, and what is known stays known while the card stays.
*  53: neither pile can stop a turn, for each turn leaves a card on the discard pile.
*  56: the deck must hold every hand and the first discard.  That is 18 seats with hands
   of 4, 14 with 5 and 12 with 6.

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
