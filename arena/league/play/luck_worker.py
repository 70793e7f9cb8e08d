"""A process that works out luck; no value or game in it can harm the league.

Run it with `python -m arena.league.play.luck_worker`: requests on standard input,
as many replies on standard output.  It ends once its input is closed.
"""

import os
import zlib
from math import isfinite
from queue import SimpleQueue
from threading import Thread

import msgspec

from arena.games import get_game, register
from arena.games.luck import Luck, find_value, value_class
from arena.plugins import load_plugins
from arena.records.batch import read_histories
from arena.text import one_line
from arena.worker.protocol import FrameReader, GameSpec, frame

_MAX_REASON_CHARS = 200


class Request(msgspec.Struct, frozen=True):
    """Games of a label to work out; without games, the value alone is made."""

    label: str
    game: GameSpec
    batches: tuple[bytes, ...] = ()
    """Histories, for `read_histories`."""
    games: tuple[tuple[int, int], ...] = ()
    """The games to work out: index of the batch, and place in the batch."""
    version_only: bool = False
    """True to ask for the version of the value only; it is not made."""


class Reply(msgspec.Struct, frozen=True):
    """The answer to a request."""

    version: str = ""
    digest: str = ""
    luck: tuple[tuple[float, ...], ...] = ()
    """Of each game by pair of seats, up to the first failure."""
    reason: str = ""
    """Why there is no more, as the end of a sentence."""
    damage: str = ""
    """Why the batches can't be read, if they can't."""


_decode_request = msgspec.msgpack.Decoder(Request).decode
decode_reply = msgspec.msgpack.Decoder(Reply).decode


class LuckWorker:
    """Answers requests; makes the value of each label once."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[Luck | None, Reply]] = {}

    def answer(self, request: Request) -> Reply:
        """Work out the luck of some games; an error is told in the reply."""
        if request.version_only:
            return _find_version(request.game)
        if request.label not in self._values:
            self._values[request.label] = _find(request.game)
        value, reply = self._values[request.label]
        if value is None:
            return reply
        try:
            histories = _read(request)
        except (zlib.error, msgspec.MsgspecError, IndexError) as error:
            return msgspec.structs.replace(reply, damage=_error_text(error))
        luck = []
        reason = ""
        for history in histories:
            try:
                pairs = value.luck(history)
                if not all(map(isfinite, pairs)):
                    raise ValueError(f"the luck came to {pairs}")
            except (Exception, SystemExit) as error:
                reason = _error_text(error)
                break
            luck.append(pairs)
        return msgspec.structs.replace(reply, luck=tuple(luck), reason=reason)


def _read(request: Request) -> list[tuple[str, ...]]:
    """Return the histories of the games of a request.

    Raises:
        MsgspecError, zlib.error, IndexError: the batches are damaged.
    """
    batches = [read_histories(batch) for batch in request.batches]
    if any(place < 0 for _, place in request.games):
        raise IndexError("no place in a batch is below 0")
    return [batches[batch][place] for batch, place in request.games]


def _find(spec: GameSpec) -> tuple[Luck | None, Reply]:
    try:
        register(spec.name, spec.path)
        value = find_value(get_game(spec.name, spec.players, spec.options))
        if value is None:
            return None, Reply(reason="nobody has given the game a value")
        reply = Reply(version=str(value.version), digest=str(value.digest))
    except ValueError as error:
        return None, Reply(reason=_cut(str(error)) or _error_text(error))
    except (Exception, SystemExit) as error:
        return None, Reply(reason=f"its value can't be used ({_error_text(error)})")
    return value, reply


def _find_version(spec: GameSpec) -> Reply:
    try:
        register(spec.name, spec.path)
        found = value_class(spec.name)
        return Reply() if found is None else Reply(version=str(found.version))
    except (Exception, SystemExit):
        return Reply()  # The error is told when the value is made.


def _error_text(error: BaseException) -> str:
    return _cut(f"{type(error).__name__}: {error}")


def _cut(text: str) -> str:
    return one_line(text)[:_MAX_REASON_CHARS]


def _receive(fd: int, bodies: SimpleQueue[bytes]) -> None:
    """Pass requests on; end this process with its input, whatever it works out."""
    reader = FrameReader()
    while data := os.read(fd, 1 << 20):
        for body in reader.feed(data):
            bodies.put(body)
    os._exit(0)


def _serve() -> None:
    # A value that prints or reads must not touch the frames.
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    bodies: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(requests, bodies), daemon=True).start()
    load_plugins()
    worker = LuckWorker()
    while True:
        unsent = frame(worker.answer(_decode_request(bodies.get())))
        while unsent:
            unsent = unsent[os.write(replies, unsent) :]


if __name__ == "__main__":
    _serve()
