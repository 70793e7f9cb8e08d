"""The keys that the luck of a league, its ids and its aliases hang on."""

from hashlib import sha256
from typing import Self

import msgspec

KEY_BYTES = 32


class Keys(msgspec.Struct, frozen=True):
    """Three keys that tell nothing of each other, or the seed of public luck.

    Neither a bot, a page, an export nor a league's store ever holds one.
    """

    luck: bytes | int
    """The key of all chance events; a number if the luck is public."""
    ids: bytes = b""
    """The key of the ids of matches, fixtures and games, and of who is in which
    division; empty if the luck is public, for then ids may show it."""
    aliases: bytes = b""
    """The key of the names on public pages; empty if the luck is public."""
    earlier: tuple[str, ...] = ()
    """The commitments to luck keys that the league has had before this one."""

    @classmethod
    def of_seed(cls, seed: int) -> Self:
        """Return the keys of public luck."""
        return cls(seed)

    @property
    def seed(self) -> int | None:
        """The seed of public luck; None if the luck is secret."""
        return self.luck if isinstance(self.luck, int) else None

    @property
    def commitment(self) -> str:
        """What may be told of a secret luck key (`commitment_to`); empty without."""
        return "" if isinstance(self.luck, int) else commitment_to(self.luck)

    def __repr__(self) -> str:
        """Say nothing of the keys: what is printed may be read by anybody."""
        return f"Keys({self.seed if self.seed is not None else self.commitment})"


def commitment_to(luck: bytes) -> str:
    """Return the SHA-256 of a luck key in hexadecimal digits.

    Who has been told it beforehand can check a key that is revealed later.
    """
    return sha256(luck).hexdigest()
