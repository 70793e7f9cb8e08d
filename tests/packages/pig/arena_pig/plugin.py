"""Tells arena where the game is."""

from arena.hooks import hookimpl


@hookimpl
def arena_games() -> dict[str, str]:
    """Return the import path of the game, by its name."""
    return {"pig": "arena_pig:Pig"}
