"""The plugin manager, and the plugins of packages: games, reports and the like."""

import re
from collections.abc import Callable
from importlib.metadata import entry_points

import pluggy

from arena.bot import Bot
from arena.games import register
from arena.games.luck import VALUES
from arena.hooks import Hooks
from arena.referee.sandbox import SANDBOXES
from arena.registry import Registry
from arena.worker.compat import GUESTS

GROUP = "arena"
_REPORT = re.compile("[a-z][a-z0-9_]{0,39}")
_OUR_FOLDERS = ("report", "gradescope", "private", "check", "hand_ins")


def _check_report(name: str) -> None:
    if not _REPORT.fullmatch(name) or name in _OUR_FOLDERS:
        raise ValueError(
            f"a report can't be called {name!r}; expected small letters, digits and _, "
            f"and none of {', '.join(_OUR_FOLDERS)}"
        )


REPORTS = Registry("there is a report {name!r} already: {old}", {}, _check_report)
"""The function of each report that plugins bring, by its name."""


def _register_game(name: str, path: str) -> None:
    if not name.isidentifier() or name.startswith("_") or name in ("act", *dir(Bot)):
        raise ValueError(
            f"a game can't be called {name!r}; expected a name for a bot's method that "
            "is not taken yet"
        )
    register(name, path)


_REGISTER: dict[str, Callable[[str, str], None]] = {
    "arena_games": _register_game,
    "arena_values": VALUES.register,
    "arena_sandboxes": SANDBOXES.register,
    "arena_reports": REPORTS.register,
    "arena_guests": GUESTS.register,
}
"""By hook, the function that registers each name with its import path."""


def plugin_manager() -> pluggy.PluginManager:
    """Return a manager that knows the hooks and holds no plugin yet."""
    manager = pluggy.PluginManager("arena")
    manager.add_hookspecs(Hooks)
    return manager


def load_plugins() -> list[str]:
    """Register all that installed plugins bring; return what went wrong.

    One sentence for each plugin that can't be used; the others are unharmed.
    """
    problems = []
    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        manager = plugin_manager()
        try:
            manager.register(point.load(), point.name)
            for hook, register_path in _REGISTER.items():
                for paths in getattr(manager.hook, hook)():
                    for name, path in paths.items():
                        register_path(name, path)
        except (Exception, SystemExit) as error:
            problems.append(
                f"plugin {point.name} ({point.value}): can't be used: "
                f"{type(error).__name__}: {error}"
            )
    return problems
