"""How seats play: what is counted in recorded games, so that a student can act on it.

In the folder of a game, `style.py` has `MEASURES`, those that there are in the order in
which people read them, and `count(game, history)`, which yields a `Count` whenever one
of them occurs.  A measure of a bot is the mean of all its values.
"""

from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import Any, NamedTuple

from arena.games.core import Game
from arena.games.registry import game_part
from arena.text import cut

_MAX_PROBLEM = 200
"""Characters: a history may come from anybody, and errors quote it."""


class Measure(NamedTuple):
    """Something that is counted of a seat."""

    name: str
    """By which `Count` names it; a word or several with `_`."""
    title: str
    """A few words, such as `Turns that bust`."""
    about: str
    """One plain sentence: what exactly is counted."""
    is_share: bool = False
    """True if values are 0 or 1, so that their mean is shown in percent."""


class Count(NamedTuple):
    """One occurrence of a measure."""

    seat: int
    measure: str
    value: float


class StyleError(Exception):
    """The style of a game can't be used; says why in a sentence."""

    def __init__(self, game: str, error: BaseException) -> None:
        super().__init__(
            f"game {game}: its playing style can't be counted: "
            + cut(f"{type(error).__name__}: {error}", _MAX_PROBLEM)
        )


class Style:
    """The measures of a game; its methods raise nothing but `StyleError`."""

    def __init__(
        self,
        game: Game,
        measures: Sequence[Measure],
        count: Callable[[Any, Sequence[str]], Iterator[Count]],
    ) -> None:
        self.game = game
        self.measures = tuple(measures)
        self._names = frozenset(measure.name for measure in measures)
        self._count = count

    def count(self, history: Sequence[str]) -> list[Count]:
        """Return what is counted in a game, from what its record holds.

        Raises:
            StyleError: it is no history of this game, or the style is not sound.
        """
        try:
            found = list(self._count(self.game, history))
            for seat, measure, value in found:
                if not 0 <= seat < self.game.players:
                    raise ValueError(f"it counts for seat {seat!r}")
                if measure not in self._names:
                    raise ValueError(f"it counts {measure!r}, which is no measure")
                if not isfinite(value):
                    raise ValueError(f"it counts {value!r} for {measure}")
            return found
        except (Exception, SystemExit) as error:
            raise StyleError(self.game.name, error) from error

    def leader(self, history: Sequence[str]) -> int | None:
        """Return the seat that was alone in front after half of what happened.

        None if there was none.

        Raises:
            StyleError: it is no history of this game.
        """
        try:
            state = self.game.new_state()
            for x in history[: len(history) // 2]:
                state.apply(x)
            places = state.places()
            return places.index(1) if places.count(1) == 1 else None
        except (Exception, SystemExit) as error:
            raise StyleError(self.game.name, error) from error


def find_style(game: Game) -> Style | None:
    """Return the style of a game; None if it has none.

    Raises:
        StyleError: it has one that can't be used.
    """
    try:
        found: Any = game_part(game.name, "style")
        if found is None:
            return None
        return Style(game, [Measure(*each) for each in found.MEASURES], found.count)
    except (Exception, SystemExit) as error:
        raise StyleError(game.name, error) from error
