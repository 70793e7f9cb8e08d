"""Requests to a contestant, and their bytes: MessagePack for bots in Python."""

import abc
import re
from enum import Enum
from typing import Protocol

import msgspec
from msgspec.structs import replace

from arena.games import Game, Observation, State
from arena.referee.contestant.bot_code import moved, read_sources
from arena.referee.sandbox.library import Library
from arena.referee.work_unit import EntrySpec, Limits
from arena.text import counted, cut, quoted
from arena.worker.protocol import (
    MAX_ACTION_CHARS,
    MAX_REPLY_BYTES,
    Answer,
    BeginRequest,
    Done,
    EndRequest,
    Failed,
    FrameError,
    FrameReader,
    GameResult,
    LoadRequest,
    Message,
    Place,
    Ready,
    Reply,
    frame,
    frame_act,
    pack,
)

_HEAD_BYTES = 4
"""Of a frame: its length."""
_REPLY = re.compile(rb"(?s).{4}[\x90-\x9f][\xa4-\xa6](?:Ready|Done|Answer|Failed)")
"""The beginning of the frame of a reply."""
_MIN_REPLY_BYTES = 12
"""Of a frame.  In so many bytes it is seen whether it begins as one."""
MAX_SHOWN_CHARS = 80
"""Of what is no reply."""

_decode = msgspec.msgpack.Decoder(Reply).decode


class RequestKind(Enum):
    """The kind of a request, and the type of its reply."""

    LOAD = "load", Ready
    BEGIN = "begin", Done
    ACT = "act", Answer
    END = "end", Done

    def __init__(self, word: str, reply: type[Message]) -> None:
        self.word = word
        self.reply = reply


class BotRequest(msgspec.Struct, eq=False, gc=False):
    """A request that has not been answered."""

    kind: RequestKind
    serial: int
    data: bytes
    """Its bytes, kept to bring a new process to the same point."""
    allowance: float
    """Seconds after which its answer is late for sure."""
    game: int = -1
    """Index of the game in the unit."""
    seat: int = -1
    """Of the contestant in that game."""
    replayed: bool = False
    """True if an earlier process has answered it: that answer stands."""
    game_seconds: float = 0.0
    """The limit of the whole game, if that is what `allowance` comes from; else 0."""


class ReplyError(ValueError):
    """Bytes that are no reply to the request; the text says what they are."""


def shown(data: bytes) -> str:
    """Return the beginning of what a contestant has sent, between quotes."""
    text = data[: 4 * MAX_SHOWN_CHARS].decode(errors="replace").rstrip("\r")
    return quoted(cut(text, MAX_SHOWN_CHARS))


class Reader(Protocol):
    """Cuts the bytes from one process into the bodies of its replies."""

    def has_partial(self) -> bool:
        """Say whether only a part of a reply has come."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies that are complete with `data`.

        Raises:
            FrameError: one is larger than it may be.
        """


class Wire(abc.ABC):
    """Makes the bytes of requests to one contestant, and reads its replies.

    An observation may not be used any more once it was passed here.
    """

    def __init__(self, entry: EntrySpec, games: tuple[str, ...]) -> None:
        self._entry = entry
        self._games = games
        self.home = ""
        """`Process.home` of the process that is asked."""

    @abc.abstractmethod
    def load(self, serial: int) -> bytes:
        """Ask which bots the file has.

        Raises:
            ChangedError: the bot's files have changed.
        """

    @abc.abstractmethod
    def begin(
        self,
        serial: int,
        slot: int,
        game: Game,
        spec: msgspec.Raw,
        seed: bytes,
        observation: Observation,
    ) -> bytes:
        """Ask it to get ready for a game; `spec` is a `GameSpec` that makes `game`."""

    @abc.abstractmethod
    def act(
        self, serial: int, slot: int, observation: Observation, state: State
    ) -> bytes:
        """Ask for a decision in `state`, of which it sees the observation."""

    @abc.abstractmethod
    def end(self, serial: int, slot: int, result: GameResult) -> bytes:
        """Tell it how a game has ended."""

    @abc.abstractmethod
    def reader(self) -> Reader:
        """Return a reader for the replies of a new process."""

    @abc.abstractmethod
    def parse(self, body: bytes, pending: BotRequest | None) -> Reply:
        """Decode the reply to `pending`.

        Raises:
            ReplyError: it is none.
        """


