"""Runs what starts processes, so that it can be interrupted and leaves none."""

from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import trio

from arena.league.run import interruptible

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def run(function: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """Return what an async function returns.

    Raises:
        KeyboardInterrupt: this process was asked to stop, and all is put away.
    """

    async def until_interrupted() -> T:
        async with interruptible():
            return await function(*args)
        raise KeyboardInterrupt

    return trio.run(until_interrupted)
