"""The peak memory of contestants' processes."""

from functools import partial

from arena.referee.sandbox import Process, Sandbox


class PeakMemory:
    """Measures all processes that a sandbox has started, when they are stopped."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.peak: int | None = None
        """Bytes of address space of the largest; None if the system does not tell."""
        self.sandbox = self._watched(sandbox)
        """The given sandbox, but its processes are measured."""

    def _watched(self, sandbox: Sandbox) -> Sandbox:
        measure = self._measure

        class Measured(Sandbox):
            name = sandbox.name
            contains = sandbox.contains
            threads = sandbox.threads

            async def spawn(
                self, memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
            ) -> Process:
                process = await sandbox.spawn(memory, folder, command)
                process.on_leave = partial(measure, process.pid)
                return process

            def parts(self) -> str:
                return sandbox.parts()

            def close(self) -> None:
                pass  # Whoever has opened it closes it.

        return Measured(sandbox.spec)

    def _measure(self, pid: int) -> None:
        size = _peak(pid)
        if size is not None:
            self.peak = max(size, self.peak or 0)


def _peak(pid: int) -> int | None:
    """Return the peak of a process in bytes of address space.

    None if the process is gone, or the system does not tell.
    """
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith("VmPeak:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
