"""The system call filter: calls that are not listed here fail.

A list of what is allowed can't be surprised by a call that nobody thought of.
What bots have no use for is left out even where it seems to do no harm: locks,
queues and counters that processes of a user share are ways for two bots to talk,
and free disk space or another's CPU time can be read from afar.  Which files may
be opened is Landlock's business, but nothing here changes one by its name, nor
what is known about it.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from arena.worker.confinement import bpf
from arena.worker.confinement.bpf import Code, Test
from arena.worker.confinement.kernel import call
from arena.worker.confinement.syscalls import MACHINES, syscall_numbers

_FREE = (
    # Descriptors that are open
    "read write readv writev pread64 pwrite64 preadv pwritev lseek ftruncate "
    "close close_range dup dup2 dup3 fstat getdents getdents64",
    # Looking at files
    "stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat "
    "getcwd chdir fchdir",
    # Memory
    "mprotect munmap mremap brk",
    # Threads
    "exit exit_group sched_yield gettid set_robust_list rseq getcpu",
    # Signals
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait "
    "rt_sigsuspend sigaltstack pause restart_syscall",
    # Time
    "nanosleep gettimeofday time times alarm getitimer setitimer getrusage",
    # Waiting for descriptors
    "poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait "
    "epoll_pwait epoll_pwait2",
    # Talking to oneself
    "pipe pipe2 recvfrom shutdown getsockname getpeername",
    # Who and where one is
    "getpid getppid getpgrp getuid geteuid getgid getegid getgroups getresuid "
    "getresgid getrlimit uname getrandom",
)
FREE = frozenset(" ".join(_FREE).split())
"""Calls that are allowed whatever their arguments."""

PROGRAM_FREE = frozenset({"execve", "set_tid_address", "eventfd2"})
"""Calls that a program needs besides: to begin, and to wake its own threads.

Whatever it executes has the same filter, the same limits, and no more to read.
"""

YOUNG = 424
"""The first number of the calls that are younger than Linux 5.0; libraries fall
back on older ones where these are unknown."""

# The first number of a second way to call the same on x86_64, <asm/unistd.h>.
_X32 = 0x40000000

# <linux/audit.h>
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# <linux/seccomp.h>
_SET_MODE_FILTER = 1
_ALL_THREADS = 1
_FAST = 4
"""No slow protection against Spectre: the memory of the process is all its own."""


class Rule(NamedTuple):
    """A call is allowed if all tests of one of the choices hold."""

    choices: Sequence[Sequence[Test]]
    error: int = errno.EPERM
    """Of a call that is not allowed."""


# The same on both machines, from <asm-generic/fcntl.h>.
_O_WRONLY, _O_RDWR, _O_ACCMODE = 1, 2, 3
_O_CREAT = 0o100
_O_TRUNC = 0o1000
_O_TMPFILE = 0o20000000
_O_ASYNC = 0o20000
# On x86_64 and on aarch64; elsewhere the bit is O_DIRECTORY, which nobody sets.
_O_DIRECT = 0o40000 | 0o200000
_F_SETFL = 4
_FCNTL_COMMANDS = (0, 1, 2, 3, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC"""

# <asm-generic/ioctls.h>; a program asks these before it uses a descriptor.
_IOCTL_COMMANDS = (0x5401, 0x802C542A, 0x5413, 0x5421, 0x5450, 0x5451)
"""TCGETS, TCGETS2, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX"""

_FIONREAD = 0x541B

# <linux/sched.h>
_THREAD = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000
"""CLONE_VM, _FS, _FILES, _SIGHAND and _THREAD: all is shared."""
_THREAD_EXTRAS = 0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x400000 | 0x1000000
"""CLONE_SYSVSEM, _SETTLS, _PARENT_SETTID, _CHILD_CLEARTID, _DETACHED, _CHILD_SETTID."""

# <linux/prctl.h>
_PRCTL_OPTIONS = (3, 15, 16, 21, 39)
"""PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS"""

# <asm-generic/mman.h>, <asm-generic/mman-common.h>
_ADVICE = (*range(5), 8, 10, 11, *range(14, 20), 22, 23, 25)
"""MADV_NORMAL to _DONTNEED, _FREE, _DONTFORK, _DOFORK, _HUGEPAGE to _KEEPONFORK,
_POPULATE_READ and _WRITE, _COLLAPSE"""
_MAP_PRIVATE, _MAP_TYPE = 2, 0xF
_MAP_ANONYMOUS = 0x20
_MAP_GROWSDOWN = 0x100
_MAP_HUGETLB = 0x40000
_MAP_NEW = _MAP_TYPE | _MAP_ANONYMOUS | _MAP_GROWSDOWN | _MAP_HUGETLB

