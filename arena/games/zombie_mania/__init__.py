"""Zombie Mania!: dice are set aside to get rid of one's zombies.

By Reiner Knizia.  Each seat has zombie tokens and wants to have none.  There
are 12 tokens a seat with two or three players, 10 with four, 8 with five,
unless the option `tokens` says otherwise (ruling 69).  Eight equal dice show six
icons, one on each face: three kinds of zombie (blue, green, brown), gravestone,
building and x2 (57).  Seat 0 begins, without an option, as a league rotates the
seats (66).

A turn begins with a throw of all eight dice.  After each throw

1. at least one zombie of this throw must be kept, and any other dice of it may
   be.  A throw without a zombie ends the turn with nothing done, whatever was
   kept before (58);
2. the seat throws all dice that are not kept once more, or stops.  What is kept
   stays kept, and with all eight kept there is nothing left to throw (59).

When it stops, each icon counts once, if it is on two kept dice or more; further
dice of the icon add nothing (61).  Without the gravestones nothing moves (60).
With them, blue allows one token to be moved, green one, brown two, in sum; x2
doubles the sum (61), at most six.  The tokens go to the graveyard, or, with the
buildings, all of them to one other seat instead (62), doubled too (65).  Any
smaller number, also none, may be moved, and no more than one has (63).

A seat that has no tokens when its turn begins has won.  Until then others can
still send it some (64).

A series: with the option `games`, so many games are played one after another,
1 by default (67).  At the end of each, every seat has its tokens left as penalty
points, and all tokens are set up anew.  The first turn of each game is that of the
next seat: seat 0 begins the first game, seat 1 the second (66).  Fewest penalty
points over all games win, and ties share the win (67).  A single game is won by the
seat that ended it, alone, even if others have no tokens.

A game or series that goes on for too long is ended by the referee; fewest penalty
points, the tokens on the mats among them, share the win; a league's `max_decisions`
sets when (68).

Notation: chance outcomes are the icons thrown, in the order blue, green, brown,
gravestone, building, x2, such as `blue blue x2`.  Actions are `keep blue x2`
(icons in the same order), `roll`, `stop`, `move 0`, `move 2 graveyard` and
`move 2 seat 1`.  Ids: the keeps by number of dice, then by icons; roll; stop;
move 0; moves to the graveyard; moves to each seat.
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
