"""The plugin manager, and what packages bring to it: games, reports and the like."""

import re
from collections.abc import Mapping
from importlib.metadata import entry_points

import pluggy

from arena.bot import Bot
from arena.games import register
from arena.games.luck import register_value
from arena.hooks import Hooks
from arena.referee.sandbox import register_sandbox
from arena.worker.compat import register_guest

GROUP = "arena"
_REPORT = re.compile("[a-z][a-z0-9_]{0,39}")
_OUR_FOLDERS = ("report", "gradescope", "private", "check")
_reports: dict[str, str] = {}


def report_paths() -> Mapping[str, str]:
    """Return the import paths of the reports that loaded plugins bring, by name."""
    return dict(_reports)


def plugin_manager() -> pluggy.PluginManager:
    """Return a manager that knows the hooks and holds no plugin yet."""
    manager = pluggy.PluginManager("arena")
    manager.add_hookspecs(Hooks)
    return manager


def load_plugins() -> list[str]:
    """Register what all installed plugins bring; return what went wrong.

    One sentence for each plugin that can't be used; the others are unharmed.
    """
    problems = []
    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        manager = plugin_manager()
        try:
            manager.register(point.load(), point.name)
            for games in manager.hook.arena_games():
                for name, path in games.items():
                    _check_name(name)
                    register(name, path)
            for values in manager.hook.arena_values():
                for name, path in values.items():
                    register_value(name, path)
            for levels in manager.hook.arena_sandboxes():
                for name, path in levels.items():
                    register_sandbox(name, path)
            for reports in manager.hook.arena_reports():
                for name, path in reports.items():
                    _register_report(name, path)
            for guests in manager.hook.arena_guests():
                for name, path in guests.items():
                    register_guest(name, path)
        except (Exception, SystemExit) as error:
            problems.append(
                f"plugin {point.name} ({point.value}): can't be used: "
                f"{type(error).__name__}: {error}"
            )
    return problems


def _register_report(name: str, path: str) -> None:
    if not _REPORT.fullmatch(name) or name in _OUR_FOLDERS:
        raise ValueError(
            f"a report can't be called {name!r}; expected small letters, digits and _, "
            f"and none of {', '.join(_OUR_FOLDERS)}"
        )
    if _reports.setdefault(name, path) != path:
        raise ValueError(f"there is a report {name!r} already: {_reports[name]}")


def _check_name(name: str) -> None:
    if not name.isidentifier() or name.startswith("_") or name in ("act", *dir(Bot)):
        raise ValueError(
            f"a game can't be called {name!r}; expected a name for a bot's method that "
            "is not taken yet"
        )
