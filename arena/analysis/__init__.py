"""What a position is worth, and what luck was worth in a game that was played."""

from arena.analysis.luck import luck_of
from arena.analysis.registry import find_value, register_value, value_class
from arena.analysis.value import Value

__all__ = ["Value", "find_value", "luck_of", "register_value", "value_class"]
