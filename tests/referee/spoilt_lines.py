"""Spoils the lines of a program in every way that JSON can be spoilt."""

from collections.abc import Callable
from random import Random

ODD_VALUES = (
    "null",
    "true",
    "NaN",
    "-Infinity",
    "1e999",
    "-0",
    "4294967296",
    "305441741.0",
    "3.0544174e8",
    "9" * 400,
    "0x10",
    '""',
    '"305441741"',
    '"\\ud83d"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\x41"',
    '"\t"',
    "'roll'",
    '"' + "a" * 2000 + '"',
    "[]",
    "{}",
    '["zombie_dice",3]',
    '[["zombie_dice"]]',
    "[" * 50 + "]" * 50,
    "[" * 3000 + "]" * 3000,
    '{"a":' * 3000,
    "// roll",
    "",
)
"""Values, and what some languages or people take for values."""
KEYS = ("id", "action", "games", "name", "version", "error", "ID", "", "\\u0069d")

Fields = dict[str, str]
"""A reply: its values by their keys, each as it is written."""


def replies(serial: int) -> tuple[Fields, ...]:
    """Return a reply of each kind, the one that answers a decision first."""
    number = str(serial)
    return (
        {"id": number, "action": '"roll"'},
        {"id": number},
        {"id": number, "error": '"no idea"'},
        {"id": number, "games": '["zombie_dice"]', "name": '"Its name"'},
    )


def written(fields: Fields) -> bytes:
    """Return the line of a reply, without its end."""
    pairs = (f'"{key}":{value}' for key, value in fields.items())
    return ("{" + ",".join(pairs) + "}").encode()


def spoilt(known: tuple[Fields, ...], rng: Random) -> bytes:
    """Return the bytes to send instead of one of the known replies."""
    # The first is what is asked for: it gets furthest.
    choice = int(rng.random() * 2 * len(known))
    fields = known[choice] if choice < len(known) else known[0]
    return _ALL[int(rng.random() * len(_ALL))](fields, known, rng)


def _place(data: bytes | bytearray, rng: Random) -> int:
    return int(rng.random() * len(data))


def _flip(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    line = bytearray(written(fields) + b"\n")
    for _ in range(1 + int(rng.random() * 3)):
        line[_place(line, rng)] ^= 1 << int(rng.random() * 8)
    return bytes(line)


def _cut(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    line = written(fields)
    end = b"\n" if rng.random() < 0.7 else b""
    return line[: _place(line, rng)] + end


def _splice(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    line, other = written(fields), written(known[int(rng.random() * len(known))])
    return line[: _place(line, rng)] + other[_place(other, rng) :] + b"\n"


def _break(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    line = written(fields)
    place = _place(line, rng)
    ends = (b"\n", b"\r\n", b"\r", b"\n\n", b"\x00", b"\xef\xbb\xbf", b"\xff")
    return line[:place] + ends[int(rng.random() * len(ends))] + line[place:] + b"\n"


def _repeat(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    end = b"\n" if rng.random() < 0.5 else b""
    return (written(fields) + end) * (2 + int(rng.random() * 3)) + b"\n"


def _wrong_value(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    key = list(fields)[int(rng.random() * len(fields))]
    value = ODD_VALUES[int(rng.random() * len(ODD_VALUES))]
    return written({**fields, key: value}) + b"\n"


def _wrong_key(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    place = int(rng.random() * len(fields))
    key = KEYS[int(rng.random() * len(KEYS))]
    pairs = list(fields.items())
    pairs[place] = (key, pairs[place][1])
    return written(dict(pairs)) + b"\n"


def _one_more(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    key = KEYS[int(rng.random() * len(KEYS))]
    value = ODD_VALUES[int(rng.random() * len(ODD_VALUES))]
    return written({**fields, key: value}) + b"\n"


def _no_object(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    value = ODD_VALUES[int(rng.random() * len(ODD_VALUES))]
    return value.encode() + b"\n"


def _noise(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    return rng.randbytes(int(rng.random() * 40)) + b"\n"


def _huge(fields: Fields, known: tuple[Fields, ...], rng: Random) -> bytes:
    # Rare, as it takes long.
    if rng.random() < 0.99:
        return written(fields) + b"\n"
    size = 2**18 - 20 + int(rng.random() * 40)
    return b" " * (size - len(written(fields))) + written(fields) + b"\n"


_ALL: tuple[Callable[[Fields, tuple[Fields, ...], Random], bytes], ...] = (
    _flip,
    _cut,
    _splice,
    _break,
    _repeat,
    _wrong_value,
    _wrong_value,
    _wrong_key,
    _one_more,
    _no_object,
    _noise,
    _huge,
)
