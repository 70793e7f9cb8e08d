"""Targets for a confined process, and longer attacks on them."""

import ctypes
import errno
import fcntl
import mmap
import os
import pty
import resource
import signal
import socket
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from arena.worker.confinement.kernel import call

# Numbers on x86_64 and aarch64; a dash where there is no such call.
_CALLS = """
open 2 -, vfork 58 -, preadv2 327 286, futex 202 98, mmap 9 222, mincore 27 232,
shmget 29 194, clone 56 220, ptrace 101 117, semget 64 190, msgget 68 186,
getpriority 140 141, setpriority 141 140, mlock 149 228, pivot_root 155 41,
chroot 161 51, setrlimit 160 164, mount 165 40, sysinfo 99 179,
rt_sigqueueinfo 129 138, personality 135 92, prctl 157 167, capset 126 91,
tkill 200 130, set_tid_address 218 96, timer_create 222 107, tgkill 234 131,
mq_open 240 180, add_key 248 217, keyctl 250 219, ioprio_set 251 30, unshare 272 97,
clock_nanosleep 230 115, inotify_init1 294 26, perf_event_open 298 241,
fanotify_init 300 262, prlimit64 302 261, setns 308 268, process_vm_readv 310 270,
kcmp 312 272, seccomp 317 277, memfd_create 319 279, bpf 321 280, execveat 322 281,
userfaultfd 323 282, pidfd_send_signal 424 424, io_uring_setup 425 425,
pidfd_open 434 434, clone3 435 435, openat2 437 437, landlock_create_ruleset 444 444,
memfd_secret 447 447
"""
CALLS = {
    name: (int(first), None if second == "-" else int(second))
    for name, first, second in map(str.split, _CALLS.split(","))
}


def raw(name: str, *arguments: int | bytes | None) -> int:
    """Make a call by its number on this machine."""
    found = CALLS[name][os.uname().machine == "aarch64"]
    if found is None:
        raise OSError(errno.ENOSYS, "this machine has no such call")
    return call(found, *arguments)


class World:
    """Targets, made before the fork in a folder that can't be read."""

    def __init__(self, above: Path, stack: ExitStack) -> None:
        def opened(path: Path, flags: int = os.O_RDONLY) -> int:
            return kept(os.open(path, flags))

        def kept(descriptor: int) -> int:
            stack.callback(os.close, descriptor)
            return descriptor

        self.parent = os.getpid()
        self.folder = above / "bot"
        """May be read."""
        self.folder.mkdir()
        self.file = self.folder / "data.txt"
        self.file.write_text("data")
        self.secret = above / "secret.txt"
        self.secret.write_text("secret")
        self.above_fd = opened(above)
        self.folder_fd = opened(self.folder)
        self.file_fd = opened(self.file)
        self.output_fd = opened(above / "output", os.O_RDWR | os.O_APPEND | os.O_CREAT)
        """As the referee's file for what a bot prints."""
        _, self.pipe_fd = map(kept, os.pipe())
        _, self.terminal_fd = map(kept, pty.openpty())
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.address = listener.getsockname()
        self.tcp = stack.enter_context(socket.socket())
        unix = socket.AF_UNIX, socket.SOCK_DGRAM
        self.pair, _ = map(stack.enter_context, socket.socketpair(*unix))
        mailbox = stack.enter_context(socket.socket(*unix))
        mailbox.bind("")
        self.mailbox = mailbox.getsockname().decode()
        """Where another may be written to."""
        self._buffer = ctypes.create_string_buffer(b"buffer", 4096)
        self.place = ctypes.addressof(self._buffer)
        """The address of a buffer, the same in the parent."""


def ask_device(world: World) -> None:
    """Ask how much chance there is in the kernel's pool."""
    fcntl.ioctl(os.open("/dev/urandom", os.O_RDONLY), 0x80045200, bytes(4))


def clock(pid: int) -> int:
    """Return the clock of a process: the CPU time it has used."""
    return ~pid << 3 | 2


