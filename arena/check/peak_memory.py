"""The peak memory of contestants' processes."""

from functools import partial

from arena.referee.sandbox import Process, Sandbox


class PeakMemory:
    """Measures all processes that a sandbox has started, when they are stopped."""

    def __init__(self, sandbox: Sandbox, *, is_program: bool = False) -> None:
        self.peak: int | None = None
        """Bytes of address space of the largest, or of a program's data when it was
        stopped: what counts is limited.  None if the system does not tell."""
        self._is_program = is_program
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
                process.on_leave = partial(measure, process.pid, bool(command))
                return process

            def parts(self) -> str:
                return sandbox.parts()

            def close(self) -> None:
                pass  # Whoever has opened it closes it.

        return Measured(sandbox.spec)

    def _measure(self, pid: int, is_program: bool) -> None:
        size = _bytes(pid, "VmData:" if is_program else "VmPeak:")
        if size is not None and is_program == self._is_program:
            self.peak = max(size, self.peak or 0)


def _bytes(pid: int, field: str) -> int | None:
    """Return what the system tells of the memory of a process, in bytes.

    None if the process is gone, or the system does not tell.
    """
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith(field):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
