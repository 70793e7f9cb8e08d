"""What a seat sees: everything, for nothing is hidden in this game."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from arena.games.core import Observation

if TYPE_CHECKING:
    from arena.games.zombie_dice.state import ZombieDiceState


class DiceCount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A number of dice of each colour."""

    green: int = 0
    yellow: int = 0
    red: int = 0

    @property
    def total(self) -> int:
        """The number of dice of all colours."""
        return sum(msgspec.structs.astuple(self))


class ZombieDiceObservation(Observation, frozen=True, array_like=True, kw_only=True):
    """The table as all seats see it."""

    scores: tuple[int, ...]
    """Banked brains in seat order, those of tiebreaker rounds included."""
    brains: int
    """Brains of this turn: what `stop` would bank."""
    shotguns: int
    """Shotguns of this turn; the third ends it."""
    feet: int
    """Feet, which are rolled again; 3 less this many dice are drawn."""
    cup: DiceCount
    """Dice in the cup."""
    feet_dice: DiceCount
    """Dice in hand, to be rolled again."""
    brain_dice: DiceCount
    """Dice that lie on the table as brains."""
    shotgun_dice: DiceCount
    """Dice that lie on the table as shotguns."""
    noted: int
    """Those of `brains` whose dice have returned to the cup."""
    target: int
    """The last round is the one in which somebody has banked so many brains."""
    final_round: bool
    """Whether somebody has banked the target: each later seat has one turn left."""
    tied: tuple[int, ...]
    """The seats that play in this tiebreaker round; empty before any."""
    tiebreak_round: int
    """The number of this tiebreaker round, from 1; 0 before any."""
    round: int
    """The number of this round, from 1; tiebreaker rounds are counted on."""
    rolls: int
    """Rolls made in this turn."""
    turn_seat: int
    """Whose turn it is, 0-based."""
    current_player: int
    """Who acts: a seat, `CHANCE` (-1) while dice are drawn, `TERMINAL` (-4)."""

    @property
    def legal_actions(self) -> list[str]:
        """All legal actions of the seat to act, in ascending order of their ids."""
        return ["roll", "stop"] if self.current_player >= 0 else []

    @property
    def seats_to_come(self) -> tuple[int, ...]:
        """The seats that still have a turn in this round, in their order."""
        order = self.tied or range(len(self.scores))
        return tuple(seat for seat in order if seat > self.turn_seat)

    def bust_probability(self) -> float:
        """Return the exact probability that the next roll is fatal."""
        return self.sample_state(Random(0)).bust_probability()

    def sample_state(self, rng: Random) -> "ZombieDiceState":
        """Return the state itself, as an independent copy; `rng` is not used."""
        state: ZombieDiceState = self.game.new_state()
        state.restore(self)
        return state
