"""Stands in for `zombiedice`: the names and values of its version 0.1.6.

It is run anew, under that name, each time that a bot's file is loaded: `GAME_STATE` and
whatever the file changes here belong to one game.  Nothing here opens a server, changes
the folder or plays; that `MAX_TURN_TIME` and the like are set has no effect, for the
league has limits of its own.
"""

import copy
import importlib
import logging
import os
import platform
import random
import re
import sys
import threading
import time
from collections import namedtuple
from collections.abc import Iterable
from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any

from arena.worker.compat.zombiedice.guest_turn import DieRoll, Outcome

if TYPE_CHECKING:
    from arena.worker.compat.zombiedice import ZombieDiceGuest

_guest: "ZombieDiceGuest" = globals()["_guest"]
"""The guest that this module belongs to: set before this is run."""

__version__ = "0.1.6"

COLOR = 0
ICON = 1
RED = "red"
YELLOW = "yellow"
GREEN = "green"
SHOTGUN = "shotgun"
FOOTSTEPS = "footsteps"
BRAINS = "brains"

_ICONS = {
    RED: [SHOTGUN] * 3 + [FOOTSTEPS] * 2 + [BRAINS],
    YELLOW: [SHOTGUN] * 2 + [FOOTSTEPS] * 2 + [BRAINS] * 2,
    GREEN: [SHOTGUN] + [FOOTSTEPS] * 2 + [BRAINS] * 3,
}
"""The six faces of each die."""

GAME_STATE = _guest.game_state
TOURNAMENT_STATE: dict[str, Any] | None = None
EXCEPTIONS_LOSE_GAME = False
MAX_TURN_TIME: float | None = None

WEB_SERVER_PORT = 52328
WEB_GUI_NUM_GAMES: int | None = None
SCORE_BAR_MAX_WIDTH = 350
TOURNAMENT_RUNNING = False
START_TIME: float | None = None

here = os.getcwd()

# As with the package: a file's own basicConfig comes too late to show its debugging.
logging.basicConfig(level=logging.WARNING)

examples: ModuleType
webbrowser: ModuleType
_LATE = {"examples": "zombiedice.examples", "webbrowser": "webbrowser"}
"""Modules that take a while to import, and that few files ask for."""

__all__ = [
    "BRAINS",
    "COLOR",
    "EXCEPTIONS_LOSE_GAME",
    "FOOTSTEPS",
    "GAME_STATE",
    "GREEN",
    "ICON",
    "MAX_TURN_TIME",
    "RED",
    "SCORE_BAR_MAX_WIDTH",
    "SHOTGUN",
    "START_TIME",
    "TOURNAMENT_RUNNING",
    "TOURNAMENT_STATE",
    "WEB_GUI_NUM_GAMES",
    "WEB_SERVER_PORT",
    "YELLOW",
    "DieRoll",
    "assignUniqueZombieName",
    "copy",
    "demo",
    "examples",
    "here",
    "logging",
    "namedtuple",
    "os",
    "platform",
    "random",
    "re",
    "roll",
    "rollDie",
    "runGame",
    "runTournament",
    "runWebGui",
    "sys",
    "threading",
    "time",
    "webbrowser",
]


def __getattr__(name: str) -> ModuleType:
    """Import one of the modules that are imported only on demand.

    Raises:
        AttributeError: there is no such name.
    """
    if name in _LATE:
        return importlib.import_module(_LATE[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def roll() -> Outcome | None:
    """Roll the dice of the turn that is running; return None if it is over.

    Raises:
        RuntimeError: none is running.
    """
    return _guest.roll()


def rollDie(die: object) -> DieRoll | None:
    """Roll a die of a colour, or one of an expansion, for bots that try things out.

    None if there is no such die.  It draws one number from `random`, whatever the die.
    """
    face = random.randint(1, 6) - 1
    if not isinstance(die, str):
        return None
    icons = _ICONS.get(die) or _guest.icons(die)
    return DieRoll(die, icons[face]) if icons else None


def assignUniqueZombieName(zombies: Iterable[Any]) -> None:
    """Name the nameless by their class, and number namesakes: only the last has none.

    Names that can't be changed stay.
    """
    zombies = list(zombies)
    for zombie in zombies:
        name = getattr(zombie, "name", None)
        if not isinstance(name, str):
            with suppress(AttributeError):
                zombie.name = type(zombie).__name__ if name is None else str(name)
    for zombie in zombies:
        others = [z.name for z in zombies if z is not zombie and hasattr(z, "name")]
        name = getattr(zombie, "name", None)
        if name in others:
            number = 2
            while f"{name}{number}" in others:
                number += 1
            with suppress(AttributeError):
                zombie.name = f"{name}{number}"


def runGame(zombies: object = (), **_others: object) -> None:
    """Take note of who was to play a game."""
    _enrol("runGame", zombies)


def runTournament(
    zombies: object = (), numGames: object = 0, **_others: object
) -> None:
    """Take note of who was to play a tournament, and say that nobody has won yet."""
    global TOURNAMENT_STATE
    names = _enrol("runTournament", zombies)
    TOURNAMENT_STATE = {
        "GAME_NUMBER": 0,
        "WINS": dict.fromkeys(names, 0),
        "TIES": dict.fromkeys(names, 0),
    }


def runWebGui(zombies: object = (), numGames: object = 0, **_others: object) -> None:
    """Take note of who was to play in a browser."""
    _enrol("runWebGui", zombies)


def demo() -> None:
    """Do nothing: no bot of the file would play."""
    _enrol("demo", ())


def _enrol(function: str, zombies: object) -> list[str]:
    """Give names to those that can play, hand all over, and return the names."""
    given = [zombies]
    if isinstance(zombies, Iterable) and not isinstance(zombies, str):
        given = list(zombies)
    if isinstance(zombies, (set, frozenset)):
        # The order must be the same each time the file is loaded.
        given.sort(key=lambda z: (type(z).__name__, str(getattr(z, "name", ""))))
    able = [z for z in given if hasattr(z, "turn") and not isinstance(z, type)]
    assignUniqueZombieName(able)
    _guest.capture(function, given)
    return [str(getattr(z, "name", type(z).__name__)) for z in able]
