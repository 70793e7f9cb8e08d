"""A match: its games, stepped by plain code between batches of replies."""

from collections.abc import Callable
from itertools import count

import trio

from arena.games import (
    Game,
    get_game,
    register,
)
from arena.referee.contestant import Contestant
from arena.referee.line import Permits
from arena.referee.misconduct import Misconduct
from arena.referee.record import (
    GameRecord,
    Limits,
    Restart,
    Unit,
)
from arena.referee.requests import Pending
from arena.referee.sandbox import Sandbox
from arena.referee.seated_game import SeatedGame
from arena.referee.waiting import WaitingRoom
from arena.worker.protocol import (
    Answer,
    BotInfo,
    Done,
)


class Matches:
    """Plays all games of a `Unit`, many of them in flight at once."""

    def __init__(
        self,
        task: Unit,
        sandbox: Sandbox,
        deliver: Callable[[GameRecord], None],
        busy: int = 2,
        waiting_room: WaitingRoom | None = None,
    ) -> None:
        """Prepare a match; `busy` contestants may compute at the same time."""
        register(task.game.name, task.game.path)
        self.task = task
        self.limits: Limits = task.limits
        self.game: Game = get_game(task.game.name, task.game.players, task.game.options)
        self.refusals = {
            i: Misconduct(entry.refused_as, entry.refused)
            for i, entry in enumerate(task.entries)
            if entry.refused
        }
        """Why a contestant is out of the match, by its index."""
        permits = Permits(busy)
        room = waiting_room if task.restart is Restart.LEAGUE else None
        self.contestants = [
            Contestant(
                index=i,
                entry=entry,
                games=(task.game.name,),
                limits=task.limits,
                sandbox=sandbox,
                umpire=self,
                permits=permits,
                waiting_room=room,
            )
            for i, entry in enumerate(task.entries)
        ]
        self.isolation = sandbox.name
        self.start_allowance = task.limits.start + task.limits.margin
        """Seconds to make an instance for a game."""
        self._deliver = deliver
        self._open: dict[int, SeatedGame] = {}
        self._forfeited: list[set[int]] = [set() for _ in task.entries]
        """Games that each entry has forfeited, by index."""
        self._numbers = count()
        # A process that is renewed for each game has one at a time.
        at_once = 1 if task.restart is Restart.GAME else task.in_flight
        self._free_slots = list(range(at_once))
        self._over = trio.Event()

    async def play(self) -> None:
        """Play; every record is delivered as soon as its game is over.

        Raises:
            ExceptionGroup: of OSError; the machine could not start a process.
                What has been delivered stands.
        """
        async with trio.open_nursery() as nursery:
            self.settle()
            if not self._over.is_set():
                for contestant in self.contestants:
                    nursery.start_soon(contestant.run)
            await self._over.wait()
            nursery.cancel_scope.cancel()

    def on_ready(self, who: Contestant, bots: tuple[BotInfo, ...]) -> None:
        """Nothing waits for it: the requests of its games are under way already."""

    def on_reply(
        self, who: Contestant, pending: Pending, reply: Done | Answer, seconds: float
    ) -> None:
        game = self._open.get(pending.game)
        if game is not None and not pending.replayed:
            game.reply(game.seat_of(who), pending, reply, seconds)

    def on_pondering(self, who: Contestant, pending: Pending, seconds: float) -> None:
        game = self._open.get(pending.game)
        if game is not None:
            game.ponder(game.seat_of(who), seconds)

    def on_misconduct(
        self, who: Contestant, pending: Pending, fault: Misconduct, seconds: float
    ) -> None:
        game = self._open.get(pending.game)
        if game is not None:
            game.fault(game.seat_of(who), fault, seconds)

    def on_refusal(self, who: Contestant, fault: Misconduct) -> None:
        self.refusals[who.index] = fault
        for game in list(self._open.values()):
            if who.index in game.task.seats:
                game.fault(game.seat_of(who), fault)

    def requests_to_repeat(self, who: Contestant) -> list[Pending]:
        return [
            pending
            for game in self._open.values()
            if who.index in game.task.seats
            for pending in game.to_repeat(who)
        ]

    def settle(self) -> None:
        """Deliver what is over, open what there is room for, send what is queued."""
        while not self._over.is_set():
            settled = [g for g in self._open.values() if g.is_settled]
            for game in settled:
                del self._open[game.index]
                self._free_slots.append(game.slot)
                assert game.record is not None
                self._deliver(game.record)
                if self.task.restart is Restart.GAME:
                    for contestant in self.contestants:
                        contestant.renew()
            if any(map(self._is_enough, settled)):
                self._open.clear()
                break
            if not self._free_slots or not self._open_next():
                break
        if not self._open:
            self._over.set()
        for contestant in self.contestants:
            contestant.flush()

    def situation(self) -> str:
        """Say what the match waits for."""
        return ", ".join(who.situation() for who in self.contestants)

    def _is_enough(self, game: SeatedGame) -> bool:
        """Say whether an entry has by now forfeited too many games in a row."""
        assert game.record is not None
        for seat, index in enumerate(game.task.seats):
            if self.task.entries[index].refused or not game.record.forfeits[seat]:
                continue
            forfeited = self._forfeited[index]
            forfeited.add(game.index)
            first = last = game.index
            while first - 1 in forfeited:
                first -= 1
            while last + 1 in forfeited:
                last += 1
            if 0 < self.task.patience <= last - first + 1:
                return True
        return False

    def _open_next(self) -> bool:
        index = next(self._numbers)
        if index >= len(self.task.games):
            return False
        slot = self._free_slots.pop()
        game = SeatedGame(self, index, self.task.games[index], slot)
        self._open[index] = game
        game.begin()
        return True
