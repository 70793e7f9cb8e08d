"""What a seat sees: everything, for nothing is hidden in this game."""

from typing import Any, Literal

import msgspec

from arena.games.core import CHANCE, OpenObservation
from arena.games.zombie_dice.dice import FATAL

Bus = Literal["none", "waiting", "boarded", "gone"]
"""Where the School Bus is: not in the game, to be boarded, with the seat on it, or away
until the turn ends."""


class DiceCount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A number of dice of each kind."""

    green: int = 0
    yellow: int = 0
    red: int = 0
    hunk: int = 0
    hottie: int = 0
    santa: int = 0
    horde: int = 0

    @property
    def total(self) -> int:
        """The number of dice of all kinds."""
        return sum(msgspec.structs.astuple(self))


class ZombieDiceObservation(
    OpenObservation, frozen=True, array_like=True, kw_only=True
):
    """The table as all seats see it; the defaults are those of the first roll."""

    scores: tuple[int, ...]
    """Banked brains in seat order, those of tiebreaker rounds included."""
    brains: int = 0
    """Brains of this turn: what `stop` would bank."""
    shotguns: int = 0
    """Shotguns of this turn."""
    shotgun_limit: int = FATAL
    """So many shotguns end the turn: 3, or 4 with a helmet."""
    feet: int = 0
    """Feet, which are rolled again; 3 less this many dice are drawn."""
    cup: DiceCount
    """Dice in the cup."""
    feet_dice: DiceCount = DiceCount()
    """Dice in hand, to be rolled again."""
    brain_dice: DiceCount = DiceCount()
    """Dice that lie on the table as brains."""
    shotgun_dice: DiceCount = DiceCount()
    """Dice that lie on the table as shotguns."""
    aside_dice: DiceCount = DiceCount()
    """Dice out of play until the turn ends: Santa with a gift, the horde."""
    extra_brains: DiceCount = DiceCount()
    """Brains beyond the first on the brain dice of each kind."""
    noted: int = 0
    """Those of `brains` without a die on the table: it has returned to the cup, or
    they came from the bus."""
    helmet: bool = False
    """Whether Santa has brought a helmet in this turn."""
    energy_drink: bool = False
    """Whether Santa has brought an energy drink: green feet become brains."""
    bus: Bus
    """The School Bus: `none` in the game, `waiting` to be boarded, `boarded`, or
    `gone` until the turn ends."""
    is_run_over: bool = False
    """Whether you must say which brain you lose."""
    target: int
    """The last round is the one in which somebody has banked so many brains."""
    final_round: bool = False
    """Whether somebody has banked the target: each later seat has one turn left."""
    tied: tuple[int, ...] = ()
    """The seats that play in this tiebreaker round; empty before any."""
    tiebreak_round: int = 0
    """The number of this tiebreaker round, from 1; 0 before any."""
    round: int = 1
    """The number of this round, from 1; tiebreaker rounds are counted on."""
    rolls: int = 0
    """Rolls made in this turn."""
    turn_seat: int = 0
    """Whose turn it is, 0-based."""
    current_player: int = CHANCE
    """Who acts: a seat, `CHANCE` (-1) while dice are drawn, `TERMINAL` (-4)."""

    @property
    def seats_to_come(self) -> tuple[int, ...]:
        """The seats that still have a turn in this round, in their order."""
        order = self.tied or range(len(self.scores))
        return tuple(seat for seat in order if seat > self.turn_seat)

    def bust_probability(self, action: str = "roll") -> float:
        """Return the exact probability that this way to roll is fatal.

        Raises:
            ValueError: it is no legal way to roll.
        """
        state: Any = self._state()
        probability: float = state.bust_probability(action)
        return probability
