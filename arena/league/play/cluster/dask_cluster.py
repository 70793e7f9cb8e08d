"""A Dask cluster as its coordinator sees it, for trio.

Dask's client has threads of its own.  It is only ever given functions of `worker`,
which Dask names rather than sends, and bytes.
"""

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

import dask
import trio
from distributed import Client, KilledWorker, Security

from arena.errors import LeagueError
from arena.league.play.cluster import worker as cluster_worker
from arena.league.play.cluster.messages import (
    Answer,
    AskError,
    GoneError,
    decode_answer,
    topic,
)

_CONNECT = 10.0
"""Seconds that a scheduler has to answer at first."""
_GOODBYE = 15.0
"""Seconds to put everything away."""


class DaskCluster:
    """The workers of a scheduler; they are named by their addresses."""

    def __init__(self, client: Client, address: str) -> None:
        """Use a client that is connected; `address` is for messages."""
        self._client = client
        self._address = address

    @classmethod
    async def connect(cls, url: str, address: str) -> "DaskCluster":
        """Connect to the scheduler at `url`, such as `tcp://10.0.0.1:8786`.

        Raises:
            LeagueError: there is none.
        """
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        # A bot may come with data of any size.
        dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"})

        security = Security()
        if url.startswith("tls://") and not security.get_connection_args("client").get(
            "ssl_context"
        ):
            raise LeagueError(
                f"{address} needs TLS, which is not set up here: no certificate is "
                "named by distributed.comm.tls in Dask's settings"
            )

        def connect() -> Client:
            with warnings.catch_warnings():
                # Of versions that matter, workers are asked.
                warnings.simplefilter("ignore")
                return Client(
                    url, timeout=_CONNECT, set_as_default=False, security=security
                )

        try:
            client = await trio.to_thread.run_sync(connect, abandon_on_cancel=True)
        except Exception as error:
            reason = str(error).split("\n")[0] or type(error).__name__
            raise LeagueError(
                f"no Dask scheduler answers at {address} ({reason}); start one there "
                "with: dask scheduler"
            ) from None
        return cls(client, address)

    def listen(self, league: str, hear: Callable[[int, str], None]) -> None:
        """Have `hear` told what the referees of a league wait for, by their numbers."""
        token = trio.lowlevel.current_trio_token()

        def hand_over(event: tuple[float, dict[str, Any]]) -> None:
            _, said = event
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(hear, said["number"], said["what"])

        self._client.subscribe_topic(topic(league), hand_over)

    async def members(self) -> Mapping[str, int]:
        """Return how many threads each worker has.

        Raises:
            LeagueError: the connection is lost.
        """
        self._check_connection()
        try:
            found: Mapping[str, int] = await trio.to_thread.run_sync(
                self._client.nthreads, abandon_on_cancel=True
            )
        except Exception:
            raise self._lost() from None
        return found

    async def greet(self, worker: str, league: bytes) -> Answer:
        """Tell a worker of a league."""
        return await self._ask(worker, cluster_worker.greet, league)

    async def take_in(self, worker: str, load: bytes) -> Answer:
        """Send a worker the files of a bot."""
        return await self._ask(worker, cluster_worker.take_in, load)

    async def open_station(self, worker: str, league: str) -> Answer:
        """Have a worker try the league's level."""
        return await self._ask(worker, cluster_worker.open_station, league)

    async def play(
        self, worker: str, league: str, station: str, number: int, unit: bytes
    ) -> Answer:
        """Have a worker play a unit, by the referee with this number."""
        return await self._ask(
            worker, cluster_worker.play, league, station, number, unit
        )

    async def close(self, workers: Sequence[str], league: str) -> None:
        """End all that these workers do for a league, and leave them."""

        def say_goodbye() -> None:
            if workers and self._client.status == "running":
                self._client.run(
                    cluster_worker.put_away,
                    league,
                    workers=list(workers),
                    on_error="ignore",
                )
            self._client.close(timeout=1)

        deadline = trio.current_time() + _GOODBYE
        with trio.CancelScope(shield=True, deadline=deadline), suppress(Exception):
            await trio.to_thread.run_sync(say_goodbye, abandon_on_cancel=True)

    async def _ask(
        self, worker: str, function: Callable[..., bytes], *words: bytes | str | int
    ) -> Answer:
        """Return what a worker answers; if it is cancelled, so is the task.

        Raises:
            GoneError: the worker has left.
            AskError: it could not do it.
            LeagueError: the connection is lost.
        """
        token = trio.lowlevel.current_trio_token()
        done = trio.Event()

        def tell(_: object) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(done.set)

        # The worker is not to be chosen by Dask, nor another to take its place.
        self._check_connection()
        future = self._client.submit(function, *words, workers=[worker], pure=False)
        try:
            future.add_done_callback(tell)
            await done.wait()
            answer = await trio.to_thread.run_sync(
                future.result, abandon_on_cancel=True
            )
            return decode_answer(answer)
        except (CancelledError, KilledWorker):
            self._check_connection()
            raise GoneError(worker) from None
        except Exception as error:  # Whatever it was, a worker has raised it.
            self._check_connection()
            raise AskError(f"{type(error).__name__}: {error}") from None
        finally:
            # Without it the worker goes on playing what nobody waits for.
            future.release()

    def _check_connection(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> LeagueError:
        return LeagueError(
            f"the connection to {self._address} was lost; what was played is recorded, "
            "and the same command goes on"
        )
