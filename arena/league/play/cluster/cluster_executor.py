"""Games played by referees on the machines of a Dask cluster.

A Dask worker gets units once it has shown that it offers the league's isolation level
and has the same versions installed.  It has as many referees as threads, each with one
unit at a time, so that no more units than referees wait to be recorded.  Dask carries
units there and games back; this module decides which worker plays what, and what is
played again.
"""

import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count

import trio
from msgspec.structs import replace

from arena.errors import ConfigError, LeagueError
from arena.league.config.league_file import LeagueConfig
from arena.league.entries.entry import Entry
from arena.league.play.cluster.handshake import Handshake, RefusedError
from arena.league.play.cluster.messages import (
    Answer,
    AskError,
    Cluster,
    GoneError,
    Played,
    Unable,
    encode,
)
from arena.league.play.executor import Executor, Work, players
from arena.league.play.referee_process import Deliver
from arena.referee.sandbox import SandboxSpec
from arena.referee.work_unit import GameTask, WorkUnit

OPTION = "--executor"
_ADDRESS = re.compile(r"dask(\+tls)?://((?:\[[^\]/]+\]|[^:/\[\]]+):\d{1,5})/?")
_POLL_S = 0.5
"""Between two looks at which workers there are."""
_WORKER_TIMEOUT_S = 60.0
"""For a worker that can play to join."""


def dask_address(text: str) -> str:
    """Return the address of a scheduler as Dask writes it, `tcp://HOST:PORT`.

    Raises:
        ConfigError: it is none, or Dask is not installed.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise ConfigError(OPTION, f"expected dask://HOST:PORT; found {text!r}")
    if find_spec("distributed") is None:
        raise ConfigError(
            OPTION, "needs Dask; install it with pip install 'bot-arena[cluster]'"
        )
    return f"{'tls' if found[1] else 'tcp'}://{found[2]}"


def check_cluster(league: LeagueConfig, address: str) -> None:
    """Check that a league can be played on the cluster at an address.

    Raises:
        ConfigError: a bot is a program (other machines may not have what starts it), or
            the address is wrong.
    """
    for i, bot in enumerate(league.bots):
        if bot.command is not None:
            raise ConfigError(
                OPTION,
                f"programs play on this machine only, and bots[{i}] of {league.path} "
                "is one; leave this option out",
            )
    dask_address(address)


async def connect(address: str) -> Cluster:
    """Connect to the scheduler at `dask://HOST:PORT`.

    Raises:
        LeagueError: there is none.
    """
    # Imported late: few leagues need it, and it takes long.
    from arena.league.play.cluster.dask_cluster import DaskCluster

    return await DaskCluster.connect(dask_address(address), address)


@dataclass(slots=True, eq=False)
class _Member:
    """A worker of the cluster."""

    address: str
    threads: int
    pool: str = ""
    """Id of its referees for this league; empty until it may play."""
    refused: str = ""
    """Why it gets no units."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Of all that it is asked; cancelled once it has left."""


@dataclass(frozen=True, slots=True)
class _Job:
    """A unit to be played."""

    unit: WorkUnit
    losses: int = 0
    """Number of referees that died with it."""


