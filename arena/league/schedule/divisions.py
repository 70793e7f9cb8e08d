"""Divisions: a round robin in each, with the references in all of them.

Divisions are cut from a line of all bots but the references.  Without an earlier league
a bot's place in it depends on nothing but a key of the league and the bot's id, so one
that comes or goes moves few others into another division, and a new version stays.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import ClassVar

import msgspec

from arena.errors import ConfigError
from arena.games import derive_seed
from arena.league.config.league_file import LeagueGame
from arena.league.config.settings import DivisionSettings
from arena.league.config.small_file import read_small
from arena.league.config.whose_bots import read_whose_bots
from arena.league.entries.entry import Entry
from arena.league.schedule.core import Groups, Schedule, too_few
from arena.league.schedule.round_robin import least_fixtures, round_robin
from arena.text import counted

LEADERBOARD = "leaderboard.json"
"""All that is read of an earlier league; `results/README.md` has its form."""


class _Row(msgspec.Struct):
    rank: int | None
    """None for a bot that was not ranked, as it did not play all games."""
    bot: str
    file: str


class _Leaderboard(msgspec.Struct):
    rows: list[_Row]


class Divisions(Schedule):
    """A round robin in each division."""

    needed: ClassVar = {
        "references": "divisions can be compared only by bots that play in all of "
        "them; name some bots, such as [random_bot]",
        "divisions": "the key is missing; say how many bots a division has, such as "
        "{size: 12}",
    }

    def divide(self, others: Sequence[Entry]) -> Mapping[str, int]:
        """Return divisions of nearly the same size.

        Raises:
            ConfigError: the ranks of the earlier league can't be read.
        """
        line = self._line(others)
        count = -(-len(line) // self._settings.size)
        divisions: dict[str, int] = {}
        for number in range(count):
            start, end = (len(line) * i // count for i in (number, number + 1))
            divisions.update((entry.id, number + 1) for entry in line[start:end])
        return divisions

    def needed_references(self, players: int) -> tuple[int, str]:
        """Return one, if there are several divisions to be compared."""
        return min(1, len(self.division_sizes) - 1), "only they link the divisions"

    def groups(
        self, game: LeagueGame, playing: Sequence[Entry]
    ) -> tuple[Groups, list[str]]:
        """Return the tables of a round robin in each division."""
        players = game.spec.players
        numbers = [self.divisions.get(entry.id, 0) for entry in playing]
        groups: Groups = Counter()
        idle = []
        for number in sorted({*numbers} - {0}) or [0]:
            members = [i for i, n in enumerate(numbers) if n in (0, number)]
            if len(members) < players:
                where = f"{game.label}, division {number}"
                idle.append(too_few(where, len(members), players))
            else:
                self.check_games(game, least_fixtures(game, len(members)))
                # References by themselves need not meet again in each division.
                groups |= round_robin(members, players, game.fixtures)
        return groups, idle

    def overview(self, names: Mapping[str, str]) -> list[str]:
        """Return sentences on the sizes of divisions, and on the references."""
        sizes = self.division_sizes
        if not sizes:
            return super().overview(names)
        low, high = min(sizes), max(sizes)
        each = f"{low}" if low == high else f"{low} or {high}"
        return [
            f"{counted(len(sizes), 'division')} of {each} bots.",
            *super().overview(names),
        ]

    def _line(self, others: Sequence[Entry]) -> list[Entry]:
        """Return all but the references in the order that divisions are cut from.

        By their ranks in the earlier league, if there is one; those that it does not
        rank or know come last, by chance.
        """
        ranks = {}
        if self._settings.by is not None:
            where = f"{self.config.path}: divisions.by"
            ranks = _ranks(where, Path(self._settings.by), others)
        unknown = max(ranks.values(), default=0) + 1

        # Not the luck: a new throw of the dice moves nobody.
        key = self.keys.ids if self.keys.seed is None else self.keys.seed

        def place(entry: Entry) -> tuple[int, bytes]:
            return (
                ranks.get(entry.id, unknown),
                derive_seed("division", key, entry.id),
            )

        return sorted(others, key=place)

    @property
    def _settings(self) -> DivisionSettings:
        assert self.config.divisions is not None  # `check` has found it.
        return self.config.divisions


def _ranks(where: str, folder: Path, entries: Sequence[Entry]) -> dict[str, int]:
    """Return the overall ranks that entries had in another league, by id.

    Those without one there are left out.

    A student's bot has the best rank of that student's bots there.  Any other is found
    by its file, and if several come from one, by their names too.
    """
    path = folder / LEADERBOARD
    try:
        rows = msgspec.json.decode(read_small(path), type=_Leaderboard).rows
    except OSError as error:
        raise ConfigError(
            where,
            f"{path} can't be read ({error.strerror}); run that league first, or leave "
            "this out",
        ) from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ConfigError(
            where, f"{path} is damaged ({error}); run that league again"
        ) from None
    then = Counter(row.file for row in rows)
    now = Counter(entry.file for entry in entries)
    ranked = {(row.file, row.bot): row.rank for row in rows if row.rank is not None}
    if rows and not ranked:
        raise ConfigError(
            where,
            f"{path} ranks no bot over all games, as fewer than two play all of them; "
            "name another league, or leave this out",
        )
    by_file = {file: rank for (file, _), rank in ranked.items() if then[file] == 1}
    # Here or there its name may stand with the folder that tells it apart.
    by_name = _by_name(by_file, then)
    names = Counter(PurePath(entry.file).name for entry in entries)
    by_student: dict[str, int] = {}
    for bot in read_whose_bots(where, folder):
        had = ranked.get((bot.file, bot.bot))
        if had is not None:
            for student in bot.students:
                by_student[student] = min(had, by_student.get(student, had))
    ranks = {}
    for entry in entries:
        if by_student and entry.students:
            known = [by_student[x] for x in entry.students if x in by_student]
            if known:
                ranks[entry.id] = min(known)
            continue
        rank = ranked.get((entry.file, entry.name))
        if rank is None and now[entry.file] == 1:
            name = PurePath(entry.file).name
            rank = by_file.get(entry.file)
            if rank is None and names[name] == 1:
                rank = by_name.get(name)
        if rank is not None:
            ranks[entry.id] = rank
    return ranks


def _by_name(ranks: Mapping[str, int], files: Iterable[str]) -> dict[str, int]:
    """Return the ranks of files whose name none of the other `files` has."""
    times = Counter(PurePath(file).name for file in files)
    names = ((PurePath(file).name, rank) for file, rank in ranks.items())
    return {name: rank for name, rank in names if times[name] == 1}
