"""Leagues of bots whose styles suit each other well or badly, honest or not."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from simulated import LOGIT, evenly, play_round_robin

from arena.ratings.elo.pool import Floats
from arena.ratings.match_ups.surprises import LabelGames


class Shape(NamedTuple):
    """What the leagues of a simulation look like."""

    bots: int
    fixtures: int
    labels: int = 4
    style: float = 30.0
    """Elo that two bots differ by from their strengths: standard deviation."""
    freedom: float | None = None
    """Of Student's t, which styles follow then; None for the normal distribution."""
    spread: float = 400.0
    """Elo from the best to the worst."""
    shared: float = -0.3
    """As in `play_fixtures`."""
    twins: int = 0
    """Pairs of bots that are of one file, and play as strangers would."""


def chances(
    rng: np.random.Generator, shape: Shape, fixed: Mapping[tuple[int, int], float]
) -> Floats:
    """Return the probability that the row beats the column; `fixed` has some."""
    k = shape.bots
    strength = evenly(k, shape.spread) / LOGIT
    if shape.freedom is None:
        style = rng.standard_normal((k, k))
    else:
        scale = np.sqrt((shape.freedom - 2.0) / shape.freedom)
        style = rng.standard_t(shape.freedom, (k, k)) * scale
    upper = np.triu(style * shape.style / LOGIT, 1)
    odds = strength[:, None] - strength + upper - upper.T
    found: Floats = 1.0 / (1.0 + np.exp(-odds))
    for (i, j), chance in fixed.items():
        found[i, j], found[j, i] = chance, 1.0 - chance
    return found


def league(
    rng: np.random.Generator,
    shape: Shape,
    fixed: Mapping[tuple[int, int], float] | None = None,
) -> list[LabelGames]:
    """Return the games of a league."""
    labels = []
    for number in range(shape.labels):
        chance = chances(rng, shape, fixed or {})
        shared = np.full(chance.shape, shape.shared)
        pool = play_round_robin(rng, chance, shape.fixtures, shared)
        labels.append(LabelGames(f"g{number}", pool))
    return labels


def name(bot: int) -> str:
    return f"bot{bot:04}"


def twins(rng: np.random.Generator, shape: Shape) -> dict[str, list[str]]:
    """Return the file of the bots that are of one with another."""
    drawn = rng.permutation(shape.bots)[: 2 * shape.twins].tolist()
    return {name(bot): [f"file{i // 2}"] for i, bot in enumerate(drawn)}
