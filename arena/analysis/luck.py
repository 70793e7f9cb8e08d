"""What luck was worth in a game: the sum of its surprises, as a value saw them.

Each chance event is worth V(after) minus the mean of V over all that could have come,
and has mean zero whatever has happened before.  So a score minus the luck in it has the
same mean as the score, for any V and any players, and scatters less.  (M. Zinkevich,
M. Bowling, N. Bard, M. Kan and D. Billings, "Optimal Unbiased Estimators for Evaluating
Agent Performance", AAAI 2006; N. Burch, M. Schmid, M. Moravcik, D. Morrill and
M. Bowling, "AIVAT", AAAI 2018, without its terms for the players' choices.)
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.games import CHANCE

if TYPE_CHECKING:
    from arena.analysis.value import Value


class NotFollowedError(Exception):
    """A game is none, or such an odd one that its states must be gone through."""


def luck_of(value: "Value", history: Iterable[str]) -> tuple[float, ...]:
    """Return what chance has added to each pair's score, in the order of the pairs.

    `history` is what a game record holds: outcomes and actions from the beginning.

    Raises:
        IllegalActionError: it is no history of this game.
    """
    state = value.game.new_state()
    luck = [0.0] * len(value.pairs)
    for x in history:
        if state.current_player() != CHANCE:
            state.apply(x)
            continue
        expected = value.expected(state)
        state.apply(x)
        for i, found in enumerate(value.ahead(state)):
            luck[i] += found - expected[i]
    return tuple(luck)
