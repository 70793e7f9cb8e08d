"""The record of a game: result, moves, faults and times.

Records come from files that anybody may have made: types say what they may hold.
"""

import sys
from enum import StrEnum
from typing import Annotated

import msgspec

from arena.records.decision_times import DecisionTimes

MAX_LEGAL_ACTIONS = 50
"""In a fault; the first of them, if there were more."""
MAX_SEATS = 1000
_MAX = sys.float_info.max
Id = Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Za-z][0-9A-Za-z _-]{0,63}\Z")]
"""Of a game, a fixture or a match: files may be called so."""
Finite = Annotated[float, msgspec.Meta(ge=-_MAX, le=_MAX)]
_Seat = Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)]
_Place = Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]


class Termination(StrEnum):
    """Why a game ended."""

    NATURAL = "natural"
    """By its own rules."""
    ADJUDICATED = "adjudicated"
    """Cut short by the referee, without anybody's fault."""
    START_FAILURE = "start_failure"
    """The bot's file could not be read, or not within the start limit."""
    TIMEOUT = "timeout"
    CRASH = "crash"
    """An exception, or a signal of the system."""
    EXIT = "exit"
    """The bot ended its own process."""
    MEMORY = "memory"
    OUTPUT_FLOOD = "output_flood"
    INVALID_REPLY = "invalid_reply"
    """The answer is no text, or no answer at all."""
    ILLEGAL_ACTION = "illegal_action"
    QUARANTINE = "quarantine"
    """Not played: the bot had forfeited too many games of the label in a row."""


class Fault(msgspec.Struct, frozen=True):
    """Why a bot forfeited, for its author."""

    seat: _Seat
    entry: str
    step: _Count
    """Decisions taken in the game before this one."""
    termination: str
    message: str
    """One sentence."""
    traceback: str = ""
    output: str = ""
    action: str = ""
    observation: str = ""
    """JSON, with the fields that are in play; empty outside of decisions."""
    legal_actions: Annotated[
        tuple[str, ...], msgspec.Meta(max_length=MAX_LEGAL_ACTIONS)
    ] = ()
    """At most `MAX_LEGAL_ACTIONS`."""


class GameRecord(msgspec.Struct, frozen=True, array_like=True):
    """One game as it was played; everything is in seat order."""

    game_id: Id
    fixture_id: Id
    match_id: Id
    label: str
    seats: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=MAX_SEATS)]
    """Ids of the entries."""
    returns: tuple[Finite, ...]
    places: tuple[_Place, ...]
    """1 is best; a forfeiter is behind everyone who has not forfeited."""
    scores: tuple[Finite, ...]
    termination: str
    forfeits: tuple[bool, ...]
    decisions: _Count
    seconds: tuple[_Seconds, ...]
    """Charged to each seat."""
    history: tuple[str, ...]
    """Chance outcomes and actions in order: the game can be replayed from them."""
    faults: tuple[Fault, ...] = ()
    times: tuple[DecisionTimes, ...] = ()
    isolation: str = ""
    """The level that was in force."""
    seed: bytes = b""
    """Its luck comes out again with it; mostly it is the same in all of a fixture.
    Empty if nothing was played, and in games of before there was secret luck."""

    def check(self) -> None:
        """Check what types can't say: that all parts of it are of the same game.

        Raises:
            ValidationError: they are not.
        """
        players = len(self.seats)
        # It may be a million games: this is the quickest way to say it.
        if (
            not players
            == len(self.returns)
            == len(self.places)
            == len(self.scores)
            == len(self.forfeits)
            == len(self.seconds)
            or len(self.times) not in (0, players)
            or max(self.places) > players
            or self.termination not in _TERMINATIONS
        ):
            raise msgspec.ValidationError(f"game {self.game_id} is malformed")
        for fault in self.faults:
            if (
                fault.seat >= players
                or fault.entry != self.seats[fault.seat]
                or fault.termination not in _TERMINATIONS
            ):
                raise msgspec.ValidationError(f"game {self.game_id} is malformed")


_TERMINATIONS = frozenset(Termination)
