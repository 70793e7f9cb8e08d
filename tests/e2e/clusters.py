"""Starts Dask's processes as a user does, each in a folder of its own."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from commands import TIMEOUT_S, descendants

HERE = ("--host", "127.0.0.1")


class DaskCluster:
    """A scheduler on this machine, and its workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._gate = folder / "late.json"
        self._processes: list[subprocess.Popen[str]] = []
        self.scheduler = self._start("scheduler", self._file, "--port", "0", *HERE)

    @property
    def address(self) -> str:
        """What `--executor` is given; waits until the scheduler listens."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            # It may be there and not be written yet.
            with suppress(FileNotFoundError, ValueError):
                address: str = json.loads(self._file.read_text())["address"]
                return address.replace("tcp://", "dask://")
            assert self.scheduler.poll() is None, self.log()
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def add_worker(
        self, environment: Mapping[str, str], *, late: bool = False
    ) -> subprocess.Popen[str]:
        """Start a worker with one thread, with these variables in its environment.

        One that is `late` joins once it is let in.
        """
        words = ["--nthreads", "1", "--no-nanny", *HERE]
        local = self._folder / f"local-{len(self._processes)}"
        words += ["--local-directory", str(local)]
        file = self._gate if late else self._file
        return self._start("worker", file, *words, environment=environment)

    def let_in(self) -> None:
        """Tell the late workers where the scheduler is."""
        shutil.copy(self._file, self._gate)

    def has_joined(self, worker: subprocess.Popen[str]) -> bool:
        """Return True if the scheduler knows a worker."""
        log = self._folder / f"worker-{self._processes.index(worker)}.log"
        return "Registered to" in log.read_text()

    def referees(self) -> list[int]:
        """Return the referee processes of all workers."""
        pids = (process.pid for process in self._processes)
        return [pid for worker in pids for pid in descendants(worker, "arena.referee")]

    def log(self) -> str:
        """Return the output of Dask's processes."""
        return "".join(x.read_text() for x in sorted(self._folder.glob("*.log")))

    def close(self) -> None:
        """Kill them all."""
        for process in self._processes:
            process.kill()
            process.wait()

    def _start(
        self,
        kind: str,
        file: Path,
        *words: str,
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[str]:
        log = self._folder / f"{kind}-{len(self._processes)}.log"
        with log.open("w") as output:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-m", f"distributed.cli.dask_{kind}"),
                    *("--scheduler-file", str(file), "--no-dashboard", *words),
                ],
                cwd=self._folder,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                text=True,
            )
        self._processes.append(process)
        return process


@contextmanager
def dask_cluster(folder: Path) -> Iterator[DaskCluster]:
    """Have a scheduler without a worker."""
    folder.mkdir(exist_ok=True)
    cluster = DaskCluster(folder)
    try:
        yield cluster
    finally:
        with suppress(OSError):
            cluster.close()
