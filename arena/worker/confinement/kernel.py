"""Calls to the kernel that Python has no function for.

On other systems than Linux all but `call` do nothing.
"""

import ctypes
import errno
import os
import signal
import struct
import sys
from contextlib import suppress
from functools import cache

# From <linux/prctl.h>, <linux/capability.h> and <linux/sched.h>.
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522
_CAPABILITIES = 64
_CLONE_THREAD = 0x10000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWPID = 0x20000000
_SHARE_ALL = 0x100 | 0x200 | 0x400
"""CLONE_VM, _FS, _FILES."""
_STACK_BYTES = 16 * 1024

_stacks: dict[int, object] = {}
"""Of the first processes of namespaces, by their ids."""


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    pointer = ctypes.c_void_p
    libc.clone.argtypes = [pointer, pointer, ctypes.c_int, pointer]
    return libc


def call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call; `bytes` are passed by address, and only for reading.

    Raises:
        OSError: the kernel refuses.
    """
    words = [
        ctypes.c_long(argument) if isinstance(argument, int) else argument
        for argument in arguments
    ]
    return _checked(_libc().syscall(ctypes.c_long(number), *words))


def _prctl(option: int, second: int, third: int = 0) -> None:
    _checked(_libc().prctl(option, second, third, 0, 0))


def _checked(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def die_with_parent() -> None:
    """Let the kernel kill this process once the thread that started it has ended."""
    if sys.platform == "linux":
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def make_undumpable() -> None:
    """Keep other processes of the user from reading this one's memory and files."""
    if sys.platform == "linux":
        _prctl(_PR_SET_DUMPABLE, 0)


def forbid_new_privileges() -> None:
    """Give up what setuid programs give; the filters may not be had otherwise."""
    if sys.platform == "linux":
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Take away all that sets root apart from others, and the way back to it."""
    if sys.platform != "linux":
        return
    # Only root may, and only root has to.
    with suppress(OSError):
        for capability in range(_CAPABILITIES):
            _prctl(_PR_CAPBSET_DROP, capability)
    with suppress(OSError):
        _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc().capset(header, bytes(24)))


def start_pid_namespace() -> int:
    """Have the next children of this process be in a new pid namespace.

    Returns the id of the first process there, which sleeps until it is ended by
    `end_pid_namespace`.  It uses memory and descriptors of this process: to copy
    them would take as long as the fork of a contestant.

    Raises:
        OSError: the kernel refuses.
    """
    libc = _libc()
    _checked(libc.unshare(_CLONE_NEWPID))
    stack = ctypes.create_string_buffer(_STACK_BYTES)
    top = (ctypes.addressof(stack) + _STACK_BYTES) & -16
    try:
        pid = _checked(libc.clone(libc.pause, top, _SHARE_ALL | signal.SIGCHLD, None))
    except OSError:
        leave_pid_namespace()
        raise
    _stacks[pid] = stack
    return pid


def leave_pid_namespace() -> None:
    """Have the next children of this process be in its own namespace again.

    Raises:
        OSError: the kernel refuses.
    """
    itself = os.pidfd_open(os.getpid())
    try:
        _checked(_libc().setns(itself, _CLONE_NEWPID))
    finally:
        os.close(itself)


def end_pid_namespace(first: int) -> None:
    """End a namespace by its first process; its other processes are to be reaped."""
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    del _stacks[first]


def enter_user_namespace() -> None:
    """Move this process into a user namespace of its own.

    Limits on a user's processes and threads then count this process alone.

    Raises:
        OSError: the kernel refuses.
    """
    _checked(_libc().unshare(_CLONE_NEWUSER))


def has_one_thread() -> bool:
    """Say whether this is the only thread, as far as the system lets one know."""
    if sys.platform == "linux":
        # Undoes nothing, but is refused to one of several threads.
        try:
            _checked(_libc().unshare(_CLONE_THREAD))
        except OSError as error:
            return error.errno != errno.EINVAL
    return True
