"""How all games ended that were played: a few bytes each, as there may be millions."""

from array import array
from collections.abc import Iterable, Iterator, Mapping

_SIZE = 10
"""Bytes of an id."""
_BUCKETS = 2**16
_NOBODY: Mapping[str, str] = {}


class PlayedGames(Mapping[str, Mapping[str, str]]):
    """By the id of a game: how every entry that forfeited it did so.

    Ids are kept in one piece, in their order, as they are in a results folder.
    """

    def __init__(self, ends: Iterable[tuple[str, Mapping[str, str]]]) -> None:
        """Take games in the order of their ids.

        Those with ids that no plan has are left out.

        Raises:
            ValueError: they come in another order.
        """
        self._ids = bytearray()
        self._faults: dict[bytes, Mapping[str, str]] = {}
        """Of the games that someone forfeited."""
        seen: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
        counts = array("L", bytes(array("L").itemsize * _BUCKETS))
        last = b""
        for game_id, faults in ends:
            raw = _raw(game_id)
            if not raw:
                continue
            if raw <= last:
                raise ValueError(f"expected games in the order of their ids: {game_id}")
            last = raw
            self._ids += raw
            counts[_bucket(raw)] += 1
            if faults:
                # The same bots fail in the same way, again and again.
                self._faults[raw] = seen.setdefault(tuple(faults.items()), faults)
        self._starts = array("L", [0])
        """Where the ids of each bucket begin."""
        for count in counts:
            self._starts.append(self._starts[-1] + count * _SIZE)

    def __len__(self) -> int:
        return len(self._ids) // _SIZE

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self._ids), _SIZE):
            yield self._ids[start : start + _SIZE].hex()

    def __getitem__(self, game_id: str) -> Mapping[str, str]:
        raw = _raw(game_id)
        if not raw or not self._has(raw):
            raise KeyError(game_id)
        return self._faults.get(raw, _NOBODY)

    def __contains__(self, game_id: object) -> bool:
        raw = _raw(game_id) if isinstance(game_id, str) else b""
        return bool(raw) and self._has(raw)

    def _has(self, raw: bytes) -> bool:
        bucket = _bucket(raw)
        end = self._starts[bucket + 1]
        found = self._ids.find(raw, self._starts[bucket], end)
        while found > 0 and found % _SIZE:
            found = self._ids.find(raw, found + 1, end)
        return found >= 0


def _raw(game_id: str) -> bytes:
    """Return an id in half as many bytes; empty if it is none of a plan's."""
    try:
        raw = bytes.fromhex(game_id)
    except ValueError:
        return b""
    return raw if len(raw) == _SIZE and raw.hex() == game_id else b""


def _bucket(raw: bytes) -> int:
    return raw[0] << 8 | raw[1]
