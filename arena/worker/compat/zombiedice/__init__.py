"""Guests that were written for the package `zombiedice`, version 0.1.6.

Such a bot finds the constants, `roll`, `GAME_STATE` and the examples of that package as
they are there; functions that start a tournament or a server only note the bots that
they are given, and return.
"""

import inspect
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from types import ModuleType
from typing import Any, ClassVar

from arena.bot import Bot
from arena.games import Event, Game
from arena.games.zombie_dice import DICE, FACES
from arena.worker.compat.guest import Guest
from arena.worker.compat.zombiedice.guest_turn import (
    GuestTurn,
    Outcome,
    icon_of,
)
from arena.worker.compat.zombiedice.remedies import (
    CALLS,
    OF_FAILURES,
    OF_READINGS,
    TURN,
    Failure,
    Reading,
    check_ran,
    meant_turn,
    no_turn,
    suspect,
)
from arena.worker.compat.zombiedice.seen_game import (
    SeenGame,
    Table,
    copy_of,
    seen_after,
)
from arena.worker.explain import LoadError
from arena.worker.remedies import remedy_for
from arena.worker.remedies.raised import frame_of

_HERE = __name__


class ZombieDiceGuest(Guest):
    """One reading of a file that imports `zombiedice`."""

    modules: ClassVar[Mapping[str, str]] = {
        "zombiedice": f"{_HERE}.module",
        "zombiedice.examples": f"{_HERE}.examples",
    }
    game: ClassVar[str] = "zombie_dice"
    method: ClassVar[str] = TURN
    calls: ClassVar[Mapping[str, str]] = CALLS

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
        """The value of `zombiedice.GAME_STATE` in the file."""
        self.player: ZombiePlayer | None = None
        """The bot that plays the game for which the file was loaded."""
        self._started: list[str] = []
        self._given: list[Any] = []
        self._captured: list[Any] = []
        self._unable: dict[type, str] = {}

    def capture(self, started: str, given: Iterable[Any]) -> None:
        """Note the objects that are to play, and what else a function was `given`.

        For a class, an object of it is made.
        """
        self._started.append(started)
        for zombie in given:
            self._given.append(zombie)
            cls = zombie if isinstance(zombie, type) else type(zombie)
            if cls.__module__ == "builtins":
                continue
            if not callable(getattr(zombie, "turn", None)):
                self._unable[cls] = no_turn(cls)
                continue
            try:
                able = cls(**_arguments(cls)) if zombie is cls else zombie
            except LoadError as error:
                self._unable[cls] = str(error)
                continue
            if not any(_are_same(able, other) for other in self._captured):
                self._captured.append(able)
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

    def icons(self, die: object) -> list[str]:
        """Return the faces of a die that the package does not know; empty if none is.

        They are those of the game that is played.
        """
        kinds = self.player.seen.kinds if self.player else DICE
        faces = next((kind.faces for kind in kinds if kind.name == die), ())
        return [icon_of(FACES[face]) for face in faces]

    def bots(self, module: ModuleType) -> dict[str, type[Bot]]:
        """Return a bot for each object that was to play, or for each class.

        Objects of the package's own examples count if there is nothing else.  Two of
        one class are told apart by numbers: `Roller`, `Roller_2`.  What was to play and
        can't forfeits its games.

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
        for cls, problem in self._unable.items():
            if not bots and callable(getattr(cls, "turn", None)):
                raise LoadError(problem)
            if bots and cls.__name__ not in bots:
                facts = {"guest": self, "cls": cls, "problem": problem}
                bots[cls.__name__] = type(cls.__name__, (UnablePlayer,), facts)
        return bots

    def absence(self, module: ModuleType) -> str:
        remedy = remedy_for(self._reading(module), OF_READINGS)
        return f"has no class with a method turn ({remedy})"

    def suspect(self, module: ModuleType) -> object:
        return suspect(self._reading(module))

    def _reading(self, module: ModuleType) -> Reading:
        return Reading(module, self._started, self._given)

    def advice(self, error: BaseException) -> str:
        turn = self.player.turn if self.player else None
        failure = Failure(
            error=error,
            frame=frame_of(error),
            called=self.called,
            state=self.game_state,
            is_over=turn is not None and turn.said_none,
            names=getattr(sys.modules.get("zombiedice"), "__all__", ()),
        )
        return remedy_for(failure, OF_FAILURES)

    @classmethod
    def sight(cls, game: Game, seat: int, history: Sequence[str]) -> Mapping[str, Any]:
        return seen_after(game, seat, history)

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
            key,
            (ZombiePlayer,),
            {"guest": self, "zombie": zombie, "name": name_of(zombie)},
        )


class ZombiePlayer(Bot):
    """Plays a game by the `turn` of an object of the file, which a subclass names.

    It follows the game by its events: rolls that have ended a turn are there too, after
    which a bot is not asked anything.
    """

    guest: ClassVar[ZombieDiceGuest]
    zombie: ClassVar[Any]
    seen: SeenGame
    turn: GuestTurn | None = None
    """The latest turn of its own."""

    def start(self, obs: Any) -> None:
        self.guest.player = self
        state = self.guest.game_state
        self.seen = SeenGame(obs.game, obs.seat, self._own_name(), state)
        # The order of the cup must not use up random numbers of the bot.
        self._shuffle = Random(self._arena_seed).shuffle
        self._call("newGame")

    def zombie_dice(self, obs: Any) -> str:
        self._see(obs.events)
        return "roll" if self.turn is not None and self.turn.wants_roll else "stop"

    def end(self, result: Any) -> None:
        self._see(result.events)
        self.seen.enter_scores()
        self._call("endGame", copy_of(self.guest.game_state))

    def _own_name(self) -> str:
        """Return the object's name, and set it as text if it was none."""
        try:
            if getattr(self.zombie, "name", None) != self.name:
                self.zombie.name = self.name
        except AttributeError:
            pass
        return self.name

    def _call(self, method: str, *arguments: Any) -> None:
        found = getattr(self.zombie, method, None)
        if callable(found):
            self.guest.called = found
            check_ran(method, found(*arguments))

    def _see(self, events: Iterable[Event]) -> None:
        """Follow the game, and continue the bot's code with each roll of its own."""
        for event in events:
            if self.seen.begins_turn:
                self.turn = self._new_turn()
            table = self.seen.happens(event.text)
            if table is not None and self.turn is not None:
                self.guest.called = self.zombie.turn
                self.turn.hear(event.text, table, ended=not self.seen.has_turn)

    def _new_turn(self) -> GuestTurn:
        state = self.guest.game_state
        self.guest.moment = self.seen.moves
        self.seen.begin_turn(self._shuffle)
        given = copy_of(state)
        # In the copy it is the start of the turn before, as in the package.
        state["TURN_START_TIME"] = time.time()
        return GuestTurn(self.zombie.turn, given, self._enter)

    def _enter(self, table: Table) -> None:
        self.guest.moment = table.moves
        self.seen.enter(table)


