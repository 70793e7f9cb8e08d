"""One turn of a guest: its code runs on a stack of its own and asks for rolls."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from arena.games.zombie_dice import FACES, Face
from arena.worker.compat.errand import Errand
from arena.worker.compat.zombiedice.remedies import check_ran
from arena.worker.compat.zombiedice.seen_game import Table

Outcome = dict[str, Any]
"""The value of `zombiedice.roll`: numbers of `shotgun`, `footsteps` and `brains`, and
as `rolls` a list of `DieRoll`."""

_MAX_NONES = 10_000


class DieRoll(NamedTuple):
    """One die as it has fallen."""

    color: str
    icon: str


class _Roll(NamedTuple):
    dice: tuple[DieRoll, ...]
    brains: int
    shotguns: int


class GuestTurn:
    """One turn, from the roll that the rules begin it with."""

    def __init__(
        self,
        play: Callable[[dict[str, Any]], object],
        given: dict[str, Any],
        enter: Callable[[Table], None],
    ) -> None:
        """Prepare it: `play` is called with `given`, `enter` with each new table."""
        self._errand = Errand(lambda: play(given))
        self._enter = enter
        self._heard: tuple[_Roll, Table] | None = None
        self._ended = False
        self._nones = 0

    @property
    def wants_roll(self) -> bool:
        """True if its code waits for a roll."""
        return not self._errand.is_over

    @property
    def said_none(self) -> bool:
        """True if it has asked for a roll when it was over."""
        return self._nones > 0

    def hear(self, text: str, table: Table, ended: bool) -> None:
        """Continue its code with a roll, after which the `table` is as it is.

        `ended` if the roll has ended the turn.
        """
        self._heard = _parse(text), table
        self._ended = ended
        if self.wants_roll:
            value = self._errand.go()
            if self._errand.is_over:
                check_ran("turn", value)

    def roll(self) -> Outcome | None:
        """Return the next roll to the code of the bot, once it has been made.

        None if the turn is over.

        Raises:
            RuntimeError: another thread asks, or a loop does that has no end.
        """
        if self._heard is None and not self._ended:
            self._errand.ask("roll")
        heard, self._heard = self._heard, None
        if heard is None:
            self._nones += 1
            if self._nones > _MAX_NONES:
                raise RuntimeError(
                    f"roll() has returned None {_MAX_NONES} times: the turn is over, "
                    "and the loop around it has no end"
                )
            return None
        roll, table = heard
        self._enter(table)
        icons = [die.icon for die in roll.dice]
        return {
            "shotgun": roll.shotguns,
            "footsteps": icons.count("footsteps"),
            "brains": roll.brains,
            "rolls": list(roll.dice),
        }


def icon_of(face: Face) -> str:
    """Return what the package calls a face; those that it does not know keep theirs."""
    if face.brains:
        return "brains"
    if face.shotguns:
        return "shotgun"
    return "footsteps" if face.name == "feet" else face.name


@lru_cache(maxsize=4096)
def _parse(text: str) -> _Roll:
    """Read a roll in the notation of the game."""
    dice = []
    brains = shotguns = 0
    for die in text.split(", "):
        color, _, shown = die.partition(" ")
        face = FACES[shown]
        brains += face.brains
        shotguns += face.shotguns
        dice.append(DieRoll(color, icon_of(face)))
    return _Roll(tuple(dice), brains, shotguns)
