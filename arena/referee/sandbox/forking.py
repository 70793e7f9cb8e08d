"""The levels `namespaces` and `filters`: contestants are forked from a zygote."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import trio

from arena.referee.sandbox import bubblewrap
from arena.referee.sandbox.level import (
    ATTEMPTS,
    CPU_PER_PROCESS_S,
    MAX_THREADS,
    Sandbox,
    SandboxSpec,
    environment,
    python_arguments,
    start_folder,
)
from arena.referee.sandbox.process import KilledError, LostError, Process
from arena.referee.sandbox.readable_paths import runtime, shared_runtimes
from arena.referee.sandbox.zygote_client import ZygoteClient
from arena.worker.confinement import landlock_abi, open_ruleset
from arena.worker.protocol import Confinement

_MAX_TRIES = 5
_RETRY_AFTER_S = 1.0
"""By then a bot that took all processes of the machine has been ended."""
_MAX_RULESETS = 8
"""Of so many bots it is kept ready what they may open."""


class FiltersSandbox(Sandbox):
    """Landlock, a seccomp filter and limits on resources.

    Needs no privilege and no program.  A bot can tell which paths exist on the
    machine, but read none beside its own and those of its library.
    """

    name: ClassVar[str] = "filters"
    contains: ClassVar[frozenset[str]] = frozenset(a.name for a in ATTEMPTS)
    tasks: ClassVar[int | None] = None

    def __init__(self, spec: SandboxSpec) -> None:
        super().__init__(spec)
        self.landlock = landlock_abi()
        self._zygote: ZygoteClient | None = None
        self._rulesets: dict[tuple[str, tuple[str, ...]], int] = {}
        """Descriptors of what contestants may open, the last one used at the end."""
        self._check()

    def _check(self) -> None:
        if not self.landlock:
            raise OSError("this kernel has no Landlock (Linux 5.13 or newer has)")

    async def spawn(
        self, memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
    ) -> Process:
        confinement = self._confinement(memory, folder, command)
        tries = 0
        while True:
            tries += 1
            zygote = self._zygote = self._zygote or self._new_zygote()
            try:
                with self._ruleset(folder, command) as ruleset:
                    return await zygote.fork(confinement, ruleset)
            except KilledError:
                if tries == _MAX_TRIES:
                    raise
            except LostError:
                # Another task may have noticed first, and started a new one.
                if zygote is self._zygote:
                    self.close()
                if tries == _MAX_TRIES:
                    raise
            except BlockingIOError:
                if tries == _MAX_TRIES:
                    raise
                await trio.sleep(_RETRY_AFTER_S)

    def _confinement(
        self, memory: int, folder: str, command: tuple[str, ...]
    ) -> Confinement:
        return Confinement(
            filters=True,
            limits=True,
            landlock=bool(self.landlock),
            memory=memory,
            cpu=CPU_PER_PROCESS_S,
            tasks=self.tasks,
            command=command,
            folder=start_folder(folder, command),
        )

    @contextmanager
    def _ruleset(self, folder: str, command: tuple[str, ...]) -> Iterator[int]:
        """Have a descriptor of what a contestant may open.

        There are hundreds of rules, which take longer than the rest of its start.
        """
        library = self.spec.library
        found = self._rulesets.pop((folder, command), None)
        if found is None:
            read = (*library.read, *self._own(folder, command))
            found = open_ruleset(
                read, self.landlock, library.folders, execute=bool(command)
            )
        self._rulesets[folder, command] = found
        if len(self._rulesets) > _MAX_RULESETS:
            os.close(self._rulesets.pop(next(iter(self._rulesets))))
        # Until it is sent others may start, and close the one that is kept.
        descriptor = os.dup(found)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _own(self, folder: str, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the paths that a contestant may read beside the library."""
        own = [folder] if folder else []
        if command:
            own += shared_runtimes()
            # The `lib` beside a program in the bot's own folder belongs to others.
            if not Path(command[0]).is_relative_to(folder):
                own += runtime(command[0], self.spec.library.folders)
        return tuple(own)

    def _new_zygote(self) -> ZygoteClient:
        return ZygoteClient(self._start, self.spec.library, self.spec.preload)

    def _start(
        self, arguments: Sequence[str], descriptors: Sequence[int]
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*self._before(), *python_arguments(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            env=environment(),
            pass_fds=tuple(descriptors),
            start_new_session=True,
        )

    def _before(self) -> list[str]:
        """Return the words before Python's own command, if any."""
        return []

    def parts(self) -> str:
        return f"Landlock {self.landlock}, seccomp, resource limits"

    def close(self) -> None:
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None
        while self._rulesets:
            os.close(self._rulesets.popitem()[1])


class NamespacesSandbox(FiltersSandbox):
    """The same in namespaces by bubblewrap, where other files do not even exist."""

    name = "namespaces"
    # Outside of a namespace of its own all processes of the user would count.
    tasks = MAX_THREADS

    def _check(self) -> None:
        closed = self.spec.library.folders
        runtimes = [p for path in self.spec.folders for p in runtime(path, closed)]
        self._folders: Sequence[str] = [*runtimes, *shared_runtimes()]
        self._version = bubblewrap.version()

    async def spawn(
        self, memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
    ) -> Process:
        if self.landlock:
            process = await super().spawn(memory, folder, command)
        else:
            process = await self._spawn_alone(memory, folder, command)
        # The folders of hand-ins of one file are not there.
        process.home = "" if folder else bubblewrap.HOME
        return process

    async def _spawn_alone(
        self, memory: int, folder: str, command: tuple[str, ...]
    ) -> Process:
        """Start it in namespaces of its own: it would see others' files in common ones.

        There is no Landlock.
        """
        self._folders = self._own(folder, command)
        zygote = self._new_zygote()
        try:
            process = await zygote.fork(self._confinement(memory, folder, command))
        except BaseException:
            zygote.close()
            raise
        process.on_close = zygote.close
        return process

    def _before(self) -> list[str]:
        return bubblewrap.command(self.spec.library.read, self._folders)

    def parts(self) -> str:
        landlock = f"Landlock {self.landlock}, " if self.landlock else ""
        together = self._zygote is not None and not self._zygote.is_apart
        return (
            f"bubblewrap {self._version}, {landlock}seccomp, resource limits"
            f"{', process ids in common' if together else ''}"
        )
