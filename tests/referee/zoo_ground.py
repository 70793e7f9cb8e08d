"""The ground on which bots of the zoo are let loose, and checks of their traces."""

import ctypes
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

ZOO = Path(__file__).parents[1] / "zoo"
LIBRARY = Path(json.__file__).parents[1]
_PR_SET_CHILD_SUBREAPER = 36
_IPC_RMID = 0
_LOOKS = 20
"""So often nothing may have changed."""
_KILL_TIMEOUT_S = 2.0
"""Seconds that a killed process may take to be gone."""
_VICTIM_TIMEOUT_S = 10.0
"""Seconds that the victim may take, on a busy machine, to say that it lives."""
_VICTIM = """
import os, signal
signal.signal(signal.SIGIO, lambda *_: os.write(1, b"here\\n"))
signal.signal(signal.SIGURG, lambda *_: os.write(1, b"signalled\\n"))
os.write(1, b"here\\n")
while True:
    signal.pause()
"""
"""Of signals that are pending together, Python hears the one with the lower number
first: `here` tells that there are no others."""


class Ground:
    """A folder with a canary and bots, a victim, listeners: all that bots may attack.

    What was done to it is told once by `damage`, which puts it right again.
    """

    def __init__(self) -> None:
        self.mark = f"arena-zoo-{secrets.token_hex(6)}"
        """In the names of all files that a bot leaves outside of the ground."""
        self.folder = Path(tempfile.mkdtemp(prefix="arena-ground-"))
        self.bots = self.folder / self.mark
        self.home = self.folder / "home"
        self.canary = self.folder / "results" / "canary"
        self.key = int(self.mark[-6:], 16) | 1 << 24
        """Of memory and queues that processes share by number."""
        self._lay_out()
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self._unix = socket.socket(socket.AF_UNIX)
        self._unix.bind(f"\0{self.mark}")
        self._unix.listen()
        for listener in (self._tcp, self._udp, self._unix):
            listener.setblocking(False)
        self._victim = self._new_victim()
        self._signals = 0
        self._old_handler = signal.signal(signal.SIGURG, self._count)

    def _lay_out(self) -> None:
        shutil.copytree(ZOO, self.bots, ignore=shutil.ignore_patterns("__pycache__"))
        # It is read before anybody could tell it the mark.
        planter = self.bots / "import_plants_files.py"
        planter.write_text(planter.read_text().replace("arena-zoo-mark", self.mark))
        self.home.mkdir()
        (self.home / "private").write_text("private")
        self.canary.parent.mkdir()
        self.canary.write_text(f"canary {self.mark}")
        self._laid_out = self._snapshot()

    def _snapshot(self) -> dict[str, tuple[Any, ...]]:
        """Return the state of every path, without the times of folders."""
        found: dict[str, tuple[Any, ...]] = {}
        for path in sorted(self.folder.rglob("*")):
            status = path.lstat()
            what: tuple[Any, ...] = (status.st_mode, status.st_nlink)
            if not path.is_dir():
                what += (status.st_size, status.st_mtime_ns, status.st_ino)
            found[str(path.relative_to(self.folder))] = what
        return found

    def _new_victim(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-S", "-c", _VICTIM]
        victim = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0)
        assert victim.stdout is not None
        assert victim.stdout.readline() == b"here\n"
        return victim

    def _count(self, number: int, frame: object) -> None:
        self._signals += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        signal.signal(signal.SIGURG, self._old_handler)
        for listener in (self._tcp, self._udp, self._unix):
            listener.close()
        self._end_victim()
        shutil.rmtree(self.folder)

    def _end_victim(self) -> None:
        self._victim.kill()
        self._victim.wait()
        assert self._victim.stdout is not None
        self._victim.stdout.close()

    @property
    def victim(self) -> int:
        """The id of the process that bots attack."""
        return self._victim.pid

    def parameters(self) -> dict[str, Any]:
        """Return all that a bot may be told of what there is to attack."""
        return {
            "mark": self.mark,
            "key": self.key,
            "canary": str(self.canary),
            "home": str(self.home),
            "victim": self.victim,
            "referee": os.getpid(),
            "tcp": self._tcp.getsockname()[1],
            "udp": self._udp.getsockname()[1],
            "unix": self.mark,
        }

    def damage(self) -> list[str]:
        """Describe the damage since the last call, and repair it."""
        return [
            *self._damage_to_files(),
            *self._damage_to_victim(),
            *self._calls(),
            *self._shared(),
        ]

    def _damage_to_files(self) -> Iterator[str]:
        now = self._snapshot()
        if now != self._laid_out:
            changed = {p for p, what in now.items() if self._laid_out.get(p) != what}
            changed |= self._laid_out.keys() - now.keys()
            yield f"changed {', '.join(sorted(changed))}"
            shutil.rmtree(self.folder)
            self.folder.mkdir()
            self._lay_out()
        places = ["/", ".", "/tmp", "/var/tmp", "/dev/shm"]
        places += [str(LIBRARY), str(LIBRARY / "json" / "__pycache__")]
        for place in places:
            with suppress(OSError):
                for path in Path(place).glob(f"{self.mark}*"):
                    yield f"left {path}"
                    path.unlink()

    def _damage_to_victim(self) -> Iterator[str]:
        if self._signals:
            self._signals = 0
            yield "signalled the referee"
        said = self._hear_victim()
        if b"signalled" in said:
            yield "signalled a sibling"
        if b"here" not in said:
            yield "killed a sibling"
            self._end_victim()
            self._victim = self._new_victim()

    def _hear_victim(self) -> list[bytes]:
        """Return the victim's output up to its sign that it lives."""
        with suppress(ProcessLookupError):
            self._victim.send_signal(signal.SIGIO)
        assert self._victim.stdout is not None
        said: list[bytes] = []
        poll = select.poll()
        poll.register(self._victim.stdout, select.POLLIN)
        while b"here" not in said and poll.poll(1000 * _VICTIM_TIMEOUT_S):
            if not (line := self._victim.stdout.readline()):
                break
            said.append(line.strip())
        return said

    def _calls(self) -> Iterator[str]:
        for name, listener in (("tcp", self._tcp), ("unix", self._unix)):
            with suppress(BlockingIOError):
                while True:
                    listener.accept()[0].close()
                    yield f"connected by {name}"
        with suppress(BlockingIOError):
            while True:
                self._udp.recv(100)
                yield "sent by udp"

    def _shared(self) -> Iterator[str]:
        libc = ctypes.CDLL(None)
        if (piece := libc.shmget(self.key, 0, 0)) != -1:
            libc.shmctl(piece, _IPC_RMID, None)
            yield "left shared memory"
        if (queue := libc.msgget(self.key, 0)) != -1:
            libc.msgctl(queue, _IPC_RMID, None)
            yield "left a message queue"
        if libc.mq_unlink(f"/{self.mark}".encode()) == 0:
            yield "left a named message queue"


