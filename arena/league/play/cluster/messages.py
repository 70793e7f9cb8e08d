"""The messages between a coordinator and a Dask worker, as MessagePack."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from arena.league.entries.hand_ins.hand_in import HandIn
from arena.records.batch import Batch


class GoneError(Exception):
    """A Dask worker has left, or has forgotten the league."""


class AskError(Exception):
    """A Dask worker could not do what it was asked; the text says why."""


class League(msgspec.Struct, frozen=True):
    """A league, as a Dask worker is told of it before it plays any of it."""

    id: str
    """A new one for each run."""
    level: str
    path: str
    """Import path (`module:Class`) of the level."""
    preload: tuple[str, ...]
    packages: tuple[str, ...]
    games: dict[str, str]
    """Import paths of the games, by name."""
    guests: dict[str, str]
    """Import paths of the guests, by the modules' names."""
    installed: dict[str, str]
    hand_ins: tuple[HandIn, ...]
    """What the bots that play consist of, without the contents."""


class Refused(msgspec.Struct, frozen=True, tag=True):
    """It can't play this league."""

    reason: str


class Lacking(msgspec.Struct, frozen=True, tag=True):
    """It can play this league once it has these hand-ins, by index."""

    hand_ins: tuple[int, ...]


class Opened(msgspec.Struct, frozen=True, tag=True):
    """It takes units."""

    pool: str
    """Id of its referees for this league."""


class Played(msgspec.Struct, frozen=True, tag=True):
    """The play of a unit has ended."""

    batches: tuple[Batch, ...]
    died_of: str = ""
    """The last line of the referee's errors, if it has died."""


class Unable(msgspec.Struct, frozen=True, tag=True):
    """A referee says that this machine can't play on."""

    reason: str
    batches: tuple[Batch, ...] = ()


class Closed(msgspec.Struct, frozen=True, tag=True):
    """It does not know the league: its process is a new one, or the league is over."""


Answer = Refused | Lacking | Opened | Played | Unable | Closed
decode_answer: Callable[[bytes], Answer] = msgspec.msgpack.Decoder(Answer).decode
encode: Callable[[msgspec.Struct], bytes] = msgspec.msgpack.Encoder().encode


class Load(msgspec.Struct, frozen=True):
    """The contents of a hand-in."""

    league: str
    hand_in: int
    data: tuple[bytes, ...]


def topic(league: str) -> str:
    """Return the Dask topic that tells what the referees of a league wait for."""
    return f"arena-{league}"


class Cluster(Protocol):
    """Workers, by their addresses (`DaskCluster` is one).

    To ask one raises `GoneError` if it has left, and `AskError` if it can't answer;
    everything raises LeagueError if the connection is lost.
    """

    def listen(self, league: str, hear: Callable[[int, str], None]) -> None:
        """Have `hear` called with the number of a referee and what it waits for.

        With an empty text if it has just ended a game.
        """

    async def members(self) -> Mapping[str, int]:
        """Return the number of threads of each worker."""

    async def greet(self, worker: str, league: bytes) -> Answer:
        """Tell a worker of a league."""

    async def take_in(self, worker: str, load: bytes) -> Answer:
        """Send a worker the files of a bot."""

    async def open_pool(self, worker: str, league: str) -> Answer:
        """Have a worker try the league's isolation level, and get ready to play."""

    async def play(
        self, worker: str, league: str, pool: str, number: int, unit: bytes
    ) -> Answer:
        """Have the referee with this number, at a worker, play a unit."""

    async def close(self, workers: Sequence[str], league: str) -> None:
        """Stop all referees of a league at these workers, and disconnect."""
