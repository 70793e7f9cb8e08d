"""The record of a game: result, moves, faults and times."""

from enum import StrEnum

import msgspec

from arena.records.decision_times import DecisionTimes

MAX_LEGAL_ACTIONS = 50
"""In a fault; the first of them, if there were more."""


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
    """Not played: the bot had forfeited too many games in a row."""


class Fault(msgspec.Struct, frozen=True):
    """Why a bot forfeited, for its author."""

    seat: int
    entry: str
    step: int
    """Decisions taken in the game before this one."""
    termination: str
    message: str
    """One sentence."""
    traceback: str = ""
    output: str = ""
    action: str = ""
    observation: str = ""
    """JSON, field by field; empty outside of decisions."""
    legal_actions: tuple[str, ...] = ()
    """At most `MAX_LEGAL_ACTIONS`."""


class GameRecord(msgspec.Struct, frozen=True, array_like=True):
    """One game as it was played; everything is in seat order."""

    game_id: str
    fixture_id: str
    match_id: str
    label: str
    seats: tuple[str, ...]
    """Ids of the entries."""
    returns: tuple[float, ...]
    places: tuple[int, ...]
    """1 is best; a forfeiter is behind everyone who has not forfeited."""
    scores: tuple[float, ...]
    termination: str
    forfeits: tuple[bool, ...]
    decisions: int
    seconds: tuple[float, ...]
    """Charged to each seat."""
    history: tuple[str, ...]
    """Chance outcomes and actions in order: the game can be replayed from them."""
    faults: tuple[Fault, ...] = ()
    times: tuple[DecisionTimes, ...] = ()
    isolation: str = ""
    """The level that was in force."""
    seed: bytes = b""
    """Of its fixture: its luck comes out again with it.  Empty if nothing was played,
    and in games of before there was secret luck."""
