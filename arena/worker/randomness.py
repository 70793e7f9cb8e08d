"""One generator per game, also for bots that use the module `random` or numpy's.

With many games in flight in one process, the random numbers of a bot must depend
on its own game alone.  The hidden generator behind `random`'s functions is
replaced, before a bot is read, by one that draws from the game being answered;
numpy's global generator is swapped as soon as `numpy.random` has been imported.
"""

import random
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from arena.bot import Bot


class CurrentRandom(random.Random):
    """Draws from the generator of the bot that is being asked."""

    bot: Bot

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        super().__init__(0)

    def random(self) -> float:
        return self.bot._arena_generator().random()

    def getrandbits(self, k: int, /) -> int:
        return self.bot._arena_generator().getrandbits(k)

    def seed(self, a: Any = None, version: int = 2) -> None:
        self.bot._arena_generator().seed(a, version)

    def getstate(self) -> tuple[Any, ...]:
        return self.bot._arena_generator().getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        self.bot._arena_generator().setstate(state)

    @property
    def gauss_next(self) -> Any:
        """The half of a pair of normal numbers that `gauss` keeps for later."""
        return vars(self.bot._arena_generator())["gauss_next"]

    @gauss_next.setter
    def gauss_next(self, value: Any) -> None:
        vars(self.bot._arena_generator())["gauss_next"] = value


class ImportWatcher:
    """Calls a function as soon as a module has been imported, by anyone."""

    def __init__(self, name: str, then: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._then = then

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Find `name` as the other finders do, and add the call after its execution."""
        if name != self._name:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                self._add_epilogue(spec.loader)
                return spec
        return None

    def _add_epilogue(self, loader: Any) -> None:
        execute = loader.exec_module

        def execute_and_then(module: ModuleType) -> None:
            execute(module)
            self._then(module)

        loader.exec_module = execute_and_then


class Randomness:
    """Makes every draw come from the generator of the current game."""

    def __init__(self) -> None:
        self._current = CurrentRandom(Bot())
        self._numpy_owner: Bot | None = None
        self._numpy_states: dict[int, Any] = {}

    def install(self) -> None:
        """Replace the generators that bots use, now or once they are imported."""
        hidden = random._inst
        for name in dir(random):
            if getattr(getattr(random, name), "__self__", None) is hidden:
                setattr(random, name, getattr(self._current, name))
        random._inst = self._current
        # numpy itself imports it late, at its first use, which is in some game.
        sys.meta_path.insert(0, ImportWatcher("numpy.random", self._switch_numpy))

    def switch(self, bot: Bot) -> None:
        """Let draws come from the game of `bot` from now on."""
        self._current.bot = bot
        numpy_random = sys.modules.get("numpy.random")
        if numpy_random is not None and self._numpy_owner is not bot:
            self._switch_numpy(numpy_random)

    def _switch_numpy(self, numpy_random: Any) -> None:
        bot = self._current.bot
        if self._numpy_owner is not None:
            self._numpy_states[id(self._numpy_owner)] = numpy_random.get_state()
        state = self._numpy_states.pop(id(bot), None)
        if state is None:
            numpy_random.seed(bot._arena_seed % 2**32)
        else:
            numpy_random.set_state(state)
        self._numpy_owner = bot

    def forget(self, bot: Bot) -> None:
        """Drop the state of a bot whose game is over."""
        self._numpy_states.pop(id(bot), None)
        if self._numpy_owner is bot:
            self._numpy_owner = None
