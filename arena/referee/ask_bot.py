"""One bot asked for decisions, or a file for its bots, outside of any unit of work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import trio

from arena.games import Game, Table, derive_seed, game_paths
from arena.records.game_record import Fault
from arena.referee.contestant.clock import SeatClock
from arena.referee.contestant.contestant import Contestant, ContestantListener
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.request_pipe import ComputeSlots
from arena.referee.contestant.wire import BotRequest, RequestKind
from arena.referee.sandbox import Sandbox
from arena.referee.verdict import fault_of, illegal, overdrawn
from arena.referee.work_unit import EntrySpec, Limits
from arena.worker.protocol import Answer, BotInfo, Done, GameSpec, pack_spec

_SLOT = 0


class Decision(msgspec.Struct, frozen=True):
    """The answer of a bot."""

    action: str = ""
    """Legal, or empty if there is a fault."""
    seconds: float = 0.0
    """Charged for it."""
    fault: Fault | None = None


class OneBot(ContestantListener):
    """A bot in one seat of one game.  Use `ask_bot`."""

    def __init__(
        self,
        entry: EntrySpec,
        game: Game,
        seat: int,
        seed: bytes,
        limits: Limits,
        sandbox: Sandbox,
    ) -> None:
        self.entry = entry
        self.seat = seat
        self.fault: Fault | None = None
        """Why it has forfeited; then it gets no more requests."""
        self._game = game
        self._seed = seed
        self._limits = limits
        self._clock = SeatClock(limits)
        self._slots = ComputeSlots(1)
        self._contestant = Contestant(
            0, entry, (game.name,), limits, sandbox, self, self._slots
        )
        self._requests: list[BotRequest] = []
        self._heard: tuple[Done | Answer | Misconduct, float] | None = None
        self._has_heard = trio.Event()
        self._has_begun = False
        self._method = ""
        """The method that decides, with its line in the bot's file."""
        if entry.refused:
            self._hear(Misconduct(entry.refused_as, entry.refused))

    async def act(self, table: Table) -> Decision:
        """Ask for the decision at a table, where it is this seat's turn.

        The observation has all events that the seat has not seen yet.
        """
        if self.fault is None and not self._has_begun:
            await self._begin()
        if self.fault is not None:
            return Decision(fault=self.fault)
        contestant = self._contestant
        serial = contestant.next_serial()
        observation = table.observe(self._clock.time_left())
        data = contestant.wire.act(serial, _SLOT, observation, table.state)
        heard, seconds = await self._ask(
            RequestKind.ACT, serial, data, self._clock.allowance()
        )
        action = ""
        if isinstance(heard, Answer):
            action = heard.action
            if not self._clock.charge(seconds):
                heard = overdrawn(heard, self._method, seconds, self._clock.bank)
            elif not table.state.is_legal(action):
                heard = illegal(table.state, heard, self._method)
            else:
                return Decision(action, seconds)
            heard.output = heard.output or contestant.printed()
        assert isinstance(heard, Misconduct)
        self.fault = fault_of(
            heard, self.seat, self.entry.id, table.decisions, table.state, action
        )
        return Decision(seconds=seconds, fault=self.fault)

    async def _begin(self) -> None:
        """Have it make its instance."""
        self._has_begun = True
        contestant, game = self._contestant, self._game
        spec = GameSpec(
            game.name, game_paths()[game.name], game.players, game.options_dict
        )
        serial = contestant.next_serial()
        data = contestant.wire.begin(
            serial,
            _SLOT,
            game,
            pack_spec(spec),
            derive_seed(self._seed, "bot", self.seat),
            game.new_state().observation(self.seat),
        )
        heard, _ = await self._ask(
            RequestKind.BEGIN, serial, data, self._start_allowance
        )
        if isinstance(heard, Done):
            self._method = heard.method
        if isinstance(heard, Misconduct):
            self.fault = fault_of(heard, self.seat, self.entry.id, 0, None)

    @property
    def _start_allowance(self) -> float:
        return self._limits.start + self._limits.margin

    async def _ask(
        self, kind: RequestKind, serial: int, data: bytes, allowance: float
    ) -> tuple[Done | Answer | Misconduct, float]:
        pending = BotRequest(kind, serial, data, allowance, _SLOT, self.seat)
        self._requests.append(pending)
        # It may have been refused, or have forfeited, before this request.
        if self._heard is None:
            self._contestant.ask(pending)
            self._slots.flush()
            await self._has_heard.wait()
        assert self._heard is not None
        heard = self._heard
        if not isinstance(heard[0], Misconduct):
            self._heard = None
            self._has_heard = trio.Event()
        return heard

    def on_refusal(self, contestant: Contestant, fault: Misconduct) -> None:
        self._hear(fault)

    def on_reply(
        self,
        contestant: Contestant,
        pending: BotRequest,
        reply: Done | Answer,
        seconds: float,
    ) -> None:
        if not pending.replayed:
            pending.replayed = True
            # It has been in time; a new process may find the same decision harder.
            pending.allowance = max(pending.allowance, self._start_allowance)
            self._hear(reply, seconds)

    def on_pondering(
        self, contestant: Contestant, pending: BotRequest, seconds: float
    ) -> None:
        self._clock.ponder(seconds)

    def on_misconduct(
        self,
        contestant: Contestant,
        pending: BotRequest,
        fault: Misconduct,
        seconds: float,
    ) -> None:
        self._hear(fault, seconds)

    def _hear(self, heard: Done | Answer | Misconduct, seconds: float = 0.0) -> None:
        if self._heard is None or isinstance(heard, Misconduct):
            self._heard = heard, seconds
            self._has_heard.set()

    def requests_to_repeat(self, contestant: Contestant) -> list[BotRequest]:
        has_failed = self._heard is not None and isinstance(self._heard[0], Misconduct)
        return [] if has_failed else self._requests

    def settle(self) -> None:
        self._slots.flush()

    async def run(self) -> None:
        """Keep its process running until cancelled."""
        await self._contestant.run()