# <asm/prctl.h>
_ARCH_SET_FS = 0x1002

# <linux/membarrier.h>
_OWN_BARRIERS = (0, 8, 16, 32, 64)
"""MEMBARRIER_CMD_QUERY, PRIVATE_EXPEDITED and ..._SYNC_CORE, each with its REGISTER_"""

_FUTEX_PRIVATE, _FUTEX_CLOCK = 128, 256
_FUTEX_WAITS = (0, 9)
"""FUTEX_WAIT, FUTEX_WAIT_BITSET"""
_AF_UNIX = 1
# <asm-generic/socket.h>
_SOL_SOCKET = 1
_SOCKET_OPTIONS = (2, 3, 4, 7, 8, 30, 38, 39)
"""SO_REUSEADDR, _TYPE, _ERROR, _SNDBUF, _RCVBUF, _ACCEPTCONN, _PROTOCOL, _DOMAIN"""

# <asm-generic/signal.h>
_STOPPING = (9, 19, 20, 21, 22)
"""SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU"""
_SIGNALS = tuple(number for number in (*range(32), 64) if number not in _STOPPING)
_REAL_TIME_SIGNALS = 32
"""The first of so many."""
_PRIO_PROCESS = 0
_NEGATIVE = 0x80000000


def _null(argument: int) -> tuple[Test, Test]:
    return Test(argument, (0,)), Test(argument, (0,), upper=True)


def _opening(flags: int) -> Rule:
    # Landlock asks for no more than reading, though it may create or truncate.
    reading = Test(flags, (0,), _O_ACCMODE | _O_CREAT | _O_TRUNC | _O_TMPFILE)
    writing = Test(flags, (_O_WRONLY, _O_RDWR), _O_ACCMODE | _O_TMPFILE)
    return Rule([[reading], [writing]])


def _signalling(number: int) -> Rule:
    harmless = Test(number, _SIGNALS)
    real_time = Test(number, (_REAL_TIME_SIGNALS,), -_REAL_TIME_SIGNALS & bpf.WORD)
    return Rule([[_OWN_PROCESS, harmless], [_OWN_PROCESS, real_time]])


_ONESELF = (0, bpf.OWN)
_OWN_PROCESS = Test(0, (bpf.OWN,))
# A negative clock belongs to a process or a descriptor.
_COMMON_CLOCK = Rule([[Test(0, (0,), _NEGATIVE)]])

RULES = {
    "open": _opening(1),
    "openat": _opening(2),
    "mmap": Rule([[Test(3, (0,), _MAP_HUGETLB)]]),
    # What is in memory of a file, and what is merged there, two bots have in common.
    "madvise": Rule([[Test(2, _ADVICE)]], errno.EINVAL),
    "fcntl": Rule(
        [
            [Test(1, _FCNTL_COMMANDS)],
            # The referee reads the output through the same open file.
            [Test(1, (_F_SETFL,)), Test(2, (0,), _O_ASYNC | _O_DIRECT)],
        ]
    ),
    "ioctl": Rule([[Test(1, _IOCTL_COMMANDS)]], errno.ENOTTY),
    "clone": Rule([[Test(0, (_THREAD,), ~_THREAD_EXTRAS & bpf.WORD)]]),
    # Two bots could wake each other through a file that both can read.  What the C
    # library does otherwise than privately is to wait for the end of a thread; it
    # then asks again until it has come.
    "futex": Rule([[Test(1, (_FUTEX_PRIVATE,), _FUTEX_PRIVATE)]], errno.EAGAIN),
    # Whoever could kill or stop itself would pass that off as the system's doing.
    "kill": _signalling(1),
    "tgkill": _signalling(2),
    "socketpair": Rule([[Test(0, (_AF_UNIX,))]]),
    # The kernel numbers all sockets and processes that are asked for a number.
    "getsockopt": Rule([[Test(1, (_SOL_SOCKET,)), Test(2, _SOCKET_OPTIONS)]]),
    # Given an address, a socket of a pair reaches others too.
    "sendto": Rule([_null(4)]),
    "prctl": Rule([[Test(0, _PRCTL_OPTIONS)]]),
    "prlimit64": Rule([[Test(0, (0,)), *_null(2)]]),
    "getpgid": Rule([[Test(0, _ONESELF)]]),
    "getsid": Rule([[Test(0, _ONESELF)]]),
    "getpriority": Rule([[Test(0, (_PRIO_PROCESS,)), Test(1, _ONESELF)]]),
    # The C library asks for its threads, but can do without an answer.
    "sched_getaffinity": Rule([[Test(0, _ONESELF)]], errno.ENOSYS),
    "clock_gettime": _COMMON_CLOCK,
    "clock_getres": _COMMON_CLOCK,
    "clock_nanosleep": _COMMON_CLOCK,
}
"""Calls that are allowed with some arguments only."""


