"""What a contestant is asked, and what fits as an answer."""

from enum import Enum

import msgspec

from arena.worker.protocol import Answer, Done, Message, Ready


class Asked(Enum):
    """What a request asks for, and what fits as a reply."""

    LOAD = "load", Ready
    BEGIN = "begin", Done
    ACT = "act", Answer
    END = "end", Done

    def __init__(self, word: str, reply: type[Message]) -> None:
        self.word = word
        self.reply = reply


class Pending(msgspec.Struct, eq=False, gc=False):
    """A request that has not been answered."""

    asked: Asked
    serial: int
    data: bytes
    """As it is sent, kept to bring a new process back to its place."""
    allowance: float
    """Seconds until its answer is late for sure."""
    game: int = -1
    """Index of the game in the unit."""
    seat: int = -1
    """Of the contestant in that game."""
    replayed: bool = False
    """Already answered by an earlier process; the answer stands."""
    killed: int = 0
    """Processes that were killed by the system while they were busy with it."""


class ReplyError(ValueError):
    """Bytes that are no reply to what was asked; the text says what they are."""
