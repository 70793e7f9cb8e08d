"""All four games, by calling on the bots next door.

A method is a game, so a class that inherits from four bots plays four games.  (Their
other methods must have different names, for the first of a name hides the rest.)
Two bots in one file are two entries; `bots/teams.py:Experts` names one of them.
"""

from advanced import TurnPlanner
from card_counter import CardCounter
from line_counter import LineCounter
from pair_collector import PairCollector
from stop_at_two import StopAtTwo
from swap_lower import SwapLower
from two_ply import TwoPly
from weigh_the_odds import WeighTheOdds


class AllRounder(StopAtTwo, LineCounter, SwapLower, PairCollector):
    """Plays everything by rules of thumb."""

    name = "all_rounder"


class Experts(WeighTheOdds, TwoPly, CardCounter, TurnPlanner):
    """Plays everything by calculation."""

    name = "experts"
