"""Bots whose methods are taught later in a course; the other bots come first.

A folder with an `__init__.py` is one bot file: what it imports here takes part.
"""

from .turn_planner import TurnPlanner as TurnPlanner
