"""What one seat of Zombie Run! knows, and the states it can't rule out."""

from random import Random
from typing import TYPE_CHECKING, Literal

from arena.games.core import Observation
from arena.games.zombie_run.cards import SIZE, Card

if TYPE_CHECKING:
    from arena.games.zombie_run.state import ZombieRunState

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
        return list(self.game.menu(self.phase, self.taken))

    def sample_state(self, rng: Random) -> "ZombieRunState":
        """Return a full state, drawn uniformly from those this seat can't rule out.

        Every deal of the unseen cards of a pool to the places they can be in is
        equally likely; what other seats' decisions may tell is left to the bot.
        """
        # What is unseen and not in the draw pile lies in a hand, or has been drawn.
        wanted = [sum(row) for row in self.unseen]
        wanted[-1] -= self.draw_size
        dealt = [
            rng.sample(range(SIZE), count, counts=row) if count else []
            for row, count in zip(self.unseen, wanted, strict=True)
        ]
        draw = list(self.unseen[-1])
        for value in dealt[-1]:
            draw[value] -= 1

        state: ZombieRunState = self.game.new_state()
        state.phase = self.phase
        state.round = self.round
        state.step = self.step
        state.totals = list(self.scores)
        state.hands = [
            tuple(
                [
                    Card(dealt[pool].pop() if value is None else value, seen_by, pool)
                    for value, seen_by, pool in zip(*rows, strict=True)
                ]
            )
            for rows in zip(self.hands, self.seen_by, self.pools, strict=True)
        ]
        state.pool = len(self.unseen) - 1
        state.draw = draw
        state.draw_size = self.draw_size
        state.discard = list(self.discard)
        state.top = self.top
        hidden_draw = self.phase == "place" and self.drawn is None
        state.held = dealt[-1].pop() if hidden_draw else self.drawn
        state.taken = self.taken
        state.revealed = self.revealed
        return state