def child(pid: int) -> None:
    """End at once where a call has returned a second time."""
    if pid == 0:
        os._exit(0)
    # Waiting is not allowed either, and must not hide that there is a child.
    with suppress(PermissionError):
        os.waitpid(pid, 0)


def queue_signal(world: World) -> None:
    info = struct.pack("=iii", 0, 0, -1).ljust(128, b"\0")
    raw("rt_sigqueueinfo", world.parent, 0, info)


def signal_by_descriptor(world: World) -> None:
    raw("pidfd_send_signal", raw("pidfd_open", world.parent, 0), 0, None, 0)


def lock(world: World, command: int) -> None:
    fcntl.fcntl(
        world.file_fd, command, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
    )


def add_flag(descriptor: int, flag: int) -> None:
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | flag)


def read_parent(world: World) -> None:
    there = struct.pack("QQ", world.place, 6)
    here = struct.pack("QQ", world.place + 1024, 6)
    raw("process_vm_readv", world.parent, here, 1, there, 1, 0)


def peek(descriptor: int) -> None:
    """Read only what others have lately read."""
    buffer = ctypes.create_string_buffer(4)
    part = struct.pack("QQ", ctypes.addressof(buffer), 4)
    raw("preadv2", descriptor, part, 1, 0, 0, 8)


def wake(world: World) -> None:
    """Wake whoever waits for a place in a file that both may read."""
    place = raw("mmap", None, 4, mmap.PROT_READ, mmap.MAP_SHARED, world.file_fd, 0)
    raw("futex", place, 1, 1, None, None, 0)


def advise(world: World, advice: int) -> None:
    mmap.mmap(world.file_fd, 0, prot=mmap.PROT_READ).madvise(advice)


def map_huge() -> None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000
    mmap.mmap(-1, 2**21, flags, mmap.PROT_READ).close()


def opened(world: World, name: str, flags: int) -> int:
    return os.open(name, flags, dir_fd=world.folder_fd)


def link(world: World) -> None:
    folder = world.folder_fd
    os.link("data.txt", "new", src_dir_fd=folder, dst_dir_fd=folder)


def wait_for_time(world: World) -> None:
    raw("clock_nanosleep", clock(world.parent), 1, bytes(16), None)


def make_node(world: World, kind: int) -> None:
    os.mknod("new", kind | 0o600, dir_fd=world.folder_fd)


Attempt = Callable[[World], object]


def sockets(*kinds: tuple[int, int]) -> dict[str, Attempt]:
    """Return an attempt for each family and type."""
    return {
        f"socket {family}, {kind}": lambda w, f=family, k=kind: socket.socket(f, k)
        for family, kind in kinds
    }


HEADER = struct.pack("=Ii", 0x20080522, 0)
NO_CORE = struct.pack("QQ", 0, 0)
UNLIMITED = struct.pack("QQ", 2**64 - 1, 2**64 - 1)

