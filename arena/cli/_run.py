"""Runs what starts processes, so that it can be interrupted and leaves none."""

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, TypeVarTuple

import click
import trio

from arena.league.play.run import interruptible
from arena.referee.isolation import Isolation
from arena.worker.confinement import make_undumpable

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

    # Bots of the same user could read a league's seed in this process's memory.
    make_undumpable()
    return trio.run(until_interrupted)


@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end a block as Ctrl-C does.

    So that what is half done is put away, and whoever waits is told.
    """
    names = [signal.SIGTERM]
    # Whoever has started it with nohup wants it to outlive the terminal.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        names.append(signal.SIGHUP)
    before = {
        name: signal.signal(name, lambda *_: signal.raise_signal(signal.SIGINT))
        for name in names
    }
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def warn_of(isolation: Isolation) -> None:
    """Say it if bots are not kept from much."""
    if warning := isolation.warning():
        click.echo(f"note: {warning}", err=True)