class Household:
    """The processes and descriptors of this process, and what has been added."""

    def __init__(self, guests: set[int]) -> None:
        """Take what is there now for what is to be there, but for some processes."""
        # Whoever loses its parent becomes a child of ours, where it can be seen.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._processes = _settled() - guests
        self._descriptors = open_descriptors()

    def changes(self, guests: set[int]) -> list[str]:
        """Describe new and missing processes; end those that were left behind."""
        known = self._processes | guests
        found = []
        deadline = time.monotonic() + _KILL_TIMEOUT_S
        while (left := descendants() - known) and time.monotonic() < deadline:
            for pid in left:
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            time.sleep(0.005)
        if left:
            found.append(f"left {len(left)} processes")
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)
        if self._processes - descendants():
            found.append("ended a process of the referee's")
            self._processes &= descendants()
        if open_descriptors() != self._descriptors:
            found.append("left open descriptors")
        return found


def _settled() -> set[int]:
    """Return the processes that are there once none has come or gone for a while.

    The first process of a contestant that has ended is still there for a moment.
    """
    found, looks = descendants(zombies=False), 0
    while looks < _LOOKS:
        time.sleep(0.005)
        now = descendants(zombies=False)
        looks = looks + 1 if now == found else 0
        found = now
    return found


def descendants(*, zombies: bool = True) -> set[int]:
    """Return the ids of this process's children, their children, and so on."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError):
                stat = Path("/proc", name, "stat").read_text(errors="replace")
                state, parent = stat.rpartition(")")[2].split()[:2]
                if zombies or state != "Z":
                    parents[int(name)] = int(parent)
    found, last = set[int](), {os.getpid()}
    while last:
        last = {pid for pid, parent in parents.items() if parent in last}
        found |= last
    return found


def open_descriptors() -> set[str]:
    """Return the numbers of this process's descriptors.

    Without those by which a sandbox keeps ready, for a few bots, what they may open.
    """
    found = set()
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if "landlock" not in os.readlink(f"/proc/self/fd/{number}"):
                found.add(number)
    return found
