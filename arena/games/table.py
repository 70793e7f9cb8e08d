"""A game being played: a state, the chance of its fixture, what each seat has seen."""

from msgspec.structs import force_setattr

from arena.games.chance import Streams
from arena.games.core import CHANCE, TERMINAL, Event, Game, Observation, State


class Table:
    """Steps one game from decision to decision, drawing chance from named streams.

    The referee, narrated games and replays all play at such a table, so a
    seed and the actions give the same game everywhere.
    """

    def __init__(self, game: Game, seed: bytes) -> None:
        self.game = game
        self.state = game.new_state()
        self.history: list[str] = []
        """Chance outcomes and actions, in the order in which they happened."""
        self.decisions = 0
        self._streams = Streams(seed)
        self._is_open = type(self.state).visible is State.visible
        """True if every seat sees all that happens."""
        log: list[Event] = []
        self._logs = [log if self._is_open else [] for _ in range(game.players)]
        """What each seat has seen from the beginning; the same list in an open game."""
        self._looked = [0] * game.players
        """How much of it each seat has been told."""

    def advance(self) -> int:
        """Let chance happen until somebody must decide; return the seat or TERMINAL."""
        state = self.state
        while (player := state.current_player()) == CHANCE:
            u = self._streams.uniform(state.chance_stream())
            self._apply(CHANCE, state.outcome_at(u))
        return player

    def happen(self, outcome: str) -> None:
        """Let a given chance outcome happen, as a replay does."""
        self._apply(CHANCE, outcome)

    def act(self, action: str) -> None:
        """Play the action of the seat to act.

        Raises:
            IllegalActionError: the action is not legal here.
        """
        self._apply(self.state.current_player(), action)
        self.decisions += 1

    def observe(self, time_left: float) -> Observation:
        """Return the observation of the seat to act, with all since it last looked."""
        seat = self.state.current_player()
        observation = self.state.observation(seat)
        force_setattr(observation, "events", self.unseen(seat))
        force_setattr(observation, "time_left", time_left)
        return observation

    def unseen(self, seat: int) -> tuple[Event, ...]:
        """Return the events that a seat was not told yet, and count them as told."""
        log = self._logs[seat]
        events = tuple(log[self._looked[seat] :])
        self._looked[seat] = len(log)
        return events

    def is_over(self) -> bool:
        """Return True if the game came to its natural end."""
        return self.state.current_player() == TERMINAL

    def _apply(self, player: int, x: str) -> None:
        state = self.state
        if self._is_open:
            state.apply(x)
            self._logs[0].append(Event(player, x))
        else:
            seen = [state.visible(x, seat) for seat in range(self.game.players)]
            state.apply(x)
            for log, text in zip(self._logs, seen, strict=True):
                if text is not None:
                    log.append(Event(player, text))
        self.history.append(x)
