"""Interruptions: at Ctrl-C or a signal a run ends in order and leaves no process."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar, TypeVarTuple

import trio

from arena.errors import ArenaError, find_error
from arena.worker.confinement import make_undumpable

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def run_interruptible(function: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """Run an async function that starts processes, and return its result.

    Raises:
        KeyboardInterrupt: this process was asked to stop, and all is put away.
    """

    async def until_interrupted() -> T:
        async with interruptible():
            return await function(*args)
        raise KeyboardInterrupt

    # Bots of the same user could read a league's keys in this process's memory.
    make_undumpable()
    return trio.run(until_interrupted)


@asynccontextmanager
async def interruptible() -> AsyncIterator[trio.CancelScope]:
    """Cancel the block when this process is asked to stop.

    Gentler than a KeyboardInterrupt, which might come between the start of a
    process and the note of it.  Errors of ours come out by themselves.
    """
    with trio.CancelScope() as scope:
        try:
            async with trio.open_nursery() as nursery:
                await nursery.start(_listen, scope)
                yield scope
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            error = find_error(group, ArenaError)
            if error is None:
                raise
            raise error from None


async def _listen(
    scope: trio.CancelScope,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    with trio.open_signal_receiver(signal.SIGINT, *_terminations()) as received:
        task_status.started()
        async for _ in received:
            scope.cancel()


@contextmanager
def signals_as_interrupts() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block as Ctrl-C does.

    So work that is half done is put away, and whoever waits is told.
    """
    before = {
        name: signal.signal(name, lambda *_: signal.raise_signal(signal.SIGINT))
        for name in _terminations()
    }
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _terminations() -> list[signal.Signals]:
    """Return the signals that ask a process to end, Ctrl-C aside."""
    found = [signal.SIGTERM]
    # Whoever has started it with nohup wants it to outlive the terminal.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found
