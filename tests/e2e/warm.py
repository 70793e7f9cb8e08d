"""Runs `arena` in forks of a process that has imported it already.

Most of what a short command does is to import; here that is done once.  A fork is a
process like any other: with its own folder, environment, arguments and end.
"""

import atexit
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

_LONGEST = 1 << 20
"""Bytes of a request; an environment is in it."""
_MODULES = (
    "arena.cli.views.dry_run",
    "arena.league.play.cluster.cluster_executor",
    "arena.league.play.estimate",
    "arena.league.play.league_luck",
    "arena.ratings.next_games",
    "arena.ratings.power",
    "arena.referee.service",
    "arena.reports.export",
    "arena.reports.files",
    "arena.reports.tables.terminal",
)
"""What commands import when they need it, beside the modules of the verbs."""
_DIGITS = 20
"""Of a process id or an exit code that is told."""
_TRIAL = 0.1
"""Seconds that a dry run tries how long games take: not what these tests look at."""


class Command:
    """A command that has been started, used as one of `subprocess.Popen` is."""

    def __init__(self, status: int, out: int, err: int) -> None:
        self._status = status
        self._outputs = out, err
        self.returncode: int | None = None
        self.pid = int(os.read(status, _DIGITS))

    def poll(self) -> int | None:
        """Return its exit code once it has ended."""
        return self._end(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return its exit code.

        Raises:
            subprocess.TimeoutExpired: it has not ended after so many seconds.
        """
        code = self._end(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("arena", timeout or 0.0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end; return what it has printed."""
        self.wait(timeout)
        return self.printed()

    def printed(self) -> tuple[str, str]:
        """Return what it has printed so far; of its errors each in a line."""
        texts = []
        for descriptor in self._outputs:
            size = os.fstat(descriptor).st_size
            texts.append(os.pread(descriptor, size, 0).decode())
        return texts[0], unwrapped(texts[1])

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def close(self) -> None:
        """Kill it, and forget what it has printed."""
        with suppress(ProcessLookupError):
            self.send_signal(signal.SIGKILL)
        self.wait()
        for descriptor in (self._status, *self._outputs):
            os.close(descriptor)

    def _end(self, seconds: float | None) -> int | None:
        if self.returncode is None:
            ready, _, _ = select.select([self._status], [], [], seconds)
            if ready:
                self.returncode = int(os.read(self._status, _DIGITS))
        return self.returncode


def unwrapped(err: str) -> str:
    """Return notes and errors in a line each, as they were before the terminal's end.

    A command to be copied has a line of its own.
    """
    return re.sub(r"(?m)\n  (?! |(?:arena|python) \S)", " ", err)


class Forks:
    """The process that is forked.  Use `forks`."""

    def __init__(self) -> None:
        self._socket, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (self._socket, its):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LONGEST)
        with its:
            self._process = subprocess.Popen(
                [sys.executable, __file__],
                stdin=its,
                # Threads do not outlive a fork.
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,
            )

    @property
    def is_alive(self) -> bool:
        """True if it can be forked."""
        return self._process.poll() is None

    def start(
        self, words: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> Command:
        """Start a command."""
        request = json.dumps([words, str(folder), dict(environment)]).encode()
        status, its = os.pipe()
        out, err = (_nameless() for _ in range(2))
        try:
            socket.send_fds(self._socket, [request], [out, err, its])
        finally:
            os.close(its)
        return Command(status, out, err)


def _nameless() -> int:
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


_kept: list[Forks] = []


def forks() -> Forks:
    """Return the process that is forked; it begins when it is first asked for."""
    if not _kept or not _kept[0].is_alive:
        _kept[:] = [Forks()]
    return _kept[0]


def _serve() -> None:
    """Fork this process for each request, until there are no more."""
    cli = import_module("arena.cli")
    for name in (*(f"arena.cli.{verb}" for verb in cli._VERBS), *_MODULES):
        import_module(name)
    import_module("arena.league.play.estimate").TRIAL_S = _TRIAL
    # Which modules a contestant needs is read out of their texts: once is enough.
    games = import_module("arena.games").game_paths()
    import_module("arena.referee.sandbox.library").find_library((), [*games.values()])
    requests = socket.socket(fileno=os.dup(0))
    running: dict[int, tuple[int, int]] = {}
    while True:
        ready, _, _ = select.select([requests, *running], [], [])
        for pidfd in {*ready} & running.keys():
            pid, told = running.pop(pidfd)
            _, ended = os.waitpid(pid, 0)
            _tell(told, os.waitstatus_to_exitcode(ended))
            os.close(told)
            os.close(pidfd)
        if requests not in ready:
            continue
        data, files, _, _ = socket.recv_fds(requests, _LONGEST, 3)
        if not data:
            return
        out, err, status = files
        child = os.fork()
        if child == 0:
            words, folder, environment = json.loads(data)
            # What is to be done at the end of a command is the command's own.
            atexit._clear()
            code = _run(words, folder, environment, out, err)
            atexit._run_exitfuncs()
            os._exit(code)
        os.close(out)
        os.close(err)
        _tell(status, child)
        running[os.pidfd_open(child)] = child, status


def _tell(status: int, number: int) -> None:
    # Whoever waits may have been killed.
    with suppress(BrokenPipeError):
        os.write(status, f"{number:{_DIGITS}}".encode())


def _run(
    words: list[str], folder: str, environment: dict[str, str], out: int, err: int
) -> int:
    """Be `arena` with these words; return the exit code."""
    for descriptor, target in (
        (os.open(os.devnull, os.O_RDONLY), 0),
        (out, 1),
        (err, 2),
    ):
        os.dup2(descriptor, target)
    os.closerange(3, 1000)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    sys.argv = ["arena", *words]
    # As where the installed command begins.
    first = os.path.dirname(sys.executable)
    added = [x for x in environment.get("PYTHONPATH", "").split(os.pathsep) if x]
    sys.path[:1] = [first, *(x for x in added if x not in sys.path)]
    code: object = 0
    try:
        import_module("arena.cli").main()
    except SystemExit as error:
        code = error.code
    except BaseException:
        traceback.print_exc()
        code = 1
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    _serve()
