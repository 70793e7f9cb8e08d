"""Picks the games of each work unit: many games, and few processes for them.

An entry has one process for its games in a unit, or one for each seating.  So a long
match is a unit by itself, or several; of short ones those are taken together that the
same entries play.  What is in a unit together makes no difference to any result.
"""

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from itertools import groupby, islice, permutations

from arena.league.schedule.matches import Match
from arena.league.schedule.quarantine import Player

MOST_GAMES = 1000
"""Games of a unit at the most, unless a single fixture has more."""
_FEWEST_GAMES = 32
"""A unit is not cut to fewer, lest a process is started for next to nothing."""
MOST_ENTRIES = 24
"""Entries of a unit at the most, unless a single table has more."""
_UNITS_PER_WORKER = 2
"""Units that are left for each worker, at the least, so that all end together."""
_MATCHES_AHEAD = 256
"""Matches at large tables that are looked through for those of the same entries."""


class UnitPicker:
    """Picks the matches of the next unit among those of which games wait to be taken.

    They come about in the order of the plan: in it, it is decided who is quarantined.
    """

    def __init__(
        self,
        matches: Sequence[Match],
        games: MutableSequence[int],
        workers: int,
        out: Iterable[Player],
    ) -> None:
        """Take all matches, and of how many of its games each waits.

        Matches of who is `out` are not played as they are planned.
        """
        self._matches = matches
        self._games = games
        self._left = sum(games)
        self._fewest_units = _UNITS_PER_WORKER * workers
        self._out = set(out)
        indices = range(len(matches))
        self._sections: deque[Sequence[int]] = deque(self._by_label(indices))
        """Matches of the same label that come one after another."""
        self._table: _Pairs | _Tables = _Tables(matches, games)
        """Those of the section that is played now."""
        self._label = ""
        """Of that section."""

    def choose(self) -> tuple[list[int], int]:
        """Return the matches of the next unit, by index, and its number of games.

        No matches if none wait.  A single match may have more games than that.
        """
        while not self._table:
            if not self._sections:
                return [], 0
            self._open(self._sections.popleft())
        most = min(MOST_GAMES, max(_FEWEST_GAMES, self._left // self._fewest_units))
        first = self._table.first
        games = self._games[first]
        if games > most:
            return [first], most if games > 2 * most else (games + 1) // 2
        return self._table.choose(most), most

    def take(self, match: int, games: int) -> None:
        """Remove so many games of a match."""
        self._left -= games
        self._games[match] -= games
        if not self._games[match]:
            self._table.remove(match)

    def put_back(self, games: Mapping[int, int]) -> None:
        """Add so many games of each match again, behind all others."""
        for match, number in games.items():
            self._games[match] += number
            self._left += number
        self._sections += self._by_label(sorted(games))

    def drop(self, player: Player) -> None:
        """Remove all matches that an entry has in a label."""
        self._out.add(player)
        label, entry = player
        if label == self._label:
            for match in self._table.of(entry):
                self.take(match, self._games[match])

    def _by_label(self, indices: Iterable[int]) -> Iterator[Sequence[int]]:
        for _, section in groupby(indices, key=lambda i: self._matches[i].label):
            yield array("L", section)

    def _open(self, section: Sequence[int]) -> None:
        """Begin with another section, without the matches of who is out."""
        first = self._matches[section[0]]
        self._label = first.label
        is_pairs = len(first.entries) == 2
        self._table = (_Pairs if is_pairs else _Tables)(self._matches, self._games)
        out = {entry for label, entry in self._out if label == self._label}
        for match in section:
            if out and not out.isdisjoint(self._matches[match].entry_ids):
                self._left -= self._games[match]
                self._games[match] = 0
            if self._games[match]:
                self._table.add(match)


class _Tables:
    """Waiting matches at larger tables; a unit takes some with few entries in all."""

    def __init__(self, matches: Sequence[Match], games: Sequence[int]) -> None:
        self._matches = matches
        self._games = games
        self._waiting: dict[int, None] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def first(self) -> int:
        return next(iter(self._waiting))

    def add(self, match: int) -> None:
        self._waiting[match] = None

    def remove(self, match: int) -> None:
        del self._waiting[match]

    def of(self, entry: str) -> list[int]:
        return [m for m in self._waiting if entry in self._matches[m].entry_ids]

    def choose(self, most: int) -> list[int]:
        chosen: list[int] = []
        meeting: set[str] = set()
        games = 0
        for match in islice(self._waiting, _MATCHES_AHEAD):
            together = meeting.union(self._matches[match].entry_ids)
            if not chosen or (
                len(together) <= MOST_ENTRIES and games + self._games[match] <= most
            ):
                chosen.append(match)
                meeting = together
                games += self._games[match]
        return chosen


class _Pairs:
    """Waiting matches of two; a unit takes those that some entries have among them."""

    def __init__(self, matches: Sequence[Match], games: Sequence[int]) -> None:
        self._matches = matches
        self._games = games
        self._meetings: dict[str, dict[str, list[int]]] = {}
        """By entry and opponent; two may meet again in a later match."""

    def __bool__(self) -> bool:
        return bool(self._meetings)

    @property
    def first(self) -> int:
        first = next(iter(self._meetings.values()))
        return next(iter(first.values()))[0]

    def add(self, match: int) -> None:
        for one, other in permutations(self._matches[match].entry_ids):
            self._meetings.setdefault(one, {}).setdefault(other, []).append(match)

    def remove(self, match: int) -> None:
        for one, other in permutations(self._matches[match].entry_ids):
            self._meetings[one][other].remove(match)
            if not self._meetings[one][other]:
                del self._meetings[one][other]
            if not self._meetings[one]:
                del self._meetings[one]

    def of(self, entry: str) -> list[int]:
        return [m for found in self._meetings.get(entry, {}).values() for m in found]

    def choose(self, most: int) -> list[int]:
        """Take one entry after another, whoever has most games with the others."""
        chosen: list[int] = []
        games = 0
        together: set[str] = set()
        common: dict[str, int] = {}
        """Games that others have with them."""
        coming = list(self._matches[self.first].entry_ids)
        while coming and len(together) < MOST_ENTRIES:
            entry = coming.pop(0)
            games += common.pop(entry, 0)
            if chosen and games > most:
                break
            for other, matches in self._meetings[entry].items():
                if other in together:
                    chosen += matches
                else:
                    more = sum([self._games[match] for match in matches])
                    common[other] = common.get(other, 0) + more
            together.add(entry)
            if common and not coming:
                # Of several, the one that comes first: quarantine is decided in the
                # order of the plan.
                coming.append(max(common, key=common.__getitem__))
        return sorted(chosen)
