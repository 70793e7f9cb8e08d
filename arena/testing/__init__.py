"""Tools for tests of bots, in the process of the test and without a league.

`bots/testing.md` shows how.
"""

from arena.games.position_fields import PositionError
from arena.testing.asking import ask, assert_faster_than, assert_legal
from arena.testing.loading import load_bot
from arena.testing.match_play import MatchResult, play_match
from arena.testing.observations import position

__all__ = [
    "MatchResult",
    "PositionError",
    "ask",
    "assert_faster_than",
    "assert_legal",
    "load_bot",
    "play_match",
    "position",
]
