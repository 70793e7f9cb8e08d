"""The games of a unit of work, stepped by plain code between batches of requests."""

from collections.abc import Callable, Iterator

import trio

from arena.errors import starting_contestants
from arena.games import get_game, register
from arena.records.game_record import GameRecord
from arena.referee.contestant.contestant import (
    Contestant,
    ContestantListener,
    IdleProcesses,
)
from arena.referee.contestant.json_lines import MAX_TABLES
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.request_pipe import ComputeSlots
from arena.referee.contestant.wire import BotRequest
from arena.referee.live_game import LiveGame, UnitContext
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import Restart, WorkUnit
from arena.worker.protocol import Answer, Done


class UnitPlayer(ContestantListener):
    """Plays all games of a `WorkUnit`, many of them in flight at once."""

    def __init__(
        self,
        unit: WorkUnit,
        sandbox: Sandbox,
        deliver: Callable[[GameRecord], None],
        busy: int = 2,
        idle_processes: IdleProcesses | None = None,
    ) -> None:
        """Prepare them; at most `busy` contestants compute at the same time."""
        register(unit.game.name, unit.game.path)
        self._unit = unit
        self._slots = ComputeSlots(busy)
        idle = idle_processes if unit.restart is Restart.LEAGUE else None
        self._contestants = [
            Contestant(
                index=i,
                entry=entry,
                games=(unit.game.name,),
                limits=unit.limits,
                sandbox=sandbox,
                listener=self,
                slots=self._slots,
                idle_processes=idle,
            )
            for i, entry in enumerate(unit.entries)
        ]
        self._settled: list[LiveGame] = []
        self._context = UnitContext(
            unit,
            get_game(unit.game.name, unit.game.players, unit.game.options),
            self._contestants,
            sandbox.name,
            self._settled.append,
        )
        self._deliver = deliver
        self._open: dict[int, LiveGame] = {}
        self._patience = [_Patience(unit.patience) for _ in unit.entries]
        self._coming = self._games()
        self._free_slots = list(range(_games_at_once(unit)))
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
                for contestant in self._contestants:
                    nursery.start_soon(contestant.run)
            await self._over.wait()
            nursery.cancel_scope.cancel()

    def on_reply(
        self, pending: BotRequest, reply: Done | Answer, seconds: float
    ) -> None:
        game = self._open.get(pending.game)
        if game is not None and not pending.replayed:
            game.reply(pending, reply, seconds)

    def on_pondering(self, pending: BotRequest, seconds: float) -> None:
        game = self._open.get(pending.game)
        if game is not None:
            game.ponder(pending.seat, seconds)

    def on_misconduct(
        self, pending: BotRequest, fault: Misconduct, seconds: float
    ) -> None:
        game = self._open.get(pending.game)
        if game is not None:
            game.fault(pending.seat, fault, seconds)

    def on_refusal(self, contestant: Contestant, fault: Misconduct) -> None:
        self._context.refusals[contestant.index] = fault
        for game in list(self._open.values()):
            if contestant.index in game.task.seats:
                game.fault(game.seat_of(contestant), fault)

    def requests_to_repeat(self, contestant: Contestant) -> list[BotRequest]:
        return [
            pending
            for game in self._open.values()
            if contestant.index in game.task.seats
            for pending in game.to_repeat(contestant)
        ]

    def settle(self) -> None:
        """Deliver finished games, open new ones, and send the queued requests."""
        is_enough = False
        while not self._over.is_set():
            while self._settled:
                is_enough |= self._close(self._settled.pop(0))
            if is_enough:
                self._open.clear()
            elif self._open_next():
                continue
            if not (self._open or self._settled):
                self._over.set()
            break
        self._slots.flush()

    def situation(self) -> str:
        """Describe what play waits for."""
        busy = [c for c in self._contestants if c.is_asked()]
        return ", ".join(c.situation() for c in busy or self._contestants)

    def _close(self, game: LiveGame) -> bool:
        """Deliver a game; return True if an entry has forfeited too often by now."""
        assert game.record is not None
        del self._open[game.index]
        self._free_slots.append(game.slot)
        self._deliver(game.record)
        is_enough = False
        for seat, index in enumerate(game.task.seats):
            if self._unit.restart is Restart.GAME:
                self._contestants[index].renew()
            if game.record.forfeits[seat] and not self._unit.entries[index].refused:
                is_enough |= self._patience[index].note(game.appearances[seat])
        return is_enough

    def _open_next(self) -> bool:
        if not self._free_slots:
            return False
        game = next(self._coming, None)
        if game is None:
            return False
        self._open[game.index] = game
        game.begin()
        return True

    def _games(self) -> Iterator[LiveGame]:
        appearances = [0] * len(self._unit.entries)
        for index, task in enumerate(self._unit.games):
            game = LiveGame(
                self._context,
                index,
                task,
                self._free_slots.pop(),
                tuple(appearances[entry] for entry in task.seats),
            )
            for entry in task.seats:
                appearances[entry] += 1
            yield game


class _Patience:
    """Finds too many forfeits in a row, in whatever order they come to light."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._forfeited: set[int] = set()

    def note(self, number: int) -> bool:
        """Note a forfeit in the entry's game `number`; return True at too many."""
        self._forfeited.add(number)
        first = last = number
        while first - 1 in self._forfeited:
            first -= 1
        while last + 1 in self._forfeited:
            last += 1
        return 0 < self._most <= last - first + 1


def _games_at_once(unit: WorkUnit) -> int:
    """Return the number of games in flight that gives each entry `in_flight`."""
    if unit.restart is Restart.GAME:
        return 1  # A process that is renewed for each game has one at a time.
    games = unit.in_flight * max(1, len(unit.entries) // unit.game.players)
    # Programs are promised numbers below this for their tables.
    is_told = any(entry.command for entry in unit.entries)
    return min(games, MAX_TABLES) if is_told else games


async def play_unit(unit: WorkUnit, sandbox: Sandbox) -> list[GameRecord]:
    """Play a unit in this process; return its games in the order of their ends.

    Raises:
        LeagueError: the machine can't start a contestant.
    """
    records: list[GameRecord] = []
    with starting_contestants():
        await UnitPlayer(unit, sandbox, records.append).play()
    return records
