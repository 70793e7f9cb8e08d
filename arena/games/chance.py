"""Seeds and named chance streams: the same purpose, the same luck.

Every number here comes from a cryptographic hash of names, so it is the same on
any machine, in any process and in any order of asking.
"""

from hashlib import blake2b


def derive_seed(*parts: str | int | bytes) -> bytes:
    """Return 32 bytes that depend on every part and on the order of the parts."""
    digest = blake2b(digest_size=32)
    for part in parts:
        if not isinstance(part, bytes):
            part = str(part).encode()
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def uniform(seed: bytes, stream: str) -> float:
    """Return the number in [0, 1), a multiple of 2**-53, of a named stream."""
    digest = blake2b(stream.encode(), key=seed, digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 11) * 2.0**-53
