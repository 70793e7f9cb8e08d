"""What a confined process can't do, each attempted in a fork by the shortest way.

Attempts that are harmless and open to everybody are made without confinement too,
to see that they are attempts.  Signals are all number 0, which only asks whether
one could be sent.
"""

import ctypes
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
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from attempts import (
    World,
    add_flag,
    ask_device,
    child,
    clock,
    lock,
    make_node,
    map_huge,
    peek,
    queue_signal,
    raw,
    read_parent,
    signal_by_descriptor,
    wake,
)
from confined import confined, filters, needs_filters, outcome

from arena.worker.confinement import kernel, landlock, seccomp

pytestmark = needs_filters


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    folder = tmp_path / "bot"
    folder.mkdir()
    file, secret = folder / "data.txt", tmp_path / "secret.txt"
    file.write_text("data")
    secret.write_text("secret")
    paths = [(folder, os.O_RDONLY), (tmp_path, os.O_RDONLY), (file, os.O_RDONLY)]
    paths.append((tmp_path / "output", os.O_RDWR | os.O_APPEND | os.O_CREAT))
    opened = [os.open(path, flags) for path, flags in paths]
    pipe, terminal = os.pipe(), pty.openpty()
    listener, tcp = socket.create_server(("127.0.0.1", 0)), socket.socket()
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    mailbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    mailbox.bind("")
    yield World(
        parent=os.getpid(),
        folder=folder,
        file=file,
        secret=secret,
        folder_fd=opened[0],
        above_fd=opened[1],
        file_fd=opened[2],
        output_fd=opened[3],
        pipe_fd=pipe[1],
        terminal_fd=terminal[1],
        tcp=tcp,
        address=listener.getsockname(),
        pair=pair[0],
        mailbox=mailbox,
        mailbox_path=mailbox.getsockname().decode(),
        buffer=ctypes.create_string_buffer(b"buffer", 4096),
    )
    for descriptor in (*opened, *pipe, *terminal):
        os.close(descriptor)
    for open_socket in (listener, tcp, *pair, mailbox):
        open_socket.close()


Attempt = Callable[[World], object]

HEADER = struct.pack("=Ii", 0x20080522, 0)
NO_CORE = struct.pack("QQ", 0, 0)
UNLIMITED = struct.pack("QQ", 2**64 - 1, 2**64 - 1)

