"""Which games there are, by name, and the parts of their folders.

A game is a class at an import path.  If its module is a package, the other parts lie
beside it in that folder, each optional:

- `luck`, a module or package: `VALUE`, its class of values (`arena.games.luck`);
- `drawing.py` and `drawing.js`: how replays show it;
- `rulings.py`: where its rules are from, by the numbers of the rulings;
- `style.py`: what is counted of how seats play (`arena.games.style`);
- `positions.py`: positions for tests from some fields (`arena.games.position_fields`);
- `partner.py`: a bot file with a sensible bot, for `arena check` and `arena new`;
- `README.md`: its page of documentation.

Everything is imported when it is asked for, and no part by a contestant.
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.games.core import Game
from arena.games.options import GameSpecError
from arena.registry import Registry, load, module_of
from arena.text import did_you_mean

OUR_GAMES = {
    "zombie_dice": "arena.games.zombie_dice:ZombieDice",
    "ox_blocks": "arena.games.ox_blocks:OXBlocks",
    "zombie_run": "arena.games.zombie_run:ZombieRun",
    "zombie_mania": "arena.games.zombie_mania:ZombieMania",
}
"""Those that come with `arena`."""
PARTS = ("luck", "drawing", "rulings", "style", "positions", "partner")
"""Modules that lie beside a game, and that no contestant may import."""
GAMES = Registry("two games are called {name}: {old} and {new}", OUR_GAMES)
"""The class of each game, by its name."""


def register(name: str, path: str) -> None:
    """Make the game class at `path` (`module:Class`) known under `name`.

    Raises:
        ValueError: the name is taken by another class.
    """
    GAMES.register(name, path)


def game_paths() -> dict[str, str]:
    """Return the import path (`module:Class`) of every game, by name."""
    return dict(GAMES)


def game_class(name: str) -> type[Game]:
    """Return the class of the game called `name`.

    Raises:
        GameSpecError: no such game is known.
    """
    try:
        path = GAMES[name]
    except (KeyError, TypeError):
        known = f"known are {', '.join(sorted(GAMES))}"
        hint = did_you_mean(str(name), GAMES, known)
        raise GameSpecError("game", f"no game is called {name!r}; {hint}") from None
    found: type[Game] = load(path)
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


def game_part(name: str, part: str) -> ModuleType | None:
    """Import a module of a game's folder, such as `luck`; None if there is none.

    What its code raises comes out as it is.
    """
    if name not in GAMES:
        return None
    module = module_of(GAMES[name])
    if not hasattr(import_module(module), "__path__"):
        return None
    path = f"{module}.{part}"
    return None if find_spec(path) is None else import_module(path)


def game_file(name: str, file: str) -> Path | None:
    """Return the path of a file of a game's folder; None if there is none.

    The game itself is not imported.
    """
    try:
        spec = find_spec(module_of(GAMES[name]))
    except (Exception, SystemExit):
        return None  # Whoever plays it will be told why it can't be loaded.
    for folder in (spec and spec.submodule_search_locations) or ():
        if (path := Path(folder) / file).is_file():
            return path
    return None
