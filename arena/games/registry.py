"""Which games there are, by name.  A game's module is imported when it is asked for."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from arena.games.core import Game
from arena.games.options import GameSpecError

_PATHS = {
    "zombie_dice": "arena.games.zombie_dice:ZombieDice",
    "ox_blocks": "arena.games.ox_blocks:OXBlocks",
    "zombie_run": "arena.games.zombie_run:ZombieRun",
    "zombie_mania": "arena.games.zombie_mania:ZombieMania",
}


def register(name: str, path: str) -> None:
    """Make the game class at `path` (`module:Class`) known under `name`.

    Raises:
        ValueError: the name is taken by another class.
    """
    if _PATHS.setdefault(name, path) != path:
        raise ValueError(f"two games are called {name}: {_PATHS[name]} and {path}")


def game_paths() -> dict[str, str]:
    """Return the import path (`module:Class`) of every game, by name."""
    return dict(_PATHS)


def game_class(name: str) -> type[Game]:
    """Return the class of the game called `name`.

    Raises:
        GameSpecError: no such game is known.
    """
    try:
        module, _, attribute = _PATHS[name].partition(":")
    except (KeyError, TypeError):
        close = get_close_matches(str(name), _PATHS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "known are "
        known = "" if close else ", ".join(sorted(_PATHS))
        raise GameSpecError("game", f"no game is called {name!r}; {hint}{known}") from (
            None
        )
    found: type[Game] = getattr(import_module(module), attribute)
    return found


def get_game(
    name: str, players: int = 2, options: Mapping[str, Any] | None = None
) -> Game:
    """Return the game called `name` for so many players.

    Raises:
        GameSpecError: no such game, or not with these players or options.
    """
    cls = game_class(name)
    cls.check_players(players)
    return cls(players, cls.parse_options(options))
