"""What is to be played: every match of the league.

A fixture's luck depends on who meets, not on who else takes part: adding or
removing a bot leaves all other games as they were.  Only at tables of three or more
it changes who sits with whom; the games of groups that remain stay as they were.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.league.config import LeagueConfig
from arena.league.entries import Entry
from arena.league.groups import balanced_groups
from arena.league.matches import Match, Terms


@dataclass(frozen=True, slots=True)
class Plan:
    """The games of a league."""

    matches: tuple[Match, ...]
    """A match stands here once for each time that games of it are planned."""
    idle: tuple[str, ...]
    """Labels of games that too few entries play, each with the reason."""

    def __len__(self) -> int:
        """Return how many games there are."""
        return sum(map(len, self.matches))

    def game_ids(self) -> Iterator[str]:
        """Yield the ids of all games, in the order of the plan."""
        for match in self.matches:
            yield from match.game_ids(range(len(match)))

    def games_by_label(self) -> dict[str, int]:
        """Return how many games there are of each label."""
        counts: Counter[str] = Counter()
        for match in self.matches:
            counts[match.label] += len(match)
        return dict(counts)

    def matches_by_label(self) -> dict[str, int]:
        """Return how many matches there are of each label."""
        return {label: len(groups) for label, groups in self._fixtures().items()}

    def meetings_by_label(self) -> dict[str, tuple[int, int]]:
        """Return how many fixtures two entries share, at least and at most."""
        found = {}
        for label, groups in self._fixtures().items():
            shared: Counter[tuple[str, ...]] = Counter()
            for group, fixtures in groups.items():
                for pair in combinations(group, 2):
                    shared[pair] += fixtures
            meetings = shared.values()
            found[label] = min(meetings, default=0), max(meetings, default=0)
        return found

    def _fixtures(self) -> dict[str, Counter[tuple[str, ...]]]:
        """Return how many fixtures there are of each match, by label."""
        found: dict[str, Counter[tuple[str, ...]]] = {}
        for match in self.matches:
            group = tuple([entry.id for entry in match.entries])
            found.setdefault(match.label, Counter())[group] += len(match.repetitions)
        return found


def make_plan(config: LeagueConfig, entries: Sequence[Entry]) -> Plan:
    """Plan a round robin: every two entries that play a game meet equally often.

    Every fixture holds one game for every rotation of the seats.  At tables of three
    or more two entries may meet once more than two others (`balanced_groups`).
    """
    matches: list[Match] = []
    idle = []
    for game in config.games:
        playing = [e for e in entries if game.spec.name in e.games]
        if len(playing) < game.spec.players:
            has = {0: "no bot plays", 1: "only one bot plays"}.get(
                len(playing), f"only {len(playing)} bots play"
            )
            idle.append(f"{game.label}: {has} it, a table takes {game.spec.players}")
            continue
        terms = Terms.of(config, game, playing)
        matches += _matches(terms, playing, game.fixtures)
    return Plan(tuple(matches), tuple(idle))


def _matches(terms: Terms, playing: Sequence[Entry], fixtures: int) -> Iterator[Match]:
    size = terms.unit.game.players
    if size < 3:
        repetitions = range(fixtures)
        for group in combinations(playing, size):
            yield Match(terms, group, repetitions)
        return
    ordered = sorted(playing, key=lambda entry: entry.id)
    found = Counter(balanced_groups(len(ordered), size, fixtures))
    for members, often in found.items():
        yield Match(terms, tuple(ordered[i] for i in members), range(often))
