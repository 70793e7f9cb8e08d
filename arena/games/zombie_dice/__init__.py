"""Zombie Dice with all its expansions: eat brains, don't get shotgunned.

`arena rules zombie_dice` tells the rules, each ruling by its number, with the words of
`rules.py` and `expansion_rules.py`.  The option `preset` chooses the dice in the cup,
or `dice` counts them; `bus` adds the School Bus and `horde` the Zombie Horde die.
Everything goes together with everything.

Sources: the leaflet of the game (version 1.0, March 2010) and the manual with the
expansions; where these give no faces, the published dice.  They leave room in places.
Rulings 16, 21 and 33, 29 as far as green dice go, and of 34 where the dice of lost
brains go and what the horde comes before or after, rest on inference only: LOW.

What speaks for a ruling, or follows from it:

*  1: `literal` is the leaflet's.  The other values of `cup` are for comparison with
   others' figures.
*  3: with the dice of the boxes it happens under `cup: none` only.
*  6: to add up the brains of tiebreaker rounds gives the same order as to compare each
   round by itself.
*  12: the manual gives no counts of faces, and contradicts itself.
*  13: `direct_to_video_sequel` is the manual's setup.  `all_yellow` is for study, for
   exact results are published: of thirteen yellow dice three can always be rolled.

Actions, with their ids in this order: `roll`, `stop`; with the bus also `roll bus`,
`leave bus`, `lose green` and so on for each kind of die.  A roll is one chance outcome:
the dice with their faces in the order of `DICE` and, with one die, of `FACES`, the bus
last, such as `green brain, yellow feet, bus dead end`.
"""

from arena.games.zombie_dice.dice import BUS, DICE, FACES, PRESETS, Die, Face
from arena.games.zombie_dice.game import ZombieDice
from arena.games.zombie_dice.observation import DiceCount, ZombieDiceObservation
from arena.games.zombie_dice.options import ZombieDiceOptions
from arena.games.zombie_dice.state import ZombieDiceState

__all__ = [
    "BUS",
    "DICE",
    "FACES",
    "PRESETS",
    "DiceCount",
    "Die",
    "Face",
    "ZombieDice",
    "ZombieDiceObservation",
    "ZombieDiceOptions",
    "ZombieDiceState",
]
