"""The drawings of games: `drawing.py` and `drawing.js` in the folder of each.

A game without a drawing is shown as text; so is one whose drawing fails.
"""

import re
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from arena.games import Game, Observation, State, game_paths
from arena.games.registry import OUR_GAMES, game_file, game_part

_ANYTHING = (Exception, SystemExit)
_SEAT = re.compile(r"\{(\d+)\}")
GUARD = Path(__file__).with_name("guard.js")
"""The script that catches what drawings of packages throw in the browser."""


class DrawingError(Exception):
    """A drawing can't be used; says why in a sentence."""

    def __init__(self, game: str, error: BaseException) -> None:
        super().__init__(
            f"game {game}: its drawing can't be used: {type(error).__name__}: {error}"
        )
        self.game = game


@dataclass(frozen=True, slots=True)
class Drawing:
    """The Python side of a drawing; its methods raise nothing but `DrawingError`."""

    game: Game
    _turn: Callable[[Any], tuple[int, Hashable]]
    _truth: Callable[[Any, Any], Observation] | None = None
    _outcome: Callable[[Any, str, Any], str] | None = None
    _facts: Callable[[Any], dict[str, Any]] | None = None

    @property
    def is_open(self) -> bool:
        """True if all seats see everything, and the same but for what never changes."""
        return self._truth is None

    def turn(self, seen: Observation) -> tuple[int, Hashable]:
        """Return the seat whose turn it is, -1 for nobody's, and the round."""
        try:
            seat, in_round = self._turn(seen)
            hash(in_round)
            if not -1 <= seat < self.game.players:
                raise ValueError(f"turn returned seat {seat}")
            return int(seat), in_round
        except _ANYTHING as error:
            raise DrawingError(self.game.name, error) from error

    def truth(self, state: State, seen: Observation) -> Observation:
        """Return an observation of a state with nothing hidden."""
        assert self._truth is not None
        try:
            found = self._truth(state, seen)
            if type(found) is not type(seen):
                raise TypeError(f"truth returned {found!r}")
            names = [name for name in found.__struct_fields__ if name != "game"]
            values = tuple([getattr(found, name) for name in names])
            # A pack has equal values once, as JSON.
            hash(values)
            msgspec.json.encode(values)
            return found
        except _ANYTHING as error:
            raise DrawingError(self.game.name, error) from error

    def outcome(self, before: Observation, x: str, after: Observation) -> str:
        """Return what an event has come to, such as `bust`; mostly nothing.

        Both observations are of one seat.  A seat is called by its number, as in
        `{0} wins`: `with_names` puts names there.
        """
        if self._outcome is None:
            return ""
        try:
            found = self._outcome(before, x, after)
            if not isinstance(found, str):
                raise TypeError(f"outcome returned {found!r}")
            return found
        except _ANYTHING as error:
            raise DrawingError(self.game.name, error) from error

    def facts(self) -> dict[str, Any]:
        """Return further data of the game for the drawing; they never change."""
        try:
            found = {} if self._facts is None else self._facts(self.game)
            msgspec.json.encode(found)
            return {**found}
        except _ANYTHING as error:
            raise DrawingError(self.game.name, error) from error


def with_names(outcome: str, names: Sequence[str]) -> str:
    """Return an outcome with the names of seats in place of their numbers."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return _SEAT.sub(name, outcome)


def find_drawing(game: Game) -> Drawing | None:
    """Return the drawing of a game; None if it has none.

    Raises:
        DrawingError: it has one that can't be used.
    """
    try:
        found: Any = game_part(game.name, "drawing")
        if found is None:
            return None
        more = (getattr(found, name, None) for name in ("truth", "outcome", "facts"))
        return Drawing(game, found.turn, *more)
    except _ANYTHING as error:
        raise DrawingError(game.name, error) from error


def drawing_scripts(games: Collection[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the `drawing.js` of these games and of ours, in the order of all games.

    Also returns a sentence about each that can't be read.
    """
    scripts: dict[str, str] = {}
    problems = []
    for name in game_paths():
        file = game_file(name, "drawing.js")
        if file is None or not (name in games or name in OUR_GAMES):
            continue
        try:
            scripts[name] = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            problems.append(str(DrawingError(name, error)))
    return scripts, tuple(problems)
