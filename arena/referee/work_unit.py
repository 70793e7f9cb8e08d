"""The unit of work of a referee: games of one label, entries and limits."""

import os
from enum import StrEnum
from math import inf
from typing import Annotated, Any

import msgspec

from arena.games import Game
from arena.records.game_record import Termination
from arena.worker.protocol import GameSpec

_DAY_S = 86400.0
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=_DAY_S)]
PositiveSeconds = Annotated[float, msgspec.Meta(gt=0.0, le=_DAY_S)]


class Limits(msgspec.Struct, frozen=True):
    """Time, memory and output that a bot may use.

    Seconds are those of its CPU time and of its sleep.
    """

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
    game: Annotated[float, msgspec.Meta(gt=0.0, le=1e12)] | None = None
    """Seconds for all decisions of a game; None for as many as the rules of a game ask
    for (`in_game`)."""

    def in_game(self, game: Game) -> "Limits":
        """Return the limits in a game of these rules, with the seconds for all of it.

        They are `move` for each decision of the longest games of bots that play to win
        (`Game.seat_decisions`), and the bank.  Such bots never meet that, even with the
        whole `move` for each decision.  Two that use it up and never end a round of
        Zombie Run, so that each has 505 decisions, meet it soon after 205.
        """
        if self.game is not None:
            return self
        seconds = game.seat_decisions * self.move + self.bank
        return msgspec.structs.replace(self, game=seconds)

    @property
    def game_seconds(self) -> float:
        """Seconds for all decisions of a game; without end if nobody has said."""
        return inf if self.game is None else self.game


class Restart(StrEnum):
    """When a contestant gets a new process."""

    LEAGUE = "league"
    """Never, as long as the same referee goes on to need it."""
    MATCH = "match"
    """For each seating in a unit: a match, a part of a long one, or several short ones;
    more often where that takes long."""
    GAME = "game"
    """No state can pass from game to game."""


class EntrySpec(msgspec.Struct, frozen=True):
    """All that a referee needs to know of an entry."""

    id: str
    path: str
    bot: str
    """Name of the class."""
    params: dict[str, Any] = {}
    files: tuple[str, ...] = ()
    """Everything it consists of, its own file first."""
    names: tuple[str, ...] = ()
    """What each file is called in the hash."""
    folder: str = ""
    """The folder that its process may read; empty for a single file in Python."""
    command: tuple[str, ...] = ()
    """The program that it is, by its absolute path, and its arguments; empty for a bot
    in Python.  It is started in its folder: `path`, or the one that `path` lies in."""
    code: str = ""
    """Hash of these files; a match is not played with others."""
    sources: tuple[tuple[str, bytes], ...] = ()
    """Path and text of its Python files, if it consists of no `files`."""
    looks_back: bool = True
    """True if `end` is to be called."""
    refused: str = ""
    """Why it forfeits at once, if that is known already."""
    refused_as: Termination = Termination.START_FAILURE
    """Termination of such a game."""
    shown: str = ""
    """What messages call it; empty if that is its id."""
    guest: str = ""
    """Import path of the class of the guest that it is; empty if it is none."""

    @property
    def home(self) -> str:
        """The folder that its hand-in lies in."""
        return os.path.dirname(self.folder or self.path)

    @property
    def called(self) -> str:
        """What messages call it."""
        return self.shown or self.id


class GameTask(msgspec.Struct, frozen=True):
    """One game to play."""

    game_id: str
    fixture_id: str
    match_id: str
    seed: bytes
    """Seed of its luck, which all seatings of a fixture share, unless processes that
    have seen one live on."""
    seats: tuple[int, ...]
    """Index of the unit's entry in each seat."""


class WorkUnit(msgspec.Struct, frozen=True):
    """Games of one label that are played together: the unit of work.

    They are a match, a part of one, or several short ones: an entry has few processes
    for its games in a unit, so that it gets many requests at once.
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
    """Forfeits in a row, in the order of an entry's own games, after which the unit is
    stopped; 0 for any number."""
