"""Games between two unequal contestants, and how much of their scores was luck."""

import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "bots"))

import numpy as np
from bot_games import models
from score_blind import Blind

from arena.games import TERMINAL, Game, Table, derive_seed, get_game
from arena.games.luck import find_value
from arena.ratings.elo.pool import Floats

Decide = Callable[[Any], str]
"""Returns the action for an observation, always the same."""

MOST_KNOWN = 200_000
"""Decisions that are remembered."""


def by(bot: str) -> Callable[[Game], Decide]:
    """Return how to have a bot of `bots/` play a game."""

    def prepare(game: Game) -> Decide:
        contestant: Any = models()[bot]()
        contestant.start(game.new_state().observation(0))
        decide: Decide = getattr(contestant, game.name)
        known: dict[Any, str] = {}

        def remember(obs: Any) -> str:
            key = _key(game, obs)
            if key is None:
                return decide(obs)
            if key not in known:
                if len(known) >= MOST_KNOWN:
                    known.clear()
                known[key] = decide(obs)
            return known[key]

        return remember

    return prepare


def _key(game: Game, obs: Any) -> Any:
    """Return what a decision depends on where that comes up again and again."""
    if game.name == "ox_blocks":
        return obs.seat, obs.board, obs.thrown
    if game.name == "zombie_mania" and obs.phase != "move":
        # What others have is looked at only where something is sent to them.
        return obs.phase, obs.kept, obs.rolled, obs.tokens[obs.seat]
    return None


def blindly(brains: int, shotguns: int) -> Callable[[Game], Decide]:
    """Return how to have Zombie Dice played without a look at the score."""
    return lambda game: Blind(brains, shotguns).decide


def hasty_planner(game: Game) -> Decide:
    """Return a player of Zombie Mania! who plans his turns, but stops too soon."""
    plan, stop = by("turn_planner")(game), by("pair_collector")(game)
    return lambda obs: stop(obs) if obs.phase == "continue" else plan(obs)


class Case(NamedTuple):
    """A game and two contestants, the better one first."""

    game: str
    players: int
    options: dict[str, Any]
    better: Callable[[Game], Decide]
    worse: Callable[[Game], Decide]
    contest: str = ""
    """What is special about the two."""

    @property
    def name(self) -> str:
        """What is played."""
        options = [
            value if isinstance(value, str) else key
            for key, value in self.options.items()
        ]
        parts = [self.game, f"{self.players} seats", *options, self.contest]
        return ", ".join(filter(None, parts))

    @property
    def is_main(self) -> bool:
        """Whether it is a game of two as it is played by default."""
        return self.players == 2 and not self.options and not self.contest


def _dice(players: int = 2, **options: Any) -> Case:
    return Case("zombie_dice", players, options, blindly(5, 2), blindly(3, 1))


def _run(players: int) -> Case:
    return Case("zombie_run", players, {}, by("card_counter"), by("swap_lower"))


def _mania(players: int) -> Case:
    return Case("zombie_mania", players, {}, by("turn_planner"), hasty_planner)


# Where one can hardly win, luck as a value of equals sees it is no longer his.
_LOPSIDED = Case(
    "zombie_mania", 2, {}, by("turn_planner"), by("pair_collector"), "lopsided"
)


CASES = {
    case.name: case
    for case in (
        _dice(),
        Case("ox_blocks", 2, {}, by("two_ply"), by("line_counter")),
        _run(2),
        _mania(2),
        _dice(4),
        _dice(preset="all_yellow"),
        _dice(preset="big_summer_action_movie"),
        _dice(preset="santa_claus_meets_the_zombies"),
        _dice(preset="direct_to_video_sequel"),
        _dice(bus=True),
        _dice(preset="direct_to_video_sequel", horde=True),
        _run(4),
        _mania(3),
        _mania(4),
        _LOPSIDED,
    )
}


class Sample(NamedTuple):
    """Mean scores of the better against the worse contestant: fixtures by games.

    A fixture has a game for each rotation of the seats, and all have the same luck.
    """

    raw: Floats
    adjusted: Floats
    seconds: float
    """CPU time of replaying the games and working out their luck."""

    @property
    def bias(self) -> float:
        """How far the adjusted mean lies from the raw one, in standard errors."""
        gaps = (self.adjusted - self.raw).mean(axis=1)
        return float(gaps.mean() / standard_error(gaps))

    @property
    def worst_bias(self) -> float:
        """The same, of that seating in which they lie furthest apart.

        What a seat is favoured by cancels out over the seatings of a fixture.
        """
        gaps = self.adjusted - self.raw
        return max((float(x.mean() / standard_error(x)) for x in gaps.T), key=abs)

    @property
    def factor(self) -> float:
        """By how much the variance of a game is less once luck is taken out."""
        return float(self.raw.var() / self.adjusted.var())

    def factor_of_fixtures(self, scores: Floats) -> float:
        """Return how many times fewer fixtures do than raw games with luck each."""
        single = self.raw.var() / self.raw.shape[1]
        return float(single / scores.mean(axis=1).var())


def standard_error(values: Floats) -> float:
    """Return that of the mean."""
    return float(np.sqrt(values.var(ddof=1) / len(values)))


def together(samples: Iterable[Sample]) -> Sample:
    """Return the samples as one."""
    raw, adjusted, seconds = zip(*samples, strict=True)
    return Sample(np.concatenate(raw), np.concatenate(adjusted), sum(seconds))


def play_case(name: str, first: int, fixtures: int) -> Sample:
    """Play so many fixtures of a case, from the number `first` on."""
    case = CASES[name]
    game, value, better, worse = _prepared(name)
    half = case.players // 2
    raw = np.zeros((fixtures, case.players))
    luck = np.zeros_like(raw)
    seconds = 0.0
    for number in range(fixtures):
        seed = derive_seed("unequal", name, first + number)
        for turned in range(case.players):
            # At larger tables a half, or less, are the better ones.
            is_better = [
                (seat + turned) % case.players < half for seat in range(case.players)
            ]
            table = Table(game, seed)
            while (seat := table.advance()) != TERMINAL:
                assert table.decisions < game.max_decisions
                decide = better if is_better[seat] else worse
                table.act(decide(table.state.observation(seat)))
            started = time.process_time()
            pairs = value.luck(table.history)
            seconds += time.process_time() - started
            places = table.state.places()
            raw[number, turned] = _mean(_scores(places), is_better)
            # Luck is 0 where nothing has happened, as a score is 0.5.
            luck[number, turned] = _mean([0.5 + x for x in pairs], is_better) - 0.5
    return Sample(raw, raw - luck, seconds)


@cache
def _prepared(name: str) -> tuple[Game, Any, Decide, Decide]:
    case = CASES[name]
    game = get_game(case.game, case.players, case.options)
    value = find_value(game)
    assert value is not None
    return game, value, case.better(game), case.worse(game)


def _scores(places: list[int]) -> list[float]:
    """Return the score of the first of each pair of seats."""
    return [0.5 + 0.5 * ((x < y) - (x > y)) for x, y in combinations(places, 2)]


def _mean(scores: list[float], is_better: list[bool]) -> float:
    """Return the mean score of the better ones against the others."""
    total, count = 0.0, 0
    for score, (one, other) in zip(scores, combinations(is_better, 2), strict=True):
        if one != other:
            total += score if one else 1.0 - score
            count += 1
    return total / count
