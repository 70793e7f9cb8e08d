"""One bot asked for decisions, or a file for its bots, outside of any unit of work."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import trio

from arena.games import Game, Table, game_paths
from arena.records.game_record import Fault
from arena.referee.bot_seat import BotSeat
from arena.referee.contestant.clock import Spent
from arena.referee.contestant.contestant import Contestant, ContestantListener
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.request_pipe import ComputeSlots
from arena.referee.contestant.wire import BotRequest
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import EntrySpec, Limits
from arena.worker.protocol import Answer, BotInfo, Done, GameSpec, pack_spec

_NOTHING = Spent()


class Decision(msgspec.Struct, frozen=True):
    """The answer of a bot."""

    action: str = ""
    """Legal, or empty if there is a fault."""
    seconds: float = 0.0
    """Charged for it."""
    printed: str = ""
    """What it has printed meanwhile; the end of all that is in the fault, if any."""
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
        self._game = game
        self._seed = seed
        self._slots = ComputeSlots(1)
        self._contestant = Contestant(
            0, entry, (game.name,), limits, sandbox, self, self._slots
        )
        self._seat = BotSeat(self._contestant, limits, seat)
        self._fault: Fault | None = None
        """Why it has forfeited; then it gets no more requests."""
        self._heard: tuple[Done | Answer | Misconduct, Spent] | None = None
        self._has_heard = trio.Event()
        self._has_begun = False
        if entry.refused:
            self._hear(Misconduct(entry.refused_as, entry.refused))

    async def act(self, table: Table) -> Decision:
        """Ask for the decision at a table, where it is this seat's turn.

        The observation has all events that the seat has not seen yet.
        """
        if not self._has_begun:
            self._has_begun = True
            heard, _ = await self._answer_to(self._begin)
            if isinstance(heard, Misconduct):
                self._fault = self._seat.fault(heard, None)
        if self._fault is not None:
            return Decision(fault=self._fault)
        heard, spent = await self._answer_to(partial(self._seat.act, table))
        action = ""
        if isinstance(heard, Answer):
            action = heard.action
            misconduct = self._seat.judge(heard, spent, table.state)
            if misconduct is None:
                printed = self._seat.take_printed()
                return Decision(action, spent.charged, printed)
            heard = misconduct
        assert isinstance(heard, Misconduct)
        self._fault = self._seat.fault(heard, table, action)
        return Decision(seconds=spent.charged, fault=self._fault)

    def _begin(self) -> None:
        game = self._game
        path = game_paths()[game.name]
        spec = GameSpec(game.name, path, game.players, game.options_dict)
        self._seat.begin(game.new_state(), pack_spec(spec), self._seed)

    async def _answer_to(
        self, ask: Callable[[], None]
    ) -> tuple[Done | Answer | Misconduct, Spent]:
        # It may have been refused, or have forfeited, before this request.
        if self._heard is None:
            ask()
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

    def on_reply(self, pending: BotRequest, reply: Done | Answer, spent: Spent) -> None:
        is_new = not pending.replayed
        self._seat.note_reply(pending, reply, spent)
        if is_new:
            self._hear(reply, spent)

    def on_pondering(self, pending: BotRequest, seconds: float) -> None:
        self._seat.clock.ponder(seconds)

    def on_misconduct(
        self, pending: BotRequest, fault: Misconduct, spent: Spent
    ) -> None:
        self._hear(fault, spent)

    def may_repeat(self, pending: BotRequest, spent: Spent) -> bool:
        return self._seat.may_repeat(spent)

    def _hear(self, heard: Done | Answer | Misconduct, spent: Spent = _NOTHING) -> None:
        if self._heard is None or isinstance(heard, Misconduct):
            self._heard = heard, spent
            self._has_heard.set()

    def requests_to_repeat(self, contestant: Contestant) -> list[BotRequest]:
        has_failed = self._heard is not None and isinstance(self._heard[0], Misconduct)
        return [] if has_failed else self._seat.to_repeat()

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
        self.seconds = 0.0
        """Charged for reading the file."""
        self.done = trio.Event()

    def on_ready(
        self, contestant: Contestant, bots: tuple[BotInfo, ...], seconds: float
    ) -> None:
        self.heard, self.seconds = bots, seconds
        self.done.set()

    def on_refusal(self, contestant: Contestant, fault: Misconduct) -> None:
        self.heard = fault
        self.done.set()


async def ask_for_bots(
    entry: EntrySpec, games: tuple[str, ...], limits: Limits, sandbox: Sandbox
) -> tuple[BotInfo, ...] | Misconduct:
    """Return the bots of a file that can play any of `games`, or why there are none.

    Raises:
        ExceptionGroup: of OSError; the machine could not start a process.
    """
    heard, _ = await read_bots(entry, games, limits, sandbox)
    return heard


async def read_bots(
    entry: EntrySpec, games: tuple[str, ...], limits: Limits, sandbox: Sandbox
) -> tuple[tuple[BotInfo, ...] | Misconduct, float]:
    """Return what `ask_for_bots` does, and the seconds charged for reading the file.

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
    return listener.heard, listener.seconds
