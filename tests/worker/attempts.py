"""What there is to attack for a confined process, and longer ways to do so."""

import ctypes
import errno
import fcntl
import mmap
import os
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.worker.confinement.kernel import call

# Numbers on x86_64 and aarch64; None where there is no such call.
CALLS: dict[str, tuple[int, int | None]] = {
    "open": (2, None),
    "vfork": (58, None),
    "preadv2": (327, 286),
    "futex": (202, 98),
    "mmap": (9, 222),
    "mincore": (27, 232),
    "shmget": (29, 194),
    "clone": (56, 220),
    "ptrace": (101, 117),
    "semget": (64, 190),
    "msgget": (68, 186),
    "getpriority": (140, 141),
    "setpriority": (141, 140),
    "mlock": (149, 228),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setrlimit": (160, 164),
    "mount": (165, 40),
    "sysinfo": (99, 179),
    "rt_sigqueueinfo": (129, 138),
    "personality": (135, 92),
    "prctl": (157, 167),
    "capset": (126, 91),
    "tkill": (200, 130),
    "set_tid_address": (218, 96),
    "timer_create": (222, 107),
    "tgkill": (234, 131),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "ioprio_set": (251, 30),
    "unshare": (272, 97),
    "clock_nanosleep": (230, 115),
    "inotify_init1": (294, 26),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "prlimit64": (302, 261),
    "setns": (308, 268),
    "process_vm_readv": (310, 270),
    "kcmp": (312, 272),
    "seccomp": (317, 277),
    "memfd_create": (319, 279),
    "bpf": (321, 280),
    "execveat": (322, 281),
    "userfaultfd": (323, 282),
    "pidfd_send_signal": (424, 424),
    "io_uring_setup": (425, 425),
    "pidfd_open": (434, 434),
    "clone3": (435, 435),
    "openat2": (437, 437),
    "landlock_create_ruleset": (444, 444),
    "memfd_secret": (447, 447),
}


def raw(name: str, *arguments: int | bytes | None) -> int:
    """Make a call by its number on this machine."""
    found = CALLS[name][os.uname().machine == "aarch64"]
    if found is None:
        raise OSError(errno.ENOSYS, "this machine has no such call")
    return call(found, *arguments)


@dataclass
class World:
    """What there is to attack, made before the fork."""

    parent: int
    folder: Path
    """May be read."""
    file: Path
    """In it."""
    secret: Path
    """May not."""
    folder_fd: int
    above_fd: int
    """The folder of all this, which may not be read."""
    file_fd: int
    """Open for reading."""
    output_fd: int
    """Open for writing, as the referee's file for what a bot prints."""
    pipe_fd: int
    terminal_fd: int
    tcp: socket.socket
    address: tuple[str, int]
    """Where somebody listens."""
    pair: socket.socket
    mailbox: socket.socket
    """Another's, bound to the path that follows."""
    mailbox_path: str
    buffer: ctypes.Array[ctypes.c_char]

    @property
    def place(self) -> int:
        """The address of a buffer, the same in the parent."""
        return ctypes.addressof(self.buffer)


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


def map_huge() -> None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000
    mmap.mmap(-1, 2**21, flags, mmap.PROT_READ).close()


def make_node(world: World, kind: int) -> None:
    os.mknod("new", kind | 0o600, dir_fd=world.folder_fd)
