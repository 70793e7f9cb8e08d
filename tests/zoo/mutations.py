"""Spoils replies in every way that a stream of frames can be spoilt.

Made of bytes, not of messages: much of it is nothing that an encoder would write.
"""

from collections.abc import Callable
from random import Random

ODD_VALUES = (
    b"\xc0",
    b"\xc1",  # never used
    b"\xc3",
    b"\xcb\x7f\xf8" + bytes(6),  # NaN
    b"\xca\xff\x80\x00\x00",  # minus infinity
    b"\xcb\x40\x08" + bytes(6),  # 3.0
    b"\xcf" + b"\xff" * 8,
    b"\xd3\x80" + bytes(7),
    b"\xff",
    b"\xd4\x05\x00",
    b"\xd6\xff" + bytes(4),  # a point in time
    b"\xc7\xff\x7f" + bytes(255),
    b"\xc9\xff\xff\xff\xff\x01",
    b"\xa2\xff\xfe",
    b"\xa3\xed\xa0\x80",  # a surrogate
    b"\xa2\xc0\x80",
    b"\xa0",
    b"\xa1\x00",
    b"\xdb\xff\xff\xff\xff",
    b"\xdb\x00\x00\x00\x01a",
    b"\xc6\xff\xff\xff\xff",
    b"\xc4\x04roll",
    b"\xdd\xff\xff\xff\xff",
    b"\xdd\x00\xff\xff\xff" + b"\xc0" * 64,
    b"\xdf\xff\xff\xff\xff",
    b"\x90",
    b"\x80",
    b"\x81\xa1a\x81\xa1a\x80",
    b"\x91" * 40 + b"\xc0",
    b"\x91" * 3000 + b"\xc0",
    b"\x81\xc0" * 3000 + b"\xc0",
)
"""Values in MessagePack, and beginnings of values, that are seldom expected."""
TAGS = ("Answer", "Done", "Ready", "Failed", "Load", "Act", "answer", "", "\0", "Fail")
ODD_LENGTHS = (0, 1, 3, 255, 1024, 2**18, 2**18 + 1, 2**31 - 1, 2**31, 2**32 - 1)

Fields = tuple[bytes, ...]
"""A reply: its fields, encoded, the tag first."""


def text(value: str) -> bytes:
    """Encode a string."""
    data = value.encode()
    return b"\xdb" + len(data).to_bytes(4, "big") + data


def replies(serial: int) -> tuple[Fields, ...]:
    """Return a reply of each kind, the one that answers a decision first."""
    number = b"\xce" + serial.to_bytes(4, "big")
    games = b"\x91" + text("zombie_dice")
    info = b"\x96" + text("Bot") + text("Its name") + text("1") + games + b"\x90\xc3"
    return (
        (text("Answer"), number, text("roll")),
        (text("Done"), number),
        (text("Failed"), number, text("crash"), text("x.py:3"), text("in x"), text("")),
        (text("Ready"), number, b"\x91" + info),
    )


def framed(body: bytes) -> bytes:
    """Return a frame as it should be."""
    return len(body).to_bytes(4, "little") + body


def body_of(fields: Fields) -> bytes:
    """Return the body of a reply."""
    return bytes((0x90 + len(fields),)) + b"".join(fields)


def mutated(known: tuple[Fields, ...], rng: Random) -> bytes:
    """Return the bytes of one of the known replies, spoilt in one or two ways."""
    # The first is what is asked for: it gets furthest.
    choice = int(rng.random() * 2 * len(known))
    fields = known[choice] if choice < len(known) else known[0]
    first = int(rng.random() * len(_ALL))
    data = _ALL[first](fields, known, rng)
    if data and rng.random() < 0.1:
        data = _flipped(data, rng)
    return data


def _flip(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    return _flipped(framed(body_of(fields)), rng)


def _flipped(data: bytes, rng: Random) -> bytes:
    spoilt = bytearray(data)
    for _ in range(1 + int(rng.random() * 3)):
        place = int(rng.random() * len(spoilt))
        spoilt[place] ^= 1 << int(rng.random() * 8)
    return bytes(spoilt)


def _flip_body(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    return framed(_flipped(body_of(fields), rng))


def _cut(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    whole = framed(body_of(fields))
    return whole[: int(rng.random() * len(whole))]


def _cut_body(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    body = body_of(fields)
    return framed(body[: int(rng.random() * len(body))])


def _splice(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    body, other = body_of(fields), body_of(known[int(rng.random() * len(known))])
    head = body[: int(rng.random() * len(body))]
    return framed(head + other[int(rng.random() * len(other)) :])


def _repeat(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    return framed(body_of(fields)) * (2 + int(rng.random() * 3))


def _reorder(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    frames = [framed(body_of(each)) for each in known]
    rng.shuffle(frames)
    return b"".join(frames)


def _wrong_length(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    body = body_of(fields)
    if rng.random() < 0.5:
        length = max(0, len(body) + int(rng.random() * 9) - 4)
    else:
        length = ODD_LENGTHS[int(rng.random() * len(ODD_LENGTHS))]
    return length.to_bytes(4, "little") + body


def _wrong_value(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    place = int(rng.random() * len(fields))
    value = ODD_VALUES[int(rng.random() * len(ODD_VALUES))]
    return framed(body_of((*fields[:place], value, *fields[place + 1 :])))


def _wrong_tag(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    tag = TAGS[int(rng.random() * len(TAGS))]
    return framed(body_of((text(tag), *fields[1:])))


def _wrong_number(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    if rng.random() < 0.5:
        return framed(body_of(fields[: int(rng.random() * len(fields))]))
    more = ODD_VALUES[int(rng.random() * len(ODD_VALUES))]
    return framed(body_of((*fields, more)))


def _wrong_shape(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    value = ODD_VALUES[int(rng.random() * len(ODD_VALUES))]
    if rng.random() < 0.5:
        return framed(value)
    return framed(bytes((int(rng.random() * 256),)) + b"".join(fields))


def _noise(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    data = rng.randbytes(int(rng.random() * 40))
    return data if rng.random() < 0.5 else framed(data)


_ALL: tuple[Callable[[Fields, tuple[Fields, ...], Random], bytes], ...] = (
    _flip,
    _flip_body,
    _cut,
    _cut_body,
    _splice,
    _repeat,
    _reorder,
    _wrong_length,
    _wrong_value,
    _wrong_value,
    _wrong_tag,
    _wrong_number,
    _wrong_shape,
    _noise,
)