FREE: dict[str, Attempt] = {
    # Processes
    "fork": lambda w: child(os.fork()),
    "clone": lambda w: child(raw("clone", 0x11, 0, 0, 0, 0)),
    "clone with its files": lambda w: child(raw("clone", 0x611, 0, 0, 0, 0)),
    "execve": lambda w: os.execv("/bin/true", ["true"]),
    "posix_spawn": lambda w: child(os.posix_spawn("/bin/true", ["true"], {})),
    "subprocess": lambda w: subprocess.run(["/bin/true"], check=True),
    "kill the parent": lambda w: os.kill(w.parent, 0),
    "kill the group": lambda w: os.kill(0, 0),
    "tgkill the parent": lambda w: raw("tgkill", w.parent, w.parent, 0),
    "tkill the parent": lambda w: raw("tkill", w.parent, 0),
    "tkill itself": lambda w: raw("tkill", os.getpid(), 0),
    "queue a signal": queue_signal,
    "signal by a descriptor": signal_by_descriptor,
    "let itself be traced": lambda w: raw("ptrace", 0, 0, 0, 0),
    "group of the parent": lambda w: os.getpgid(w.parent),
    "session of the parent": lambda w: os.getsid(w.parent),
    "priority of the parent": lambda w: os.getpriority(0, w.parent),
    "cores of the parent": lambda w: os.sched_getaffinity(w.parent),
    "time of the parent": lambda w: time.clock_gettime(clock(w.parent)),
    "clock of the parent": lambda w: time.clock_getres(clock(w.parent)),
    "wait for the parent's time": wait_for_time,
    "limits of the parent": lambda w: resource.prlimit(w.parent, 7),
    "limit itself": lambda w: raw("prlimit64", 0, 4, NO_CORE, None),
    "setrlimit": lambda w: raw("setrlimit", 4, NO_CORE),
    "renice itself": lambda w: os.setpriority(0, 0, 19),
    "pin itself": lambda w: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "ioprio_set": lambda w: raw("ioprio_set", 1, 0, 3 << 13),
    "leave the session": lambda w: os.setsid(),
    "leave the group": lambda w: os.setpgid(0, 0),
    # Files
    "read another file": lambda w: w.secret.read_text(),
    "list another folder": lambda w: os.listdir(w.folder.parent),
    "list the root": lambda w: os.listdir("/"),
    "read by an open folder": lambda w: os.open("secret.txt", 0, dir_fd=w.above_fd),
    "read above an open folder": lambda w: opened(w, "../secret.txt", os.O_RDONLY),
    "passwords": lambda w: open("/etc/passwd").close(),
    **{
        f"/proc/PARENT/{name}": lambda w, n=name: open(f"/proc/{w.parent}/{n}").close()
        for name in ("environ", "maps", "mem", "cmdline", "stat")
    },
    "/proc/PARENT/fd": lambda w: os.listdir(f"/proc/{w.parent}/fd"),
    "/proc/self/mem": lambda w: open("/proc/self/mem", "r+b").close(),
    "/proc": lambda w: os.listdir("/proc"),
    **{
        f"create with {flags:o}": lambda w, f=flags | os.O_CREAT: opened(w, "new", f)
        for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR)
    },
    "create by path": lambda w: (w.folder / "new").write_text("new"),
    "write": lambda w: open(w.file, "r+").close(),
    "append": lambda w: open(w.file, "a").close(),
    "write by an open folder": lambda w: opened(w, "data.txt", os.O_WRONLY),
    "write by descriptor": lambda w: open(f"/proc/self/fd/{w.file_fd}", "r+").close(),
    "truncate": lambda w: os.truncate(w.file, 0),
    "truncate by reading": lambda w: os.open(w.file, os.O_TRUNC),
    "truncate by neither": lambda w: os.open(w.file, os.O_TRUNC | 3),
    "chmod": lambda w: os.chmod(w.file, 0o600),
    "chmod by descriptor": lambda w: os.chmod(w.file_fd, 0o600),
    "chmod by folder": lambda w: os.chmod("data.txt", 0o6, dir_fd=w.folder_fd),
    "chmod the output": lambda w: os.chmod(w.output_fd, 0o600),
    "chown": lambda w: os.chown(w.file, -1, -1),
    "chown by descriptor": lambda w: os.chown(w.file_fd, -1, -1),
    "utime": lambda w: os.utime(w.file),
    "utime by descriptor": lambda w: os.utime(w.file_fd),
    "utime by folder": lambda w: os.utime("data.txt", dir_fd=w.folder_fd),
    "rename": lambda w: os.rename(w.file, w.folder / "new"),
    "link": lambda w: os.link(w.file, w.folder / "new"),
    "link by folder": link,
    "symlink": lambda w: os.symlink("a", "new", dir_fd=w.folder_fd),
    "unlink": lambda w: w.file.unlink(),
    "unlink by folder": lambda w: os.unlink("data.txt", dir_fd=w.folder_fd),
    "mkdir": lambda w: os.mkdir(w.folder / "new"),
    "mkdir by folder": lambda w: os.mkdir("new", dir_fd=w.folder_fd),
    "mkfifo": lambda w: make_node(w, 0o010000),
    "make a socket": lambda w: make_node(w, 0o140000),
    "space on the disk": lambda w: os.statvfs(w.folder),
    "space by descriptor": lambda w: os.statvfs(w.file_fd),
    "flock": lambda w: fcntl.flock(w.file_fd, fcntl.LOCK_SH),
    "flock the output": lambda w: fcntl.flock(w.output_fd, fcntl.LOCK_EX),
    "lock": lambda w: lock(w, fcntl.F_SETLK),
    "ask for locks": lambda w: lock(w, fcntl.F_GETLK),
    "lock an open file": lambda w: lock(w, 37),
    "lease": lambda w: fcntl.fcntl(w.file_fd, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "watch a folder": lambda w: fcntl.fcntl(w.folder_fd, fcntl.F_NOTIFY, 1),
    "ask for signals": lambda w: fcntl.fcntl(w.pipe_fd, fcntl.F_SETOWN, w.parent),
    "choose the signal": lambda w: fcntl.fcntl(w.pipe_fd, 10, signal.SIGKILL),
    "asynchronous": lambda w: add_flag(w.pipe_fd, os.O_ASYNC),
    "hint at a lifetime": lambda w: fcntl.fcntl(w.file_fd, 1036, bytes(8)),
    "resize a pipe": lambda w: fcntl.fcntl(w.pipe_fd, 1031, 4096),
    "inotify": lambda w: raw("inotify_init1", 0),
    "what others have read": lambda w: peek(w.file_fd),
    "ask a device": ask_device,
    "terminal settings": lambda w: fcntl.ioctl(w.terminal_fd, termios.TCFLSH, 0),
    # Network
    **sockets(
        (socket.AF_INET, socket.SOCK_STREAM),
        (socket.AF_INET, socket.SOCK_DGRAM),
        (socket.AF_UNIX, socket.SOCK_STREAM),
        (socket.AF_UNIX, socket.SOCK_DGRAM),
        (socket.AF_NETLINK, socket.SOCK_RAW),
    ),
    "connect": lambda w: w.tcp.connect(w.address),
    "bind": lambda w: w.tcp.bind(("127.0.0.1", 0)),
    "listen": lambda w: w.tcp.listen(),
    "send to another": lambda w: w.pair.sendto(b"hello", w.mailbox),
    "send a message": lambda w: w.pair.sendmsg([b"hello"]),
    "pass a descriptor": lambda w: socket.send_fds(w.pair, [b"a"], [w.file_fd]),
    "number of a socket": lambda w: w.pair.getsockopt(1, 57, 8),
    "socket options": lambda w: w.pair.setsockopt(1, socket.SO_SNDBUF, 9999),
    # Kernel
    "memfd_create": lambda w: os.memfd_create("memory"),
    "personality": lambda w: raw("personality", 0xFFFFFFFF),
    "mlock": lambda w: raw("mlock", w.place, 1),
    "mincore": lambda w: raw("mincore", w.place & -4096, 1, w.place),
    "wake through a file": wake,
    "set_tid_address": lambda w: raw("set_tid_address", w.place),
    "timer_create": lambda w: raw("timer_create", 0, None, w.place),
    "sysinfo": lambda w: raw("sysinfo", w.place),
    "become dumpable": lambda w: raw("prctl", 4, 1, 0, 0, 0),
    "outlive the parent": lambda w: raw("prctl", 1, 0, 0, 0, 0),
    "another filter": lambda w: raw("seccomp", 2, 0, bytes(4)),
    "another ruleset": lambda w: raw("landlock_create_ruleset", None, 0, 1),
}
"""Attempts that succeed for any process that is not confined."""

