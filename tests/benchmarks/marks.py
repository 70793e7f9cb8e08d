"""Measures how often pass marks are wrong, and how many of them are decided.

A section of `ratings.py`.  In every league each bot is asked whether it scores more
than it does in the long run: whatever is said for sure is then wrong.
"""

from math import sqrt

import numpy as np
from score_blind import BOTS, LABEL, exact_chances, play_leagues
from simulated import (
    chances,
    evenly,
    every_pair,
    play_fixtures,
    play_lucky_fixtures,
    play_with_luck,
)
from timing import Row, rounded

from arena.games import get_game
from arena.ratings.elo.luck_share import take_luck
from arena.ratings.elo.pool import Floats, Pool, build_pool, without_luck
from arena.ratings.match_ups.duels import Duel, duels
from arena.reports.grading.marks import needed_to_pass

CONFIDENCE = 0.95
MOST_WRONG = 0.058
"""Up to this a mark of .95 is wrong, by the promise; give or take what leagues say."""
BOTS_OF_A_LEAGUE = 6


def measure_marks(leagues: int) -> list[Row]:
    """Count wrong marks and decided ones, with the luck of the dice and without."""
    rows = [
        _league_row(leagues, fixtures, shared, known)
        for fixtures in (3, 5, 10, 30)
        for shared in (-0.6, 0.0, 0.6, 1.0)
        for known in (0.5, 0.9)
    ]
    rows += [_equals_row(leagues, fixtures) for fixtures in (5, 10, 30)]
    rows += [_dice_row(leagues // 10, fixtures) for fixtures in (5, 10)]
    rows += [_student_row(leagues, score) for score in (0.466, 0.5, 0.52)]
    rows += [_mean_row(leagues, scores) for scores in ((0.95, 0.05), (0.8, 0.5, 0.2))]
    return rows


def _league_row(leagues: int, fixtures: int, shared: float, known: float) -> Row:
    """Judge bots by the best and the worst of a small league."""
    chance = chances(evenly(BOTS_OF_A_LEAGUE, 400.0))
    pairs = np.repeat(every_pair(len(chance)), fixtures, axis=0)
    luck = np.full(chance.shape, shared)
    rng = np.random.default_rng([fixtures, round(10 * shared) + 10, round(10 * known)])
    pools = [
        play_lucky_fixtures(rng, pairs, chance, luck, known) for _ in range(leagues)
    ]
    what = f"{fixtures} fixtures, {shared:+.1f} of luck shared, {known:.0%} known"
    return _row(what, pools, chance)


def _equals_row(leagues: int, fixtures: int) -> Row:
    """Judge bots by luck that is worth what it is among equals."""
    chance = chances(evenly(BOTS_OF_A_LEAGUE, 400.0))
    rng = np.random.default_rng(fixtures)
    pools = [play_with_luck(rng, chance, fixtures, 0.9) for _ in range(leagues)]
    return _row(f"{fixtures} fixtures, luck as among equals, 90% known", pools, chance)


def _dice_row(leagues: int, fixtures: int) -> Row:
    """Judge bots of Zombie Dice whose chances are known exactly."""
    game = get_game("zombie_dice", 2)
    bots = sorted(BOTS[::2], key=lambda bot: bot.name)
    played = play_leagues(game, bots, leagues, fixtures)
    pools = [build_pool(played.results(i, paired=True)) for i in range(leagues)]
    return _row(f"Zombie Dice, {fixtures} fixtures", pools, exact_chances(bots, game))


def _row(what: str, pools: list[Pool], chance: Floats) -> Row:
    """Compare scores with luck and without; bots of the pools are as in `chance`."""
    wrong, right = np.zeros((2, 2)), np.zeros(2)
    asked = 0
    for pool in pools:
        taken = take_luck(pool)
        assert taken is not None
        asked += len(chance) * (len(chance) - 1)
        for which, scored in enumerate((without_luck(pool), taken.pool)):
            for j, opponent in enumerate(pool.entries):
                found = duels({LABEL: scored}, opponent)
                for i, bot in enumerate(pool.entries):
                    if i == j:
                        continue
                    duel = Duel([found[bot][LABEL]], [1.0])
                    # What passes at s < 1/2 is the other that fails at 1 - s.
                    failed = int(chance[i, j] < 0.5)
                    sure = duel.confidence(float(chance[i, j]))
                    wrong[which, failed] += sure >= CONFIDENCE
                    sure = duel.confidence()
                    right[which] += max(sure, 1.0 - sure) >= CONFIDENCE
    passed, failed = (2.0 * wrong / asked).T
    return {
        "marks": what,
        "wrongly passed, results": rounded(passed[0], 4),
        "passed, no luck": rounded(passed[1], 4),
        "failed, results": rounded(failed[0], 4),
        "failed, no luck": rounded(failed[1], 4),
        "promise": _kept(max(*passed, *failed), asked / 2.0),
        "decided by results": rounded(right[0] / asked, 3),
        "decided, no luck": rounded(right[1] / asked, 3),
    }


def _student_row(leagues: int, score: float) -> Row:
    """Let a student bring twenty copies of a bot that scores so much."""
    copies, fixtures = 20, 30
    rng = np.random.default_rng(round(1000 * score))
    pairs = np.stack([np.zeros(copies, np.int64), np.arange(1, copies + 1)], axis=1)
    chance = np.full((copies + 1, copies + 1), 0.5)
    chance[0, :], chance[:, 0] = 1.0 - score, score
    best = []
    for _ in range(leagues):
        pool = play_fixtures(
            rng, np.repeat(pairs, fixtures, axis=0), chance, np.zeros(chance.shape)
        )
        found = duels({LABEL: pool}, pool.entries[0]).values()
        best.append([Duel([own[LABEL]], [1.0]).confidence() for own in found])
    sure = np.array(best)
    needed = needed_to_pass(CONFIDENCE, copies)
    return {
        "marks": f"{copies} copies that score {score:.1%}",
        "one copy passes": rounded((sure >= CONFIDENCE).mean(), 4),
        "any, each by itself": rounded((sure >= CONFIDENCE).any(axis=1).mean(), 4),
        "any, shared out": rounded((sure >= needed).any(axis=1).mean(), 4),
    }


def _mean_row(leagues: int, scores: tuple[float, ...]) -> Row:
    """Ask specialists for their mean over several games."""
    fixtures = 10
    rng = np.random.default_rng(round(1000 * scores[0]))
    pairs = np.repeat([[0, 1]], fixtures, axis=0)
    shares = [1.0 / len(scores)] * len(scores)
    sure = []
    for _ in range(10 * leagues):
        games = {}
        for number, score in enumerate(scores):
            chance = np.array([[0.5, 1.0 - score], [score, 0.5]])
            luck = np.zeros((2, 2))
            games[str(number)] = play_fixtures(rng, pairs, chance, luck)
        (own,) = duels(games, "bot0000").values()
        mean = sum(scores) / len(scores)
        sure.append(Duel([*own.values()], shares).confidence(mean))
    found = np.array(sure)
    wrong = float((found >= CONFIDENCE).mean()), float((found <= 0.05).mean())
    return {
        "marks": "the mean of " + ", ".join(f"{score:.0%}" for score in scores),
        "wrongly passed": rounded(wrong[0], 4),
        "wrongly failed": rounded(wrong[1], 4),
        "promise": _kept(max(wrong), len(sure)),
    }


def _kept(wrong: float, asked: float) -> str:
    limit = MOST_WRONG + 3.0 * sqrt(MOST_WRONG / asked)
    return "kept" if wrong <= limit else "NOT KEPT"
