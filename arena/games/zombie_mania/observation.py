"""What a seat of Zombie Mania! knows: everything."""

from typing import Literal

from arena.games.core import OpenObservation
from arena.games.zombie_mania.dice import DICE, can_send, movable, to_counts

Phase = Literal["throw", "keep", "continue", "move", "over"]
"""What comes next; `throw` is chance.

throw      the dice that are not kept fall    continue   roll or stop
keep       some of the throw must be kept     move       tokens may be moved
"""


class ZombieManiaObservation(
    OpenObservation, frozen=True, array_like=True, kw_only=True
):
    """What a seat knows: everything."""

    tokens: tuple[int, ...]
    """The zombie tokens of each seat."""
    graveyard: int
    """The tokens in the graveyard."""
    phase: Phase
    """What is to be decided: `keep`, `continue` (roll or stop) or `move`.

    Between decisions: `throw` while dice fall, `over` at the end.
    """
    rolled: tuple[str, ...]
    """The icons just thrown, of which some must be kept; empty in other phases."""
    kept: tuple[str, ...]
    """The icons kept in this turn."""
    turn: int
    """The number of this turn in its game, from 1, the turns of all seats counted."""
    roll: int
    """The number of the last throw in this turn, or of the coming one; from 1."""
    game_number: int
    """The number of this game in its series, from 1 to `game.options.games`."""
    penalties: tuple[int, ...]
    """The penalty points of each seat from the finished games (ruling 67)."""

    @property
    def dice_left(self) -> int:
        """The number of dice that are not kept."""
        return DICE - len(self.kept)

    @property
    def movable(self) -> int:
        """The number of tokens that the kept dice would let one move."""
        return movable(to_counts(self.kept))

    @property
    def can_send(self) -> bool:
        """Whether the kept dice would let one move them to another seat."""
        return self.movable > 0 and can_send(to_counts(self.kept))
