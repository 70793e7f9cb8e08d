"""Guests that were written for the package `zombiedice`, version 0.1.6.

What such a bot sees of that package here: constants, `roll`, `GAME_STATE` and the
examples are as there; what starts a tournament or a server takes note of the bots it is
given, and returns.
"""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any, ClassVar

from arena.bot import Bot
from arena.worker.compat.core import Guest
from arena.worker.compat.zombiedice.player import Player
from arena.worker.compat.zombiedice.turn import Outcome
from arena.worker.loader import LoadError

_HERE = __name__


class ZombieDiceGuest(Guest):
    """One reading of a file that imports `zombiedice`."""

    modules: ClassVar[Mapping[str, str]] = {
        "zombiedice": f"{_HERE}.module",
        "zombiedice.examples": f"{_HERE}.examples",
    }
    game: ClassVar[str] = "zombie_dice"
    method: ClassVar[str] = "turn"

    def __init__(self) -> None:
        self.game_state: dict[str, Any] = {
            "CURRENT_ZOMBIE": None,
            "CURRENT_CUP": None,
            "CURRENT_HAND": None,
            "SHOTGUNS_ROLLED": None,
            "BRAINS_ROLLED": None,
            "ROLLED_BRAINS_DETAILS": None,
            "TURN_START_TIME": None,
        }
        """What the file knows as `zombiedice.GAME_STATE`."""
        self.player: Player | None = None
        """Who plays the game that this reading is for."""
        self._captured: list[Any] = []

    def capture(self, zombies: Iterable[Any]) -> None:
        """Take note of the objects that are to play; others are passed over."""
        for zombie in zombies:
            if isinstance(zombie, type) or not callable(getattr(zombie, "turn", None)):
                continue
            if not any(_are_same(zombie, other) for other in self._captured):
                self._captured.append(zombie)
                self.is_content = True

    def roll(self) -> Outcome | None:
        """Roll for the turn that is running; None if it is over.

        Raises:
            RuntimeError: none is running.
        """
        turn = self.player.turn if self.player else None
        if turn is None:
            raise RuntimeError("roll() can be called in a bot's turn() only")
        return turn.roll()

    def bots(self, module: ModuleType) -> dict[str, type[Bot]]:
        """Return a bot for each object that was to play, or for each class.

        Objects of the package's own examples count if there is nothing else.  Two of
        one class are told apart by numbers: `Roller`, `Roller_2`.

        Raises:
            LoadError: no object can be made of any class.
        """
        zombies = [z for z in self._captured if type(z).__module__ not in self.modules]
        if not zombies:
            with suppress(*([Exception] if self._captured else [])):
                zombies = self._made(module)
        zombies = zombies or self._captured
        bots: dict[str, type[Bot]] = {}
        for zombie in zombies:
            name = key = type(zombie).__name__
            number = 1
            while key in bots:
                number += 1
                key = f"{name}_{number}"
            bots[key] = self._bot(key, zombie)
        return bots

    def absence(self) -> str:
        return (
            "starts no tournament with an object that has a method turn, and has no "
            "class with one"
        )

    def _made(self, module: ModuleType) -> list[Any]:
        """Return an object of each class of the module that has a turn."""
        classes = list(_classes(module))
        made, reasons = [], []
        for cls in classes:
            try:
                made.append(cls(**_arguments(cls)))
            except LoadError as error:
                reasons.append(str(error))
            except Exception:
                if len(classes) == 1:
                    raise
                reasons.append(f"{cls.__name__}() fails")
        if reasons and not made:
            raise LoadError("; ".join(reasons))
        return made

    def _bot(self, key: str, zombie: Any) -> type[Bot]:
        return type(
            key, (Player,), {"guest": self, "zombie": zombie, "name": name_of(zombie)}
        )


def name_of(zombie: Any) -> str:
    """Return what an object calls itself; its class's name if it does not."""
    try:
        name = zombie.name
        return str(name) if name is not None else type(zombie).__name__
    except Exception:
        return type(zombie).__name__


def _are_same(a: Any, b: Any) -> bool:
    """Say whether two objects are of one class and name, as if started twice."""
    return a is b or (type(a) is type(b) and name_of(a) == name_of(b))


def _classes(module: ModuleType) -> Iterator[type[Any]]:
    for name, value in vars(module).items():
        if (
            isinstance(value, type)
            and callable(getattr(value, "turn", None))
            and not issubclass(value, Bot)
            and not name.startswith("_")
            and value.__name__ == name
            and (value.__module__ + ".").startswith(module.__name__ + ".")
        ):
            yield value


def _arguments(cls: type[Any]) -> dict[str, Any]:
    """Return what a constructor needs: nothing, or a name.

    Raises:
        LoadError: it needs more.
    """
    try:
        parameters = inspect.signature(cls).parameters.values()
    except (TypeError, ValueError):
        return {}
    by_name = [
        p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    needed = [p.name for p in by_name if p.default is p.empty]
    # One value that it can't do without is a name, whatever it calls it.
    name = "name" if "name" in needed else "".join(needed[:1])
    given = {name: cls.__name__} if name else {}
    needed = [other for other in needed if other != name]
    if needed:
        raise LoadError(
            f"{cls.__name__} can't be made: its __init__ needs {', '.join(needed)}; "
            "give it a default, or pass an object to zombiedice.runTournament"
        )
    return given
