"""A gauntlet: every bot meets the references, and these each other.

Those sit together of whom at most one is no reference.  At tables of three or more the
references meet each other at every table.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import ClassVar

from arena.errors import ConfigError
from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.entries.entry import Entry
from arena.league.schedule.core import Groups, Schedule


class Gauntlet(Schedule):
    """Everybody against the references."""

    needed: ClassVar = {
        "references": "a gauntlet is played against them; name some bots, such as "
        "[random_bot]"
    }

    @classmethod
    def check(cls, config: LeagueConfig) -> None:
        """Check also that there are references enough for every seat but one.

        Raises:
            ConfigError: there are not.
        """
        super().check(config)
        there = len(config.references)
        for i, game in enumerate(config.games):
            if there < game.spec.players - 1:
                raise ConfigError(
                    f"{config.path}: games[{i}].players",
                    f"a table of {game.spec.players} takes a bot and "
                    f"{game.spec.players - 1} references in a gauntlet; found {there} "
                    "under references: name more, or set fewer players",
                )

    def needed_references(self, players: int) -> tuple[int, str]:
        """Return one for every seat but that of the bot."""
        return players - 1, f"a table of {players} takes {players - 1}"

    def groups(
        self, game: LeagueGame, playing: Sequence[Entry]
    ) -> tuple[Groups, list[str]]:
        """Return all groups in which at most one is no reference.

        A reference meets each of the others in at least as many fixtures as the game
        has.
        """
        players = game.spec.players
        references = [i for i, e in enumerate(playing) if e.id in self.references]
        others = sorted({*range(len(playing))}.difference(references))
        together = comb(len(references) - 1, players - 2)
        fixtures = -(-game.fixtures // together)
        count = comb(len(references), players)
        count += comb(len(references), players - 1) * len(others)
        self.check_games(game, count * fixtures)
        groups = list(combinations(references, players))
        for tables in combinations(references, players - 1):
            groups += (tuple(sorted((*tables, other))) for other in others)
        return Counter(dict.fromkeys(groups, fixtures)), []
