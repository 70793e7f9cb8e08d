"""Zombie Dice: eat brains, don't get shotgunned.  The base rules.

**Dice.**  Thirteen: 6 green, 4 yellow, 3 red, each with two feet; green has 3
brains and 1 shotgun, yellow 2 and 2, red 1 and 3.

**Turn.**  All dice are in the cup.  The seat draws three at random and rolls
them.  Brains are laid to one side, shotguns to the other, feet stay in hand.
With three shotguns in all, the turn is over and scores nothing.  Otherwise the
seat stops and banks one point a brain, or rolls again: the feet, and as many dice
drawn at random as make three.

**End.**  Once a seat has banked the target (13), the round is finished; then most
brains win.  If several lead, they alone play tiebreaker rounds.

Source: the leaflet of the game (version 1.0, March 2010) and its manual.  They
leave room in places; these are the rulings, by their numbers in the whole set:

1.  The brain dice return to the cup when at least one die must be drawn and the
    cup holds fewer than three (option `cup: literal`).  For comparison with
    others' figures: `needed`, when the cup holds fewer than must be drawn;
    `rest_first`, then too, but what is left in the cup is taken first; `none`,
    never: the turn ends and scores when the cup is too short.
2.  Returned dice are mixed with what is left in the cup, and their brains stay
    noted: they still score.  Shotguns stay out.
3.  A seat that can't draw enough dice even so stops and scores.  With these
    thirteen dice that happens under `cup: none` only.
4.  The target counts when it is banked.  A seat with enough in hand may roll on,
    and lose it.
5.  After the target is reached only the seats later in that round still play; if
    the last seat reaches it, the game is over at once.
6.  A tie at the top is replayed by the leaders, then by those of them who are
    still tied, until it is broken (option `tiebreak_rounds` sets a limit, after
    which they share the win).  The brains of these rounds are added to the
    scores, which gives the same order as comparing each round by itself.  A tie
    below the top is a shared place.
7.  Seat 0 begins; who sits there is the schedule's business.
8.  The first roll of a turn is compulsory.  After it a seat may always stop, even
    with no brains or with three feet.  Three feet are rolled again, nothing drawn.
9.  Most brains at the end win, not the first to reach the target.
10. Thirteen dice and a cup belong to this game alone.
11. More than three shotguns are a bust like any other.

**Notation.**  Actions: `roll`, `stop`.  A roll is one chance outcome: the three
dice with their faces, green before yellow before red, and with one die brain before
shotgun before feet, such as `green brain, yellow feet, red shotgun`.
"""

from arena.games.zombie_dice.dice import DICE, FULL_CUP, Die
from arena.games.zombie_dice.game import ZombieDice, ZombieDiceOptions
from arena.games.zombie_dice.observation import DiceCount, ZombieDiceObservation
from arena.games.zombie_dice.state import ZombieDiceState

__all__ = [
    "DICE",
    "FULL_CUP",
    "DiceCount",
    "Die",
    "ZombieDice",
    "ZombieDiceObservation",
    "ZombieDiceOptions",
    "ZombieDiceState",
]
