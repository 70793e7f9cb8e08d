"""Games packed together: the form in which they are sent and stored.

What is asked of a game on its way, its id and who forfeited, stands outside: nobody
needs to unpack what he only hands on.  Games of one label are so much alike that
together they take a third of the room and of the time.

They are stored as they are, so whoever changes a field of `GameRecord`, or of what it
consists of, changes the format of results.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from arena.records.record import GameRecord

SIZE = 32
"""Games in a batch, at the most: whoever wants one of them must unpack them all."""
_LEVEL = 1
_RECORDS = msgspec.msgpack.Decoder(list[GameRecord])
_HISTORIES = msgspec.msgpack.Decoder(list[tuple[str, ...]])
_NOBODY: Mapping[str, str] = {}


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Games of one label, played at one isolation level."""

    label: str
    isolation: str
    game_ids: tuple[str, ...]
    faults: dict[int, dict[str, str]]
    """Of each game that somebody forfeited, by its index in `game_ids`: how each entry
    that did so did it."""
    records: bytes
    """Without histories; for `read_records`."""
    histories: bytes
    """For `read_histories`."""

    def ends(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Yield the id of each game, and how every entry that forfeited it did so."""
        for index, game_id in enumerate(self.game_ids):
            yield game_id, self.faults.get(index, _NOBODY)


def to_batches(records: Iterable[GameRecord]) -> Iterator[Batch]:
    """Yield the games in batches, in their order; seconds are kept to 1 µs."""
    together: list[GameRecord] = []
    for record in records:
        if together and (
            len(together) == SIZE
            or record.label != together[0].label
            or record.isolation != together[0].isolation
        ):
            yield _pack(together)
            together = []
        together.append(record)
    if together:
        yield _pack(together)


def _pack(records: list[GameRecord]) -> Batch:
    bare = [
        replace(r, history=(), seconds=tuple([round(s, 6) for s in r.seconds]))
        for r in records
    ]
    return Batch(
        label=records[0].label,
        isolation=records[0].isolation,
        game_ids=tuple([r.game_id for r in records]),
        faults={
            index: {fault.entry: str(fault.termination) for fault in r.faults}
            for index, r in enumerate(records)
            if r.faults
        },
        records=_compress(bare),
        histories=_compress([r.history for r in records]),
    )


def _compress(games: list[GameRecord] | list[tuple[str, ...]]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(games), _LEVEL)


def read_records(packed: bytes) -> list[GameRecord]:
    """Return the games of a batch, without their histories.

    Raises:
        MsgspecError, zlib.error: they are damaged.
    """
    return _RECORDS.decode(zlib.decompress(packed))


def read_histories(packed: bytes) -> list[tuple[str, ...]]:
    """Return the outcomes and actions of each game of a batch.

    Raises:
        MsgspecError, zlib.error: they are damaged.
    """
    return _HISTORIES.decode(zlib.decompress(packed))
