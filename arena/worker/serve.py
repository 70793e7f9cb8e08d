"""The request loop of a contestant's process."""

import errno
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import msgspec

from arena.bot import Bot
from arena.games import Game, get_game, register
from arena.worker.bot_file import Reading, Source
from arena.worker.confinement import confine, die_with_parent
from arena.worker.loader import (
    LoadError,
    advise,
    describe,
    explain,
    format_frames,
    own_frames,
    place_of,
    sendable,
)
from arena.worker.output import Output, OutputFloodError, Page
from arena.worker.program import become
from arena.worker.protocol import (
    CONFINED,
    MAX_ACTION,
    Act,
    Answer,
    Begin,
    Confinement,
    Done,
    End,
    Failed,
    FrameReader,
    GameSpec,
    Load,
    Ready,
    Reply,
    frame,
)
from arena.worker.randomness import Randomness
from arena.worker.remedies import advise_on_call, on_reply
from arena.worker.stack_dump import dump_stack

_requests = msgspec.msgpack.Decoder(Load | Begin | Act | End)
_NO_PAGE = Page()


class Seat:
    """A bot's instance and what belongs to its one game."""

    __slots__ = (
        "bot",
        "called",
        "choose",
        "decode",
        "game",
        "page",
        "place",
        "reading",
    )

    def __init__(
        self, bot: Bot, reading: Reading, game: Game, decode: Callable[[Any], Any]
    ) -> None:
        self.bot = bot
        self.reading = reading
        self.game = game
        self.decode = decode
        self.page = Page(is_game=True)
        self.choose: Callable[[Any], Any] = _unable
        self.called: object = None
        """What is called of the bot."""
        self.place = ""
        """Where that begins in the bot's own files, such as `my_bot.py:7`."""

    @property
    def method(self) -> str:
        """The place and the name of what decides."""
        name = getattr(self.choose, "__name__", None) if self.place else None
        return f"{self.place}: {sendable(name)}()" if type(name) is str else ""


def _unable(obs: Any) -> Any:
    raise LoadError("the bot has no instance in this game")


class Worker:
    """Answers requests about the bots of one file."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._randomness = Randomness()
        self._root = Path()
        self._file = ""
        """Its name."""
        self._places: dict[tuple[str, int], str] = {}
        """Of functions, by the file and the first line of their code."""
        self._source: Source | None = None
        self._reading = Reading()
        self._seats: dict[int, Seat] = {}
        self._games: dict[bytes, tuple[Game, Callable[[Any], Any]]] = {}

    def answer(self, request: Load | Begin | Act | End) -> Reply:
        """Do what is asked; whatever goes wrong becomes the reply."""
        if isinstance(request, Load):
            return self._load(request)
        reply: Reply
        try:
            if isinstance(request, Act):
                reply = self._act(request)
            elif isinstance(request, Begin):
                reply = self._begin(request)
            else:
                reply = self._end(request)
        except BaseException as error:
            seat = self._seats.get(request.slot)
            place = seat.place if seat is not None else ""
            if seat is not None:
                advise_on_call(error, seat.called)
            advise(error)
            # What fills the memory may hang on to the frames that are shown.
            traceback.clear_frames(error.__traceback__)
            reply = self._failed(request.serial, error, place=place)
        seat = self._seats.get(request.slot)
        if seat is not None and seat.page.size > self._output.limit:
            reply = self._failed(request.serial, OutputFloodError())
        return reply

    def _load(self, request: Load) -> Reply:
        path = Path(request.path)
        self._file = path.name
        is_package = str(path / "__init__.py") in dict(request.sources)
        self._root = path if is_package else path.parent
        self._randomness.install()
        try:
            self._source = Source(
                path, request.sources, request.modules, dict(request.guests)
            )
            self._reading = reading = self._source.read()
            bots = describe(
                path, request.games, reading.module, reading.bots, reading.guests
            )
        except BaseException as error:
            advise(error)
            return self._failed(request.serial, error, "start_failure", path.name)
        return Ready(request.serial, tuple(bots))

    def _begin(self, request: Begin) -> Reply:
        old = self._seats.pop(request.slot, None)
        if old is not None:
            self._randomness.forget(old.bot)
        game, decode = self._game(request.game)
        reading = self._read_again()
        cls = reading.bots[request.bot]
        bot = cls.__new__(cls)
        bot._arena_seed = request.seed
        seat = self._seats[request.slot] = Seat(bot, reading, game, decode)
        self._turn_to(seat)
        seat.called = cls.__init__
        seat.place = self._place(cls.__init__) or self._file
        bot.__init__(**request.params)  # type: ignore[misc]
        method = getattr(bot, game.name, None)
        seat.choose = method if callable(method) else bot.act  # type: ignore[attr-defined]
        if cls.start is not Bot.start:
            seat.called = cls.start
            seat.place = self._place(cls.start)
            bot.start(self._observation(seat, request.observation))
        seat.called = seat.choose
        seat.place = self._place(seat.choose)
        return Done(request.serial, seat.method)

    def _place(self, function: object) -> str:
        """Return where a function begins in the bot's own files, if it is there."""
        code = getattr(function, "__code__", None)
        if not isinstance(code, CodeType):
            return ""
        key = code.co_filename, code.co_firstlineno
        if key not in self._places:
            self._places[key] = place_of(function, self._root)
        return self._places[key]

    def _read_again(self) -> Reading:
        """Return what the file is for another game."""
        assert self._source is not None
        if not self._reading.guests:
            return self._reading
        # As at the first time: what it draws and prints then belongs to no game.
        self._randomness.switch(Bot())
        self._output.turn_to(Page())
        return self._source.read()

    def _act(self, request: Act) -> Reply:
        seat = self._seats[request.slot]
        self._turn_to(seat)
        obs = self._observation(seat, request.observation)
        action = seat.choose(obs)
        if _is_text(action):
            page = seat.page
            return Answer(request.serial, action, page.text() if page.tail else "")
        return Failed(
            serial=request.serial,
            termination="invalid_reply",
            message=sendable(f"{seat.method or 'it'} {on_reply(action, obs)}"),
            traceback="",
            output=seat.page.text(),
        )

    def _end(self, request: End) -> Reply:
        seat = self._seats[request.slot]
        self._turn_to(seat)
        seat.bot.end(request.result)
        return Done(request.serial)

    def _game(self, encoded: msgspec.Raw) -> tuple[Game, Callable[[Any], Any]]:
        key = bytes(encoded)
        known = self._games.get(key)
        if known is None:
            spec = msgspec.msgpack.decode(key, type=GameSpec)
            register(spec.name, spec.path)
            game = get_game(spec.name, spec.players, spec.options)
            decode = msgspec.msgpack.Decoder(game.observation_type).decode
            known = self._games[key] = (game, decode)
        return known

    def _observation(self, seat: Seat, raw: msgspec.Raw) -> Any:
        observation = seat.decode(raw)
        msgspec.structs.force_setattr(observation, "game", seat.game)
        return observation

    def _turn_to(self, seat: Seat) -> None:
        if self._source is not None:
            self._source.turn_to(seat.reading)
        self._randomness.switch(seat.bot)
        self._output.turn_to(seat.page)

    def _failed(
        self,
        serial: int,
        error: BaseException,
        termination: str = "",
        place: str = "",
    ) -> Failed:
        message, trace = explain(error, self._root, place)
        if isinstance(error, LoadError):
            message, trace = str(error), ""
        elif isinstance(error, OutputFloodError):
            message, trace = self._flood()
        return Failed(
            serial=serial,
            termination=termination or _termination(error),
            message=sendable(message),
            traceback=sendable(trace),
            output=self._output.page.text(),
        )

    def _flood(self) -> tuple[str, str]:
        """Return one sentence about a game that has printed too much, and where."""
        calls = own_frames(self._output.page.flooded or (), self._root)
        message = f"printed more than {self._output.limit} bytes in one game"
        if not calls:
            return message, ""
        last = calls[-1]
        message = f"{last.filename}:{last.lineno}: {message} (print less there)"
        return message, "".join(format_frames(calls))


