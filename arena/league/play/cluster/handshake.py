"""How a worker of a cluster is made ready: is it fit, and which bots does it lack?"""

import secrets
from collections.abc import Mapping, Sequence

import trio
from msgspec.structs import replace

from arena.errors import LeagueError
from arena.league.entries.entry import Entry
from arena.league.play.cluster.messages import (
    Cluster,
    GoneError,
    Lacking,
    League,
    Load,
    Opened,
    Refused,
    encode,
)
from arena.league.results.installed_versions import installed_versions
from arena.referee.contestant.bot_code import ChangedError
from arena.referee.sandbox import SandboxSpec


class RefusedError(Exception):
    """A worker is not fit for the league; the text says why."""


class Handshake:
    """Tells, sends and asks every worker what it must know before it plays."""

    def __init__(
        self,
        sandbox: SandboxSpec,
        packages: Sequence[str],
        games: Mapping[str, str],
        entries: Sequence[Entry],
    ) -> None:
        """Prepare it for this machine; `games` are import paths by name."""
        playing = [entry.hand_in for entry in entries if not entry.refused]
        self._here = [*{(x.code, x.name): x for x in playing}.values()]
        guests = dict(sandbox.library.guests)
        brought = [*games.values(), *guests.values()]
        self.league = League(
            id=secrets.token_hex(8),
            level=sandbox.level,
            path=sandbox.path,
            preload=sandbox.preload,
            packages=tuple(packages),
            games=dict(games),
            guests=guests,
            installed=installed_versions(sandbox.library.modules, brought),
            hand_ins=tuple(
                replace(x, home="", outline={}, slips=(), modules=frozenset())
                for x in self._here
            ),
        )

    async def prepare(self, cluster: Cluster, worker: str) -> str:
        """Have a worker show that it is fit; return the id of its pool of referees.

        Raises:
            RefusedError: it is not.
            GoneError, AskError: it has left, or can't do what it is asked.
            LeagueError: a bot is not what it was when the league began.
        """
        answer = await cluster.greet(worker, encode(self.league))
        if isinstance(answer, Lacking):
            for number in answer.hand_ins:
                await self._send(cluster, worker, number)
            answer = await cluster.open_pool(worker, self.league.id)
        if isinstance(answer, Opened):
            return answer.pool
        if isinstance(answer, Refused):
            raise RefusedError(answer.reason)
        raise GoneError

    async def _send(self, cluster: Cluster, worker: str, number: int) -> None:
        hand_in = self._here[number]
        try:
            data = await trio.to_thread.run_sync(hand_in.contents)
        except OSError as error:
            why = ChangedError.unreadable(hand_in.path, error)
            raise LeagueError(str(why)) from None
        load = encode(Load(self.league.id, number, data))
        answer = await cluster.take_in(worker, load)
        if isinstance(answer, Refused):
            raise LeagueError(str(ChangedError.changed(hand_in.path)))
        if not isinstance(answer, Lacking):
            raise GoneError
