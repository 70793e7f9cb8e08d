"""An adaptive schedule: those meet more often whose order is still open.

It plans as it goes.  At tables of two a label has as many fixtures as its round robin
would, at the most:

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
from itertools import cycle, islice
from typing import TYPE_CHECKING

from arena.errors import ConfigError
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig
from arena.league.entries.enrolment import Enrolment
from arena.league.schedule.core import Stage
from arena.league.schedule.identity import CONFIRMATION
from arena.league.schedule.matches import Match
from arena.league.schedule.plan import Plan
from arena.league.schedule.quarantine import Player
from arena.league.schedule.round_robin import RoundRobin

if TYPE_CHECKING:
    from arena.ratings import Result
    from arena.ratings.next_games import Budget

Pair = tuple[str, str]
"""Ids of two entries, in alphabetical order."""
LEAST_FIXTURES = 5
"""Of a pair in an adaptive label: with fewer there is nothing to be shared out."""


class Adaptive(RoundRobin):
    """More games for those whose order is still open."""

    @classmethod
    def check(cls, config: LeagueConfig) -> None:
        """Check also that there are enough fixtures to be shared out.

        Raises:
            ConfigError: there are not.
        """
        for i, game in enumerate(config.games):
            if game.spec.players == 2 and game.fixtures < LEAST_FIXTURES:
                raise ConfigError(
                    f"{config.path}: games[{i}].fixtures",
                    f"expected {LEAST_FIXTURES} or more with an adaptive schedule; "
                    f"found {game.fixtures}",
                )
        super().check(config)

    def __init__(self, config: LeagueConfig, enrolment: Enrolment, keys: Keys) -> None:
        """Plan the league of a file that has passed `check`."""
        super().__init__(config, enrolment, keys)
        self._refused = {entry.id for entry in enrolment.entries if entry.refused}
        self._adaptive: dict[str, dict[Pair, Match]] = {}
        """By label: the matches of two, by ids in alphabetical order."""
        for match in self.plan.matches:
            if len(match.entries) == 2:
                matches = self._adaptive.setdefault(match.label, {})
                matches[_pair(match)] = match
        self._budgets = _budgets(self._adaptive)

    @property
    def depends_on_results(self) -> bool:
        """True if there is a label that two play."""
        return bool(self._adaptive)

    @property
    def notes(self) -> list[str]:
        """The labels that are left as they are, a sentence each."""
        return [
            f"{game.label}: only tables of two are adaptive; it is played as in a "
            "round robin"
            for game in self.config.games
            if game.spec.players > 2
        ]

    def looks(self, label: str) -> int:
        """Return the number of times that results of a label are judged."""
        if label not in self._adaptive:
            return 1
        # Imported late: numpy and scipy take longer than a league should wait.
        from arena.ratings.claims import MAX_LOOKS

        return MAX_LOOKS + 1

    @property
    def power_note(self) -> str:
        """Says for which plan the differences hold."""
        if not self._adaptive:
            return ""
        return "As if all games were shared out evenly: pairs still undecided get more."

    def first(self) -> Stage:
        """Return the first stage: the same few fixtures for every pair."""
        if not self._adaptive:
            return super().first()
        matches = [
            match.again(range(self._budgets[label].first))
            for label, pairs in self._adaptive.items()
            for match in pairs.values()
        ]
        return self._stage(matches, 0, tuple(self._adaptive))

    def next(
        self, stage: Stage, results: Sequence["Result"], out: Collection[Player]
    ) -> Stage:
        """Return the stage after one that is not whole.

        Who is `out` of a label gets no further games of it before the confirmation.
        """
        from arena.ratings.next_games import next_batch

        look = stage.looks + 1
        exploring = []
        matches = list(stage.plan.matches)
        for label in stage.exploring:
            budget = self._budgets[label]
            if look > budget.looks:
                continue
            gone = self._refused.union(entry for where, entry in out if where == label)
            batch = next_batch(results, label, budget.batch(look), budget.looks, gone)
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
        return Plan((*matches, *self._in_the_end()), self.plan.idle)

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
        idle = self.plan.idle
        if exploring:
            plan = Plan(tuple(matches), idle)
            for label in exploring:
                met = self._met(label, matches).total()
                most += 2 * (self._budgets[label].exploring - met)
            most_looks = max(budget.looks for budget in self._budgets.values())
            title = f"look {looks} of up to {most_looks}" if looks else "first round"
        else:
            plan = Plan((*matches, *in_the_end), idle)
            title = "confirmation"
        return Stage(plan, most, title, looks, exploring, (first, explored))

    def _in_the_end(self) -> list[Match]:
        """Return the matches of the last stage, which depend on no result."""
        return [
            match.again(range(self._budgets[match.label].confirmation), CONFIRMATION)
            if match.label in self._budgets
            else match
            for match in self.plan.matches
        ]

    def _further(
        self, label: str, batch: Mapping[Pair, int], before: Sequence[Match]
    ) -> list[Match]:
        """Return the next fixtures of some pairs of a label; `batch` has how many."""
        met = self._met(label, before)
        matches = []
        for pair, match in self._adaptive[label].items():
            fixtures = batch.get(pair, 0)
            if fixtures:
                repetitions = range(met[pair], met[pair] + fixtures)
                matches.append(match.again(repetitions))
        return matches

    def _met(self, label: str, matches: Sequence[Match]) -> Counter[Pair]:
        """Return the fixtures of each pair, of which none is of the confirmation."""
        met: Counter[Pair] = Counter()
        for match in matches:
            if match.label == label:
                met[_pair(match)] += len(match.repetitions)
        return met


def _pair(match: Match) -> Pair:
    first, second = sorted(match.entry_ids)
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
