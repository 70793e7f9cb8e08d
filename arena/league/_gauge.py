"""How large contestants' processes become."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from arena.referee.sandbox import Process, Sandbox

_EVERY = 0.05
"""Seconds between looks; a process keeps count of its own peak."""


class Gauge:
    """Looks at all processes that a sandbox starts."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.peak: int | None = None
        """Bytes of address space of the largest so far; None if nobody can tell."""
        self._processes: list[Process] = []
        self.sandbox = self._watched(sandbox)
        """The same as the sandbox, but watched."""

    def _watched(self, sandbox: Sandbox) -> Sandbox:
        processes = self._processes

        class Watched(Sandbox):
            name = sandbox.name
            contains = sandbox.contains
            threads = sandbox.threads

            async def spawn(
                self, memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
            ) -> Process:
                process = await sandbox.spawn(memory, folder, command)
                processes.append(process)
                return process

            def parts(self) -> str:
                return sandbox.parts()

            def close(self) -> None:
                pass  # Whoever has opened it closes it.

        return Watched(sandbox.spec)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Look now and then while inside."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch)
            yield
            nursery.cancel_scope.cancel()

    async def _watch(self) -> None:
        while True:
            for process in self._processes[:]:
                size = _peak(process.pid)
                if size is None:
                    self._processes.remove(process)
                else:
                    self.peak = max(size, self.peak or 0)
            await trio.sleep(_EVERY)


def _peak(pid: int) -> int | None:
    """Return the bytes of address space that a process has had at most.

    None if it is gone, or the system has no such file.
    """
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith("VmPeak:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
