"""The base of all schedules: who meets whom, how often, and in which stages.

Each schedule is a subclass in a file of its name (`RoundRobin` in `round_robin.py`),
and a line of `ScheduleName` in `arena/league/config/settings.py`; nothing else asks
which one a league has.  A schedule says:

* the keys that the league's file must have for it (`needed`, `check`),
* the bots that are set apart (`needed_references`, `divide`),
* the groups that play together, and how often (`groups`),
* the first stage, the next ones, and when it is over (`first`, `next`, `bound`),
* the words for the instructor and the dry run (`notes`, `overview`, `power_note`).

Only `groups` has to be written; the base class says the rest for a schedule that treats
all bots alike and plans all games at once.

A fixture's luck depends on who meets, not on who else takes part or why they meet:
adding or removing a bot leaves all other games as they were, and so does another
schedule.  Only at tables of three or more it changes who sits with whom; the games of
groups that remain stay as they were.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arena.errors import ConfigError
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.config.settings import ScheduleName
from arena.league.entries.enrolment import Enrolment
from arena.league.entries.entry import Entry
from arena.league.schedule.matches import Match, MatchTerms
from arena.league.schedule.plan import Plan
from arena.league.schedule.quarantine import Player
from arena.registry import load

if TYPE_CHECKING:
    from arena.ratings import Result

Groups = Counter[tuple[int, ...]]
"""The number of fixtures of each group, by the indices of its members in `playing`."""

MAX_GAMES = 10_000_000
"""Of a league: planning keeps a few bytes of each, and takes minutes for so many."""
_REFUSALS = {
    "references": "with schedule: {} nobody is set apart",
    "divisions": "there are none with schedule: {}",
}
"""Keys of the league's file that only some schedules have a use for, and what to say
of one with any other."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The plan of a league as far as it is made."""

    plan: Plan
    most: int
    """Games that there may be in the end."""
    title: str = ""
    """Its name in the progress view; empty if all games are planned at once."""
    looks: int = 0
    """The number of times that results were judged to plan more games."""
    exploring: tuple[str, ...] = ()
    """Labels that may get more games because of results."""
    exploring_games: tuple[int, int] | None = None
    """Places in the plan, from 0, of the first game that depends on results and of the
    first behind these, be they planned or not; None if there never are any."""

    @property
    def is_whole(self) -> bool:
        """True if there are no further games."""
        return not self.exploring


