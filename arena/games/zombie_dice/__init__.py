"""Zombie Dice with all its expansions: eat brains, don't get shotgunned.

`arena rules zombie_dice` tells the rules, with the words of `rules.py` and
`expansion_rules.py`.  The option `preset` chooses the dice in the cup,
or `dice` counts them; `bus` adds the School Bus and `horde` the Zombie Horde die.
Everything goes together with everything.

`rulings.py` says where the rules are from.

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
