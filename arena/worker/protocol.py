"""What a referee and a contestant say to each other, and how it is framed.

A frame is four bytes of length, least significant first, and a MessagePack
message.  Every request has a serial number and gets exactly one reply that
echoes it, in the order of the requests, written as soon as it is known.  What a
contestant sends is only ever decoded into the types below.
"""

from typing import Any

import msgspec

from arena.games import Observation, leave_out_game

MAX_REPLY = 256 * 1024
"""The largest reply in bytes; a longer one is a fault of the contestant."""
MAX_ACTION = 1024
"""The longest action in characters."""


class Message(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Base of all messages."""


class GameSpec(msgspec.Struct, frozen=True, array_like=True):
    """How to build a game: the arguments of `get_game`, and where its class is."""

    name: str
    path: str
    players: int
    options: dict[str, Any]


class Confinement(msgspec.Struct, frozen=True, array_like=True):
    """What a contestant's process puts on itself before it is given a bot."""

    filters: bool
    """A seccomp filter; the process ends if it can't have it."""
    limits: bool
    """Limits on resources, as far as the system knows them."""
    landlock: bool = True
    """With the filter: Landlock too; left out only where other files do not exist."""
    memory: int = 0
    """Address space in bytes; 0 for no limit."""
    cpu: int = 0
    """Seconds of CPU time for the whole process; 0 for no limit."""
    tasks: int | None = None
    """Processes and threads of this user in its namespace; None for no limit."""
    read: tuple[str, ...] = ()
    """Files and folders that it may read."""


CONFINED = b"confined"
"""What a contestant's process writes once its confinement is in force."""


class Load(Message, frozen=True, array_like=True, tag=True):
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


class Begin(Message, frozen=True, array_like=True, tag=True):
    """Make an instance for a game and call its `start`."""

    serial: int
    slot: int
    """Which of the games in flight; taken over from a finished one."""
    bot: str
    """Name of the class."""
    params: dict[str, Any]
    game: GameSpec
    seed: int
    observation: msgspec.Raw


class Act(Message, frozen=True, array_like=True, tag=True):
    """Decide."""

    serial: int
    slot: int
    observation: msgspec.Raw
    """Still encoded: only the game knows its type."""


class Result(msgspec.Struct, frozen=True, array_like=True):
    """What `Bot.end` is told."""

    seat: int
    returns: tuple[float, ...]
    scores: tuple[float, ...]
    termination: str


class End(Message, frozen=True, array_like=True, tag=True):
    """Call `end`."""

    serial: int
    slot: int
    result: Result


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
    """Whether it has an `end` of its own."""


class Ready(Message, frozen=True, array_like=True, tag=True):
    """Reply to `Load`."""

    serial: int
    bots: tuple[BotInfo, ...]


class Done(Message, frozen=True, array_like=True, tag=True):
    """Reply to `Begin` and `End`."""

    serial: int


class Answer(Message, frozen=True, array_like=True, tag=True):
    """Reply to `Act`."""

    serial: int
    action: str


class Failed(Message, frozen=True, array_like=True, tag=True):
    """Reply to anything that went wrong by the bot's own doing."""

    serial: int
    termination: str
    """After `memory` the process ends; only a new one has memory again."""
    message: str
    """One sentence."""
    traceback: str
    """The lines in the bot's own files."""
    output: str
    """The last lines that this game printed."""


Request = Load | Begin | Act | End
Reply = Ready | Done | Answer | Failed


_encoder = msgspec.msgpack.Encoder()
_observation_encoder = msgspec.msgpack.Encoder(enc_hook=leave_out_game)


def pack(observation: Observation) -> msgspec.Raw:
    """Encode an observation, all but the game that both sides know."""
    return msgspec.Raw(_observation_encoder.encode(observation))


def frame(message: msgspec.Struct) -> bytes:
    """Return the bytes of one message."""
    body = _encoder.encode(message)
    return len(body).to_bytes(4, "little") + body


class FrameError(ValueError):
    """Bytes arrived that are not a frame of an allowed size.

    `before` are the bodies that were complete by then.
    """

    def __init__(self, problem: str, before: list[bytes]) -> None:
        super().__init__(problem)
        self.before = before


class FrameReader:
    """Cuts a stream of bytes into the bodies of its frames."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = bytearray()

    def has_partial(self) -> bool:
        """Say whether a part of a frame has come whose rest has not."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies that are complete with `data`.

        Raises:
            FrameError: a frame is announced that is larger than the limit.
        """
        rest = self._rest
        rest += data
        bodies: list[bytes] = []
        start = 0
        while len(rest) - start >= 4:
            length = int.from_bytes(rest[start : start + 4], "little")
            if length > self._limit:
                raise FrameError(
                    f"a frame of {length} bytes, over {self._limit}", bodies
                )
            if len(rest) - start - 4 < length:
                break
            bodies.append(bytes(rest[start + 4 : start + 4 + length]))
            start += 4 + length
        del rest[:start]
        return bodies
