"""One turn of a guest: its code runs on a stack of its own and asks for rolls."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from arena.games.zombie_dice import FACES
from arena.worker.compat.errand import Errand

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
        state: dict[str, Any],
    ) -> None:
        """Prepare it: `play` is called with `given`; `state` is kept up to date."""
        self._errand = Errand(lambda: play(given))
        self._state = state
        self._heard: _Roll | None = None
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

    def hear(self, text: str, ended: bool) -> None:
        """Continue its code with a roll; `ended` if the roll has ended the turn."""
        self._heard = _parse(text)
        self._ended = ended
        if self.wants_roll:
            self._errand.go()

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
        self._note(heard)
        icons = [die.icon for die in heard.dice]
        return {
            "shotgun": heard.shotguns,
            "footsteps": icons.count("footsteps"),
            "brains": heard.brains,
            "rolls": list(heard.dice),
        }

    def _note(self, roll: _Roll) -> None:
        """Enter a roll into the state, as lists of colours and numbers."""
        state = self._state
        cup, hand = state["CURRENT_CUP"], state["CURRENT_HAND"]
        eaten = state["ROLLED_BRAINS_DETAILS"]
        drawn = [die.color for die in roll.dice]
        for color in hand:
            if color in drawn:
                drawn.remove(color)
        if any(drawn.count(color) > cup.count(color) for color in drawn):
            # The cup was too short: the brains have gone back to it.
            cup += eaten
            eaten.clear()
        for color in drawn:
            if color in cup:
                cup.remove(color)
        hand[:] = [die.color for die in roll.dice if die.icon == "footsteps"]
        eaten += [die.color for die in roll.dice if die.icon == "brains"]
        state["SHOTGUNS_ROLLED"] += roll.shotguns
        state["BRAINS_ROLLED"] += roll.brains


def new_turn(state: dict[str, Any], cup: list[str]) -> None:
    """Set the entries of `state` that the package sets at the start of a turn."""
    state["CURRENT_CUP"] = cup
    state["CURRENT_HAND"] = []
    state["SHOTGUNS_ROLLED"] = 0
    state["BRAINS_ROLLED"] = 0
    state["ROLLED_BRAINS_DETAILS"] = []


def copy_of(state: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the state, as deep as the package's own values are."""
    return {
        key: value.copy() if isinstance(value, (dict, list)) else value
        for key, value in state.items()
    }


@lru_cache(maxsize=4096)
def _parse(text: str) -> _Roll:
    """Read a roll in the notation of the game; the bus is no die of the package."""
    dice = []
    brains = shotguns = 0
    for die in text.split(", "):
        color, _, shown = die.partition(" ")
        face = FACES[shown]
        brains += face.brains
        shotguns += face.shotguns
        icon = "brains" if face.brains else "shotgun" if face.shotguns else "footsteps"
        dice.append(DieRoll(color, icon))
    return _Roll(tuple(dice), brains, shotguns)
