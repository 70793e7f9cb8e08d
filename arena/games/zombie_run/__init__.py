"""Zombie Run!, a card game of memory and nerve for 2 to 18 players.

Source: the leaflet (The Haywire Group, 2014, item 235).  Numbers in brackets
are those of the rulings where the leaflet is silent or ambiguous.

The deck has 75 cards: 15 Empty Streets worth 0, 15 Zombie Hordes worth 15, and
45 cards worth 1 to 9 zombies.  How many there are of each of these is not
printed; five of each is the only even split and sums to 450 (46; options
`streets`, `hordes` and `copies`, the nine counts of the values 1 to 9).

A round.  Each seat is dealt 4 cards face down, one at a time, starting with the
seat left of the dealer; `hand` makes it 5 or 6 (55).  They keep their positions,
numbered from 1.  One card is put face up as the first of the discard pile.  Then
each seat looks at two of its cards, at positions of its own choice, once (48).
The last seat deals the first round, so seat 0 begins; deal and first turn move
on clockwise, to the next higher seat, with each round.  No source says who has the
first turn; there is no option for it, as a league rotates the seats (47).

A turn.  Take the top card of the draw pile, which nobody else sees, or the top
card of the discard pile, which all have seen.  Put it in place of a card of your
hand, which goes face up to the discard pile and is seen by all (50); or put
it on the discard pile itself.  The latter is allowed with a card from the discard
pile too, unless the option `must_swap_from_discard` forbids it (49).  So a
seat knows what it has looked at or drawn, all know where a card taken from the
discard pile lies, and what is known stays known while the card stays.

Once the draw pile is empty and a card from it is wanted, the whole discard pile
is shuffled and becomes the draw pile (53).  Neither pile can stop a turn: each
turn leaves a card on the discard pile.

The end of a round.  A seat may shout as it discards, in any of its turns, the
first included; the round stops at once, without last turns for others (51).
Each seat scores the zombies in its hand.  If another hand has fewer than the
shouter's, the shouter's score for the round is doubled; a tie for the fewest
changes nothing, and other seats' scores are never changed (52).  Nobody need
ever shout: after `round_cap` turns of each seat, 50 by default, the hands are
scored as they are, without doubling (53).

The end of the game.  After `rounds` rounds, 5 or, for a long game, 10 (55), the
fewest zombies win; equals share the win (54).  The referee ends no game that would
end by itself, unless a league tells it to; then the hands of the round in play are
added as they are.

Players: the deck must hold every hand and the first discard.  That is 18 seats
with hands of 4 (56), 14 with 5 and 12 with 6.

Notation of actions, positions from 1:
    peek I J       look at the cards at I and J, I < J
    draw           take from the draw pile
    take           take from the discard pile
    swap I         put the card at position I, and discard the one that was there
    swap I shout   the same, and end the round
    discard        discard the card drawn or taken
    discard shout  the same, and end the round
A chance outcome is the value of the card dealt or drawn, such as `7`.
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
