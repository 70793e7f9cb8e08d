"""The hooks of `arena`, which plugins implement.

A package offers a plugin by an entry point of the group `arena`; every file of
a `bots/` folder becomes one by itself.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pluggy

hookspec = pluggy.HookspecMarker("arena")
hookimpl = pluggy.HookimplMarker("arena")


class Hooks:
    """The hook specifications."""

    @hookspec
    def arena_games(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Return the import paths (`module:Class`) of games, by name.

        If the module is a package, the other parts of the game may lie beside it in
        that folder: `luck`, `drawing.py` and `drawing.js`, `positions.py`,
        `partner.py`, `README.md` (`arena.games.registry` says what each is).
        """

    @hookspec
    def arena_bots(self) -> Sequence[Any]:  # type: ignore[empty-body]
        """Return the entries (`arena.league.entries.entry.Entry`) of one bot file."""

    @hookspec
    def arena_sandboxes(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Return the import paths (`module:Class`) of isolation levels, by name."""

    @hookspec
    def arena_values(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Return the import paths (`module:Class`) of values, by the games' names.

        Only of games without a `luck` in their folder.
        """

    @hookspec
    def arena_reports(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Return the import paths (`module:function`) of reports, by name."""

    @hookspec
    def arena_guests(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Return the import paths (`module:Class`) of guests, by the modules' names."""
