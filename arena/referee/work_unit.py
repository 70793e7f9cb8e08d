"""What a referee is told to play: games of one label, and who sits there."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec

from arena.records.game_record import Termination
from arena.worker.protocol import GameSpec

_DAY = 86400.0
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=_DAY)]
PositiveSeconds = Annotated[float, msgspec.Meta(gt=0.0, le=_DAY)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot may use.  Seconds are the contestant's CPU time."""

    start: PositiveSeconds = 10.0
    """Seconds from spawning to ready, and for making an instance for a game."""
    move: PositiveSeconds = 0.5
    """Seconds for each decision."""
    bank: Seconds = 2.0
    """Seconds in reserve for each game, for decisions that take longer."""
    margin: Seconds = 0.05
    """Seconds of lateness that are never charged."""
    memory: Annotated[int, msgspec.Meta(ge=64, le=2**20)] | None = 1024
    """MiB of address space, of data for a program; None for no limit."""
    output: Annotated[int, msgspec.Meta(ge=0, le=2**30)] = 1_000_000
    """Bytes that a bot may print in one game."""
    ponder: bool = True
    """Whether it may compute while others decide."""


class Restart(StrEnum):
    """When a contestant gets a new process."""

    LEAGUE = "league"
    """Never, as long as the same referee goes on to need it."""
    MATCH = "match"
    """For each unit: a match, a part of a long one, or several short ones."""
    GAME = "game"
    """No state can pass from game to game."""


class EntrySpec(msgspec.Struct, frozen=True):
    """What a referee needs to know of an entry."""

    id: str
    path: str
    bot: str
    """Name of the class."""
    params: dict[str, Any] = {}
    files: tuple[str, ...] = ()
    """Everything it consists of, its own file first."""
    command: tuple[str, ...] = ()
    """The program that it is, by its absolute path, and its arguments; empty for a bot
    in Python.  It is started in its folder: `path`, or the one that `path` lies in."""
    code: str = ""
    """Hash of these files; a match is not played with others."""
    sources: tuple[tuple[str, bytes], ...] = ()
    """Path and text of its Python files, if it consists of no `files`."""
    looks_back: bool = True
    """Whether `end` is to be called."""
    refused: str = ""
    """Why it forfeits at once, if that is known already."""
    refused_as: Termination = Termination.START_FAILURE
    """How such a game ends."""


class GameTask(msgspec.Struct, frozen=True):
    """One game to play."""

    game_id: str
    fixture_id: str
    match_id: str
    seed: bytes
    """Of the fixture: all its seatings share their luck."""
    seats: tuple[int, ...]
    """Index of the unit's entry in each seat."""


class WorkUnit(msgspec.Struct, frozen=True):
    """Games of one label that are played together: the unit of work.

    They are a match, a part of one, or several short ones: an entry has one process
    for all its games in a unit, so that what it is asked at once is not too little.
    """

    label: str
    game: GameSpec
    entries: tuple[EntrySpec, ...]
    games: tuple[GameTask, ...]
    limits: Limits
    max_decisions: int
    in_flight: int
    restart: Restart = Restart.MATCH
    patience: int = 0
    """Of its own games in a row, in the order of `games`, that an entry may forfeit;
    after so many the unit is broken off.  0 for any number."""
