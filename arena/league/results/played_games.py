"""All games that were played, in a few bytes each: there may be millions."""

from array import array
from collections.abc import Iterable, Iterator, Mapping

_ID_BYTES = 10
_BUCKETS = 2**16
_NO_FAULTS: Mapping[str, str] = {}


class PlayedGames(Mapping[str, Mapping[str, str]]):
    """By id of a game: the terminations of the entries that forfeited it, by entry.

    Ids are kept in their order, in one piece of memory.
    """

    def __init__(self, games: Iterable[tuple[str, Mapping[str, str]]]) -> None:
        """Take ids in their order, each with the faults of its game.

        An id that no plan can have is left out.

        Raises:
            ValueError: they are not in order.
        """
        self._ids = bytearray()
        self._faults: dict[bytes, Mapping[str, str]] = {}
        """Of the games that someone forfeited."""
        seen: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
        counts = array("L", bytes(array("L").itemsize * _BUCKETS))
        last = b""
        for game_id, faults in games:
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
            self._starts.append(self._starts[-1] + count * _ID_BYTES)

    def __len__(self) -> int:
        return len(self._ids) // _ID_BYTES

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self._ids), _ID_BYTES):
            yield self._ids[start : start + _ID_BYTES].hex()

    def __getitem__(self, game_id: str) -> Mapping[str, str]:
        raw = _raw(game_id)
        if not raw or not self._has(raw):
            raise KeyError(game_id)
        return self._faults.get(raw, _NO_FAULTS)

    def __contains__(self, game_id: object) -> bool:
        raw = _raw(game_id) if isinstance(game_id, str) else b""
        return bool(raw) and self._has(raw)

    def _has(self, raw: bytes) -> bool:
        bucket = _bucket(raw)
        end = self._starts[bucket + 1]
        found = self._ids.find(raw, self._starts[bucket], end)
        while found > 0 and found % _ID_BYTES:
            found = self._ids.find(raw, found + 1, end)
        return found >= 0


def _raw(game_id: str) -> bytes:
    """Return the bytes of an id; none if no plan can have it."""
    try:
        raw = bytes.fromhex(game_id)
    except ValueError:
        return b""
    return raw if len(raw) == _ID_BYTES and raw.hex() == game_id else b""


def _bucket(raw: bytes) -> int:
    return raw[0] << 8 | raw[1]