OTHERS: dict[str, Attempt] = {
    # Processes
    "vfork": lambda w: child(raw("vfork")),
    "clone as another user": lambda w: child(raw("clone", 0x10000011, 0, 0, 0, 0)),
    "clone3": lambda w: child(raw("clone3", struct.pack("4Q28x4x3Q", *[0] * 7), 88)),
    "execveat": lambda w: raw("execveat", -100, b"/bin/true", None, None, 0),
    "kill everybody": lambda w: os.kill(-1, 0),
    "trace the parent": lambda w: raw("ptrace", 0x4206, w.parent, 0, 0),
    "read the parent's memory": read_parent,
    "kcmp": lambda w: raw("kcmp", w.parent, w.parent, 1, 0, 0),
    "limit the parent": lambda w: raw("prlimit64", w.parent, 4, NO_CORE, None),
    "raise its limits": lambda w: raw("prlimit64", 0, 7, UNLIMITED, None),
    "renice the parent": lambda w: os.setpriority(0, w.parent, 19),
    "pin the parent": lambda w: os.sched_setaffinity(w.parent, [0]),
    "become another user": lambda w: os.setresuid(65534, 65534, 65534),
    # Files
    "openat2": lambda w: raw("openat2", -100, os.fsencode(w.secret), bytes(24), 24),
    "create unnamed": lambda w: os.open(w.folder, os.O_TMPFILE | os.O_RDWR),
    "create in shared memory": lambda w: open("/dev/shm/new", "w").close(),
    "truncate by an old call": lambda w: raw("open", os.fsencode(w.file), os.O_TRUNC),
    "chown by folder": lambda w: os.chown("data.txt", -1, -1, dir_fd=w.above_fd),
    "setxattr": lambda w: os.setxattr(w.file, "user.a", b""),
    "getxattr": lambda w: os.listxattr(w.file),
    "rename by folder": lambda w: os.rename("data.txt", "new", src_dir_fd=w.folder_fd),
    "rmdir": lambda w: os.rmdir(w.folder),
    "make a device": lambda w: make_node(w, 0o020000),
    "break the output": lambda w: add_flag(w.output_fd, os.O_DIRECT),
    "push a file out of memory": lambda w: advise(w, 21),
    "keep a file less in memory": lambda w: advise(w, 20),
    "merge memory with others'": lambda w: advise(w, 12),
    "fanotify": lambda w: raw("fanotify_init", 0, 0),
    "terminal": lambda w: fcntl.ioctl(w.terminal_fd, termios.TIOCSTI, b"x"),
    # Network
    **sockets(
        (socket.AF_INET, socket.SOCK_RAW),
        (socket.AF_INET6, socket.SOCK_STREAM),
        (socket.AF_PACKET, socket.SOCK_RAW),
        (socket.AF_ALG, socket.SOCK_SEQPACKET),
        (socket.AF_VSOCK, socket.SOCK_STREAM),
    ),
    # Kernel
    "memfd_secret": lambda w: raw("memfd_secret", 0),
    "shmget": lambda w: raw("shmget", 0, 4096, 0),
    "semget": lambda w: raw("semget", 1, 1, 0),
    "msgget": lambda w: raw("msgget", 1, 0),
    "mq_open": lambda w: raw("mq_open", b"arena", 0, 0, None),
    "io_uring": lambda w: raw("io_uring_setup", 1, bytes(120)),
    "mount": lambda w: raw("mount", b"n", b"/mnt", b"tmpfs", 0, None),
    "pivot_root": lambda w: raw("pivot_root", b".", b"."),
    "chroot": lambda w: raw("chroot", os.fsencode(w.folder)),
    "unshare": lambda w: raw("unshare", 0x10000000),
    "setns": lambda w: raw("setns", w.file_fd, 0),
    "userfaultfd": lambda w: raw("userfaultfd", 1),
    "perf": lambda w: raw("perf_event_open", bytes(128), 0, -1, -1, 0),
    "bpf": lambda w: raw("bpf", 0, bytes(72), 72),
    "keyctl": lambda w: raw("keyctl", 0, -3, 1),
    "add_key": lambda w: raw("add_key", b"user", b"a", b"b", 1, -3),
    "huge pages": lambda w: map_huge(),
    "invite a tracer": lambda w: raw("prctl", 0x59616D61, -1, 0, 0, 0),
    "get capabilities back": lambda w: raw("capset", HEADER, b"\xff" * 24),
}

ATTEMPTS = FREE | OTHERS
