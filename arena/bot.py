"""The contestant's side of the contract: the class a student inherits from."""

from functools import cached_property
from random import Random
from typing import Any


class Bot:
    """A contestant.  Define one method for each game it plays.

    The method is named after the game, takes an observation and returns one of
    `obs.legal_actions`.  `act(obs)` stands in for every game without a method.
    One instance plays one game; nothing is carried from game to game.
    """

    name: str = ""
    """What the tables call this bot; the class's own name if empty."""
    version: str = ""

    _arena_seed: int = 0
    _arena_rng: Random | None = None

    @cached_property
    def rng(self) -> Random:
        """A generator seeded for this game: the same game, the same numbers.

        The functions of the module `random` draw from it too.
        """
        return self._arena_generator()

    def start(self, obs: Any) -> None:
        """Prepare for one game; `obs` is what this seat knows before its start.

        Called once, right after the instance is made, within the start limit.
        """

    def end(self, result: Any) -> None:
        """Look back on the game; nothing that happens here changes its result.

        `result` has `seat`, `returns`, `scores`, `termination`, and as `events` what
        this seat saw since its last decision.
        """

    def _arena_generator(self) -> Random:
        """Return the game's generator, made when something is first drawn."""
        if self._arena_rng is None:
            self._arena_rng = Random(self._arena_seed)
        return self._arena_rng
