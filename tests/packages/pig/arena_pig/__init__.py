"""Pig, a dice race."""

from arena_pig.game import Pig

__all__ = ["Pig"]
