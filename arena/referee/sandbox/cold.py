"""The levels `limits` and `process`: every contestant is a newly started Python."""

import os
import subprocess
import tempfile
import threading
from typing import ClassVar

from arena.referee.sandbox.level import (
    CPU_PER_PROCESS_S,
    Sandbox,
    SandboxSpec,
    environment,
    python_arguments,
    start_folder,
)
from arena.referee.sandbox.process import ColdProcess, Pipes, Process
from arena.worker.protocol import Confinement, frame

_CHILDLESS = set() if os.geteuid() == 0 else {"fork", "program"}


class ProcessSandbox(Sandbox):
    """A process, session and environment of its own, which any system has.

    Crashes, hangs and output of a bot do not reach the referee; all else is open.
    """

    name: ClassVar[str] = "process"
    contains: ClassVar[frozenset[str]] = frozenset()
    limits: ClassVar[bool] = False

    def __init__(self, spec: SandboxSpec) -> None:
        super().__init__(spec)
        # In a folder that has been removed a bot writes no files by mistake.
        folder = tempfile.mkdtemp()
        self._nowhere = os.open(folder, os.O_RDONLY)
        os.rmdir(folder)

    async def spawn(
        self, memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
    ) -> Process:
        pipes = Pipes.open()
        try:
            process = ColdProcess(self._start(pipes), pipes)
        except BaseException:
            pipes.close()
            raise
        finally:
            pipes.close_childs()
        try:
            confinement = Confinement(
                filters=False,
                limits=self.limits,
                memory=memory if self.limits else 0,
                cpu=CPU_PER_PROCESS_S if self.limits else 0,
                tasks=0 if self.limits else None,
                command=command,
                folder=start_folder(folder, command),
            )
            os.write(pipes.write_fd, frame(confinement))
            await process.confined()
        except BaseException:
            process.close()
            raise
        return process

    def _start(self, pipes: Pipes) -> subprocess.Popen[bytes]:
        if threading.current_thread() is not threading.main_thread():
            # The kernel would end it together with this thread.
            raise RuntimeError("contestants are to be started by the main thread")
        search = os.pathsep.join(self.spec.library.search)
        passed = (pipes.child_read, pipes.child_write, self._nowhere)
        return subprocess.Popen(
            [*python_arguments(), "serve", search, *map(str, passed)],
            stdin=subprocess.DEVNULL,
            stdout=pipes.child_output,
            stderr=pipes.child_output,
            env=environment(),
            pass_fds=passed,
            start_new_session=True,
        )

    def close(self) -> None:
        os.close(self._nowhere)

    def parts(self) -> str:
        return "separate processes"


class LimitsSandbox(ProcessSandbox):
    """The same with limits on memory, processes, files and descriptors.

    A bot can't use up the machine.  It can read files, use the network and disturb
    other bots.
    """

    name = "limits"
    # The kernel counts threads as processes, and neither where they are root's.
    contains = frozenset({"memory", "limits"} | _CHILDLESS)
    threads = False
    limits = True

    def parts(self) -> str:
        return "separate processes, resource limits"