class ReplyReader(FrameReader):
    """Cuts the bytes from a bot in Python into the bodies of its replies.

    A few bytes that are no reply can look like the length of one.  They are refused
    once more has come, and not taken for the beginning of an answer that is late.
    """

    def __init__(self) -> None:
        super().__init__(MAX_REPLY_BYTES)

    def feed(self, data: bytes) -> list[bytes]:
        try:
            bodies = super().feed(data)
        except FrameError as error:
            problem = f"a reply of more than {MAX_REPLY_BYTES} bytes"
            if not _REPLY.match(self._rest):
                problem = _no_reply(bytes(self._rest))
            raise FrameError(problem, error.before) from None
        if len(self._rest) >= _MIN_REPLY_BYTES and not _REPLY.match(self._rest):
            raise FrameError(_no_reply(bytes(self._rest)), bodies)
        return bodies


def _no_reply(data: bytes) -> str:
    """Say what a bot has sent that is no reply, up to the next that is one."""
    reply = _REPLY.search(data, 1)
    stray = data[: reply.start()] if reply else data
    return (
        f"{counted(len(stray), 'byte')} where a reply was expected: {shown(stray)} "
        "(does it write to a descriptor that it did not open? print() what you want "
        "to see)"
    )


class Packed(Wire):
    """The wire to a bot in Python."""

    def __init__(
        self,
        entry: EntrySpec,
        games: tuple[str, ...],
        limits: Limits,
        library: Library,
    ) -> None:
        super().__init__(entry, games)
        self._output = limits.output
        self._library = library

    def load(self, serial: int) -> bytes:
        entry = self._entry
        sources = entry.sources or read_sources(entry)
        return frame(
            LoadRequest(
                serial=serial,
                path=self._seen(entry.path),
                folder=self._seen(entry.folder),
                sources=tuple((self._seen(path), text) for path, text in sources),
                modules=self._library.modules,
                games=self._games,
                output=self._output,
                guests=self._library.guests,
                parts=self._library.parts,
            )
        )

    def _seen(self, path: str) -> str:
        """Return the path under which the process knows a path of the entry."""
        return moved(path, self._entry.home, self.home)

    def _told(self, place: Place) -> Place:
        """Return a place that the process tells with the path that the entry has."""
        return replace(place, file=moved(place.file, self.home, self._entry.home))

    def begin(
        self,
        serial: int,
        slot: int,
        game: Game,
        spec: msgspec.Raw,
        seed: bytes,
        observation: Observation,
    ) -> bytes:
        return frame(
            BeginRequest(
                serial=serial,
                slot=slot,
                bot=self._entry.bot,
                params=self._entry.params,
                game=spec,
                seed=int.from_bytes(seed[:8], "little"),
                observation=pack(observation),
            )
        )

    def act(
        self, serial: int, slot: int, observation: Observation, state: State
    ) -> bytes:
        return frame_act(serial, slot, observation)

    def end(self, serial: int, slot: int, result: GameResult) -> bytes:
        return frame(EndRequest(serial, slot, result))

    def reader(self) -> ReplyReader:
        return ReplyReader()

    def parse(self, body: bytes, pending: BotRequest | None) -> Reply:
        try:
            reply: Reply = _decode(body)
        except (msgspec.DecodeError, RecursionError, ValueError):
            head = len(body).to_bytes(_HEAD_BYTES, "little")
            raise ReplyError(f"sent {_no_reply(head + body)}") from None
        if pending is None or reply.serial != pending.serial:
            raise ReplyError(
                "sent a reply nobody had asked for (does it fork, or write to a "
                "descriptor that it did not open?)"
            )
        if type(reply) not in (pending.kind.reply, Failed):
            raise ReplyError("sent a reply to something else")
        if type(reply) is Answer and len(reply.action) > MAX_ACTION_CHARS:
            raise ReplyError(f"sent an action over {MAX_ACTION_CHARS} characters")
        if self.home and isinstance(reply, Done) and reply.method:
            return replace(reply, method=self._told(reply.method))
        if self.home and isinstance(reply, Failed):
            place = self._told(reply.place) if reply.place else None
            calls = tuple(map(self._told, reply.calls))
            return replace(reply, place=place, calls=calls)
        return reply