class Schedule(ABC):
    """Plans the games of a league: all of them at once, unless a subclass differs."""

    needed: ClassVar[Mapping[str, str]] = {}
    """By each key in `_REFUSALS` that this schedule takes: what to say if it is
    missing."""

    @classmethod
    def check(cls, config: LeagueConfig) -> None:
        """Check that a league's file has what is needed, and nothing that is not used.

        Raises:
            ConfigError: it does not.
        """
        for key, refusal in _REFUSALS.items():
            where = f"{config.path}: {key}"
            is_there = bool(getattr(config, key))
            if key in cls.needed and not is_there:
                raise ConfigError(where, cls.needed[key])
            if is_there and key not in cls.needed:
                others = [x for x in ScheduleName if key in _class_of(x).needed]
                raise ConfigError(
                    where,
                    f"{refusal.format(config.schedule)}; leave this out, or set "
                    f"schedule to {' or '.join(others)}",
                )

    def __init__(self, config: LeagueConfig, enrolment: Enrolment, keys: Keys) -> None:
        """Plan the league of a file that has passed `check`.

        Raises:
            ConfigError: who takes part does not fit it.
        """
        self.config = config
        self.keys = keys
        self.references = tuple(self._references(enrolment))
        """Ids of the bots that are set apart, in the order of the league's file."""
        others = [e for e in enrolment.entries if e.id not in self.references]
        self.divisions = self.divide(others)
        self._check_references(enrolment.entries)
        self.plan = self._plan(enrolment.entries)
        """Every game, apart from those that are planned because of results."""

    def divide(self, others: Sequence[Entry]) -> Mapping[str, int]:
        """Return the division, from 1, of each entry that is no reference, by id.

        Without divisions there is none.
        """
        return {}

    def needed_references(self, players: int) -> tuple[int, str]:
        """Return the least number of references at such a table, and the reason."""
        return 0, ""

    @abstractmethod
    def groups(
        self, game: LeagueGame, playing: Sequence[Entry]
    ) -> tuple[Groups, list[str]]:
        """Return the groups that play a game, and sentences on those too small for it.

        `playing` are at least as many as sit at a table.

        Raises:
            ConfigError: there are too many (`check_games`).
        """

    def check_games(self, game: LeagueGame, fixtures: int) -> None:
        """Check that so many fixtures of a game, over all groups, are not too many.

        To be asked before groups are listed: nobody has the memory for some.

        Raises:
            ConfigError: they are.
        """
        games = fixtures * game.spec.players
        if games <= MAX_GAMES:
            return
        index = self.config.games.index(game)
        # One less, as seatings may need some more than are asked for.
        fewer = game.fixtures * MAX_GAMES // games - 1
        raise ConfigError(
            f"{self.config.path}: games[{index}].fixtures",
            f"{game.fixtures} fixtures make {games} games or more, and a league has "
            f"{MAX_GAMES} at the most; "
            + (f"set it to {fewer} or less" if fewer > 0 else "let fewer bots meet"),
        )

    def _references(self, enrolment: Enrolment) -> Iterator[str]:
        found: dict[str, str] = {}
        for i, name in enumerate(self.config.references):
            where = f"{self.config.path}: references[{i}]"
            entry = enrolment.called(name, where)
            if entry.id in found:
                raise ConfigError(
                    where,
                    f"{name!r} is the same bot as {found[entry.id]!r}; name it once",
                )
            found[entry.id] = name
            yield entry.id

    def _check_references(self, entries: Sequence[Entry]) -> None:
        """Check that enough references play each game that is played at all."""
        for game in self.config.games:
            name, players = game.spec.name, game.spec.players
            playing = {entry.id for entry in entries if name in entry.games}
            if len(playing) < players:
                continue
            takes, why = self.needed_references(players)
            there = len(playing.intersection(self.references))
            if there < takes:
                has = {0: "none of them plays", 1: "only one of them plays"}.get(
                    there, f"only {there} of them play"
                )
                raise ConfigError(
                    f"{self.config.path}: references",
                    f"{has} {name}, and {why}; name another that does",
                )

    def _plan(self, entries: Sequence[Entry]) -> Plan:
        matches: list[Match] = []
        idle: list[str] = []
        planned = 0
        for game in self.config.games:
            playing = [e for e in entries if game.spec.name in e.games]
            players = game.spec.players
            if len(playing) < players:
                idle.append(too_few(game.label, len(playing), players))
                continue
            if players > 2:
                playing.sort(key=lambda entry: entry.id)
            groups, reasons = self.groups(game, playing)
            self.check_games(game, groups.total())
            idle += reasons
            planned += groups.total() * players
            terms = MatchTerms.of(self.config, game, playing, self.keys)
            for group, fixtures in sorted(groups.items()):
                together = tuple(playing[i] for i in group)
                matches.append(Match(terms, together, range(fixtures)))
        if planned > MAX_GAMES:
            raise ConfigError(
                f"{self.config.path}: games",
                f"make {planned} games together, and a league has {MAX_GAMES} at the "
                "most; set fewer fixtures",
            )
        return Plan(tuple(matches), tuple(idle))

    @property
    def depends_on_results(self) -> bool:
        """True if any game is planned because of results."""
        return False

    def first(self) -> Stage:
        """Return the first stage, planned before any result is known."""
        return Stage(self.plan, len(self.plan))

    def next(
        self, stage: Stage, results: Sequence["Result"], out: Collection[Player]
    ) -> Stage:
        """Return the stage after one that is not whole.

        Only a schedule with such stages writes it: the first one here is whole.
        `results` are those of all its games, in any order; who is `out` is in
        quarantine.
        """
        raise NotImplementedError

    def bound(self, stage: Stage) -> Plan:
        """Return a plan of all games that there may be in the end."""
        return stage.plan

    @property
    def notes(self) -> list[str]:
        """Sentences that the instructor should read before the league is played."""
        return []

    def overview(self, names: Mapping[str, str]) -> list[str]:
        """Return sentences on who meets whom, if not all meet alike.

        `names` are those of the entries, by id.
        """
        if not self.references:
            return []
        shown = ", ".join(names[id_] for id_ in self.references)
        return [f"References, whom all bots meet: {shown}."]

    @property
    def division_sizes(self) -> list[int]:
        """The number of entries in each division, without the references."""
        return [size for _, size in sorted(Counter(self.divisions.values()).items())]

    def looks(self, label: str) -> int:
        """Return the number of times that results of a label are judged."""
        return 1

    @property
    def power_note(self) -> str:
        """A sentence below the dry run's table of differences; may be empty."""
        if not self.references:
            return ""
        return (
            "That is on average over all pairs of bots but the references, whether they"
            "\nmeet or not."
        )


def make_schedule(config: LeagueConfig, enrolment: Enrolment, keys: Keys) -> Schedule:
    """Plan a league by the schedule that its file names.

    Raises:
        ConfigError: who takes part does not fit the schedule.
    """
    return _class_of(config.schedule)(config, enrolment, keys)


def check_schedule(config: LeagueConfig) -> None:
    """Check a league's file by the schedule that it names (`Schedule.check`)."""
    _class_of(config.schedule).check(config)


def too_few(where: str, playing: int, players: int) -> str:
    """Return the sentence that too few bots play a game."""
    has = {0: "no bot plays", 1: "only one bot plays"}.get(
        playing, f"only {playing} bots play"
    )
    return f"{where}: {has} it, a table takes {players}"


def _class_of(name: ScheduleName) -> type[Schedule]:
    """Import a schedule by its name: `RoundRobin` of `round_robin.py`, say."""
    found: type[Schedule] = load(
        f"{__package__}.{name}:{name.title().replace('_', '')}"
    )
    return found
