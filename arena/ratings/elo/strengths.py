"""Elo of several entries with the error of every difference: what claims rest on."""

from dataclasses import dataclass
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]


MAX_LOOKS: Final = 10
"""How often an adaptive schedule looks at results, at the most."""


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The entries that can be compared with each other, of one label or overall."""

    entries: tuple[str, ...]
    elo: Floats
    """One an entry."""
    variance: Floats
    """Elo²: of the difference between row and column.  Symmetric, 0 on the diagonal."""
    games: Ints
    """Games of each entry."""
    df: float = inf
    """Degrees of freedom of the errors; infinite where they are normal."""
    looks: int = 1
    """How often results were looked at to decide what is played next."""
