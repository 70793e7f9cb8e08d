"""What luck was worth in the games of a league, worked out once they are played."""

from collections.abc import Callable

from arena.league.config import LeagueConfig
from arena.league.store import Store


async def work_out_luck(
    config: LeagueConfig, store: Store, workers: int, tell: Callable[[str], None]
) -> None:
    """Work out the luck of every game that counts and has none yet.

    Afterwards `Store.label_values` says with what, and why there is none for a label.
    `tell` is told, in a sentence, if it takes more than a moment.  It may be cancelled:
    what it has worked out by then is recorded.

    Raises:
        RecordError: luck can't be recorded.
        LeagueError: the machine can't start a process.
    """
    raise NotImplementedError