class UnablePlayer(Bot):
    """Was to play and can't: it forfeits its games, and says why."""

    guest: ClassVar[ZombieDiceGuest]
    cls: ClassVar[type]
    problem: ClassVar[str]

    def start(self, obs: Any) -> None:
        """Fail.

        Raises:
            LoadError: always.
        """
        self.guest.called = meant_turn(self.cls) or vars(self.cls).get("__init__")
        raise LoadError(self.problem)

    def zombie_dice(self, obs: Any) -> str:
        return "stop"


def name_of(zombie: Any) -> str:
    """Return the name of an object; that of its class if it has none."""
    try:
        name = zombie.name
        return str(name) if name is not None else type(zombie).__name__
    except Exception:
        return type(zombie).__name__


def _are_same(a: Any, b: Any) -> bool:
    """Say whether two objects have the same class and name, as if started twice."""
    return a is b or (_are_one(type(a), type(b)) and name_of(a) == name_of(b))


def _are_one(a: type, b: type) -> bool:
    """Say whether two classes are one, which was perhaps made under two names."""
    if a is b or a.__module__ == b.__module__:
        return a is b
    files = [getattr(sys.modules.get(c.__module__), "__file__", None) for c in (a, b)]
    return a.__qualname__ == b.__qualname__ and None not in files and len({*files}) == 1


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
    """Return the arguments that a constructor needs: none, or a name.

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
    # A single required argument is a name, whatever it is called.
    name = "name" if "name" in needed else "".join(needed[:1])
    given = {name: cls.__name__} if name else {}
    needed = [other for other in needed if other != name]
    if needed:
        raise LoadError(
            f"{cls.__name__} can't be made: its __init__ needs {', '.join(needed)}; "
            "give it a default, or pass an object to zombiedice.runTournament"
        )
    return given
