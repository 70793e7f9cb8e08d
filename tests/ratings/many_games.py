"""Leagues of several labels played by known strengths, and their true overall Elo."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from simulated import chances, even_luck, evenly, play_round_robin, projected

from arena.ratings import MEAN_ELO, Standings
from arena.ratings.elo.pool import Bools, Floats
from arena.ratings.leaderboard import standings

LABELS = ("one", "two", "three", "four")


class Pattern(NamedTuple):
    """How strong bots are in each game."""

    name: str
    truth: tuple[Floats, ...]
    """Elo of each bot, by label."""
    fixtures: tuple[int, ...] = (10, 10, 10, 10)
    """Of each pair, by label."""


def patterns() -> tuple[Pattern, ...]:
    """Return leagues of eight bots, in four games of other spreads."""
    even = evenly(8, 400.0)
    turned = np.roll(even, 3)
    lone = np.array([600.0, *[0.0] * 7])
    return (
        Pattern("alike", (even,) * 4),
        Pattern(
            "spreads of 1400 to 50", tuple(even * x for x in (3.5, 1.0, 0.7, 0.125))
        ),
        Pattern("one game for all alike", (even, turned, even * 0.0, even)),
        Pattern("specialists", (even * 2.0, -even, turned * 1.5, turned[::-1])),
        Pattern("all the same", (even * 0.0,) * 4),
        Pattern("one far ahead", (lone, lone, even, lone)),
        Pattern("one that loses all", (np.append(even[:7], -3000.0),) * 4),
        Pattern("few fixtures", (even, turned * 2.0, even, -even), (3, 3, 2, 5)),
    )


def true_overall(truth: Sequence[Floats]) -> Floats:
    """Return the overall Elo that endless games would lead to; the mean is 0."""
    return projected(np.mean([chances(elo) for elo in truth], axis=0))


def limits_of(table: Standings) -> tuple[Floats, Floats, Bools]:
    """Return both ends of the overall intervals, and who is tied to the zero.

    By the names of the bots; an end that is open is infinite.
    """
    rows = sorted(table.rows, key=lambda row: row.entry)
    low = [-np.inf if row.open_below else row.elo_low for row in rows]
    high = [np.inf if row.open_above else row.elo_high for row in rows]
    tied = [not (row.open_above or row.open_below) for row in rows]
    return np.array(low), np.array(high), np.array(tied)


def play(pattern: Pattern, seed: int, anchor: str | None = None) -> Standings:
    """Play a league of a pattern and rate it."""
    rng = np.random.default_rng([seed, *pattern.name.encode()])
    pools = {}
    for label, elo, fixtures in zip(
        LABELS, pattern.truth, pattern.fixtures, strict=True
    ):
        chance = chances(elo)
        pools[label] = play_round_robin(rng, chance, fixtures, even_luck(chance, 0.0))
    return standings(pools, LABELS, anchor=anchor and (anchor, MEAN_ELO))
