"""Who meets how often: all alike, or those more often whose order is open.

In a round robin, a gauntlet and with divisions all games are planned at once
(`arena.league.schedule.plan`). An adaptive schedule plans as it goes. At tables of two
a label has as many fixtures as its round robin would, at the most:

1. two for every pair;
2. a batch after each of ten looks or fewer, shared out among the pairs that are
   undecided by then (`arena.ratings.next_games`); as soon as there are none, the
   rest of this part is not played;
3. for the confirmation a quarter of the fixtures for every pair, two at least.

The first part and the last are the same whatever came of the others: the intervals
rest on them.  Larger tables are played as in a round robin, along with it.

A bot that comes or goes leaves the first round and the confirmation of all others as
they were.  What is played in between hangs together: how often two others meet there
may change, though not the luck of their first, second or tenth fixture.

A plan is made of nothing but the results so far.  Whoever has them plans the same
games again, so there is nothing to keep beside them.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING

from arena.errors import ConfigError
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import Schedule
from arena.league.entries.entry import Entry
from arena.league.entries.roles import ALL_ALIKE, Roles
from arena.league.schedule.identity import CONFIRMATION
from arena.league.schedule.matches import Match
from arena.league.schedule.plan import Plan, make_plan

if TYPE_CHECKING:
    from arena.ratings import Result
    from arena.ratings.next_games import Budget

Pair = tuple[str, str]
"""Ids of two entries, in alphabetical order."""
LEAST_FIXTURES = 5
"""Of a pair in an adaptive label: with fewer there is nothing to be shared out."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The plan of a league as far as it is made."""

    plan: Plan
    looks: int
    """How often results have been looked at."""
    most_looks: int
    exploring: tuple[str, ...]
    """Labels that may get more games before the confirmation."""
    exploring_games: tuple[int, int] | None
    """Places in the plan, from 0, of the first game that depends on results and of the
    first behind these, be they planned or not; None if none ever does."""
    most: int
    """Games that there may be in the end."""

    @property
    def is_whole(self) -> bool:
        """Whether there are no further games."""
        return not self.exploring

    @property
    def title(self) -> str:
        """What is being played; empty in a round robin."""
        if self.exploring_games is None:
            return ""
        if self.is_whole:
            return "confirmation"
        if not self.looks:
            return "first round"
        return f"look {self.looks} of up to {self.most_looks}"


class Scheduler:
    """Plans the games of a league, stage by stage."""

    def __init__(
        self, config: LeagueConfig, entries: Sequence[Entry], field: Roles = ALL_ALIKE
    ) -> None:
        """Take a league that has passed `check_schedule`, and who takes part."""
        self._whole = make_plan(config, entries, field)
        self._refused = {entry.id for entry in entries if entry.refused}
        self._adaptive: dict[str, dict[Pair, Match]] = {}
        """By label: the matches of two, by ids in alphabetical order."""
        for match in self._whole.matches:
            if config.schedule is Schedule.ADAPTIVE and len(match.entries) == 2:
                matches = self._adaptive.setdefault(match.label, {})
                matches[_pair(match)] = match
        self._budgets = _budgets(self._adaptive)

    @property
    def is_adaptive(self) -> bool:
        """Whether any game depends on results."""
        return bool(self._adaptive)

    def first(self) -> Stage:
        """Return what is played before anything is known."""
        if not self._adaptive:
            plan = self._whole
            return Stage(plan, 0, 0, (), None, len(plan))
        matches = [
            match.again(range(self._budgets[label].first))
            for label, pairs in self._adaptive.items()
            for match in pairs.values()
        ]
        return self._stage(matches, 0, tuple(self._adaptive))

    def next(
        self, stage: Stage, results: Sequence["Result"], out: Collection[str]
    ) -> Stage:
        """Return the stage after one that is not whole.

        `results` are those of all its games, in any order; entries that are `out` as
        they are in quarantine get no further games before the confirmation.
        """
        from arena.ratings.next_games import next_batch

        look = stage.looks + 1
        out = self._refused.union(out)
        exploring = []
        matches = list(stage.plan.matches)
        for label in stage.exploring:
            budget = self._budgets[label]
            if look > budget.looks:
                continue
            batch = next_batch(results, label, budget.batch(look), budget.looks, out)
            if batch:
                exploring.append(label)
                matches += self._further(label, batch, matches)
        return self._stage(matches, look, tuple(exploring))

    def bound(self, stage: Stage) -> Plan:
        """Return a plan of all games that there may be in the end.

        As nobody knows who will be undecided, it shares out what is left evenly.
        """
        if stage.is_whole:
            return stage.plan
        matches = list(stage.plan.matches)
        for label in stage.exploring:
            budget = self._budgets[label]
            pairs = cycle(sorted(self._adaptive[label]))
            for look in range(stage.looks + 1, budget.looks + 1):
                batch = Counter(islice(pairs, budget.batch(look)))
                matches += self._further(label, batch, matches)
        return Plan((*matches, *self._in_the_end()), self._whole.idle)

    def _stage(
        self, matches: list[Match], looks: int, exploring: tuple[str, ...]
    ) -> Stage:
        """Return a stage of an adaptive league, before its last games."""
        first = sum(
            2 * self._budgets[label].first * len(pairs)
            for label, pairs in self._adaptive.items()
        )
        explored = sum(map(len, matches))
        in_the_end = self._in_the_end()
        most = explored + sum(map(len, in_the_end))
        idle = self._whole.idle
        plan = Plan(tuple(matches), idle)
        if exploring:
            most += sum(2 * self._left(label, matches) for label in exploring)
        else:
            plan = Plan((*matches, *in_the_end), idle)
        most_looks = max(budget.looks for budget in self._budgets.values())
        return Stage(plan, looks, most_looks, exploring, (first, explored), most)

    def _in_the_end(self) -> list[Match]:
        """Return what is played whatever came before."""
        return [
            match.again(range(self._budgets[match.label].confirmation), CONFIRMATION)
            if match.label in self._budgets
            else match
            for match in self._whole.matches
        ]

    def _further(
        self, label: str, batch: Mapping[Pair, int], before: Sequence[Match]
    ) -> list[Match]:
        """Return so many fixtures more of each pair of a label."""
        met = self._met(label, before)
        matches = []
        for pair, match in self._adaptive[label].items():
            fixtures = batch.get(pair, 0)
            if fixtures:
                repetitions = range(met[pair], met[pair] + fixtures)
                matches.append(match.again(repetitions))
        return matches

    def _left(self, label: str, before: Sequence[Match]) -> int:
        """Return the fixtures that are left of a label before the confirmation."""
        return self._budgets[label].exploring - self._met(label, before).total()

    def _met(self, label: str, matches: Sequence[Match]) -> Counter[Pair]:
        """Return the fixtures of each pair, of which none is of the confirmation."""
        met: Counter[Pair] = Counter()
        for match in matches:
            if match.label == label:
                met[_pair(match)] += len(match.repetitions)
        return met


