"""Games packed together: the form in which they are sent and stored.

The ids of the games and who forfeited stand outside of the packed part: a program that
only passes games on need not unpack them.  Games of one label are so much alike that
together they take a third of the space and of the time.

They are stored as they are: a changed field of `GameRecord`, or of a type inside it,
changes the format of results.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from arena.records.game_record import GameRecord
from arena.records.prints import Printed, SeatPrints, packed

GAMES_PER_BATCH = 32
"""At the most: to read one game, all games of its batch must be unpacked."""
_ZLIB_LEVEL = 1
_MAX_BYTES = 2**25
"""Of the records or histories of a batch, before they are packed."""
_FEW = msgspec.Meta(max_length=GAMES_PER_BATCH)
_RECORDS = msgspec.msgpack.Decoder(Annotated[list[GameRecord], _FEW])
_HISTORIES = msgspec.msgpack.Decoder(Annotated[list[tuple[str, ...]], _FEW])
_NOBODY: Mapping[str, str] = {}
_NO_PRINTS: Mapping[str, Sequence[Printed]] = {}


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Games of one label, played at one isolation level."""

    label: str
    isolation: str
    game_ids: tuple[str, ...]
    faults: dict[int, dict[str, str]]
    """By the index in `game_ids` of a game with forfeits: the termination of every
    entry that forfeited."""
    records: bytes
    """Without histories; for `read_records`."""
    histories: bytes
    """For `read_histories`."""
    prints: tuple[SeatPrints, ...] = ()
    """What was printed in these games, as far as that is kept."""

    def ends(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Yield each game id with the termination of every entry that forfeited."""
        for index, game_id in enumerate(self.game_ids):
            yield game_id, self.faults.get(index, _NOBODY)


def to_batches(
    records: Iterable[GameRecord],
    prints: Mapping[str, Sequence[Printed]] = _NO_PRINTS,
) -> Iterator[Batch]:
    """Yield the games in batches, in their order; seconds are rounded to 1 µs.

    `prints` has what was printed in games, by their ids.
    """
    together: list[GameRecord] = []
    for record in records:
        if together and (
            len(together) == GAMES_PER_BATCH
            or record.label != together[0].label
            or record.isolation != together[0].isolation
        ):
            yield from _pack(together, prints)
            together = []
        together.append(record)
    if together:
        yield from _pack(together, prints)


def _pack(
    records: list[GameRecord], prints: Mapping[str, Sequence[Printed]]
) -> Iterator[Batch]:
    """Yield one batch, or several if the games are too long for one."""
    bare = msgspec.msgpack.encode(
        [
            replace(r, history=(), seconds=tuple([round(s, 6) for s in r.seconds]))
            for r in records
        ]
    )
    histories = msgspec.msgpack.encode([r.history for r in records])
    if len(records) > 1 and max(len(bare), len(histories)) > _MAX_BYTES:
        half = len(records) // 2
        yield from _pack(records[:half], prints)
        yield from _pack(records[half:], prints)
        return
    yield Batch(
        label=records[0].label,
        isolation=records[0].isolation,
        game_ids=tuple([r.game_id for r in records]),
        faults={
            index: {fault.entry: str(fault.termination) for fault in r.faults}
            for index, r in enumerate(records)
            if r.faults
        },
        records=zlib.compress(bare, _ZLIB_LEVEL),
        histories=zlib.compress(histories, _ZLIB_LEVEL),
        prints=tuple(
            [
                seat_prints
                for index, record in enumerate(records)
                if record.game_id in prints
                for seat_prints in packed(index, record.seats, prints[record.game_id])
            ]
        ),
    )


def unpack(packed: bytes) -> bytes:
    """Return the records or histories of a batch, for `decode_…`.

    Raises:
        zlib.error: they are damaged, or so long that no batch is.
    """
    pieces = zlib.decompressobj()
    data = pieces.decompress(packed, _MAX_BYTES)
    if not pieces.eof:
        raise zlib.error("a batch of games is cut off or too long")
    return data


def decode_records(data: bytes) -> list[GameRecord]:
    """Return the games of a batch, without their histories.

    Raises:
        MsgspecError: they are damaged.
    """
    records: list[GameRecord] = _RECORDS.decode(data)
    for record in records:
        record.check()
    return records


def decode_histories(data: bytes) -> list[tuple[str, ...]]:
    """Return the outcomes and actions of each game of a batch.

    Raises:
        MsgspecError: they are damaged.
    """
    histories: list[tuple[str, ...]] = _HISTORIES.decode(data)
    return histories


def read_records(packed: bytes) -> list[GameRecord]:
    """Return the games of a batch, without their histories.

    Raises:
        MsgspecError, zlib.error: they are damaged.
    """
    return decode_records(unpack(packed))


def read_histories(packed: bytes) -> list[tuple[str, ...]]:
    """Return the outcomes and actions of each game of a batch.

    Raises:
        MsgspecError, zlib.error: they are damaged.
    """
    return decode_histories(unpack(packed))
