"""What one seat of Zombie Run! knows, and the states it can't rule out."""

from random import Random
from typing import Literal

from arena.games.core import Observation, State

Phase = Literal["deal", "open", "peek", "pick", "draw", "place", "over"]
"""What comes next; `deal`, `open` and `draw` are chance.

deal   a card to a hand          pick   the active seat draws or takes
open   the first discard         draw   a card from the draw pile
peek   a seat looks at two       place  the active seat swaps or discards
"""


class ZombieRunObservation(Observation, frozen=True, array_like=True, kw_only=True):
    """What one seat may know: all it has seen, and nothing is forgotten.

    Hands are in seat order, their cards in the order of positions 1, 2, …
    Counts are the numbers of cards indexed by value, 0 to 15.
    """

    phase: Phase
    """What comes next: `peek`, `pick` or `place` where a seat decides."""
    round: int
    """The round in play, 1-based."""
    step: int
    """Turns finished in this round; in `peek` the seats that have looked."""
    scores: tuple[int, ...]
    """Zombies of the finished rounds, in seat order; the fewest win."""
    hands: tuple[tuple[int | None, ...], ...]
    """All hands; None for a card this seat has not seen."""
    seen_by: tuple[tuple[int, ...], ...]
    """For each card of `hands`, bit `s` is set where seat `s` knows the card."""
    pools: tuple[tuple[int, ...], ...]
    """For each card of `hands`, the row of `unseen` its value is from if unseen."""
    unseen: tuple[tuple[int, ...], ...]
    """Counts of the cards this seat has not seen, one row for each draw pile.

    The last row is the draw pile as it is now, with the unseen cards that came
    from it; an earlier row holds unseen cards dealt or drawn before a reshuffle.
    """
    draw_size: int
    """Cards in the draw pile."""
    discard: tuple[int, ...]
    """Counts of the cards in the discard pile."""
    top: int | None
    """The card on the discard pile; None while it is in a hand, or none is there."""
    drawn: int | None
    """In `place`, the card to be placed; None where another seat has drawn it."""
    taken: bool
    """Whether that card was taken from the discard pile, so that all know it."""
    revealed: tuple[tuple[int, ...], ...]
    """All hands at the end of the round before; empty in the first round."""

    @property
    def hand(self) -> tuple[int | None, ...]:
        """The own hand; None for a card not seen yet."""
        return self.hands[self.seat]

    @property
    def first(self) -> int:
        """The seat that has the first turn of this round (ruling 47)."""
        return (self.round - 1) % len(self.hands)

    @property
    def active(self) -> int:
        """The seat whose turn, or look, it is."""
        return (self.first + self.step) % len(self.hands)

    @property
    def turn(self) -> int:
        """The number of the active seat's turn in this round, 1-based."""
        return self.step // len(self.hands) + 1

    @property
    def legal_actions(self) -> list[str]:
        """All legal actions of the seat to act, in ascending order of their ids."""
        return list(self.game.setup.menu(self.phase, self.taken))

    def sample_state(self, rng: Random) -> State:
        """Return a full state, drawn uniformly from those this seat can't rule out.

        Every deal of the unseen cards of a pool to the places they can be in is
        equally likely; what other seats' decisions may tell is left to the bot.
        """
        state: State = self.game.new_state().restore(self, rng)
        return state
