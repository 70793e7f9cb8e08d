"""A guest at the table: one game of an object that has a `turn`."""

import time
from collections.abc import Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from arena.bot import Bot
from arena.games import CHANCE, Event, State
from arena.games.zombie_dice import DICE
from arena.text import did_you_mean
from arena.worker.compat.zombiedice.turn import Turn, copy_of, new_turn

if TYPE_CHECKING:
    from arena.worker.compat.zombiedice import ZombieDiceGuest

_NONE = "roll() returns None once the turn is over, after the third shotgun"
_DICT = "roll() returns a dict, in which the list of dice is under 'rolls'"
_KEYS = ("brains", "footsteps", "shotgun", "rolls")


class Player(Bot):
    """Plays a game as an object of the file would; a subclass says which.

    It follows the game by its events: rolls that have ended a turn are there too, after
    which a bot is not asked anything.
    """

    guest: ClassVar["ZombieDiceGuest"]
    zombie: ClassVar[Any]
    turn: Turn | None = None
    """The latest turn of its own."""

    def start(self, obs: Any) -> None:
        self.guest.player = self
        self._seat: int = obs.seat
        self._state: Any = obs.game.new_state()
        self._order = self._names(obs.game.players)
        # What the cup's order tells nobody must not cost numbers of the bot's own.
        self._shuffle = Random(self._arena_seed).shuffle
        state = self.guest.game_state
        state["ORDER"] = list(self._order)
        state["SCORES"] = dict.fromkeys(self._order, 0)
        state["ROUND"] = 0
        self._call("newGame")

    def zombie_dice(self, obs: Any) -> str:
        self._see(obs.events)
        return "roll" if self.turn is not None and self.turn.wants_roll else "stop"

    def end(self, result: Any) -> None:
        self._see(result.events)
        self._enter_scores()
        self._call("endGame", copy_of(self.guest.game_state))

    def _names(self, players: int) -> list[str]:
        """Return what the seats are called: the bot itself by its own name."""
        own = self._own_name()
        names = []
        for seat in range(players):
            name = f"zombie{seat + 1}"
            names.append(name if name != own else f"{name}_")
        names[self._seat] = own
        return names

    def _own_name(self) -> str:
        """Return the object's name, which is made text if it was none."""
        try:
            if getattr(self.zombie, "name", None) != self.name:
                self.zombie.name = self.name
        except AttributeError:
            pass
        return self.name

    def _call(self, method: str, *arguments: Any) -> None:
        found = getattr(self.zombie, method, None)
        if callable(found):
            found(*arguments)

    def _see(self, events: Iterable[Event]) -> None:
        """Follow the game, and let the bot's code run on with each roll of its own."""
        state: State = self._state
        for event in events:
            is_own = event.seat == CHANCE and self._state.seat == self._seat
            if is_own and self._state.turn.rolls == 0:
                self.turn = self._new_turn()
            state.apply(event.text)
            if is_own and self.turn is not None:
                self._hear(event.text, ended=state.current_player() != self._seat)

    def _hear(self, text: str, ended: bool) -> None:
        assert self.turn is not None
        try:
            self.turn.hear(text, ended)
        except (AttributeError, LookupError, TypeError) as error:
            hint = _hint(error, self.turn, self.guest.game_state)
            if hint:
                error.add_note(hint)
            raise

    def _new_turn(self) -> Turn:
        state = self.guest.game_state
        state["CURRENT_ZOMBIE"] = self._order[self._seat]
        state["ROUND"] = self._state.round
        self._enter_scores()
        dice = zip(DICE, self._state.game.setup.dice, strict=False)
        cup = [die.name for die, number in dice for _ in range(number)]
        self._shuffle(cup)
        new_turn(state, cup)
        given = copy_of(state)
        # In the copy it is the start of the turn before, as in the package.
        state["TURN_START_TIME"] = time.time()
        return Turn(self.zombie.turn, given, state)

    def _enter_scores(self) -> None:
        scores = map(int, self._state.scores())
        self.guest.game_state["SCORES"] = dict(zip(self._order, scores, strict=True))


def _hint(error: Exception, turn: Turn, state: Mapping[str, Any]) -> str:
    """Return what explains an error that many have made; empty if none is known."""
    words = str(error)
    if "NoneType" in words and turn.said_none:
        return _NONE
    if "string indices must be" in words:
        return _DICT
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        return did_you_mean(error.args[0], [*_KEYS, *state])
    return ""