class ClusterExecutor(Executor):
    """Referees on the machines of a cluster."""

    def __init__(
        self,
        address: str,
        sandbox: SandboxSpec,
        packages: Sequence[str],
        games: Mapping[str, str],
        entries: Sequence[Entry],
        tell: Callable[[str], None],
        connect: Callable[[str], Awaitable[Cluster]] = connect,
    ) -> None:
        """Prepare it; it connects once there is a unit to play.

        `games` are import paths by name; `tell` gets sentences for the instructor.
        """
        super().__init__(tell)
        self._handshake = Handshake(sandbox, packages, games, entries)
        self._address = address
        self._connect = connect
        self._tell = tell
        self._cluster: Cluster | None = None
        self._members: dict[str, _Member] = {}
        self._has_played = False
        """True once a worker was fit to play."""
        self._numbers = count()
        self._playing: dict[int, str] = {}
        """By the number of each referee: its unit and its worker."""
        self._again: deque[_Job] = deque()
        """Jobs that were lost; they are played before any other."""
        self._out = 0
        """Number of jobs that workers have taken."""
        self._change = trio.Event()
        """Set when there may be a job to take, and then replaced."""
        self._over = trio.Event()

    async def play(self, work: Work, deliver: Deliver) -> None:
        """Play all units and deliver every game, those of a fixture together."""
        job = self._next(work)
        if job is None:
            return
        self._again.append(job)
        self._over = trio.Event()
        if self._cluster is None:
            self._cluster = await self._connect(self._address)
            self._cluster.listen(self._handshake.league.id, self._hear)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._stall_watch.watch)
            nursery.start_soon(self._watch, self._cluster, nursery, work, deliver)
            await self._over.wait()
            nursery.cancel_scope.cancel()

    async def close(self) -> None:
        """Stop all referees of this league on the cluster, and disconnect."""
        if self._cluster is not None:
            await self._cluster.close([*self._members], self._handshake.league.id)

    async def _watch(
        self, cluster: Cluster, nursery: trio.Nursery, work: Work, deliver: Deliver
    ) -> None:
        """Give work to workers that join, and forget those that leave."""
        employed: set[_Member] = set()
        alone_since: float | None = None
        while True:
            there = await cluster.members()
            for address in self._members.keys() - there.keys():
                self._members.pop(address).scope.cancel()
            for address in sorted(there.keys() - self._members.keys()):
                self._members[address] = _Member(address, there[address])
            for member in self._members.values():
                if member not in employed:
                    employed.add(member)
                    member.scope = trio.CancelScope()
                    nursery.start_soon(self._employ, cluster, member, work, deliver)
            if self._out or not all(m.refused for m in self._members.values()):
                alone_since = None
            elif alone_since is None:
                alone_since = trio.current_time()
                self._begin_to_wait(work)
            elif trio.current_time() - alone_since >= _WORKER_TIMEOUT_S:
                raise LeagueError(
                    f"no worker of {self._address} could play "
                    f"for {_WORKER_TIMEOUT_S:.0f} s"
                    f"{self._refusals()}; start one with: dask worker "
                    f"{dask_address(self._address)}"
                )
            await trio.sleep(_POLL_S)

    def _begin_to_wait(self, work: Work) -> None:
        """Tell the instructor that no worker can play, unless no unit is left.

        Raises:
            LeagueError: there are workers, but none of them ever could play.
        """
        if self._members and not self._has_played:
            raise LeagueError(
                f"no worker of {self._address} can play this league{self._refusals()}"
            )
        job = self._next(work)
        if job is None:
            self._over.set()
            return
        self._again.appendleft(job)
        self._tell(f"waiting for a worker at {self._address}")

    def _refusals(self) -> str:
        reasons = [f"{m.address}: {m.refused}" for m in self._members.values()]
        return f" ({'; '.join(reasons[:3])})" if reasons else ""

    async def _employ(
        self, cluster: Cluster, member: _Member, work: Work, deliver: Deliver
    ) -> None:
        """Make a worker ready, and have it play until no unit is left."""
        with member.scope:
            if not member.pool and not member.refused:
                try:
                    address = member.address
                    member.pool = await self._handshake.prepare(cluster, address)
                except RefusedError as error:
                    self._refuse(member, str(error))
                except AskError as error:
                    self._refuse(member, f"can't be made ready: {error}")
                except GoneError:
                    self._drop(member)
            if member.pool:
                self._has_played = True
                async with trio.open_nursery() as nursery:
                    for _ in range(member.threads):
                        nursery.start_soon(self._work, cluster, member, work, deliver)

    def _drop(self, member: _Member) -> None:
        """Forget a worker; if it is still there, it will be greeted as a new one."""
        if self._members.get(member.address) is member:
            del self._members[member.address]
        member.scope.cancel()

    def _refuse(self, member: _Member, reason: str) -> None:
        """Give a worker no more units; it may end those that it plays."""
        if not member.refused:
            member.refused = reason
            self._tell(f"worker {member.address} takes no games: {reason}")

    async def _work(
        self, cluster: Cluster, member: _Member, work: Work, deliver: Deliver
    ) -> None:
        """Keep one referee of a worker busy."""
        number = next(self._numbers)
        while (job := await self._take(member, work)) is not None:
            try:
                what = f"{players(job.unit)} at {member.address}"
                self._playing[number] = self._stall_watch.situations[number] = what
                await self._play(cluster, member, number, job, work, deliver)
            finally:
                del self._playing[number], self._stall_watch.situations[number]
                self._out -= 1
                self._change.set()
                self._change = trio.Event()

    async def _play(
        self,
        cluster: Cluster,
        member: _Member,
        number: int,
        job: _Job,
        work: Work,
        deliver: Deliver,
    ) -> None:
        """Have a unit played; if its worker or referee is lost, it is played again."""
        league, unit = self._handshake.league.id, encode(job.unit)
        address, pool = member.address, member.pool
        gone = f"its worker {address} was lost"
        try:
            answer = await cluster.play(address, league, pool, number, unit)
        except trio.Cancelled:
            if member.scope.cancel_called:
                self._lose(job, job.unit.games, gone)
            raise
        except GoneError:
            self._drop(member)
            self._lose(job, job.unit.games, gone)
            return
        except AskError as error:
            self._refuse(member, str(error))
            self._lose(job, job.unit.games, str(error))
            return
        # Games that have arrived must be delivered.
        with trio.CancelScope(shield=True):
            left = await self._receive(job.unit, answer, deliver)
        if isinstance(answer, Unable):
            self._refuse(member, answer.reason)
        elif not isinstance(answer, Played):
            self._drop(member)
        if not left:
            return
        if isinstance(answer, Played) and not answer.died_of:
            work.give_back(job.unit, left)
        elif isinstance(answer, Played):
            self._lose(job, left, answer.died_of)
        else:
            self._lose(job, left, member.refused or gone)

    async def _receive(
        self, unit: WorkUnit, answer: Answer, deliver: Deliver
    ) -> tuple[GameTask, ...]:
        """Deliver the games of an answer; return those of its unit that are left."""
        batches = answer.batches if isinstance(answer, Played | Unable) else ()
        if batches:
            self._stall_watch.end()
            await deliver(batches)
        delivered = {game_id for batch in batches for game_id in batch.game_ids}
        return tuple(game for game in unit.games if game.game_id not in delivered)

    async def _take(self, member: _Member, work: Work) -> _Job | None:
        """Wait for a job for a worker, and return it; None if it gets no more."""
        while not member.refused:
            # A job that is taken has been sent before anything can cancel it.
            await trio.lowlevel.checkpoint_if_cancelled()
            job = self._next(work)
            if job is not None:
                self._out += 1
                return job
            if not self._out:
                self._over.set()
            await self._change.wait()
        return None

    def _next(self, work: Work) -> _Job | None:
        if self._again:
            return self._again.popleft()
        unit = work.next()
        return None if unit is None else _Job(unit)

    def _lose(self, job: _Job, left: tuple[GameTask, ...], why: str) -> None:
        """Have the rest of a unit played again, unless it was lost too often.

        Raises:
            LeagueError: it has been lost too often.
        """
        losses = job.losses + 1
        self._note_loss(job.unit, left, losses, why)
        self._again.append(_Job(replace(job.unit, games=left), losses))

    def _hear(self, number: int, what: str) -> None:
        """Note what a referee waits for; an empty text if it has just ended a game."""
        if not what:
            self._stall_watch.end()
        elif number in self._playing:
            self._stall_watch.situations[number] = f"{self._playing[number]}: {what}"
