"""From results to standings: Elo by maximum likelihood, with honest intervals.

`build_pools` takes the results; `standings` and `crosstables` take its pools.  They are
pure functions of the results, whose order never matters.  Numbers are exact to the
last bit for the same input; round to 0.1 Elo where they are printed.
"""

from arena.ratings.elo.fit import MEAN_ELO, Fit, Rating, SeatTerm, fit
from arena.ratings.elo.pool import build_pools
from arena.ratings.labels import LabelFits
from arena.ratings.leaderboard import Standings, standings
from arena.ratings.match_ups.crosstable import Crosstable, crosstables
from arena.ratings.result import Result
from arena.ratings.rows import LabelStanding, Row, Standing

__all__ = [
    "MEAN_ELO",
    "Crosstable",
    "Fit",
    "LabelFits",
    "LabelStanding",
    "Rating",
    "Result",
    "Row",
    "SeatTerm",
    "Standing",
    "Standings",
    "build_pools",
    "crosstables",
    "fit",
    "standings",
]
