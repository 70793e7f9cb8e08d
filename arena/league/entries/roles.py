"""Who is set apart in a league: the references, and the bots of each division.

Divisions are cut from a line of all bots but the references.  Without an earlier league
a bot's place in it depends on nothing but the league's seed and the bot's id, so one
that comes or goes moves few others into another division.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arena.errors import ConfigError
from arena.games import derive_seed
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import Schedule
from arena.league.entries.enrolment import Enrolment
from arena.league.entries.entry import Entry

LEADERBOARD = "leaderboard.json"
"""All that is read of an earlier league; `results/README.md` has its form."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Which entries are references, and which division each of the others is in."""

    references: tuple[str, ...] = ()
    """Ids, in the order of the league's file."""
    divisions: Mapping[str, int] = field(default_factory=dict)
    """By id, from 1; empty where there are none."""

    def division(self, entry: str) -> int:
        """Return the division of an entry; 0 without any, and for a reference."""
        return self.divisions.get(entry, 0)

    def sizes(self) -> list[int]:
        """Return how many entries each division has, the references not counted."""
        return [size for _, size in sorted(Counter(self.divisions.values()).items())]


ALL_ALIKE = Roles()


class _Row(msgspec.Struct):
    rank: int
    bot: str
    file: str


class _Leaderboard(msgspec.Struct):
    rows: list[_Row]


def assign_roles(config: LeagueConfig, enrolment: Enrolment) -> Roles:
    """Return who is what in a league that has passed `check_schedule`.

    Raises:
        ConfigError: a reference is not there, or plays too little to be one; or there
            are no ranks of the earlier league that divisions are to be made by.
    """
    references = tuple(_references(config, enrolment))
    others = [e for e in enrolment.entries if e.id not in references]
    divisions: dict[str, int] = {}
    if config.divisions is not None:
        line = _line(config, others)
        count = -(-len(line) // config.divisions.size)
        for number in range(count):
            start, end = (len(line) * i // count for i in (number, number + 1))
            divisions.update((entry.id, number + 1) for entry in line[start:end])
    found = Roles(references, divisions)
    if references:
        _check_references(config, enrolment.entries, found)
    return found


def _references(config: LeagueConfig, enrolment: Enrolment) -> Iterator[str]:
    found: dict[str, str] = {}
    for i, name in enumerate(config.references):
        where = f"{config.path}: references[{i}]"
        entry = enrolment.called(name, where)
        if entry.id in found:
            raise ConfigError(
                where, f"{name!r} is the same bot as {found[entry.id]!r}; name it once"
            )
        found[entry.id] = name
        yield entry.id


def _check_references(
    config: LeagueConfig, entries: Sequence[Entry], found: Roles
) -> None:
    """Check that enough references play each game that is played at all."""
    for game in config.games:
        name, players = game.spec.name, game.spec.players
        playing = {entry.id for entry in entries if name in entry.games}
        if len(playing) < players:
            continue
        takes, why = min(1, len(found.sizes()) - 1), "only they link the divisions"
        if config.schedule is Schedule.GAUNTLET:
            takes, why = players - 1, f"a table of {players} takes {players - 1}"
        there = len(playing.intersection(found.references))
        if there < takes:
            has = {0: "none of them plays", 1: "only one of them plays"}.get(
                there, f"only {there} of them play"
            )
            raise ConfigError(
                f"{config.path}: references",
                f"{has} {name}, and {why}; name another that does",
            )


def _line(config: LeagueConfig, others: Sequence[Entry]) -> list[Entry]:
    """Return all but the references in the order that divisions are cut from.

    By their ranks in the earlier league, if there is one; those that it does not know
    come last, by chance.
    """
    assert config.divisions is not None
    ranks = {}
    if config.divisions.by is not None:
        ranks = _ranks(f"{config.path}: divisions.by", config.divisions.by, others)
    unknown = max(ranks.values(), default=0) + 1

    def place(entry: Entry) -> tuple[int, bytes]:
        return (
            ranks.get(entry.id, unknown),
            derive_seed("division", config.seed, entry.id),
        )

    return sorted(others, key=place)


def _ranks(where: str, folder: str, entries: Sequence[Entry]) -> dict[str, int]:
    """Return the overall ranks that entries had in another league, by id.

    A bot is found by its file.  If several come from one, it takes their names too.
    """
    path = Path(folder) / LEADERBOARD
    try:
        rows = msgspec.json.decode(path.read_bytes(), type=_Leaderboard).rows
    except OSError as error:
        raise ConfigError(
            where,
            f"{path} can't be read ({error.strerror}); run that league first, or leave "
            "this out",
        ) from None
    except msgspec.MsgspecError as error:
        raise ConfigError(
            where, f"{path} is damaged ({error}); run that league again"
        ) from None
    then = Counter(row.file for row in rows)
    now = Counter(entry.file for entry in entries)
    by_file = {row.file: row.rank for row in rows if then[row.file] == 1}
    by_name = {(row.file, row.bot): row.rank for row in rows}
    ranks = {}
    for entry in entries:
        rank = by_name.get((entry.file, entry.name))
        if rank is None and now[entry.file] == 1:
            rank = by_file.get(entry.file)
        if rank is not None:
            ranks[entry.id] = rank
    return ranks
