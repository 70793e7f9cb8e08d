"""Ask a bot file what bots are in it, in a contestant's process of its own."""

import trio

from arena.referee.contestant.contestant import Contestant
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.request_pipe import ComputeSlots
from arena.referee.contestant.requests import Pending
from arena.referee.limits import Limits
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import EntrySpec
from arena.worker.protocol import Answer, BotInfo, Done


class _Listener:
    """Hears what a contestant says of its file."""

    def __init__(self) -> None:
        self.heard: tuple[BotInfo, ...] | Misconduct | None = None
        self.done = trio.Event()

    def on_ready(self, who: Contestant, bots: tuple[BotInfo, ...]) -> None:
        self.heard = bots
        self.done.set()

    def on_refusal(self, who: Contestant, fault: Misconduct) -> None:
        self.heard = fault
        self.done.set()

    def on_reply(
        self, who: Contestant, pending: Pending, reply: Done | Answer, seconds: float
    ) -> None:
        raise AssertionError("only to be asked to load")

    def on_pondering(self, who: Contestant, pending: Pending, seconds: float) -> None:
        raise AssertionError("only to be asked to load")

    def on_misconduct(
        self, who: Contestant, pending: Pending, fault: Misconduct, seconds: float
    ) -> None:
        raise AssertionError("only to be asked to load")

    def requests_to_repeat(self, who: Contestant) -> list[Pending]:
        return []

    def settle(self) -> None:
        pass


async def describe(
    entry: EntrySpec, games: tuple[str, ...], limits: Limits, sandbox: Sandbox
) -> tuple[BotInfo, ...] | Misconduct:
    """Return the bots of a file that can play any of `games`, or why there are none.

    Of the entry only its path and files count.

    Raises:
        ExceptionGroup: of OSError; the machine could not start a process.
    """
    listener = _Listener()
    contestant = Contestant(0, entry, games, limits, sandbox, listener, ComputeSlots(1))
    contestant.want()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(contestant.run)
        await listener.done.wait()
        nursery.cancel_scope.cancel()
    assert listener.heard is not None
    return listener.heard
