"""A game as a row of the `games` table, and back."""

import json
import zlib
from typing import Any

import msgspec

from arena.referee.record import DecisionTimes, Fault, GameRecord

_NAMES = (
    "game_id",
    "fixture_id",
    "match_id",
    "label",
    "seats",
    "returns",
    "places",
    "scores",
    "termination",
    "forfeits",
    "decisions",
    "seconds",
    "times",
    "isolation",
    "faults",
)
COLUMNS = ", ".join(_NAMES)
"""All but the last, `history`, which is long and seldom needed."""
MARKS = ", ".join("?" * (len(_NAMES) + 1))
_TEXTS = msgspec.json.Decoder(tuple[str, ...])
_WHOLE_NUMBERS = msgspec.json.Decoder(tuple[int, ...])
_NUMBERS = msgspec.json.Decoder(tuple[float, ...])
_FLAGS = msgspec.json.Decoder(tuple[bool, ...])
_TIMES = msgspec.msgpack.Decoder(tuple[DecisionTimes, ...])
_HISTORY = msgspec.msgpack.Decoder(tuple[str, ...])
_FAULTS = msgspec.msgpack.Decoder(tuple[Fault, ...])


class _Forfeit(msgspec.Struct):
    entry: str
    termination: str


_FORFEITS = msgspec.msgpack.Decoder(tuple[_Forfeit, ...])


def to_row(record: GameRecord) -> tuple[Any, ...]:
    """Return the values of `COLUMNS` and `history`; seconds are kept to 1 µs."""
    return (
        record.game_id,
        record.fixture_id,
        record.match_id,
        record.label,
        json.dumps(record.seats),
        json.dumps(record.returns),
        json.dumps(record.places),
        json.dumps(record.scores),
        str(record.termination),
        json.dumps(record.forfeits),
        record.decisions,
        json.dumps([round(s, 6) for s in record.seconds]),
        msgspec.msgpack.encode(record.times),
        record.isolation,
        msgspec.msgpack.encode(record.faults) if record.faults else None,
        zlib.compress(msgspec.msgpack.encode(record.history)),
    )


def to_record(row: tuple[Any, ...]) -> GameRecord:
    """Return the game of a row, without its history if that was not asked for.

    Raises:
        MsgspecError, zlib.error: the row is damaged.
    """
    values = dict(zip((*_NAMES, "history"), row, strict=False))
    packed = values.get("history")
    history = () if packed is None else read_history(packed)
    return GameRecord(
        game_id=values["game_id"],
        fixture_id=values["fixture_id"],
        match_id=values["match_id"],
        label=values["label"],
        seats=_TEXTS.decode(values["seats"]),
        returns=_NUMBERS.decode(values["returns"]),
        places=_WHOLE_NUMBERS.decode(values["places"]),
        scores=_NUMBERS.decode(values["scores"]),
        termination=values["termination"],
        forfeits=_FLAGS.decode(values["forfeits"]),
        decisions=values["decisions"],
        seconds=_NUMBERS.decode(values["seconds"]),
        history=history,
        faults=_FAULTS.decode(values["faults"]) if values["faults"] else (),
        times=_TIMES.decode(values["times"]),
        isolation=values["isolation"],
    )


def read_history(packed: bytes) -> tuple[str, ...]:
    """Return the outcomes and actions of a game, from the column `history`.

    Raises:
        MsgspecError, zlib.error: it is damaged.
    """
    return _HISTORY.decode(zlib.decompress(packed))


def read_faults(faults: bytes | None) -> dict[str, str]:
    """Return how each entry that forfeited did so, from the column `faults`.

    Raises:
        MsgspecError: it is damaged.
    """
    if not faults:
        return {}
    return {fault.entry: fault.termination for fault in _FORFEITS.decode(faults)}
