"""The wire to programs: JSON objects, one a line, as bots/programs/README.md has them.

A line that can't be matched with a request ends the process; a reply that only lacks
the requested value costs its game alone.
"""

from typing import Any

import msgspec

from arena.games import Game, Observation, State, as_objects
from arena.records.game_record import Termination
from arena.referee.contestant.bot_code import read_sources
from arena.referee.contestant.misconduct import saying
from arena.referee.contestant.wire import (
    MAX_SHOWN_CHARS,
    BotRequest,
    ReplyError,
    RequestKind,
    Wire,
    shown,
)
from arena.text import cut, quoted
from arena.worker.protocol import (
    MAX_ACTION_CHARS,
    MAX_REPLY_BYTES,
    Answer,
    BotInfo,
    Done,
    Failed,
    FrameError,
    GameResult,
    Ready,
    Reply,
)

PROGRAM = "program"
"""The only bot of a program."""
MAX_TABLES = 256
"""Games that may be under way at once: a table's number is below it."""
_VERSION = 1
_LARGEST_SEED = 2**53 - 1
"""Every whole number up to here is one in languages that have only floats too."""

_encode = msgspec.json.Encoder().encode


class _ReplyLine(msgspec.Struct, gc=False):
    """The keys of a reply; all others are ignored."""

    id: Any = None
    error: Any = None
    action: Any = None
    games: Any = None
    name: Any = None
    version: Any = None


_decode = msgspec.json.Decoder(_ReplyLine).decode


class LineReader:
    """Cuts a stream of bytes into lines."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = bytearray()

    def has_partial(self) -> bool:
        """Say whether only a part of a line has come."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that are complete with `data`, without their ends.

        Raises:
            FrameError: a line is longer than the limit.
        """
        first, *others = data.split(b"\n")
        self._rest += first
        lines: list[bytes] = []
        if others:
            lines = [bytes(self._rest), *others[:-1]]
            self._rest = bytearray(others[-1])
        for number, line in enumerate((*lines, self._rest)):
            if len(line) > self._limit:
                problem = (
                    f"more than {self._limit} bytes without an end of line: "
                    f"{shown(bytes(line))}"
                )
                raise FrameError(problem, lines[:number])
        return lines


class JsonLines(Wire):
    """The wire to a program."""

    def load(self, serial: int) -> bytes:
        # It reads its files itself; they must be those that it was enrolled with.
        read_sources(self._entry)
        return _line(RequestKind.LOAD, serial, protocol=_VERSION, games=self._games)

    def begin(
        self,
        serial: int,
        slot: int,
        game: Game,
        spec: msgspec.Raw,
        seed: bytes,
        observation: Observation,
    ) -> bytes:
        return _line(
            RequestKind.BEGIN,
            serial,
            table=slot,
            game={
                "name": game.name,
                "players": game.players,
                "options": game.options_dict,
            },
            params=self._entry.params,
            seed=int.from_bytes(seed[:8], "little") & _LARGEST_SEED,
            observation=as_objects(observation),
        )

    def act(
        self, serial: int, slot: int, observation: Observation, state: State
    ) -> bytes:
        return _line(
            RequestKind.ACT,
            serial,
            table=slot,
            observation=as_objects(observation),
            legal_actions=state.legal_actions(),
        )

    def end(self, serial: int, slot: int, result: GameResult) -> bytes:
        events = [{"seat": event.seat, "text": event.text} for event in result.events]
        told = {
            "seat": result.seat,
            "returns": result.returns,
            "scores": result.scores,
            "termination": result.termination,
            "events": events,
        }
        return _line(RequestKind.END, serial, table=slot, result=told)

    def reader(self) -> LineReader:
        return LineReader(MAX_REPLY_BYTES)

    def parse(self, body: bytes, pending: BotRequest | None) -> Reply:
        if pending is None:
            raise ReplyError(f"sent a line nobody had asked for: {shown(body)}")
        said = _read(body, pending.kind.word)
        _check_id(said.id, body, pending)
        if said.error is not None:
            return _failure(pending, said.error, body)
        if pending.kind is RequestKind.ACT:
            return _answer(pending, said.action, body)
        if pending.kind is RequestKind.LOAD:
            return self._ready(pending, said, body)
        return Done(pending.serial)

    def _ready(self, pending: BotRequest, said: _ReplyLine, body: bytes) -> Reply:
        named = said.games
        if not isinstance(named, list) or not all(type(g) is str for g in named):
            return _wrong(pending, 'without a list of texts as its "games"', body)
        texts = [said.name or "", said.version or ""]
        if not all(type(text) is str for text in texts):
            what = 'with a "name" or "version" that is no text'
            return _wrong(pending, what, body)
        games = tuple(game for game in self._games if game in named)
        if not games:
            theirs = quoted(cut(", ".join(named), MAX_SHOWN_CHARS))
            ours = ", ".join(self._games)
            message = f"plays {theirs if named else 'none'}; the games here are {ours}"
            return _failed(pending, Termination.START_FAILURE, message)
        # A program that ignores `end` still has to answer it.
        info = BotInfo(PROGRAM, texts[0], texts[1], games, ("**",), looks_back=True)
        return Ready(pending.serial, (info,))


def _line(kind: RequestKind, serial: int, **keys: Any) -> bytes:
    return _encode({"type": kind.word, "id": serial, **keys}) + b"\n"


def _read(body: bytes, word: str) -> _ReplyLine:
    try:
        return _decode(body)
    except (msgspec.DecodeError, RecursionError, ValueError):
        pass
    if not body.strip():
        raise ReplyError(f'answered "{word}" with an empty line')
    try:
        msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, ValueError):
        raise ReplyError(
            f'answered "{word}" with a line that can\'t be read as JSON: '
            f"{shown(body)} (stdout is for replies; print anything else to stderr)"
        ) from None
    raise ReplyError(f'answered "{word}" with JSON that is no object: {shown(body)}')


def _check_id(found: object, body: bytes, pending: BotRequest) -> None:
    word = pending.kind.word
    if found is None:
        raise ReplyError(f'answered "{word}" without its "id": {shown(body)}')
    # Some languages know no whole numbers.
    if type(found) not in (int, float) or found != pending.serial:
        raise ReplyError(
            f'answered "{word}" with an "id" that is not the request\'s: {shown(body)}'
            " (one reply for each request, in their order)"
        )


def _answer(pending: BotRequest, action: object, body: bytes) -> Reply:
    if action is None:
        what = 'without an "action"'
    elif type(action) is not str:
        what = 'with an "action" that is no text'
    elif len(action) > MAX_ACTION_CHARS:
        what = f'with an "action" over {MAX_ACTION_CHARS} characters'
    else:
        return Answer(pending.serial, action)
    return _wrong(pending, what, body)


def _failure(pending: BotRequest, error: object, body: bytes) -> Failed:
    """Return the failure of a request that a program reports."""
    if type(error) is not str:
        return _wrong(pending, 'with an "error" that is no text', body)
    return _failed(pending, Termination.CRASH, saying(error))


def _wrong(pending: BotRequest, what: str, body: bytes) -> Failed:
    message = f'answered "{pending.kind.word}" {what}: {shown(body)}'
    return _failed(pending, Termination.INVALID_REPLY, message)


def _failed(pending: BotRequest, termination: Termination, message: str) -> Failed:
    if pending.kind is RequestKind.LOAD:
        termination = Termination.START_FAILURE
    return Failed(pending.serial, termination.value, message)