def _termination(error: BaseException) -> str:
    if isinstance(error, OutputFloodError):
        return "output_flood"
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, SystemExit):
        return "exit"
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return "output_flood"
    return "crash"


def _is_text(value: object) -> bool:
    """Say whether `value` can be sent; a subclass of `str` may be anything."""
    if type(value) is not str or len(value) > MAX_ACTION:
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def serve_cold(read_fd: int, write_fd: int, folder_fd: int) -> None:
    """Serve in a process of its own, whose first request is its confinement."""
    for descriptor in (read_fd, write_fd):
        os.set_inheritable(descriptor, False)
    os.fchdir(folder_fd)
    os.close(folder_fd)
    length = int.from_bytes(_read(read_fd, 4), "little")
    confinement = msgspec.msgpack.decode(_read(read_fd, length), type=Confinement)
    serve(read_fd, write_fd, confinement)


def _read(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            os._exit(0)
        data += more
    return data


def serve(read_fd: int, write_fd: int, confinement: Confinement) -> None:
    """Confine this process, then answer the requests that arrive until the end.

    Where a program is to do so, become that.  Does not return.

    Raises:
        ConfinementError: the system can't confine it; nothing of a bot has run.
    """
    die_with_parent()
    if confinement.command:
        confine(confinement)
        become(confinement, read_fd, write_fd)
    dump_stack(1)
    output = Output(1)
    sys.stdout = sys.stderr = output
    worker = Worker(output)
    confine(confinement)
    os.write(write_fd, CONFINED)
    reader = FrameReader(limit=2**31)
    while data := os.read(read_fd, 1 << 16):
        for body in reader.feed(data):
            request = _requests.decode(body)
            if type(request) is Load:
                output.limit = request.output
            answer = worker.answer(request)
            output.page = _NO_PAGE
            reply = frame(answer)
            while reply:
                reply = reply[os.write(write_fd, reply) :]
            if type(answer) is Failed and answer.termination == "memory":
                # What fills it may be anywhere, and would fail the other games.
                os._exit(0)
    # What a bot has registered to run at exit, or left running, is not waited for.
    os._exit(0)
