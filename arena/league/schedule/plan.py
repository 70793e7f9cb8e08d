"""The plan of a league: all matches that are to be played."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

from arena.league.schedule.matches import Match


@dataclass(frozen=True, slots=True)
class Plan:
    """The games of a league."""

    matches: tuple[Match, ...]
    """A match stands here once for each time that games of it are planned."""
    idle: tuple[str, ...]
    """Games and divisions that too few entries play for a table, a sentence each."""

    def __len__(self) -> int:
        """Return the number of games."""
        return sum(map(len, self.matches))

    def game_ids(self) -> Iterator[str]:
        """Yield the ids of all games, in the order of the plan."""
        for match in self.matches:
            yield from match.game_ids(range(len(match)))

    def games_by_label(self) -> dict[str, int]:
        """Return the number of games of each label."""
        counts: Counter[str] = Counter()
        for match in self.matches:
            counts[match.label] += len(match)
        return dict(counts)

    def matches_by_label(self) -> dict[str, int]:
        """Return the number of matches of each label."""
        return {label: len(groups) for label, groups in self._fixtures().items()}

    def meetings_by_label(self) -> dict[str, tuple[int, int]]:
        """Return the fewest and the most fixtures that two entries of a label share."""
        found = {}
        for label, shared in self.shared_by_label().items():
            playing = len(set(chain.from_iterable(shared)))
            least = 0 if len(shared) < comb(playing, 2) else min(shared.values())
            found[label] = least, max(shared.values())
        return found

    def shared_by_label(self) -> dict[str, Counter[tuple[str, str]]]:
        """Return the number of fixtures that each pair shares, by ids in order."""
        found = {}
        for label, groups in self._fixtures().items():
            shared: Counter[tuple[str, str]] = Counter()
            for group, fixtures in groups.items():
                for first, second in combinations(sorted(group), 2):
                    shared[first, second] += fixtures
            found[label] = shared
        return found

    def _fixtures(self) -> dict[str, Counter[tuple[str, ...]]]:
        """Return the number of fixtures of each match, by label."""
        found: dict[str, Counter[tuple[str, ...]]] = {}
        for match in self.matches:
            group = found.setdefault(match.label, Counter())
            group[match.entry_ids] += len(match.repetitions)
        return found
