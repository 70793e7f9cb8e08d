"""The levels `limits` and `process`: every contestant is a newly started Python."""

import os
import subprocess
import threading
from functools import partial
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
from arena.referee.sandbox.start_folders import StartFolders
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
        self._folders = StartFolders()

    async def spawn(
        self, memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
    ) -> Process:
        process = self._start()
        try:
            if not command:
                process.home = self._folders.make(folder)
                process.on_close = partial(self._folders.remove, process.home)
            confinement = Confinement(
                filters=False,
                limits=self.limits,
                memory=memory if self.limits else 0,
                cpu=CPU_PER_PROCESS_S if self.limits else 0,
                tasks=0 if self.limits else None,
                command=command,
                folder=start_folder(folder, command),
            )
            os.write(process.write_fd, frame(confinement))
            await process.confined()
        except BaseException:
            process.close()
            raise
        return process

    def _start(self) -> Process:
        pipes = Pipes.open()
        try:
            return ColdProcess(self._start_python(pipes), pipes)
        except BaseException:
            pipes.close()
            raise
        finally:
            pipes.close_childs()

    def _start_python(self, pipes: Pipes) -> subprocess.Popen[bytes]:
        if threading.current_thread() is not threading.main_thread():
            # The kernel would end it together with this thread.
            raise RuntimeError("contestants are to be started by the main thread")
        search = os.pathsep.join(self.spec.library.search)
        passed = (pipes.child_read, pipes.child_write)
        return subprocess.Popen(
            [*python_arguments(), "serve", search, *map(str, passed)],
            stdin=subprocess.DEVNULL,
            stdout=pipes.child_output,
            stderr=pipes.child_output,
            cwd="/",
            env=environment(),
            pass_fds=passed,
            start_new_session=True,
        )

    def close(self) -> None:
        self._folders.close()

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
