"""Seeds and named chance streams: the same purpose, the same luck.

Every number here comes from a cryptographic hash of names, so it is the same on
any machine, in any process and in any order of asking.
"""

import struct
from hashlib import blake2b

_WHOLE = struct.Struct("<Q")


def framed(*parts: str | int | bytes) -> bytes:
    """Return bytes that no other parts have: each part behind its length."""
    found = b""
    for part in parts:
        if not isinstance(part, bytes):
            part = str(part).encode()
        found += len(part).to_bytes(8, "little") + part
    return found


def seed_of(frames: bytes) -> bytes:
    """Return the seed that `derive_seed` makes of parts that are framed already."""
    return blake2b(frames, digest_size=32).digest()


def derive_seed(*parts: str | int | bytes) -> bytes:
    """Return 32 bytes that depend on every part and on the order of the parts."""
    return seed_of(framed(*parts))


class Streams:
    """The chance streams of a seed, of up to 64 bytes."""

    __slots__ = ("_keyed",)

    def __init__(self, seed: bytes) -> None:
        self._keyed = blake2b(key=seed, digest_size=8)

    def uniform(self, stream: str) -> float:
        """Return the number in [0, 1), a multiple of 2**-53, of a named stream."""
        keyed = self._keyed.copy()
        keyed.update(stream.encode())
        (whole,) = _WHOLE.unpack(keyed.digest())
        number: float = (whole >> 11) * 2.0**-53
        return number


def uniform(seed: bytes, stream: str) -> float:
    """Return the number of a named stream, as `Streams` does."""
    return Streams(seed).uniform(stream)
