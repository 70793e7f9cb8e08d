"""How large contestants' processes become."""

from functools import partial

from arena.referee.sandbox import Process, Sandbox


class PeakMemory:
    """Looks at all processes that a sandbox has started, when they are put away."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.peak: int | None = None
        """Bytes of address space of the largest so far; None if nobody can tell."""
        self.sandbox = self._watched(sandbox)
        """The same as the sandbox, but watched."""

    def _watched(self, sandbox: Sandbox) -> Sandbox:
        look = self._look

        class Watched(Sandbox):
            name = sandbox.name
            contains = sandbox.contains
            threads = sandbox.threads

            async def spawn(
                self, memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
            ) -> Process:
                process = await sandbox.spawn(memory, folder, command)
                process.on_leave = partial(look, process.pid)
                return process

            def parts(self) -> str:
                return sandbox.parts()

            def close(self) -> None:
                pass  # Whoever has opened it closes it.

        return Watched(sandbox.spec)

    def _look(self, pid: int) -> None:
        size = _peak(pid)
        if size is not None:
            self.peak = max(size, self.peak or 0)


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
