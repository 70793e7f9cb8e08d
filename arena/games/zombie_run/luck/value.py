"""The value of Zombie Run!: what the hands will come to, and how far that decides."""

from collections.abc import Iterable
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from arena.games import Game
from arena.games.luck import Luck
from arena.games.zombie_run import ZombieRun
from arena.games.zombie_run.luck.costs import Costs

if TYPE_CHECKING:
    from arena.games.zombie_run.luck.whole_games import RunGames


class ZombieRunValue(Luck):
    """Supposes that all swap their highest card for a lower one, and shout when low.

    It sees all hands, and which cards their owners have seen; who has not looked yet
    will look at positions 1 and 2.  The zombies of the rounds so far and what the hands
    are likely to come to make a lead of one seat over another; the rounds to come and
    what is left of this one make it uncertain.  The draw pile counts for the next
    card alone, and the discard pile for nothing.
    """

    version = "1"
    game: ZombieRun

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.costs: Final = Costs(self.game)

    @cached_property
    def digest(self) -> str:
        text = " ".join(f"{number:.9f}" for number in self.costs.numbers)
        return blake2b(text.encode(), digest_size=8).hexdigest()

    def luck(self, history: Iterable[str]) -> tuple[float, ...]:
        return self._games.luck(history)

    @cached_property
    def _games(self) -> "RunGames":
        # It takes longer to import than most commands that ask for a version take.
        from arena.games.zombie_run.luck.whole_games import RunGames

        return RunGames(self.game, self.pairs, self.costs)
