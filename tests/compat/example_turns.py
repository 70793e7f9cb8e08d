"""Turns of the examples of `zombiedice`, on dice that depend on a number alone."""

import random
from random import Random
from types import ModuleType
from typing import Any

SEEDS = range(12)
EXAMPLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("RandomCoinFlipZombie", {}),
    ("MinNumShotgunsThenStopsZombie", {}),
    ("MinNumShotgunsThenStopsZombie", {"minShotguns": 1}),
    ("MinNumShotgunsThenStopsZombie", {"minShotguns": 3}),
    ("MinNumShotgunsThenStopsZombie", {"minShotguns": 0}),
    ("MinNumShotgunsThenStopsOneMoreZombie", {}),
    ("MinNumShotgunsThenStopsOneMoreZombie", {"minShotguns": 1}),
    ("MinNumShotgunsThenStopsOneMoreZombie", {"minShotguns": 4}),
    ("RollsUntilInTheLeadZombie", {}),
    ("RollsUntilInTheLeadZombie", {"plusLead": 3}),
    ("RollsUntilInTheLeadZombie", {"plusLead": -2}),
    ("MonteCarloZombie", {}),
    ("MonteCarloZombie", {"riskiness": 40, "numExperiments": 20}),
    ("MonteCarloZombie", {"riskiness": 70, "numExperiments": 9}),
    ("MonteCarloZombie", {"riskiness": 101, "numExperiments": 2}),
    ("AlwaysRollsTwiceZombie", {}),
)


class Dice:
    """Rolls of three dice; None after three shotguns."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._shotguns = 0
        self.rolls = 0
        """How often it has been asked."""

    def roll(self) -> dict[str, Any] | None:
        """Roll."""
        self.rolls += 1
        if self._shotguns >= 3:
            return None
        colors = self._random.choices(("green", "yellow", "red"), k=3)
        icons = self._random.choices(("brains", "footsteps", "shotgun"), (3, 2, 1), k=3)
        self._shotguns += icons.count("shotgun")
        return {
            "shotgun": icons.count("shotgun"),
            "footsteps": icons.count("footsteps"),
            "brains": icons.count("brains"),
            "rolls": list(zip(colors, icons, strict=True)),
        }


def turns(examples: ModuleType, name: str, arguments: dict[str, Any]) -> list[Any]:
    """Play a turn of a class for each of `SEEDS`.

    Return how often it has rolled, and the number that `random` gives next.
    """
    found = []
    for seed in SEEDS:
        dice = Dice(seed)
        vars(examples)["roll"] = dice.roll
        luck = Random(seed)
        cup = ["red"] * 3 + ["yellow"] * 4 + ["green"] * 6
        luck.shuffle(cup)
        state = {
            "CURRENT_ZOMBIE": "me",
            "CURRENT_CUP": cup[: luck.choice((2, 4, 13, 13))],
            "ROLLED_BRAINS_DETAILS": ["green", "red"],
            "SCORES": {who: luck.randint(0, 12) for who in ("you", "me", "they")},
        }
        random.seed(seed)
        getattr(examples, name)(name="me", **arguments).turn(state)
        found.append((dice.rolls, random.randint(0, 99)))
    return found
