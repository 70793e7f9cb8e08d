"""A round robin: every two entries that play a game meet equally often.

At tables of three or more two entries may meet once more than two others
(`balanced_groups`).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

from arena.league.config.league_file import LeagueGame
from arena.league.entries.entry import Entry
from arena.league.schedule.balanced_tables import balanced_groups
from arena.league.schedule.core import Groups, Schedule


class RoundRobin(Schedule):
    """Everybody meets everybody."""

    def groups(
        self, game: LeagueGame, playing: Sequence[Entry]
    ) -> tuple[Groups, list[str]]:
        """Return all pairs, or balanced tables of more."""
        members = range(len(playing))
        self.check_games(game, least_fixtures(game, len(members)))
        return round_robin(members, game.spec.players, game.fixtures), []


def least_fixtures(game: LeagueGame, members: int) -> int:
    """Return a number of fixtures that a round robin of so many surely has."""
    return -(-game.fixtures * comb(members, 2) // comb(game.spec.players, 2))


def round_robin(members: Sequence[int], players: int, fixtures: int) -> Groups:
    """Return groups in which every two members share about so many fixtures."""
    if players == 2:
        return Counter(dict.fromkeys(combinations(members, players), fixtures))
    found = Counter(balanced_groups(len(members), players, fixtures))
    return Counter(
        {tuple(members[i] for i in group): often for group, often in found.items()}
    )
