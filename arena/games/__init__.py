"""The rules of the games, and the contract they keep.  Pure: no I/O, no clock."""

from arena.games.chance import derive_seed, uniform
from arena.games.core import (
    CHANCE,
    TERMINAL,
    Event,
    Game,
    IllegalActionError,
    Observation,
    OpenObservation,
    State,
    as_objects,
    in_play,
    rank,
    shares,
)
from arena.games.options import GameSpecError, Options
from arena.games.registry import game_class, game_paths, get_game, register
from arena.games.replay import HistoryError, Replay
from arena.games.table import Table

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Event",
    "Game",
    "GameSpecError",
    "HistoryError",
    "IllegalActionError",
    "Observation",
    "OpenObservation",
    "Options",
    "Replay",
    "State",
    "Table",
    "as_objects",
    "derive_seed",
    "game_class",
    "game_paths",
    "get_game",
    "in_play",
    "rank",
    "register",
    "shares",
    "uniform",
]
