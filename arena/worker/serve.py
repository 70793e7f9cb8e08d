"""The request loop of a contestant's process."""

import errno
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Any

import msgspec

from arena.bot import Bot
from arena.games import Game, get_game, register
from arena.worker.compat import Guest
from arena.worker.confinement import confine, die_with_parent
from arena.worker.explain import (
    LoadError,
    explain,
    own_calls,
    place_of,
    sendable,
)
from arena.worker.file_loader import FileLoader, LoadedFile
from arena.worker.find_bots import describe_bots
from arena.worker.output import CapturedOutput, GameOutput, OutputFloodError
from arena.worker.program import become_program
from arena.worker.protocol import (
    CONFINED,
    ActRequest,
    Answer,
    BeginRequest,
    Confinement,
    Done,
    EndRequest,
    Failed,
    FrameReader,
    GameSpec,
    LoadRequest,
    Place,
    Ready,
    Reply,
    RequestMessage,
    action_text,
    frame,
)
from arena.worker.randomness import Randomness
from arena.worker.remedies.of_errors import advise
from arena.worker.remedies.of_replies import BadReply, reply_sentence
from arena.worker.remedies.raised import HandIn
from arena.worker.stack_dump import dump_stack

_requests = msgspec.msgpack.Decoder(RequestMessage)
_OUTSIDE_OF_GAMES = GameOutput()


class Seat:
    """A bot's instance in one game, and all that belongs to that game."""

    __slots__ = (
        "bot",
        "called",
        "choose",
        "decode",
        "game",
        "loaded",
        "output",
        "place",
    )

    def __init__(
        self, bot: Bot, loaded: LoadedFile, game: Game, decode: Callable[[Any], Any]
    ) -> None:
        self.bot = bot
        self.loaded = loaded
        self.game = game
        self.decode = decode
        self.output = GameOutput(is_limited=True)
        self.choose: Callable[[Any], Any] = _unable
        self.called: object = None
        """The method of the bot that is being called."""
        self.place: Place | None = None
        """Where that method begins in the bot's own files, if it does."""


def _unable(obs: Any) -> Any:
    raise LoadError("the bot has no instance in this game")


