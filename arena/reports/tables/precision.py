"""Where games say too little for a number, and how many would say enough."""

from bisect import bisect_left
from math import sqrt
from typing import Final

from scipy.special import stdtrit

from arena.ratings import Row
from arena.ratings.claims import MOST_GAMES, about
from arena.ratings.elo.standard_errors import TAIL

VAGUE_ELO: Final = 400.0
"""An error of more is none: 400 Elo are 91 % of the score, so that a bot may be
anything from hopeless to unbeatable."""

GOOD_ELO: Final = 200.0
"""The error that notes on few games ask for."""

_ROUNDING: Final = 0.5
"""Elo that may be lost where three of them are rounded."""

TOO_FEW: Final = "too few games"
"""What stands in the place of such a range."""


def error(row: Row) -> float | None:
    """Return the error of an Elo, in Elo: half the width of its 95 % range.

    Of a range that is open at one end this is half of what lies between the Elo and
    the other.  None without games, and where both ends are open.
    """
    if row.elo is None or row.elo_low is None or row.elo_high is None:
        return None
    if row.open_above and row.open_below:
        return None
    low = row.elo if row.open_below else row.elo_low
    high = row.elo if row.open_above else row.elo_high
    return (high - low) / 2.0


def is_vague(row: Row) -> bool:
    """Return True if the range of a row says nothing, as there are too few games."""
    found = error(row)
    return found is not None and found > VAGUE_ELO


def is_even(row: Row) -> bool:
    """Return True if a range is as wide on both sides, as those by errors are.

    What is open, or rests on few points, has ends by those points alone.
    """
    middle = row.elo if row.confirmed_elo is None else row.confirmed_elo
    if middle is None or row.elo_low is None or row.elo_high is None:
        return False
    is_open = row.open_above or row.open_below
    return not is_open and abs(row.elo_low + row.elo_high - 2.0 * middle) < _ROUNDING


def games_for(games: int, error: float, df: float) -> str:
    """Return about how many games it takes until `GOOD_ELO` is the error.

    Errors fall as the square root of the number of games grows, and as their degrees
    of freedom grow with it, of which there are `df` now.
    """
    deviation = error / stdtrit(df, TAIL)

    def is_enough(number: int) -> bool:
        share = number / games
        then = (df + 1.0) * share - 1.0
        return then >= 1.0 and stdtrit(then, TAIL) * deviation <= GOOD_ELO * sqrt(share)

    enough = 1 + bisect_left(range(1, MOST_GAMES + 1), True, key=is_enough)
    found = about(enough)
    return f"more than {MOST_GAMES:,}" if found is None else f"about {found:,}"
