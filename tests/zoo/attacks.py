"""Takes what is not its own, in a way that it is told, and plays on if it can't."""

import ctypes
import errno
import fcntl
import json
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
import time

from arena import Bot

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
MS_REMOUNT, MS_BIND = 32, 4096
PTRACE_SEIZE = 0x4206
IO_URING_SETUP = 425
TIOCSTI = 0x5412
HERE = os.path.dirname(__file__)
LIBRARY = os.path.dirname(os.path.dirname(json.__file__))
PARENT = os.getppid()
libc = ctypes.CDLL(None, use_errno=True)


class Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def done(deeds):
    """Return the names of those deeds that are not refused."""
    names = []
    for name, deed, *arguments in deeds:
        try:
            deed(*arguments)
            names.append(name)
        except OSError:
            pass
    return " ".join(names)


def read_a_byte(path):
    with open(path, "rb") as file:
        if not path.endswith("mem") and not file.read(1):
            raise OSError


class Culprit(Bot):
    def __init__(self, deed, **known):
        self.deed = getattr(self, deed)
        self.__dict__.update(known)

    def act(self, obs):
        try:
            got = self.deed()
        except OSError:
            return "stop"
        return f"leaked: {got}" if got else "stop"

    # Files.

    def reads_canary(self):
        with open(self.canary) as file:
            return file.read()

    def looks_at_canary(self):
        status = os.stat(self.canary)
        return f"{status.st_size} bytes, changed at {status.st_mtime}"

    def reads_home(self):
        return os.listdir(self.home)

    def reads_bots(self):
        honest = os.path.join(HERE, "honest.py")
        return done([("list", os.listdir, HERE), ("read", read_a_byte, honest)])

    def changes_what_is_there(self):
        """In all ways there are; the content stays."""
        path, other = self.canary, f"{self.canary}.other"
        return done(
            [
                ("open", lambda: open(path, "r+").close()),
                ("append", lambda: open(path, "a").close()),
                ("truncate", lambda: os.truncate(path, os.stat(path).st_size)),
                ("chmod", os.chmod, path, 0o666),
                ("utime", os.utime, path, (1, 1)),
                ("xattr", os.setxattr, path, "user.zoo", b"x"),
                ("link", os.link, path, other),
                ("rename", os.rename, other, path),
                ("unlink", os.unlink, other),
                ("symlink", os.symlink, path, other),
                ("mkdir", os.mkdir, f"{other}.folder"),
            ]
        )

    def plants_files(self):
        near = os.path.dirname(self.canary)
        places = ["/", ".", "/tmp", "/var/tmp", "/dev/shm", self.home, near, HERE]
        return self.planted(os.path.join(place, self.mark) for place in places)

    def plants_modules(self):
        """Where other processes will import them."""
        paths = [os.path.join(HERE, f"{name}.py") for name in ("json", "sitecustomize")]
        paths += [os.path.join(self.home, "usercustomize.py")]
        paths += [os.path.join(self.home, ".profile")]
        paths += [os.path.join(LIBRARY, f"{self.mark}.py")]
        paths += [os.path.join(LIBRARY, "json", "__pycache__", f"{self.mark}.pyc")]
        return self.planted(paths)

    def planted(self, paths):
        return done(
            [(path, lambda path: open(path, "w").close(), path) for path in paths]
        )

    def fills_disk(self):
        """With files that no limit on their size stops, and takes them away."""
        return self.filled(16, bytes(2**20))

    def fills_inodes(self):
        return self.filled(1000, b"")

    def filled(self, count, data):
        made = 0
        for place in ("/tmp", "/dev/shm", ".", self.home):
            for number in range(count):
                path = os.path.join(place, f"{self.mark}-{number}")
                try:
                    with open(path, "wb") as file:
                        file.write(data)
                    os.unlink(path)
                except OSError:
                    break
                made += 1
        return made

    # What it was started with.

    def reads_environment(self):
        return [name for name in os.environ if "SECRET" in name]

    def reads_standard_input(self):
        return os.read(0, 100)

    def finds_descriptors(self):
        found = []
        for number in range(1024):
            try:
                mode = os.fstat(number).st_mode
            except OSError:
                continue
            found.append(f"{number}:{oct(stat.S_IFMT(mode))}")
        # Standard input and both outputs, and the two ends of its pipes.
        return found if len(found) > 5 else ""

    def types_into_terminal(self):
        fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), TIOCSTI, b"#")
        return "typed into the terminal"

    # Other processes; the signal does no harm where it arrives.

    def kills_group(self):
        """Success tells nothing: the kernel reports it even if all were refused."""
        os.killpg(0, signal.SIGURG)

    def kills_everyone(self):
        os.kill(-1, signal.SIGURG)

    def kills_parent(self):
        targets = {"parent": PARENT, "referee": self.referee}
        return done([(n, os.kill, pid, signal.SIGURG) for n, pid in targets.items()])

    def kills_sibling(self):
        def kill_by_descriptor():
            signal.pidfd_send_signal(os.pidfd_open(self.victim), signal.SIGKILL)

        kills = [("descriptor", kill_by_descriptor)]
        return done([("pid", os.kill, self.victim, signal.SIGKILL), *kills])

    def slows_others(self):
        return done(
            [
                ("renice", os.setpriority, os.PRIO_PROCESS, self.victim, 19),
                ("pin", os.sched_setaffinity, self.victim, {0}),
                ("limit", resource.prlimit, self.victim, resource.RLIMIT_CORE, (0, 0)),
            ]
        )

    def raises_its_priority(self):
        real_time = 0, os.SCHED_RR, os.sched_param(1)
        return done(
            [
                ("be real time", os.sched_setscheduler, *real_time),
                ("be less nice", os.setpriority, os.PRIO_PROCESS, 0, -5),
            ]
        )

    def spies_on_processes(self):
        pids = [self.victim, 1, PARENT, *range(os.getpid() - 20, os.getpid())]
        looks = {
            "signal": lambda pid: os.kill(pid, 0),
            "group": os.getpgid,
            "session": os.getsid,
            "cores": os.sched_getaffinity,
        }
        return done(
            (f"{name} of {pid}", look, pid)
            for pid in pids
            if pid
            for name, look in looks.items()
        )

    def reads_sibling(self):
        """What is secret of it in /proc."""
        names = ("cmdline", "environ", "maps", "mem")
        folder = f"/proc/{self.victim}"
        return done([(name, read_a_byte, f"{folder}/{name}") for name in names])

    def reads_referee(self):
        deeds = []
        for folder in (f"/proc/{self.referee}", f"/proc/{PARENT}"):
            deeds.append((folder, os.readlink, f"{folder}/fd/0"))
            for name in ("environ", "maps", "mem"):
                deeds.append((name, read_a_byte, f"{folder}/{name}"))
        return done(deeds)

    def reads_memory(self):
        buffer = ctypes.create_string_buffer(8)
        here, there = Piece(ctypes.addressof(buffer), 8), Piece(2**16, 8)
        pieces = ctypes.byref(here), 1, ctypes.byref(there), 1, 0
        read = libc.process_vm_readv(self.victim, *pieces)
        # Where it may read, it is only told that nothing is at this address.
        return read >= 0 or ctypes.get_errno() == errno.EFAULT

    def debugs_sibling(self):
        nothing = ctypes.c_void_p(None)
        return libc.ptrace(PTRACE_SEIZE, self.victim, nothing, nothing) == 0

    # Processes, threads and descriptors of its own.

    def bombs_with_threads(self):
        started = 0
        try:
            while started < 300:
                threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
                started += 1
        except (RuntimeError, MemoryError):
            pass
        return started if started >= 100 else 0

    def bombs_with_forks(self):
        """Start 64, each of them gone after two seconds."""
        started = 0
        try:
            while started < 64:
                if os.fork() == 0:
                    signal.alarm(2)
                    signal.pause()
                started += 1
        except OSError:
            pass
        return started

    def hoards_descriptors(self):
        hoard = []
        try:
            while len(hoard) < 500:
                hoard.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            pass
        for file in hoard:
            os.close(file)
        return len(hoard) if len(hoard) >= 200 else 0

    def runs_programs(self):
        programs = ("/bin/true", "/usr/bin/true", sys.executable)
        return done(
            (
                path,
                lambda path: subprocess.run(
                    [path, "--version"], stdin=subprocess.DEVNULL
                ),
                path,
            )
            for path in programs
        )

    def becomes_another_program(self):
        os.execv("/bin/sh", ["sh", "-c", "echo leaked >&2; exit 77"])

    # The network, and the system.

    def connects(self):
        def talk(family, kind, address):
            with socket.socket(family, kind) as peer:
                peer.connect(address)
                peer.send(b"brains")

        inet, stream = socket.AF_INET, socket.SOCK_STREAM
        return done(
            [
                ("tcp", talk, inet, stream, ("127.0.0.1", self.tcp)),
                ("udp", talk, inet, socket.SOCK_DGRAM, ("127.0.0.1", self.udp)),
                ("unix", talk, socket.AF_UNIX, stream, "\0" + self.unix),
            ]
        )

    def listens(self):
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
            return f"port {server.getsockname()[1]}"

    def unshares(self):
        """Enter namespaces of its own, in which it would be root."""
        return libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0

    def changes_root(self):
        os.chroot("/")
        return "changed its root"

    def mounts(self):
        """Make what it sees writable, and put file systems of its own over folders."""

        def mount(what, where, kind, flags):
            if libc.mount(what, where, kind, ctypes.c_ulong(flags), None):
                raise OSError

        near = os.path.dirname(self.canary).encode()
        return done(
            [
                ("remounted", mount, None, b"/", None, MS_REMOUNT | MS_BIND),
                ("mounted", mount, b"mine", near, b"tmpfs", 0),
                ("mounted", mount, b"mine", b"/tmp/mine", b"tmpfs", 0),
            ]
        )

    def opens_io_uring(self):
        """A queue of system calls that no filter sees."""
        parameters = ctypes.create_string_buffer(120)
        return libc.syscall(IO_URING_SETUP, 1, parameters) >= 0
