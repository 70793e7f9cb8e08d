"""Which value belongs to which game, by the game's name; imported when asked for."""

from importlib import import_module

from arena.analysis.value import Value
from arena.games import Game

_PATHS = {
    "zombie_dice": "arena.analysis.zombie_dice:ZombieDiceValue",
    "ox_blocks": "arena.analysis.ox_blocks:OXBlocksValue",
    "zombie_run": "arena.analysis.zombie_run:ZombieRunValue",
    "zombie_mania": "arena.analysis.zombie_mania:ZombieManiaValue",
}


def register_value(game: str, path: str) -> None:
    """Make the value at `path` (`module:Class`) that of the game of this name.

    Raises:
        ValueError: the game has another value already.
    """
    if _PATHS.setdefault(game, path) != path:
        raise ValueError(f"two values are given for {game}: {_PATHS[game]} and {path}")


def value_class(game: str) -> type[Value] | None:
    """Return the class of the value of the game of this name; None if there is none."""
    if game not in _PATHS:
        return None
    module, _, attribute = _PATHS[game].partition(":")
    found: type[Value] = getattr(import_module(module), attribute)
    return found


def find_value(game: Game) -> Value | None:
    """Return the value of a game with its players and options; None if there is none.

    Raises:
        ValueError: there is one, but not for these players or options.
    """
    found = value_class(game.name)
    return None if found is None else found(game)
