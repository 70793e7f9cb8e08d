"""Zombie Dice with all its expansions: eat brains, don't get shotgunned.

**Dice.**  Thirteen: 6 green, 4 yellow, 3 red, each with two feet; green has 3
brains and 1 shotgun, yellow 2 and 2, red 1 and 3.

**Turn.**  All dice are in the cup.  The seat draws three at random and rolls
them.  Brains are laid to one side, shotguns to the other, feet stay in hand.
With three shotguns in all, the turn is over and scores nothing.  Otherwise the
seat stops and banks one point a brain, or rolls again: the feet, and as many dice
drawn at random as make three.

**End.**  Once a seat has banked the target (13), the round is finished; then most
brains win.  If several lead, they alone play tiebreaker rounds.

**Expansions.**  The option `preset` chooses the dice in the cup, or `dice` counts
them; `bus` adds the School Bus and `horde` the Zombie Horde die.  Everything goes
together with everything.  `preset: all_yellow` is a game for study, for which exact
results are published: thirteen yellow dice, of which three can always be rolled.

Sources: the leaflet of the game (version 1.0, March 2010) and the manual with the
expansions; where these give no faces, the published dice.  They leave room in
places; these are the rulings, by their numbers in the whole set.  LOW marks those
that rest on inference only.

**The base game**

1.  The brain dice return to the cup when at least one die must be drawn and the
    cup holds fewer than three (option `cup: literal`).  For comparison with
    others' figures: `needed`, when the cup holds fewer than must be drawn;
    `rest_first`, then too, but what is left in the cup is taken first; `none`,
    never: the turn ends and scores when the cup is too short.
2.  Returned dice are mixed with what is left in the cup, and their brains stay
    noted: they still score.  Shotguns stay out.
3.  A seat that can't draw enough dice even so stops and scores.  With the dice of
    the boxes that happens under `cup: none` only.
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

**Double Feature**: the dice Hunk, Hottie and Santa

12. The manual gives no counts of faces and contradicts itself, so the published dice
    are used (option `faces: official`).  Hunk: double brain, 2 shotguns, double
    shotgun, 2 feet.  Hottie: brain, 2 shotguns, 3 feet.  Santa: brain, double
    brain, shotgun, feet, helmet, energy drink.  With `faces: manual` each shotgun
    of the Hottie and of Santa is a double one.
13. Three scenarios: `big_summer_action_movie` (6 green, 2 yellow, 3 red, Hunk,
    Hottie), `santa_claus_meets_the_zombies` (5 green, 4 yellow, 3 red, Santa) and
    `direct_to_video_sequel` (5 green, 2 yellow, 3 red and all three), which is the
    manual's setup.
14. The Hunk's double brain, the Hottie's brain and Santa's single brain can be
    rescued; Santa's double brain can't, nor a Hunk who shows one brain (30).
15. A shotgun on one of the three rescues the others; nobody is asked.
16. If two others can be rescued, both are (option `rescue: all`; LOW).  With
    `first_only` it is the first in the manual's order: the Hunk rescues the Hottie
    before Santa, the Hottie the Hunk before Santa, Santa the Hunk before the Hottie.
17. Brains of the same roll are rescued too, by a single shotgun or a double one.
    All dice are laid out first, then come the rescues, then the shotguns are
    counted.  Shotguns that lie there from earlier rolls rescue nobody.
18. A die that has returned to the cup is not on the table: its brains are noted and
    can't be rescued any more.
19. The brains of a rescued die are lost, and it goes to the cup at once.  Santa
    alone rescues nobody.
20. With the helmet the fourth shotgun ends the turn instead of the third, from the
    roll that brings it to the end of the turn.
21. With the energy drink the green feet of each roll become brains, from the roll
    that brings it (option `energy_drink: same_roll`; LOW) or from the next one
    (`later_rolls`) to the end of the turn.  They are green brain dice like others.
22. Santa's brain stays on the table when brain dice return to the cup.  His feet
    are rolled again, and with a gift he lies aside.
23. A die that returns to the cup notes all brains that it showed.

**School Bus** (option `bus`)

24. A die with twelve faces, never in the cup: 2 brain, double brain, triple brain,
    brain and shotgun, double brain and shotgun, shotgun, double shotgun, stop,
    yield, dead end, run over.
25. From the second roll on a seat may board it (`roll bus`) if at least one die
    would be drawn: it takes the place of one, and feet and new dice make up the
    other two.  This is decided before anything is drawn.
26. Who is on the bus may stay (`roll bus`) or get off (`leave bus`): then the feet
    and new dice make up three again, also if there are no feet.  The bus is gone
    until the turn ends (option `reboard`: it may be boarded again).
27. Who stays gives up the feet: they go back to the cup before two dice are drawn.
    Whether brain dice return is looked at after that, as in ruling 1.
28. stop: the turn ends and scores, unless this roll was fatal.
29. yield: all shotguns of this roll become feet, a double one a single die of feet.
    Whom they rescued is gone all the same.  Green feet made so stay feet under an
    energy drink (option `yielded_green: feet`; LOW; or `brains`).
30. dead end: each die that shows feet in this roll becomes a brain, of any colour,
    one brain on each of the three too.
31. run over: after the brains of this roll are counted, one brain is lost.  A noted
    one or a counter is taken first; else a die with a single brain goes back to the
    cup, which the seat names (`lose green`) if there are several colours; else a
    die with more brains goes back and the others of its brains are noted.  Without
    brains nothing is lost.  The bus is gone until the turn ends; feet are rolled
    again as ever.
32. Brains and shotguns on the bus are counters: they don't return to the cup, and
    the shotguns count like others.

**Zombie Horde** (option `horde`)

33. No publisher's list of its faces exists.  A house default is used (option
    `horde_faces`; LOW): horde, hoard of 3, hoard of 2, shotgun, 2 feet.
34. horde: all brains are lost, banked ones and those of this turn, this roll
    included.  The turn goes on, and shotguns stay.  Hoard and horde are two faces;
    a hoard is as many brains as it says.  The dice of lost brains go back to the cup.
35. It is a die more in the cup.  Once it is out of hand it does not go back before
    the end of the turn: its brains stay on the table when brain dice return, and
    where a lost or given up die would go back, it lies aside.
36. The target is 20 (option `target`), and whether it is reached is looked at when
    the round ends: a bank lost in that round does not end the game.  In a
    tiebreaker only the tied can win.

**One roll**, in this order: all dice are laid out, the bus's brains and shotguns
counted; energy drink (21); rescues (14 to 19); horde (34); the sign of the bus (28
to 31); then the shotguns decide.

**Notation.**  Actions, with their ids in this order: `roll`, `stop`; with the bus
also `roll bus`, `leave bus`, `lose green` and so on for each kind of die.  A roll is
one chance outcome: the dice with their faces in the order of `DICE` and, with one
die, of `FACES`, the bus last, such as `green brain, yellow feet, bus dead end`.
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
