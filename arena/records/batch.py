"""Games packed together: the form in which they are sent and stored.

The ids of the games and who forfeited stand outside of the packed part: a program that
only passes games on need not unpack them.  Games of one label are so much alike that
together they take a third of the space and of the time.

They are stored as they are: a changed field of `GameRecord`, or of a type inside it,
changes the format of results.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from arena.records.game_record import GameRecord

GAMES_PER_BATCH = 32
"""At the most: to read one game, all games of its batch must be unpacked."""
_ZLIB_LEVEL = 1
_RECORDS = msgspec.msgpack.Decoder(list[GameRecord])
_HISTORIES = msgspec.msgpack.Decoder(list[tuple[str, ...]])
_NOBODY: Mapping[str, str] = {}


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

    def ends(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Yield each game id with the termination of every entry that forfeited."""
        for index, game_id in enumerate(self.game_ids):
            yield game_id, self.faults.get(index, _NOBODY)


def to_batches(records: Iterable[GameRecord]) -> Iterator[Batch]:
    """Yield the games in batches, in their order; seconds are rounded to 1 µs."""
    together: list[GameRecord] = []
    for record in records:
        if together and (
            len(together) == GAMES_PER_BATCH
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
    return zlib.compress(msgspec.msgpack.encode(games), _ZLIB_LEVEL)


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