def _pair(match: Match) -> Pair:
    first, second = sorted(match.ids)
    return first, second


def _budgets(adaptive: Mapping[str, Mapping[Pair, Match]]) -> dict[str, "Budget"]:
    if not adaptive:
        return {}
    # Imported late: numpy and scipy take longer than a round robin should wait.
    from arena.ratings.next_games import Budget

    budgets = {}
    for label, pairs in adaptive.items():
        (fixtures,) = {len(match.repetitions) for match in pairs.values()}
        budgets[label] = Budget(len(pairs), fixtures)
    return budgets


def check_schedule(config: LeagueConfig) -> None:
    """Check that a schedule has what it takes, and nothing that it has no use for.

    Raises:
        ConfigError: it does not.
    """
    schedule = config.schedule
    if schedule is Schedule.ADAPTIVE:
        _check_fixtures(config)
    if schedule in (Schedule.GAUNTLET, Schedule.DIVISIONS):
        if not config.references:
            why = (
                "a gauntlet is played against them"
                if schedule is Schedule.GAUNTLET
                else "divisions can be compared only by bots that play in all of them"
            )
            raise ConfigError(
                f"{config.path}: references",
                f"{why}; name some bots, such as [random_bot]",
            )
    elif config.references:
        raise ConfigError(
            f"{config.path}: references",
            f"with schedule: {schedule} nobody is set apart; leave this out, or set "
            "schedule to gauntlet or divisions",
        )
    if schedule is Schedule.DIVISIONS and config.divisions is None:
        raise ConfigError(
            f"{config.path}: divisions",
            "the key is missing; say how many bots a division has, such as {size: 12}",
        )
    if schedule is not Schedule.DIVISIONS and config.divisions is not None:
        raise ConfigError(
            f"{config.path}: divisions",
            f"there are none with schedule: {schedule}; leave this out, or set "
            "schedule to divisions",
        )
    if schedule is Schedule.GAUNTLET:
        _check_tables(config)


def _check_fixtures(config: LeagueConfig) -> None:
    """Check that there is enough to be shared out."""
    for i, game in enumerate(config.games):
        if game.spec.players == 2 and game.fixtures < LEAST_FIXTURES:
            raise ConfigError(
                f"{config.path}: games[{i}].fixtures",
                f"expected {LEAST_FIXTURES} or more with an adaptive schedule; "
                f"found {game.fixtures}",
            )


def _check_tables(config: LeagueConfig) -> None:
    """Check that there are references enough for every seat but one."""
    there = len(config.references)
    for i, game in enumerate(config.games):
        if there < game.spec.players - 1:
            raise ConfigError(
                f"{config.path}: games[{i}].players",
                f"a table of {game.spec.players} takes a bot and "
                f"{game.spec.players - 1} references in a gauntlet; found {there} "
                "under references: name more, or set fewer players",
            )


def schedule_notes(config: LeagueConfig) -> list[str]:
    """Return the labels that a schedule leaves as they are, a sentence each."""
    if config.schedule is not Schedule.ADAPTIVE:
        return []
    return [
        f"{game.label}: only tables of two are adaptive; it is played as in a "
        "round robin"
        for game in config.games
        if game.spec.players > 2
    ]
