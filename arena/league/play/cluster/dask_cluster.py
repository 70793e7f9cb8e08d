"""A Dask cluster as its coordinator sees it, for trio.

Dask's client has threads of its own.  It is only ever given functions of `dask_worker`,
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
from arena.league.play.cluster import dask_worker
from arena.league.play.cluster.messages import (
    Answer,
    AskError,
    GoneError,
    decode_answer,
    topic,
)

_CONNECT_TIMEOUT_S = 10.0
"""For a scheduler to answer at first."""
_CLOSE_TIMEOUT_S = 15.0
"""For the workers to stop all referees."""


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
                # It warns of different versions; those that matter are compared later.
                warnings.simplefilter("ignore")
                return Client(
                    url,
                    timeout=_CONNECT_TIMEOUT_S,
                    set_as_default=False,
                    security=security,
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
        """Have `hear` called with the number of a referee and what it waits for."""
        token = trio.lowlevel.current_trio_token()

        def hand_over(event: tuple[float, dict[str, Any]]) -> None:
            _, said = event
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(hear, said["number"], said["what"])

        self._client.subscribe_topic(topic(league), hand_over)

    async def members(self) -> Mapping[str, int]:
        """Return the number of threads of each worker.

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
        return await self._ask(worker, dask_worker.greet, league)

    async def take_in(self, worker: str, load: bytes) -> Answer:
        """Send a worker the files of a bot."""
        return await self._ask(worker, dask_worker.take_in, load)

    async def open_pool(self, worker: str, league: str) -> Answer:
        """Have a worker try the league's isolation level, and get ready to play."""
        return await self._ask(worker, dask_worker.open_pool, league)

    async def play(
        self, worker: str, league: str, pool: str, number: int, unit: bytes
    ) -> Answer:
        """Have the referee with this number, at a worker, play a unit."""
        return await self._ask(worker, dask_worker.play, league, pool, number, unit)

    async def close(self, workers: Sequence[str], league: str) -> None:
        """Stop all referees of a league at these workers, and disconnect."""

        def stop_and_disconnect() -> None:
            if workers and self._client.status == "running":
                self._client.run(
                    dask_worker.close_pool,
                    league,
                    workers=list(workers),
                    on_error="ignore",
                )
            self._client.close(timeout=1)

        deadline = trio.current_time() + _CLOSE_TIMEOUT_S
        with trio.CancelScope(shield=True, deadline=deadline), suppress(Exception):
            await trio.to_thread.run_sync(stop_and_disconnect, abandon_on_cancel=True)

    async def _ask(
        self, worker: str, function: Callable[..., bytes], *words: bytes | str | int
    ) -> Answer:
        """Return the answer of a worker; if this is cancelled, so is the Dask task.

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

        # Dask may neither choose the worker nor replace it with another.
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
            # Otherwise the worker plays on though nobody waits for it.
            future.release()

    def _check_connection(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> LeagueError:
        return LeagueError(
            f"the connection to {self._address} was lost; what was played is recorded, "
            "and the same command goes on"
        )
