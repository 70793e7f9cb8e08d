"""How a contestant's process is started, and what it is kept from.

Isolation levels plug in here: each is a `Sandbox`.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

_TAIL = 4096


@dataclass(slots=True)
class Process:
    """A contestant's process and the referee's ends of its pipes."""

    popen: subprocess.Popen[bytes]
    write_fd: int
    read_fd: int
    output_fd: int
    folder: str

    @property
    def pid(self) -> int:
        """The process whose CPU time counts."""
        return self.popen.pid

    def kill(self) -> None:
        """Kill the process and all of its group, at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    def printed(self) -> str:
        """Return the last lines it printed."""
        size = os.fstat(self.output_fd).st_size
        tail = os.pread(self.output_fd, _TAIL, max(0, size - _TAIL))
        return tail.decode(errors="replace")

    def close(self) -> None:
        """Kill it, reap it and leave nothing behind."""
        if self.popen.returncode is None:
            self.kill()
            self.popen.wait()
        for fd in (self.write_fd, self.read_fd, self.output_fd):
            os.close(fd)
        shutil.rmtree(self.folder, ignore_errors=True)


class Sandbox(Protocol):
    """An isolation level."""

    name: str

    def spawn(self) -> Process:
        """Start a contestant's process that knows nothing yet.

        Raises:
            OSError: the machine can't; nobody's bot is to blame.
        """


class LimitsSandbox:
    """Own process, session, environment and folder, and limits on resources.

    It keeps bots from using up the machine.  It does not keep them from reading
    files or using the network: run only bots you trust.
    """

    name = "limits"

    def spawn(self) -> Process:
        """Start a contestant's process that knows nothing yet."""
        folder = tempfile.mkdtemp(prefix="arena-bot-")
        output = os.path.join(folder, "output")
        output_fd = os.open(output, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        os.unlink(output)
        child_read, write_fd = os.pipe()
        read_fd, child_write = os.pipe()
        command = [sys.executable, "-s", "-P", "-B", "-m", "arena.worker"]
        try:
            popen = subprocess.Popen(
                [*command, str(child_read), str(child_write)],
                stdin=subprocess.DEVNULL,
                stdout=output_fd,
                stderr=output_fd,
                cwd=folder,
                env=_environment(folder),
                pass_fds=(child_read, child_write),
                start_new_session=True,
            )
        except OSError:
            for fd in (write_fd, read_fd, output_fd):
                os.close(fd)
            shutil.rmtree(folder, ignore_errors=True)
            raise
        finally:
            os.close(child_read)
            os.close(child_write)
        os.set_blocking(write_fd, False)
        os.set_blocking(read_fd, False)
        return Process(popen, write_fd, read_fd, output_fd, folder)


def _environment(folder: str) -> dict[str, str]:
    return {
        "HOME": folder,
        "TMPDIR": folder,
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
        # Sets of strings have the same order in every run.
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
