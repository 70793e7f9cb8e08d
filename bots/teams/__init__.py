"""Two teams that play all four games, and their members, who play one each.

A folder with an `__init__.py` is one hand-in: what it defines or imports here takes
part, and all that it needs lies in it.  A method is a game, so a class that inherits
from four bots plays four games.  (Their other methods must have different names, for
the first of a name hides the rest.)
"""

from .ox_blocks import LineCounter, TwoPly
from .zombie_dice import StopAtTwo, WeighTheOdds
from .zombie_mania import PairCollector, TurnPlanner
from .zombie_run import CardCounter, SwapLower


class AllRounder(StopAtTwo, LineCounter, SwapLower, PairCollector):
    """Plays everything by rules of thumb."""

    name = "all_rounder"


class Experts(WeighTheOdds, TwoPly, CardCounter, TurnPlanner):
    """Plays everything by calculation."""

    name = "experts"
