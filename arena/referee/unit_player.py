"""The games of a unit of work, stepped by plain code between batches of requests."""

from collections.abc import Callable, Iterator, Sequence

import trio

from arena.errors import starting_contestants
from arena.games import get_game, register
from arena.records.game_record import GameRecord
from arena.records.prints import Printed
from arena.referee.contestant.clock import Spent
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
from arena.referee.phases import Phases
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import Restart, WorkUnit
from arena.worker.protocol import Answer, BotInfo, Done

DeliverPrints = Callable[[str, Sequence[Printed]], None]
"""Takes the id of a game and what was printed in it."""
_FIRST_GAMES = 8
"""Games that an entry begins a phase with, as far as it may have so many."""


class UnitPlayer(ContestantListener):
    """Plays all games of a `WorkUnit`, many of them in flight at once.

    No process that has seen one seating of a fixture lives when the next one begins.
    """

    def __init__(
        self,
        unit: WorkUnit,
        sandbox: Sandbox,
        deliver: Callable[[GameRecord], None],
        busy: int = 2,
        idle_processes: IdleProcesses | None = None,
        deliver_prints: DeliverPrints | None = None,
    ) -> None:
        """Prepare them; at most `busy` contestants compute at the same time.

        `deliver_prints` gets what was printed in a game, just before its record is
        delivered; it is not called for a silent one.
        """
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
        self._deliver_prints = deliver_prints
        self._open: dict[int, LiveGame] = {}
        self._phases = Phases(unit)
        self._phase = _PhaseState(unit)
        self._appearances = list(_appearances(unit))
        self._patience = [_Patience(unit.patience) for _ in unit.entries]
        self._is_enough = False
        """True once an entry has forfeited too often."""
        self._bearable = _bearable(unit)
        """Forfeits in a row after which the rest of a phase waits: the same fixtures'
        other games may show that it is enough.  0 for any number."""

    async def play(self) -> None:
        """Play; every record is delivered as soon as its game is over.

        Raises:
            ExceptionGroup: of OSError; the machine could not start a process.
                What has been delivered stands.
        """
        while not self._is_enough and self._phases.begin():
            self._phase = _PhaseState(self._unit)
            async with trio.open_nursery() as nursery:
                self.settle()
                if not self._phase.over.is_set():
                    for contestant in self._contestants:
                        nursery.start_soon(contestant.run)
                await self._phase.over.wait()
                # Each ends its process, and is done when that is gone.
                nursery.cancel_scope.cancel()
            if self._phases.is_new:
                # Who is only now and then at fault must not hold up all others.
                self._bearable *= 2

    def on_ready(
        self, contestant: Contestant, bots: tuple[BotInfo, ...], seconds: float
    ) -> None:
        if contestant.index not in self._phase.loaded:
            self._phase.loaded.add(contestant.index)
            self._phases.note_loading(seconds)

    def on_reply(self, pending: BotRequest, reply: Done | Answer, spent: Spent) -> None:
        game = self._open.get(pending.game)
        if game is not None:
            game.reply(pending, reply, spent)

    def on_pondering(self, pending: BotRequest, seconds: float) -> None:
        game = self._open.get(pending.game)
        if game is not None:
            game.ponder(pending.seat, seconds)

    def on_misconduct(
        self, pending: BotRequest, fault: Misconduct, spent: Spent
    ) -> None:
        game = self._open.get(pending.game)
        if game is not None:
            game.fault(pending.seat, fault, spent)

    def may_repeat(self, pending: BotRequest, spent: Spent) -> bool:
        game = self._open.get(pending.game)
        return game is None or game.may_repeat(pending.seat, spent)

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
        while not self._phase.over.is_set():
            while self._settled:
                self._close(self._settled.pop(0))
            if self._is_enough:
                self._open.clear()
            elif self._open_next():
                continue
            if not (self._open or self._settled):
                self._phase.over.set()
            break
        self._slots.flush()

    def situation(self) -> str:
        """Describe who is waited for; empty if that is nobody."""
        waited_for = [c for c in self._contestants if c.is_waited_for()]
        return ", ".join(c.situation() for c in waited_for)

    def _close(self, game: LiveGame) -> None:
        """Deliver a game, and find out if an entry has forfeited too often by now."""
        assert game.record is not None
        del self._open[game.index]
        self._phase.free(game.slot)
        if game.prints and self._deliver_prints is not None:
            self._deliver_prints(game.record.game_id, game.prints)
        self._deliver(game.record)
        rows = self._phase.rows
        for seat, index in enumerate(game.task.seats):
            if not game.record.forfeits[seat]:
                rows[index] = 0
            elif not self._unit.entries[index].refused:
                self._is_enough |= self._patience[index].note(game.appearances[seat])
                rows[index] += 1
                if rows[index] == self._bearable:
                    self._put_off(index)

    def _put_off(self, entry: int) -> None:
        """Leave the rest of an entry's games for a later phase.

        Their slots are not free: the requests of these games are still on their way.
        """
        self._phases.leave_out(entry)
        for index, game in list(self._open.items()):
            if entry in game.task.seats and game not in self._settled:
                del self._open[index]
                self._phases.give_back(index)

    def _open_next(self) -> bool:
        if not self._phase.free_slots:
            return False
        index = self._phases.next()
        if index is None:
            return False
        self._open[index] = game = LiveGame(
            self._context,
            index,
            self._unit.games[index],
            self._phase.free_slots.pop(),
            self._appearances[index],
        )
        game.begin()
        return True


