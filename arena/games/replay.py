"""A recorded game, walked through again from what happened in it."""

from collections.abc import Iterator, Sequence

from arena.games.chance import Streams
from arena.games.core import CHANCE, TERMINAL, Event, Game, IllegalActionError
from arena.games.table import Table


class HistoryError(ValueError):
    """A history that the game does not allow; says where and why."""


class Replay:
    """A game's history, and its positions.

    Position k is what `history[:k]` has led to, so there is one more than there are
    chance outcomes and actions.  Decision k is the one before which k were taken, as a
    `Fault` counts them.
    """

    def __init__(self, game: Game, history: Sequence[str]) -> None:
        """Take a history.

        Raises:
            HistoryError: something in it is not possible there.
        """
        self.game = game
        self.history = tuple(history)
        events = []
        for position, table in enumerate(self.walk()):
            if position < len(self.history):
                player = table.state.current_player()
                events.append(Event(player, self.history[position]))
        self.events = tuple(events)
        """What happened from each position, and who did it."""
        self.decisions = tuple(i for i, x in enumerate(events) if x.seat != CHANCE)
        """The position before each decision; a forfeit's own is not among them."""

    def walk(self) -> Iterator[Table]:
        """Yield the table at every position: the same one, as it changes.

        Its `observe` gives what the seat to act was shown there, if that is called at
        most once at a position.

        Raises:
            HistoryError: something in the history is not possible there.
        """
        table = Table(self.game, b"")
        yield table
        for position, x in enumerate(self.history):
            seat = table.state.current_player()
            try:
                if seat == CHANCE:
                    table.happen(x)
                elif seat == TERMINAL:
                    raise IllegalActionError(table.state, x)
                else:
                    table.unseen(seat)
                    table.act(x)
            except IllegalActionError as error:
                raise HistoryError(f"at {position} of its history: {error}") from None
            yield table

    def table_at(self, position: int) -> Table:
        """Return a new table at a position; a negative one counts from the end.

        Raises:
            IndexError: there is no such position.
        """
        last = len(self.history)
        wanted = position + last + 1 if position < 0 else position
        for at, table in enumerate(self.walk()):
            if at == wanted:
                return table
        raise IndexError(f"expected a position up to {last}; found {position}")

    def unlike(self, seed: bytes) -> str:
        """Return the first difference from the luck of a fixture's seed, in a sentence.

        Empty if there is none.
        """
        streams = Streams(seed)
        for position, table in enumerate(self.walk()):
            state = table.state
            if position == len(self.history) or state.current_player() != CHANCE:
                continue
            stream = state.chance_stream()
            expected = state.outcome_at(streams.uniform(stream))
            found = self.history[position]
            if found != expected:
                return f"{stream}: expected {expected!r} by the seed; found {found!r}"
        return ""