class Worker:
    """Answers requests about the bots of one file."""

    def __init__(self, output: CapturedOutput) -> None:
        self._output = output
        self._randomness = Randomness()
        self._files: dict[str, bytes] = {}
        """Text of each of the bot's own files, by path."""
        self._hand_in = HandIn("", (), "")
        self._places: dict[tuple[str, int], Place | None] = {}
        """Places of functions, by the file and the first line of their code."""
        self._file_loader: FileLoader | None = None
        self._loaded = LoadedFile()
        self._seats: dict[int, Seat] = {}
        self._games: dict[bytes, tuple[Game, Callable[[Any], Any]]] = {}

    def answer(self, request: RequestMessage) -> Reply:
        """Carry out a request; whatever goes wrong becomes the reply."""
        if isinstance(request, LoadRequest):
            return self._load(request)
        reply: Reply
        try:
            if isinstance(request, ActRequest):
                reply = self._act(request)
            elif isinstance(request, BeginRequest):
                reply = self._begin(request)
            else:
                reply = self._end(request)
            self._output.collect()
        except BaseException as error:
            seat = self._seats.get(request.slot)
            place = seat.place if seat is not None else None
            for guest in self._guests:
                place = place or self._place(guest.called)
            self._advise(error, seat.called if seat is not None else None)
            # The frames may hold the values that fill the memory.
            traceback.clear_frames(error.__traceback__)
            reply = self._failed(request.serial, error, place=place)
        seat = self._seats.get(request.slot)
        if seat is not None and seat.output.size > self._output.limit:
            reply = self._failed(request.serial, OutputFloodError())
        return reply

    @property
    def _guests(self) -> list[Guest]:
        """Those of the game that is being played, or of the file that is loaded."""
        loader = self._file_loader
        return [*loader.guests.values()] if loader is not None else []

    def _advise(self, error: BaseException, called: object = None) -> None:
        """Add a remedy to an exception: a guest's own one, or one that all bots get."""
        others = [guest.advice for guest in self._guests]
        advise(error, self._hand_in, called, others)

    def _load(self, request: LoadRequest) -> Reply:
        path = Path(request.path)
        self._files = dict(request.sources)
        self._hand_in = HandIn(request.path, self._files, request.folder)
        self._randomness.install()
        try:
            self._file_loader = FileLoader(
                path,
                request.sources,
                request.modules,
                dict(request.guests),
                request.parts,
                request.folder,
            )
            self._loaded = loaded = self._file_loader.load()
            bots = describe_bots(
                request.games, loaded.module, loaded.bots, loaded.guests, self._files
            )
        except BaseException as error:
            self._advise(error)
            return self._failed(request.serial, error, "start_failure")
        return Ready(request.serial, tuple(bots))

    def _begin(self, request: BeginRequest) -> Reply:
        old = self._seats.pop(request.slot, None)
        if old is not None:
            self._randomness.forget(old.bot)
        game, decode = self._game(request.game)
        loaded = self._load_again()
        cls = loaded.bots[request.bot]
        bot = cls.__new__(cls)
        bot._arena_seed = request.seed
        seat = self._seats[request.slot] = Seat(bot, loaded, game, decode)
        self._switch_to(seat)
        seat.called = cls.__init__
        seat.place = self._place(cls.__init__)
        bot.__init__(**request.params)  # type: ignore[misc]
        method = getattr(bot, game.name, None)
        seat.choose = method if callable(method) else bot.act  # type: ignore[attr-defined]
        if cls.start is not Bot.start:
            seat.called = cls.start
            seat.place = self._place(cls.start)
            bot.start(self._observation(seat, request.observation))
        seat.called = seat.choose
        seat.place = self._place(seat.choose)
        return Done(request.serial, seat.place, seat.output.take_fresh())

    def _place(self, function: object) -> Place | None:
        """Return the line in the bot's own files where a function begins, if any."""
        code = getattr(function, "__code__", None)
        if not isinstance(code, CodeType):
            return None
        key = code.co_filename, code.co_firstlineno
        if key not in self._places:
            self._places[key] = place_of(function, self._files)
        return self._places[key]

    def _load_again(self) -> LoadedFile:
        """Return the bot's file for another game: with guests, loaded anew."""
        assert self._file_loader is not None
        if not self._loaded.guests:
            return self._loaded
        # As at the first time, its random numbers and its output belong to no game.
        self._randomness.switch(Bot())
        self._output.switch_to(GameOutput())
        return self._file_loader.load()

    def _act(self, request: ActRequest) -> Reply:
        seat = self._seats[request.slot]
        self._switch_to(seat)
        obs = self._observation(seat, request.observation)
        action = seat.choose(obs)
        self._output.collect()
        text = action_text(action)
        if text is not None:
            printed = seat.output
            return Answer(
                request.serial, text, printed.take_fresh() if printed.fresh else ""
            )
        method = f"{seat.place.function}()" if seat.place is not None else "it"
        return Failed(
            serial=request.serial,
            termination="invalid_reply",
            message=sendable(
                f"{method} {reply_sentence(BadReply(action, obs, seat.choose))}"
            ),
            output=seat.output.text(),
            place=seat.place,
        )

    def _end(self, request: EndRequest) -> Reply:
        seat = self._seats[request.slot]
        self._switch_to(seat)
        seat.bot.end(request.result)
        self._output.collect()
        return Done(request.serial, None, seat.output.take_fresh())

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

    def _switch_to(self, seat: Seat) -> None:
        if self._file_loader is not None:
            self._file_loader.activate(seat.loaded)
        self._randomness.switch(seat.bot)
        self._output.switch_to(seat.output)

    def _failed(
        self,
        serial: int,
        error: BaseException,
        termination: str = "",
        place: Place | None = None,
    ) -> Failed:
        """Return the failure by an error; `place` is used if that names no call."""
        # What a bot has put there may raise anything; too much is found out below.
        with suppress(BaseException):
            self._output.collect()
        calls: tuple[Place, ...] = ()
        if isinstance(error, LoadError):
            message, place = str(error), error.place or place
        elif isinstance(error, OutputFloodError):
            message, calls = self._flood()
        else:
            message, calls = explain(error, self._files)
        if self._file_loader is not None:
            message = message.replace(f"{self._file_loader.start.folder}/", "")
        return Failed(
            serial=serial,
            termination=termination or _termination(error),
            message=sendable(message),
            output=self._output.game.text(),
            place=calls[-1] if calls else place,
            calls=calls,
            moment=max((guest.moment for guest in self._guests), default=-1),
        )

    def _flood(self) -> tuple[str, tuple[Place, ...]]:
        """Return a sentence on the print that was too much, and the calls of it."""
        calls = own_calls(self._output.game.flooded or (), self._files)
        message = f"printed more than {self._output.limit} bytes in one game"
        return f"{message} (print less there)" if calls else message, calls


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


def serve_cold(read_fd: int, write_fd: int) -> None:
    """Serve in a process of its own, whose first request is its confinement."""
    for descriptor in (read_fd, write_fd):
        os.set_inheritable(descriptor, False)
    length = int.from_bytes(_read(read_fd, 4), "little")
    confinement = msgspec.msgpack.decode(_read(read_fd, length), type=Confinement)
    if not confinement.command:
        dump_stack(1)
    serve(read_fd, write_fd, confinement)


def _read(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            os._exit(0)
        data += more
    return data


def serve(
    read_fd: int, write_fd: int, confinement: Confinement, ruleset: int | None = None
) -> None:
    """Confine this process, then answer requests until the pipe ends.

    For a bot that is a program, become that program.  Does not return.  `ruleset` is a
    descriptor of what it may open, if Landlock is wanted; it is closed.

    Raises:
        ConfinementError: the system can't confine it; nothing of a bot has run.
    """
    die_with_parent()
    if confinement.command:
        confine(confinement, ruleset)
        become_program(confinement, read_fd, write_fd)
    output = CapturedOutput(1)
    sys.stdout = sys.stderr = output
    # Who has put something else in its place puts these back.
    vars(sys).update(__stdout__=output, __stderr__=output)
    worker = Worker(output)
    confine(confinement, ruleset)
    if ruleset is not None:
        os.close(ruleset)
    os.write(write_fd, CONFINED)
    reader = FrameReader()
    while data := os.read(read_fd, 1 << 16):
        for body in reader.feed(data):
            request = _requests.decode(body)
            if type(request) is LoadRequest:
                output.limit = request.output
            answer = worker.answer(request)
            output.game = _OUTSIDE_OF_GAMES
            reply = frame(answer)
            while reply:
                reply = reply[os.write(write_fd, reply) :]
            if type(answer) is Failed and answer.termination == "memory":
                # The memory stays full, and the other games would fail too.
                os._exit(0)
    # Exit handlers and threads of a bot are not waited for.
    os._exit(0)