@asynccontextmanager
async def ask_bot(
    entry: EntrySpec,
    game: Game,
    seat: int,
    seed: bytes,
    limits: Limits,
    sandbox: Sandbox,
) -> AsyncIterator[OneBot]:
    """Run a bot for one seat of a game; its process ends with the block.

    `seed` is the game's: the bot gets the random numbers that it would have in it.

    Raises:
        ExceptionGroup: of OSError; the machine could not start a process.  Errors from
            inside the block come in a group too.
    """
    bot = OneBot(entry, game, seat, seed, limits, sandbox)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bot.run)
        yield bot
        nursery.cancel_scope.cancel()


class _BotsListener(ContestantListener):
    """Waits for the bots of a contestant's file."""

    def __init__(self) -> None:
        self.heard: tuple[BotInfo, ...] | Misconduct | None = None
        self.done = trio.Event()

    def on_ready(self, contestant: Contestant, bots: tuple[BotInfo, ...]) -> None:
        self.heard = bots
        self.done.set()

    def on_refusal(self, contestant: Contestant, fault: Misconduct) -> None:
        self.heard = fault
        self.done.set()


async def ask_for_bots(
    entry: EntrySpec, games: tuple[str, ...], limits: Limits, sandbox: Sandbox
) -> tuple[BotInfo, ...] | Misconduct:
    """Return the bots of a file that can play any of `games`, or why there are none.

    Of the entry only its path and files count.

    Raises:
        ExceptionGroup: of OSError; the machine could not start a process.
    """
    listener = _BotsListener()
    contestant = Contestant(0, entry, games, limits, sandbox, listener, ComputeSlots(1))
    contestant.want()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(contestant.run)
        await listener.done.wait()
        nursery.cancel_scope.cancel()
    assert listener.heard is not None
    return listener.heard