PROGRAM_RULES = {
    # To ask again until a thread has come to its end would cost a program's clock what
    # it waits, and some wait for as long as they live.
    "futex": Rule(
        [
            [Test(1, (_FUTEX_PRIVATE,), _FUTEX_PRIVATE)],
            [Test(1, _FUTEX_WAITS, ~_FUTEX_CLOCK & bpf.WORD)],
        ],
        errno.EAGAIN,
    ),
    # What is shared without a file, or grows like a stack, is not limited as data.
    "mmap": Rule(
        [
            [Test(3, (0,), _MAP_HUGETLB | _MAP_GROWSDOWN | _MAP_ANONYMOUS)],
            [Test(3, (_MAP_PRIVATE | _MAP_ANONYMOUS,), _MAP_NEW)],
        ]
    ),
    "ioctl": Rule([[Test(1, (*_IOCTL_COMMANDS, _FIONREAD))]], errno.ENOTTY),
    "arch_prctl": Rule([[Test(0, (_ARCH_SET_FS,))]]),
    # Other commands interrupt the threads of others.
    "membarrier": Rule([[Test(0, _OWN_BARRIERS)]]),
}
"""Calls that are weighed otherwise for programs, or that only programs need."""


def _template(machine: str, free: Iterable[str], rules: Mapping[str, Rule]) -> Code:
    numbers = syscall_numbers(machine)
    codes = {numbers[name]: bpf.ends(bpf.ALLOW) for name in free if name in numbers}
    for name, rule in rules.items():
        if name in numbers:
            codes[numbers[name]] = bpf.alternatives(rule.choices, rule.error)
    segments: list[tuple[int, Code]] = []
    for number in range(max(*codes, YOUNG) + 2):
        unknown = errno.ENOSYS if number >= YOUNG else errno.EPERM
        code = codes.get(number) or bpf.ends(bpf.FAIL | unknown)
        if not segments or segments[-1][1] != code:
            segments.append((number, code))
    if machine == "x86_64":
        segments.append((_X32, bpf.ends(bpf.KILL)))
    return bpf.for_machine(_AUDIT[machine], bpf.search(segments))


# Here, so that a process that is forked for a contestant finds them ready.
_TEMPLATES = {
    (machine, is_program): _template(machine, free, rules)
    for machine in MACHINES
    for is_program, free, rules in [
        (False, FREE, RULES),
        (True, FREE | PROGRAM_FREE, {**RULES, **PROGRAM_RULES}),
    ]
}


def build_filter(machine: str, pid: int, *, is_program: bool = False) -> Code:
    """Return the program for the process `pid` on a type of machine.

    `is_program` says whether the process is to become a program of another language.
    """
    return bpf.fill_in(_TEMPLATES[machine, is_program], pid)


def install_filter(code: Code) -> None:
    """Let a program decide over every call of this process from now on.

    Raises:
        OSError: the kernel refuses.
    """
    program = ctypes.create_string_buffer(bpf.pack(code))
    # struct sock_fprog, with the padding of the machine
    head = struct.pack("@HP", len(code), ctypes.addressof(program))
    number = syscall_numbers(os.uname().machine)["seccomp"]
    try:
        failed = call(number, _SET_MODE_FILTER, _ALL_THREADS | _FAST, head)
    except OSError as error:
        # Linux knows it since 4.17.
        if error.errno != errno.EINVAL:
            raise
        failed = call(number, _SET_MODE_FILTER, _ALL_THREADS, head)
    if failed:
        raise OSError(errno.EBUSY, "a thread has a filter of its own")
