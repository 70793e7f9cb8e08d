"""The messages between a referee and a contestant, and their frames.

A frame is four bytes of length, least significant first, and a MessagePack
message.  Every request has a serial number and gets exactly one reply that
echoes it, in the order of the requests, written as soon as it is known.  The bytes
of a contestant are only ever decoded into the types below.
"""

import struct
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from arena.games import Event, Observation

MAX_REPLY_BYTES = 256 * 1024
"""A longer reply is a fault of the contestant."""
MAX_ACTION_CHARS = 1024
_MAX_FRAME_BYTES = 2**31
"""Of frames that no contestant has written."""


class Message(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Base of all messages."""


class GameSpec(msgspec.Struct, frozen=True, array_like=True):
    """The arguments of `get_game`, with the import path of the game's class."""

    name: str
    path: str
    players: int
    options: dict[str, Any]


class Confinement(msgspec.Struct, frozen=True, array_like=True):
    """The limits that a contestant's process puts on itself before it gets a bot."""

    filters: bool
    """A seccomp filter; the process ends if it can't have it."""
    limits: bool
    """Limits on resources, as far as the system knows them."""
    landlock: bool = True
    """With the filter: Landlock too; false only where no other files exist."""
    memory: int = 0
    """Address space in bytes, or a program's data; 0 for no limit."""
    cpu: int = 0
    """Seconds of CPU time for the whole process; 0 for no limit."""
    tasks: int | None = None
    """Processes and threads of this user in its namespace; None for no limit."""
    command: tuple[str, ...] = ()
    """A program to become, by its absolute path, and its arguments; empty for a process
    that serves bots in Python."""
    folder: str = ""
    """Folder in which the program is started."""


CONFINED = b"confined"
"""Written by a contestant's process once its confinement is in force."""


class LoadRequest(Message, frozen=True, array_like=True, tag="Load"):
    """Read a bot file and describe the bots in it."""

    serial: int
    path: str
    """The file, or the folder of a package; it need not be there to be read."""
    sources: tuple[tuple[str, bytes], ...]
    """Path and text of every Python file it consists of."""
    modules: tuple[str, ...]
    """Top-level modules it may import beside Python's own."""
    games: tuple[str, ...]
    """Names that count as methods of a bot."""
    output: int
    """Bytes that one game may print."""
    guests: tuple[tuple[str, str], ...] = ()
    """Modules that have a stand-in here, each with the import path of its guest."""
    parts: tuple[str, ...] = ()
    """Full names of modules: of a package that has one here it may import no others."""
    folder: str = ""
    """The folder that it may read, with data and compiled modules; empty for none."""


class BeginRequest(Message, frozen=True, array_like=True, tag="Begin"):
    """Make an instance for a game and call its `start`."""

    serial: int
    slot: int
    """Number of the game among those in flight; free again when it is finished."""
    bot: str
    """Name of the class."""
    params: dict[str, Any]
    game: msgspec.Raw
    """A `GameSpec`, still encoded: mostly its bytes are known already."""
    seed: int
    observation: msgspec.Raw


class ActRequest(Message, frozen=True, array_like=True, tag="Act"):
    """Decide."""

    serial: int
    slot: int
    observation: msgspec.Raw
    """Still encoded: only the game knows its type."""


class GameResult(msgspec.Struct, frozen=True, array_like=True):
    """The argument of `Bot.end`."""

    seat: int
    returns: tuple[float, ...]
    scores: tuple[float, ...]
    termination: str
    events: tuple[Event, ...] = ()
    """Events that the seat has seen since its last decision, oldest first."""


class EndRequest(Message, frozen=True, array_like=True, tag="End"):
    """Call `end`."""

    serial: int
    slot: int
    result: GameResult


class BotInfo(msgspec.Struct, frozen=True, array_like=True):
    """One bot of a file, as its class describes it."""

    bot: str
    """Name of the class."""
    name: str
    version: str
    games: tuple[str, ...]
    """The games it has methods for; all of them if it has `act`."""
    parameters: tuple[str, ...]
    """Names that its constructor takes; `**` if it takes any."""
    looks_back: bool
    """True if it has an `end` of its own."""
    guest: str = ""
    """The module of another library that it was written for."""


class Ready(Message, frozen=True, array_like=True, tag=True):
    """Reply to `LoadRequest`."""

    serial: int
    bots: tuple[BotInfo, ...]


class Place(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A line of a bot's own code, as its process tells it: it may not be there."""

    file: str
    """Path of one of the sources that the process was sent."""
    line: int
    function: str = ""
    """Name of the function around it, or of the one that begins there."""
    columns: tuple[int, int] = (0, 0)
    """Its first character that is meant, from 0, and the one after the last."""


class Done(Message, frozen=True, array_like=True, tag=True):
    """Reply to `BeginRequest` and `EndRequest`."""

    serial: int
    method: Place | None = None
    """The method that decides in this game; None if it is not the bot's own."""
    printed: str = ""
    """The end of what this game has printed since its last reply."""


class Answer(Message, frozen=True, array_like=True, tag=True):
    """Reply to `ActRequest`."""

    serial: int
    action: str
    printed: str = ""
    """The end of what this game has printed since its last reply."""


class Failed(Message, frozen=True, array_like=True, tag=True):
    """Reply to any request that the bot itself made fail."""

    serial: int
    termination: str
    """After `memory` the process ends; only a new one has memory again."""
    message: str
    """One sentence, without the place."""
    output: str = ""
    """The last lines that this game printed."""
    place: Place | None = None
    """Where in the bot's own files it went wrong, if that is known."""
    calls: tuple[Place, ...] = ()
    """The calls in these files that led there, the innermost last."""
    moment: int = -1
    """Of a guest: so many moves of the game its code knew of; less than 0: all."""


RequestMessage = LoadRequest | BeginRequest | ActRequest | EndRequest
Reply = Ready | Done | Answer | Failed


def action_text(value: object) -> str | None:
    """Return the text of an action as it travels; None if the value is no such text.

    Of a subclass, such as numpy's, it is the text itself: nothing of the subclass runs.
    """
    if type(value) is not str:
        if not issubclass(type(value), str):
            return None
        value = str.__str__(value)
    if len(value) > MAX_ACTION_CHARS:
        return None
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return None
    return value


_encoder = msgspec.msgpack.Encoder()
_LENGTH = struct.Struct("<I")


def pack(observation: Observation) -> msgspec.Raw:
    """Encode an observation without its game, which both sides know; it loses it."""
    force_setattr(observation, "game", None)
    return msgspec.Raw(_encoder.encode(observation))


def pack_spec(spec: GameSpec) -> msgspec.Raw:
    """Encode a spec."""
    return msgspec.Raw(_encoder.encode(spec))


def frame(message: msgspec.Struct) -> bytes:
    """Return the bytes of one message."""
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


def frame_act(serial: int, slot: int, observation: Observation) -> bytes:
    """Return the bytes of an `ActRequest`, without packing the observation first."""
    force_setattr(observation, "game", None)
    body = _encoder.encode(("Act", serial, slot, observation))
    return _LENGTH.pack(len(body)) + body


class FrameError(ValueError):
    """Bytes arrived that are no message; the text says what they are.

    `before` are the bodies that were complete by then.
    """

    def __init__(self, problem: str, before: list[bytes]) -> None:
        super().__init__(problem)
        self.before = before


class FrameReader:
    """Cuts a stream of bytes into the bodies of its frames."""

    def __init__(self, limit: int = _MAX_FRAME_BYTES) -> None:
        self._limit = limit
        self._rest = bytearray()
        self._needed = 4
        """Bytes that the rest must have to hold a frame, as far as is known."""

    def has_partial(self) -> bool:
        """Say whether only a part of a frame has come."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies that are complete with `data`.

        Raises:
            FrameError: a frame is announced that is larger than the limit.
        """
        self._rest += data
        if len(self._rest) < self._needed:
            return []
        data = bytes(self._rest)
        bodies: list[bytes] = []
        start, end = 4, len(data)
        self._needed = 4
        while start <= end:
            (length,) = _LENGTH.unpack_from(data, start - 4)
            if length > self._limit:
                del self._rest[: start - 4]
                problem = f"a frame of {length} bytes, over {self._limit}"
                raise FrameError(problem, bodies)
            if start + length > end:
                self._needed = 4 + length
                break
            bodies.append(data[start : start + length])
            start += length + 4
        del self._rest[: start - 4]
        return bodies
