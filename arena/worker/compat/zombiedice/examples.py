"""Stands in for `zombiedice.examples`.

Each class plays as its namesake in version 0.1.6 does, and draws the same numbers from
`random` in the same order.
"""

import importlib
import random
import time
from typing import Any

# mypy knows no module of this name: it is there in a bot's process only.
_zombiedice: Any = importlib.import_module("zombiedice")

BRAINS = _zombiedice.BRAINS
COLOR = _zombiedice.COLOR
ICON = _zombiedice.ICON
SHOTGUN = _zombiedice.SHOTGUN
copy = _zombiedice.copy
logging = _zombiedice.logging
platform = _zombiedice.platform
roll = _zombiedice.roll
rollDie = _zombiedice.rollDie

__all__ = [
    "BRAINS",
    "COLOR",
    "ICON",
    "SHOTGUN",
    "AlwaysRollsTwiceZombie",
    "CrashZombie",
    "HumanPlayerZombie",
    "MinNumShotgunsThenStopsOneMoreZombie",
    "MinNumShotgunsThenStopsZombie",
    "MonteCarloZombie",
    "RandomCoinFlipZombie",
    "RollsUntilInTheLeadZombie",
    "SlowZombie",
    "copy",
    "logging",
    "platform",
    "random",
    "roll",
    "rollDie",
]


class _Named:
    """Has a name, and nothing else to be made with."""

    def __init__(self, name: Any) -> None:
        self.name = name


class RandomCoinFlipZombie(_Named):
    """Tosses a coin after each roll."""

    def turn(self, gameState: Any) -> None:
        """Roll until a coin says no."""
        while roll():
            if random.randint(0, 1) == 1:
                return


class MinNumShotgunsThenStopsZombie:
    """Rolls until it has so many shotguns."""

    def __init__(self, name: Any, minShotguns: Any = 2) -> None:
        self.name = name
        self.minShotguns = minShotguns

    def turn(self, gameState: Any) -> None:
        """Roll until there are `minShotguns`."""
        self._roll_to_limit()

    def _roll_to_limit(self) -> bool:
        """Roll; return whether the limit was reached while there were dice to roll."""
        shotguns = 0
        while shotguns < self.minShotguns:
            dice = roll()
            if dice is None:
                return False
            shotguns += dice[SHOTGUN]
        return True


class MinNumShotgunsThenStopsOneMoreZombie(MinNumShotgunsThenStopsZombie):
    """Rolls until it has so many shotguns, and then once more."""

    def turn(self, gameState: Any) -> None:
        """Roll until there are `minShotguns`, and once more."""
        if self._roll_to_limit():
            roll()


class HumanPlayerZombie(_Named):
    """Asks a person what to do: it can't play here."""

    def turn(self, gameState: Any) -> None:
        """Play as somebody says.

        Raises:
            EOFError: nobody is there.
        """
        raise EOFError("HumanPlayerZombie asks somebody at a keyboard: nobody is there")


class RollsUntilInTheLeadZombie:
    """Rolls until it leads by more than `plusLead`; in the lead, until two shotguns."""

    def __init__(self, name: Any, plusLead: Any = 0) -> None:
        self.name = name
        self.plusLead = plusLead
        self.altZombieStrategy = MinNumShotgunsThenStopsZombie(name + "_alt", 2)

    def turn(self, gameState: Any) -> None:
        """Roll for the lead, or play safe in it."""
        scores = dict(gameState["SCORES"])
        mine = scores.pop(gameState["CURRENT_ZOMBIE"])
        wanted = max(scores.values()) + self.plusLead
        if mine > wanted:
            self.altZombieStrategy.turn(gameState)
            return
        while mine <= wanted:
            dice = roll()
            if dice is None:
                return
            mine += dice[BRAINS]


class MonteCarloZombie:
    """Rolls as long as few of its trial rolls end the turn.

    A trial draws three new dice from the cup as it was when the turn began: neither the
    dice that have been used since nor the footsteps in hand are known to it.
    """

    def __init__(
        self, name: Any, riskiness: Any = 50, numExperiments: Any = 100
    ) -> None:
        self.name = name
        self.riskiness = riskiness
        self.numExperiments = numExperiments

    def turn(self, gameState: Any) -> None:
        """Roll as long as less than `riskiness` per cent of the trials end the turn."""
        shotguns = 0
        while dice := roll():
            shotguns += dice[SHOTGUN]
            if shotguns >= 3:
                return
            deaths = 0
            for _ in range(self.numExperiments):
                trial = self.simulatedRollShotguns(copy.deepcopy(gameState))
                deaths += shotguns + trial >= 3
            if deaths / float(self.numExperiments) * 100 >= self.riskiness:
                return

    def simulatedRollShotguns(self, gameState: Any) -> int:
        """Return the shotguns of a trial roll; its dice are taken from the cup."""
        cup = gameState["CURRENT_CUP"]
        if len(cup) < 3:
            cup.extend(gameState["ROLLED_BRAINS_DETAILS"])
        hand = []
        # The package fails if there are fewer than three dice.
        for _ in range(min(3, len(cup))):
            die = random.choice(cup)
            cup.remove(die)
            hand.append(die)
        return sum([rollDie(die)[ICON] == SHOTGUN for die in hand])


class CrashZombie(_Named):
    """Fails at every turn."""

    def turn(self, gameState: Any) -> None:
        """Divide by zero."""
        42 / 0  # noqa: B018


class SlowZombie(_Named):
    """Waits two seconds at every turn."""

    def turn(self, gameState: Any) -> None:
        """Wait, and roll once."""
        time.sleep(2)
        roll()


class AlwaysRollsTwiceZombie(_Named):
    """Rolls twice."""

    def turn(self, gameState: Any) -> None:
        """Roll twice, even if the first roll has ended the turn."""
        roll()
        roll()
