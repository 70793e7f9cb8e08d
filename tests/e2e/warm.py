"""Runs `arena` in forks of a process that has imported it already.

Most of what a short command does is to import; here that is done once.  A fork is a
process like any other: with its own folder, environment, arguments and end.
"""

import json
import os
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
    *("arena.cli._dry_run", "arena.cli._derived", "arena.league.luck"),
    *("arena.ratings.power", "arena.ratings.adaptive", "arena.referee.service"),
    *("arena.reports.files", "arena.reports.terminal", "arena.reports.export"),
)
"""What commands import when they need it, beside the modules of the verbs."""


_kept: "list[Forks]" = []


class Forks:
    """The process that is forked.  Use `forks`."""

    def __init__(self) -> None:
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (ours, its):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LONGEST)
        with its:
            self._process = subprocess.Popen(
                [sys.executable, __file__],
                stdin=its,
                # Threads do not outlive a fork.
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,
            )
        self._socket = ours

    @property
    def is_alive(self) -> bool:
        """Whether it can be forked."""
        return self._process.poll() is None

    def run(
        self,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        patience: float,
    ) -> tuple[int, str, str]:
        """Run a command to its end; return its exit code and what it has printed.

        Raises:
            TimeoutError: it has not ended after so many seconds, and is killed.
        """
        request = json.dumps([words, str(folder), dict(environment)]).encode()
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            socket.send_fds(self._socket, [request], [out.fileno(), err.fileno()])
            self._socket.settimeout(patience)
            try:
                code = int(self._socket.recv(100))
            except TimeoutError:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
                raise
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()


def forks() -> Forks:
    """Return the process that is forked, which begins when it is first asked for."""
    if not _kept or not _kept[0].is_alive:
        _kept[:] = [Forks()]
    return _kept[0]


def _serve() -> None:
    """Fork this process for each request, until there are no more."""
    cli = import_module("arena.cli")
    for verb in cli._VERBS:
        import_module(f"arena.cli.{verb}")
    for module in _MODULES:
        import_module(module)
    requests = socket.socket(fileno=os.dup(0))
    while True:
        data, (out, err), _, _ = socket.recv_fds(requests, _LONGEST, 2)
        if not data:
            return
        child = os.fork()
        if child == 0:
            requests.close()
            words, folder, environment = json.loads(data)
            os._exit(_run(words, folder, environment, out, err))
        os.close(out)
        os.close(err)
        _, status = os.waitpid(child, 0)
        requests.send(str(os.waitstatus_to_exitcode(status)).encode())


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
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    sys.argv = ["arena", *words]
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
