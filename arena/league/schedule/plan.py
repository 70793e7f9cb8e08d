"""What is to be played: every match of the league.

A fixture's luck depends on who meets, not on who else takes part or why they meet:
adding or removing a bot leaves all other games as they were, and so does another
schedule.  Only at tables of three or more it changes who sits with whom; the games of
groups that remain stay as they were.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import Schedule
from arena.league.entries.entry import Entry
from arena.league.entries.roles import ALL_ALIKE, Roles
from arena.league.schedule.balanced_tables import balanced_groups
from arena.league.schedule.matches import Match, MatchTerms

_Groups = Counter[tuple[int, ...]]
"""Who sits together, by their places among those who play, and in how many fixtures."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The games of a league."""

    matches: tuple[Match, ...]
    """A match stands here once for each time that games of it are planned."""
    idle: tuple[str, ...]
    """What too few entries play for a table, each with the reason."""

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
        for label, shared in self.shared_by_label().items():
            playing = len(set(chain.from_iterable(shared)))
            least = 0 if len(shared) < comb(playing, 2) else min(shared.values())
            found[label] = least, max(shared.values())
        return found

    def shared_by_label(self) -> dict[str, Counter[tuple[str, str]]]:
        """Return how many fixtures any two share who meet, by their ids in order."""
        found = {}
        for label, groups in self._fixtures().items():
            shared: Counter[tuple[str, str]] = Counter()
            for group, fixtures in groups.items():
                for first, second in combinations(sorted(group), 2):
                    shared[first, second] += fixtures
            found[label] = shared
        return found

    def _fixtures(self) -> dict[str, Counter[tuple[str, ...]]]:
        """Return how many fixtures there are of each match, by label."""
        found: dict[str, Counter[tuple[str, ...]]] = {}
        for match in self.matches:
            group = found.setdefault(match.label, Counter())
            group[match.ids] += len(match.repetitions)
        return found


def make_plan(
    config: LeagueConfig, entries: Sequence[Entry], field: Roles = ALL_ALIKE
) -> Plan:
    """Plan every game that is not planned because of results.

    In a round robin every two entries that play a game meet equally often; with
    divisions those do that are in one, all references being in each of them.  In a
    gauntlet those sit together of whom at most one is no reference.  Every fixture
    holds one game for every rotation of the seats.  At tables of three or more two
    entries may meet once more than two others (`balanced_groups`), and in a gauntlet
    references meet each other at every table.
    """
    matches: list[Match] = []
    idle: list[str] = []
    for game in config.games:
        playing = [e for e in entries if game.spec.name in e.games]
        players = game.spec.players
        if len(playing) < players:
            idle.append(_too_few(game.label, len(playing), players))
            continue
        if players > 2:
            playing.sort(key=lambda entry: entry.id)
        groups: _Groups = Counter()
        if config.schedule is Schedule.GAUNTLET:
            groups = _gauntlet(playing, field, players, game.fixtures)
        else:
            for number, members in _parts(playing, field):
                if len(members) < players:
                    where = f"{game.label}, division {number}"
                    idle.append(_too_few(where, len(members), players))
                else:
                    # References by themselves need not meet again in each division.
                    groups |= _round_robin(members, players, game.fixtures)
        terms = MatchTerms.of(config, game, playing)
        for group, fixtures in sorted(groups.items()):
            together = tuple(playing[i] for i in group)
            matches.append(Match(terms, together, range(fixtures)))
    return Plan(tuple(matches), tuple(idle))


def _too_few(where: str, playing: int, players: int) -> str:
    has = {0: "no bot plays", 1: "only one bot plays"}.get(
        playing, f"only {playing} bots play"
    )
    return f"{where}: {has} it, a table takes {players}"


def _parts(
    playing: Sequence[Entry], field: Roles
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield who plays in each division; without any, all of them in one part."""
    numbers = [field.division(entry.id) for entry in playing]
    for number in sorted({*numbers} - {0}) or [0]:
        yield number, [i for i, n in enumerate(numbers) if n in (0, number)]


def _round_robin(members: Sequence[int], players: int, fixtures: int) -> _Groups:
    if players == 2:
        return Counter(dict.fromkeys(combinations(members, players), fixtures))
    found = Counter(balanced_groups(len(members), players, fixtures))
    return Counter(
        {tuple(members[i] for i in group): often for group, often in found.items()}
    )


def _gauntlet(
    playing: Sequence[Entry], field: Roles, players: int, fixtures: int
) -> _Groups:
    """Return all groups in which at most one is no reference.

    A reference meets each of the others in at least so many fixtures.
    """
    references = [i for i, e in enumerate(playing) if e.id in field.references]
    others = sorted({*range(len(playing))}.difference(references))
    groups = list(combinations(references, players))
    for tables in combinations(references, players - 1):
        groups += (tuple(sorted((*tables, other))) for other in others)
    together = comb(len(references) - 1, players - 2)
    return Counter(dict.fromkeys(groups, -(-fixtures // together)))
