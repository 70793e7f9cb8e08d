"""The contract of guests, and their registry."""

import abc
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any, ClassVar

from arena.bot import Bot
from arena.games import Game
from arena.registry import Registry
from arena.text import closest

_LIKENESS = 0.85
"""From 0 to 1: how like each other the names of two methods must be."""


def _check_name(name: str) -> None:
    if not name.isidentifier():
        raise ValueError(f"a guest can't stand in for a module called {name!r}")


GUESTS = Registry(
    "two guests stand in for {name}: {old} and {new}",
    {"zombiedice": "arena.worker.compat.zombiedice:ZombieDiceGuest"},
    _check_name,
)
"""The class of each guest, by the name of the module that it stands in for."""


class Guest(abc.ABC):
    """Makes bots of a file that imports a module of another library.

    The file and its own modules are read anew for each game, with a new `Guest` and new
    stand-ins: such bots keep things in their module, in their class and in objects that
    are made once, and games must not share them.
    """

    modules: ClassVar[Mapping[str, str]]
    """Names that a bot can import, each with the module whose text stands in for it.

    It is run under that name, and finds the `Guest` it belongs to as `_guest`.
    """
    game: ClassVar[str]
    """The game that these bots play."""
    method: ClassVar[str] = ""
    """The method by which their classes are known in a file that can't be read."""
    calls: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Other methods of theirs that are called if they have them, and how each of them
    is written: `def newGame(self):`."""

    is_content: bool = False
    """True if the file has brought its bots; then it may fail from now on."""
    called: object = None
    """The method of the file that is being called, or was the last."""
    moment: int = -1
    """So many moves of the game had been made that its code knew of, when it last ran;
    less than 0 if that is not kept."""

    @classmethod
    def sight(cls, game: Game, seat: int, history: Sequence[str]) -> Mapping[str, Any]:
        """Return what a seat sees after some moves, by the names of the library.

        The referee shows it with a fault in place of arena's own observation, unless it
        is empty.  The history has all that happened, also what the seat did not see.
        No code of a bot runs there, and nothing may tell whose bot it is.
        """
        return {}

    @abc.abstractmethod
    def bots(self, module: ModuleType) -> Mapping[str, type[Bot]]:
        """Return the bots of the file that has been read as `module`, by class name.

        The same file gives the same names each time.  Empty if there is none.  Each has
        this guest as its attribute `guest`.

        Raises:
            LoadError: there are some, and none of them can be played.
        """

    def absence(self, module: ModuleType) -> str:
        """Say what is missing in a file without bots: `no class has a method turn`."""
        return f"no class has a method {self.method}"

    def suspect(self, module: ModuleType) -> object:
        """Return the class or function to look at in a file without bots, if any."""
        return None

    def advice(self, error: BaseException) -> str:
        """Say what to do about an exception of a bot, without a full stop.

        Empty if that is not its library's matter: then it is told what all bots are.
        Its frames still have their variables.
        """
        return ""


def meant_method(name: str, known: Iterable[str]) -> str:
    """Return the known method that a name was meant for; empty if it is none.

    Capitals and underscores make no difference: `New_Game` for `newGame`.
    """
    plain = {other.lower(): other for other in known}
    return plain.get(closest(name.replace("_", "").lower(), plain, _LIKENESS), "")
