"""Fits what the cards of Zombie Run! cost, as its value has it.

    python tests/games/luck/fit_zombie_run.py

The lead in a round, less the luck that the value sees in a shout that may follow a
draw, by least squares on the luck in the cards: what lies in the hands after each event
more than was to be expected.  The costs there are frozen.  They came from such a fit
over other games: these give the same to about 0.3.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "bots"))

from bot_games import models, play

from arena.games import get_game
from arena.games.zombie_run.luck.costs import SHOUT_CHANCES, VALUES

GAMES = (("swap_lower", "card_counter", 2400), ("rollouts", "swap_lower", 200))
AVERAGE = 6
LOOKED_AT = 2
KINDS = len(VALUES)

Features = np.ndarray[Any, np.dtype[np.float64]]
"""Known cards by value, then unknown ones; then what a shout would bring."""


def cards(state: Any, seat: int) -> list[tuple[int, bool]]:
    return [(c.value, bool(c.seen_by >> seat & 1)) for c in state.hands[seat]]


def count(hand: list[tuple[int, bool]]) -> Features:
    found = np.zeros(2 * KINDS + 1)
    for value, known in hand:
        found[VALUES.index(value) + KINDS * (not known)] += 1
    return found


def placed(state: Any, held: int) -> Features:
    """Return the lead of seat 1 over seat 0 in cards, once `held` is placed."""
    seat = state.active
    mine, theirs = cards(state, seat), cards(state, 1 - seat)
    believed = [value if known else AVERAGE for value, known in mine]
    worst = max(range(len(mine)), key=lambda i: believed[i])
    if held < believed[worst]:
        mine[worst], believed[worst] = (held, True), held
    shout = 0.0
    for part, chance in SHOUT_CHANCES:
        if sum(believed) <= part * AVERAGE * len(mine):
            shout = chance
    lead = (1.0 - shout) * (count(mine) - count(theirs))
    points, others = (sum(value for value, _ in hand) for hand in (mine, theirs))
    lead[-1] = shout * (points * (2 if points > others else 1) - others)
    return lead if seat == 1 else -lead


def dealt(state: Any, value: int) -> Features:
    seat = state.active
    hand = count([(value, len(state.hands[seat]) < LOOKED_AT)])
    return hand if seat == 1 else -hand


def rounds(history: list[str]) -> Iterator[tuple[Features, int]]:
    """Yield the luck in each round of a game, and the lead in zombies of seat 1."""
    state: Any = get_game("zombie_run", 2).new_state()
    luck = np.zeros(2 * KINDS + 1)
    for x in history:
        features = {"deal": dealt, "draw": placed}.get(state.phase)
        if features:
            luck += features(state, int(x))
            for value, n in enumerate(state.draw):
                if n:
                    luck -= n / state.draw_size * features(state, value)
        before, number = state.totals[:], state.round
        state.apply(x)
        if state.round > number or state.is_terminal():
            points = [a - b for a, b in zip(state.totals, before, strict=True)]
            yield luck, points[1] - points[0]
            luck = np.zeros(2 * KINDS + 1)


def main() -> None:
    found: list[tuple[Features, int]] = []
    for one, other, games in GAMES:
        bots = [models()[one], models()[other]]
        for seed in range(games):
            seats = bots if seed % 2 else bots[::-1]
            found += rounds(play("zombie_run", seats, seed)[1])
    luck = np.array([row for row, _ in found])
    lead = np.array([points for _, points in found])
    costs, *_ = np.linalg.lstsq(luck[:, :-1], lead - luck[:, -1])
    left = lead - luck[:, -1] - luck[:, :-1] @ costs
    print(
        f"{len(lead)} rounds, variance {lead.var():.1f}, without luck {left.var():.1f}"
    )
    for name, of_kind in zip(("known", "unknown"), np.split(costs, 2), strict=True):
        print(name, ", ".join(f"{cost - of_kind[0]:.2f}" for cost in of_kind))


if __name__ == "__main__":
    main()
