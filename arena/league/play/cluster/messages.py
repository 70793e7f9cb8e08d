"""What a coordinator and a Dask worker tell each other, as MessagePack."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from arena.league.play.cluster.bot_files import Parcel


class GoneError(Exception):
    """A Dask worker has left, or has forgotten the league."""


class AskError(Exception):
    """A Dask worker could not do what it was asked; the text says why."""


class League(msgspec.Struct, frozen=True):
    """What a Dask worker is told of a league before it plays any of it."""

    id: str
    """Of this run."""
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
    parcels: tuple[Parcel, ...]
    """The bots that play."""


class Refused(msgspec.Struct, frozen=True, tag=True):
    """It is not fit for the league."""

    reason: str


class Lacking(msgspec.Struct, frozen=True, tag=True):
    """It is fit, but for these parcels, by index, which are not there."""

    parcels: tuple[int, ...]


class Opened(msgspec.Struct, frozen=True, tag=True):
    """It takes units."""

    station: str


class Played(msgspec.Struct, frozen=True, tag=True):
    """A unit is over, or its referee has died: then there is a reason."""

    deliveries: tuple[bytes, ...]
    """As the referee wrote them."""
    died_of: str = ""


class Unable(msgspec.Struct, frozen=True, tag=True):
    """A referee says that this machine can't play on."""

    reason: str
    deliveries: tuple[bytes, ...] = ()


class Closed(msgspec.Struct, frozen=True, tag=True):
    """It knows nothing of the league: its process is another, or the league is over."""


Answer = Refused | Lacking | Opened | Played | Unable | Closed
decode_answer: Callable[[bytes], Answer] = msgspec.msgpack.Decoder(Answer).decode
encode: Callable[[msgspec.Struct], bytes] = msgspec.msgpack.Encoder().encode


class Load(msgspec.Struct, frozen=True):
    """What is in a parcel."""

    league: str
    parcel: int
    data: tuple[bytes, ...]


def topic(league: str) -> str:
    """Return the name of Dask's topic for what the referees of a league wait for."""
    return f"arena-{league}"


class Cluster(Protocol):
    """Workers, by their addresses (`DaskCluster` is one).

    What is asked of one raises `GoneError` if it has left, and `AskError` if it can't;
    everything raises LeagueError if the connection is lost.
    """

    def listen(self, league: str, hear: Callable[[int, str], None]) -> None:
        """Have `hear` told what the referees of a league wait for, by their numbers."""

    async def members(self) -> Mapping[str, int]:
        """Return how many threads each worker has."""

    async def greet(self, worker: str, league: bytes) -> Answer:
        """Tell a worker of a league."""

    async def take_in(self, worker: str, load: bytes) -> Answer:
        """Send a worker the files of a bot."""

    async def open_station(self, worker: str, league: str) -> Answer:
        """Have a worker try the league's level."""

    async def play(
        self, worker: str, league: str, station: str, number: int, unit: bytes
    ) -> Answer:
        """Have a worker play a unit, by the referee with this number."""

    async def close(self, workers: Sequence[str], league: str) -> None:
        """End all that these workers do for a league, and leave them."""
