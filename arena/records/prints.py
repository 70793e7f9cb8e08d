"""What bots print while they decide: kept beside the games, and no part of a record.

A contestant's process says itself what its bot has printed, so it may be anything; it
matters to the bot's author alone.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from arena.records.game_record import MAX_SEATS
from arena.text import cut, cut_start

MAX_DECISION_CHARS = 1000
"""Kept of what is printed in a decision: the end."""
MAX_GAME_CHARS = 8000
"""Kept of what a seat prints in a game: the beginning."""
_MAX_BYTES = 2**18
"""Of what a seat has printed in a game, before it is packed."""
_ZLIB_LEVEL = 1
Seat = Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)]
_Step = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_TEXTS = msgspec.msgpack.Decoder(
    Annotated[list[tuple[_Step, str]], msgspec.Meta(max_length=MAX_GAME_CHARS + 1)]
)


class Printed(msgspec.Struct, frozen=True, array_like=True):
    """What a bot has printed in a decision, and before it since its last one."""

    seat: Seat
    step: _Step
    """Decisions taken in the game before this one; all of them for what is printed once
    it is over."""
    text: str


class SeatPrints(msgspec.Struct, frozen=True, array_like=True):
    """All that one seat has printed in a game of a batch."""

    index: int
    """Of the game in the batch."""
    seat: int
    entry: str
    texts: bytes
    """For `unpacked`."""


def kept(prints: Iterable[Printed]) -> Iterator[Printed]:
    """Yield what is kept of what was printed in a game; `…` stands for what is not."""
    used: Counter[int] = Counter()
    for printed in prints:
        left = MAX_GAME_CHARS - used[printed.seat]
        if left >= 0:
            text = cut_start(printed.text, MAX_DECISION_CHARS)
            used[printed.seat] += len(text)
            yield replace(printed, text=cut(text, max(1, left)))


def packed(
    index: int, entries: Sequence[str], prints: Iterable[Printed]
) -> Iterator[SeatPrints]:
    """Yield what each seat has printed in a game, which has this index in its batch."""
    texts: dict[int, list[tuple[int, str]]] = {}
    for printed in kept(prints):
        texts.setdefault(printed.seat, []).append((printed.step, printed.text))
    for seat, pairs in sorted(texts.items()):
        data = zlib.compress(msgspec.msgpack.encode(pairs), _ZLIB_LEVEL)
        yield SeatPrints(index, seat, entries[seat], data)


def unpacked(seat: int, texts: bytes) -> list[Printed]:
    """Return what a seat has printed in a game.

    Raises:
        MsgspecError, zlib.error: it is damaged, or more than is ever kept.
    """
    pieces = zlib.decompressobj()
    data = pieces.decompress(texts, _MAX_BYTES)
    if not pieces.eof:
        raise zlib.error("what a bot has printed is cut off or too long")
    return [*kept(Printed(seat, step, text) for step, text in _TEXTS.decode(data))]