class _PhaseState:
    """What is known of the phase that is being played."""

    def __init__(self, unit: WorkUnit) -> None:
        tables = max(1, len(unit.entries) // unit.game.players)
        self._unused = list(range(_games_at_once(unit)))[::-1]
        """Slots that are not used yet: a game that ends makes room for two.  So a phase
        of slow games, in which few end for a long time, has few."""
        first = min(len(self._unused), _FIRST_GAMES * tables)
        self.free_slots = [self._unused.pop() for _ in range(first)]
        self.loaded: set[int] = set()
        """Entries whose file has been read, by index."""
        self.rows = [0] * len(unit.entries)
        """Of each entry, its latest forfeits in a row, in the order of their ends."""
        self.over = trio.Event()

    def free(self, slot: int) -> None:
        """Take back the slot of a game that has ended."""
        self.free_slots.append(slot)
        if self._unused:
            self.free_slots.append(self._unused.pop())


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


def _appearances(unit: WorkUnit) -> Iterator[tuple[int, ...]]:
    """Yield of each game its number among those of each seat's entry, from 0."""
    appearances = [0] * len(unit.entries)
    for task in unit.games:
        yield tuple(appearances[entry] for entry in task.seats)
        for entry in task.seats:
            appearances[entry] += 1


def _bearable(unit: WorkUnit) -> int:
    if unit.restart is not Restart.MATCH:
        return 0  # Games are begun in their order.
    return -(-unit.patience // unit.game.players)


def _games_at_once(unit: WorkUnit) -> int:
    """Return the number of games in flight that gives each entry `in_flight`."""
    if unit.restart is Restart.GAME:
        return 1
    games = unit.in_flight * max(1, len(unit.entries) // unit.game.players)
    # Programs are promised numbers below this for their tables.
    is_told = any(entry.command for entry in unit.entries)
    return min(games, MAX_TABLES) if is_told else games


async def play_unit(
    unit: WorkUnit,
    sandbox: Sandbox,
    deliver: Callable[[GameRecord], None] | None = None,
    deliver_prints: DeliverPrints | None = None,
) -> list[GameRecord]:
    """Play a unit in this process; return its games in the order of their ends.

    Each is also delivered as soon as it is over, and what was printed in it before.

    Raises:
        LeagueError: the machine can't start a contestant.
    """
    records: list[GameRecord] = []

    def take(record: GameRecord) -> None:
        records.append(record)
        if deliver is not None:
            deliver(record)

    with starting_contestants():
        player = UnitPlayer(unit, sandbox, take, deliver_prints=deliver_prints)
        await player.play()
    return records