# Name, attempt, whether anybody could do it without confinement.
PROCESSES: list[tuple[str, Attempt, bool]] = [
    ("fork", lambda w: child(os.fork()), True),
    ("vfork", lambda w: child(raw("vfork")), False),
    ("clone", lambda w: child(raw("clone", signal.SIGCHLD, 0, 0, 0, 0)), True),
    (
        "clone with all but a thread",
        lambda w: child(raw("clone", 0x200 | 0x400 | signal.SIGCHLD, 0, 0, 0, 0)),
        True,
    ),
    (
        "clone into a namespace",
        lambda w: child(raw("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)),
        False,
    ),
    (
        "clone3",
        lambda w: child(raw("clone3", struct.pack("4Q28x4x3Q", *[0] * 7), 88)),
        False,
    ),
    ("execve", lambda w: os.execv("/bin/true", ["true"]), True),
    (
        "execveat",
        lambda w: raw("execveat", -100, b"/bin/true", None, None, 0),
        False,
    ),
    ("posix_spawn", lambda w: child(os.posix_spawn("/bin/true", ["true"], {})), True),
    ("subprocess", lambda w: subprocess.run(["/bin/true"], check=True), True),
    ("kill the parent", lambda w: os.kill(w.parent, 0), True),
    ("kill everybody", lambda w: os.kill(-1, 0), False),
    ("kill the group", lambda w: os.kill(0, 0), True),
    ("tgkill the parent", lambda w: raw("tgkill", w.parent, w.parent, 0), True),
    ("tkill the parent", lambda w: raw("tkill", w.parent, 0), True),
    ("tkill itself", lambda w: raw("tkill", os.getpid(), 0), True),
    ("queue a signal", queue_signal, True),
    ("signal by a descriptor", signal_by_descriptor, True),
    ("trace the parent", lambda w: raw("ptrace", 0x4206, w.parent, 0, 0), False),
    ("let itself be traced", lambda w: raw("ptrace", 0, 0, 0, 0), True),
    ("read the parent's memory", read_parent, False),
    ("kcmp", lambda w: raw("kcmp", w.parent, w.parent, 1, 0, 0), False),
    ("group of the parent", lambda w: os.getpgid(w.parent), True),
    ("session of the parent", lambda w: os.getsid(w.parent), True),
    ("priority of the parent", lambda w: os.getpriority(0, w.parent), True),
    ("cores of the parent", lambda w: os.sched_getaffinity(w.parent), True),
    ("time of the parent", lambda w: time.clock_gettime(clock(w.parent)), True),
    ("clock of the parent", lambda w: time.clock_getres(clock(w.parent)), True),
    (
        "wait for the parent's time",
        lambda w: raw("clock_nanosleep", clock(w.parent), 1, bytes(16), None),
        True,
    ),
    ("limits of the parent", lambda w: resource.prlimit(w.parent, 7), True),
    ("limit the parent", lambda w: raw("prlimit64", w.parent, 4, NO_CORE, None), False),
    ("limit itself", lambda w: raw("prlimit64", 0, 4, NO_CORE, None), True),
    ("raise its limits", lambda w: raw("prlimit64", 0, 7, UNLIMITED, None), False),
    ("setrlimit", lambda w: raw("setrlimit", 4, NO_CORE), True),
    ("renice the parent", lambda w: os.setpriority(0, w.parent, 19), False),
    ("renice itself", lambda w: os.setpriority(0, 0, 19), True),
    ("pin the parent", lambda w: os.sched_setaffinity(w.parent, [0]), False),
    ("pin itself", lambda w: os.sched_setaffinity(0, os.sched_getaffinity(0)), True),
    ("ioprio_set", lambda w: raw("ioprio_set", 1, 0, 3 << 13), True),
    ("leave the session", lambda w: os.setsid(), True),
    ("leave the group", lambda w: os.setpgid(0, 0), True),
    ("become another user", lambda w: os.setresuid(65534, 65534, 65534), False),
]
FILES: list[tuple[str, Attempt, bool]] = [
    ("read another file", lambda w: w.secret.read_text(), True),
    ("list another folder", lambda w: os.listdir(w.folder.parent), True),
    ("list the root", lambda w: os.listdir("/"), True),
    (
        "read by an open folder",
        lambda w: os.open("secret.txt", os.O_RDONLY, dir_fd=w.above_fd),
        True,
    ),
    (
        "read above an open folder",
        lambda w: os.open("../secret.txt", os.O_RDONLY, dir_fd=w.folder_fd),
        True,
    ),
    (
        "openat2",
        lambda w: raw("openat2", -100, os.fsencode(w.secret), bytes(24), 24),
        False,
    ),
    ("passwords", lambda w: open("/etc/passwd").close(), True),
    *(
        (
            f"/proc/PARENT/{name}",
            lambda w, n=name: open(f"/proc/{w.parent}/{n}").close(),
            True,
        )
        for name in ("environ", "maps", "mem", "cmdline", "stat")
    ),
    ("/proc/PARENT/fd", lambda w: os.listdir(f"/proc/{w.parent}/fd"), True),
    ("/proc/self/mem", lambda w: open("/proc/self/mem", "r+b").close(), True),
    ("/proc", lambda w: os.listdir("/proc"), True),
    *(
        (
            f"create with {flags:o}",
            lambda w, f=flags: os.open("new", f | os.O_CREAT, dir_fd=w.folder_fd),
            True,
        )
        for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR)
    ),
    ("create by path", lambda w: (w.folder / "new").write_text("new"), True),
    ("create unnamed", lambda w: os.open(w.folder, os.O_TMPFILE | os.O_RDWR), False),
    ("create in shared memory", lambda w: open("/dev/shm/new", "w").close(), False),
    ("write", lambda w: open(w.file, "r+").close(), True),
    ("append", lambda w: open(w.file, "a").close(), True),
    (
        "write by an open folder",
        lambda w: os.open("data.txt", os.O_WRONLY, dir_fd=w.folder_fd),
        True,
    ),
    (
        "write by its descriptor",
        lambda w: open(f"/proc/self/fd/{w.file_fd}", "r+").close(),
        True,
    ),
    ("truncate", lambda w: os.truncate(w.file, 0), True),
    ("truncate by reading", lambda w: os.open(w.file, os.O_TRUNC), True),
    ("truncate by neither", lambda w: os.open(w.file, os.O_TRUNC | 3), True),
    (
        "truncate by an old call",
        lambda w: raw("open", os.fsencode(w.file), os.O_TRUNC),
        False,
    ),
    ("chmod", lambda w: os.chmod(w.file, 0o600), True),
    ("chmod by descriptor", lambda w: os.chmod(w.file_fd, 0o600), True),
    ("chmod by folder", lambda w: os.chmod("data.txt", 0o6, dir_fd=w.folder_fd), True),
    ("chmod the output", lambda w: os.chmod(w.output_fd, 0o600), True),
    ("chown", lambda w: os.chown(w.file, -1, -1), True),
    ("chown by descriptor", lambda w: os.chown(w.file_fd, -1, -1), True),
    (
        "chown by folder",
        lambda w: os.chown("data.txt", -1, -1, dir_fd=w.above_fd),
        False,
    ),
    ("utime", lambda w: os.utime(w.file), True),
    ("utime by descriptor", lambda w: os.utime(w.file_fd), True),
    ("utime by folder", lambda w: os.utime("data.txt", dir_fd=w.folder_fd), True),
    ("setxattr", lambda w: os.setxattr(w.file, "user.a", b""), False),
    ("getxattr", lambda w: os.listxattr(w.file), False),
    ("rename", lambda w: os.rename(w.file, w.folder / "new"), True),
    (
        "rename by folder",
        lambda w: os.rename("data.txt", "new", src_dir_fd=w.folder_fd),
        False,
    ),
    ("link", lambda w: os.link(w.file, w.folder / "new"), True),
    (
        "link a descriptor",
        lambda w: os.link(
            "data.txt", "new", src_dir_fd=w.folder_fd, dst_dir_fd=w.folder_fd
        ),
        True,
    ),
    ("symlink", lambda w: os.symlink("a", "new", dir_fd=w.folder_fd), True),
    ("unlink", lambda w: w.file.unlink(), True),
    ("unlink by folder", lambda w: os.unlink("data.txt", dir_fd=w.folder_fd), True),
    ("mkdir", lambda w: os.mkdir(w.folder / "new"), True),
    ("mkdir by folder", lambda w: os.mkdir("new", dir_fd=w.folder_fd), True),
    ("rmdir", lambda w: os.rmdir(w.folder), False),
    ("mkfifo", lambda w: make_node(w, 0o010000), True),
    ("make a socket", lambda w: make_node(w, 0o140000), True),
    ("make a device", lambda w: make_node(w, 0o020000), False),
    ("space on the disk", lambda w: os.statvfs(w.folder), True),
    ("space by descriptor", lambda w: os.statvfs(w.file_fd), True),
    ("flock", lambda w: fcntl.flock(w.file_fd, fcntl.LOCK_SH), True),
    ("flock the output", lambda w: fcntl.flock(w.output_fd, fcntl.LOCK_EX), True),
    ("lock", lambda w: lock(w, fcntl.F_SETLK), True),
    ("ask for locks", lambda w: lock(w, fcntl.F_GETLK), True),
    ("lock an open file", lambda w: lock(w, 37), True),
    ("lease", lambda w: fcntl.fcntl(w.file_fd, fcntl.F_SETLEASE, fcntl.F_RDLCK), True),
    ("watch a folder", lambda w: fcntl.fcntl(w.folder_fd, fcntl.F_NOTIFY, 1), True),
    (
        "ask for signals",
        lambda w: fcntl.fcntl(w.pipe_fd, fcntl.F_SETOWN, w.parent),
        True,
    ),
    ("choose the signal", lambda w: fcntl.fcntl(w.pipe_fd, 10, signal.SIGKILL), True),
    ("asynchronous", lambda w: add_flag(w.pipe_fd, os.O_ASYNC), True),
    ("break the output", lambda w: add_flag(w.output_fd, os.O_DIRECT), False),
    ("hint at a lifetime", lambda w: fcntl.fcntl(w.file_fd, 1036, bytes(8)), True),
    ("resize a pipe", lambda w: fcntl.fcntl(w.pipe_fd, 1031, 4096), True),
    ("inotify", lambda w: raw("inotify_init1", 0), True),
    ("fanotify", lambda w: raw("fanotify_init", 0, 0), False),
    ("what others have read", lambda w: peek(w.file_fd), True),
    ("ask a device", ask_device, True),
    ("terminal", lambda w: fcntl.ioctl(w.terminal_fd, termios.TIOCSTI, b"x"), False),
    (
        "terminal settings",
        lambda w: fcntl.ioctl(w.terminal_fd, termios.TCFLSH, 0),
        True,
    ),
]
NETWORK: list[tuple[str, Attempt, bool]] = [
    *(
        (
            f"socket {family}, {kind}",
            lambda w, f=family, k=kind: socket.socket(f, k),
            free,
        )
        for family, kind, free in [
            (socket.AF_INET, socket.SOCK_STREAM, True),
            (socket.AF_INET, socket.SOCK_DGRAM, True),
            (socket.AF_INET, socket.SOCK_RAW, False),
            (socket.AF_INET6, socket.SOCK_STREAM, False),
            (socket.AF_UNIX, socket.SOCK_STREAM, True),
            (socket.AF_UNIX, socket.SOCK_DGRAM, True),
            (socket.AF_NETLINK, socket.SOCK_RAW, True),
            (socket.AF_PACKET, socket.SOCK_RAW, False),
            (socket.AF_ALG, socket.SOCK_SEQPACKET, False),
            (socket.AF_VSOCK, socket.SOCK_STREAM, False),
        ]
    ),
    ("connect", lambda w: w.tcp.connect(w.address), True),
    ("bind", lambda w: w.tcp.bind(("127.0.0.1", 0)), True),
    ("listen", lambda w: w.tcp.listen(), True),
    ("send to another", lambda w: w.pair.sendto(b"hello", w.mailbox_path), True),
    ("send a message", lambda w: w.pair.sendmsg([b"hello"]), True),
    ("pass a descriptor", lambda w: socket.send_fds(w.pair, [b"a"], [w.file_fd]), True),
    ("socket options", lambda w: w.pair.setsockopt(1, socket.SO_SNDBUF, 9999), True),
]
KERNEL: list[tuple[str, Attempt, bool]] = [
    ("memfd_create", lambda w: os.memfd_create("memory"), True),
    ("memfd_secret", lambda w: raw("memfd_secret", 0), False),
    ("shmget", lambda w: raw("shmget", 0, 4096, 0), False),
    ("semget", lambda w: raw("semget", 1, 1, 0), False),
    ("msgget", lambda w: raw("msgget", 1, 0), False),
    ("mq_open", lambda w: raw("mq_open", b"arena", 0, 0, None), False),
    ("io_uring", lambda w: raw("io_uring_setup", 1, bytes(120)), False),
    ("mount", lambda w: raw("mount", b"n", b"/mnt", b"tmpfs", 0, None), False),
    ("pivot_root", lambda w: raw("pivot_root", b".", b"."), False),
    ("chroot", lambda w: raw("chroot", os.fsencode(w.folder)), False),
    ("unshare", lambda w: raw("unshare", 0x10000000), False),
    ("setns", lambda w: raw("setns", w.file_fd, 0), False),
    ("userfaultfd", lambda w: raw("userfaultfd", 1), False),
    ("perf", lambda w: raw("perf_event_open", bytes(128), 0, -1, -1, 0), False),
    ("bpf", lambda w: raw("bpf", 0, bytes(72), 72), False),
    ("keyctl", lambda w: raw("keyctl", 0, -3, 1), False),
    ("add_key", lambda w: raw("add_key", b"user", b"a", b"b", 1, -3), False),
    ("personality", lambda w: raw("personality", 0xFFFFFFFF), True),
    ("mlock", lambda w: raw("mlock", w.place, 1), True),
    ("mincore", lambda w: raw("mincore", w.place & -4096, 1, w.place), True),
    ("huge pages", lambda w: map_huge(), False),
    ("wake through a file", wake, True),
    ("set_tid_address", lambda w: raw("set_tid_address", w.place), True),
    ("timer_create", lambda w: raw("timer_create", 0, None, w.place), True),
    ("sysinfo", lambda w: raw("sysinfo", w.place), True),
    ("become dumpable", lambda w: raw("prctl", 4, 1, 0, 0, 0), True),
    ("outlive the parent", lambda w: raw("prctl", 1, 0, 0, 0, 0), True),
    ("invite a tracer", lambda w: raw("prctl", 0x59616D61, -1, 0, 0, 0), False),
    ("get capabilities back", lambda w: raw("capset", HEADER, b"\xff" * 24), False),
    ("another filter", lambda w: raw("seccomp", 2, 0, bytes(4)), True),
    ("another ruleset", lambda w: raw("landlock_create_ruleset", None, 0, 1), True),
]
ATTEMPTS = PROCESSES + FILES + NETWORK + KERNEL
BY_NAME = {name: attempt for name, attempt, _ in ATTEMPTS}

REFUSED = {"EPERM", "EACCES", "ENOSYS"}
OTHERWISE = {
    "ask a device": "ENOTTY",
    "terminal": "ENOTTY",
    "terminal settings": "ENOTTY",
    "wake through a file": "EAGAIN",
}


@pytest.mark.parametrize(
    ("name", "attempt", "free"), ATTEMPTS, ids=[a[0] for a in ATTEMPTS]
)
def test_it_is_refused(name: str, attempt: Attempt, free: bool, world: World) -> None:
    ended = confined(lambda: attempt(world), filters(world.folder))
    assert {ended} <= ({OTHERWISE[name]} if name in OTHERWISE else REFUSED)
    if free:
        assert outcome(lambda: attempt(world)) == "done"


def test_a_second_way_to_number_calls_kills() -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("other machines have one way")
    getpid = 0x40000000 + 39
    assert confined(lambda: kernel.call(getpid), filters()) == "SIGSYS"


def test_calls_of_another_machine_kill() -> None:
    """A 64-bit process can make 32-bit calls, whose numbers mean something else."""
    if os.uname().machine != "x86_64":
        pytest.skip("other machines have one way")

    def attempt() -> None:
        # mov eax, 20 (getpid); int 0x80; ret
        code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"
        protection = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        memory = mmap.mmap(-1, len(code), prot=protection)
        memory.write(code)
        place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        ctypes.CFUNCTYPE(ctypes.c_int)(place)()

    # A kernel without 32-bit calls takes it for a wrong instruction.
    assert confined(attempt, filters()) in {"SIGSYS", "SIGSEGV"}


ABI = landlock.landlock_abi()
# Attempts that Landlock refuses by itself, and since which ABI.
SINCE = {
    "read another file": 1,
    "write": 1,
    "unlink": 1,
    "mkfifo": 1,
    "truncate": 3,
    "truncate by reading": 3,
    "connect": 4,
    "bind": 4,
    "ask a device": 5,
    "kill the parent": 6,
    "send to another": 6,
}
GAPS = [
    "truncate by neither",
    "truncate by an old call",
    "tgkill the parent",
    "terminal",
]


def restrict(world: World, abi: int) -> None:
    kernel.forbid_new_privileges()
    landlock.restrict_files([str(world.folder)], abi)


@pytest.mark.parametrize("name", SINCE)
def test_landlock_refuses_what_its_abi_knows(name: str, world: World) -> None:
    since = SINCE[name]
    if since > ABI:
        pytest.skip("this kernel's Landlock is older")
    for abi in {max(1, since - 1), since, ABI}:
        ended = outcome(lambda: BY_NAME[name](world), partial(restrict, world, abi))
        assert (ended == "done") == (abi < since), abi


@pytest.mark.parametrize("name", [*SINCE, *GAPS])
def test_oldest_landlock_leaves_no_gap(name: str, world: World) -> None:
    """What it lacks beside the newest, the filter denies."""

    def before() -> None:
        restrict(world, abi=1)
        seccomp.install_filter(seccomp.build_filter(os.uname().machine, os.getpid()))

    ended = outcome(lambda: BY_NAME[name](world), before)
    assert ended in REFUSED | set(OTHERWISE.values())
