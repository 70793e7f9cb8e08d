"""Landlock: which files a process may open, by path.

Rights, structures and numbers are those of <linux/landlock.h>; which ABI has
what is in the kernel's Documentation/userspace-api/landlock.rst.  What Landlock
lacks (below ABI 6 signals, below ABI 3 truncation, at every ABI changes to a
file's metadata) the system call filter has to deny.
"""

import os
import stat
import struct
import sys
from collections.abc import Iterable

from arena.worker.confinement.kernel import call

_CREATE_RULESET = 444
_ADD_RULE = 445
_RESTRICT_SELF = 446
_VERSION = 1
_PATH_BENEATH = 1
_LOG_OFF = 1

_EXECUTE = 1 << 0
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_FIRST_RIGHTS = (1 << 13) - 1
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_IOCTL_DEV = 1 << 15
_TCP = 0b11
_SCOPES = 0b11

_DEVICES = [
    ("/dev/null", _READ_FILE | _WRITE_FILE),
    ("/dev/zero", _READ_FILE),
    ("/dev/urandom", _READ_FILE),
    ("/dev/random", _READ_FILE),
]


def landlock_abi() -> int:
    """Return the version of Landlock that this kernel has; 0 if it has none."""
    if sys.platform != "linux":
        return 0
    try:
        return call(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def open_ruleset(
    read: Iterable[str], abi: int, listed: Iterable[str] = (), *, execute: bool = False
) -> int:
    """Return a descriptor of what a process may open, for `restrict_files`.

    That is all that is below the paths in `read`, to read it, and with `execute` to
    become a program that is there; of what is below the folders `listed` the names.
    A path that is not there is left out, as is what `abi` does not have.

    Raises:
        OSError: the kernel refuses.
    """
    ruleset = call(_CREATE_RULESET, *_attributes(abi), 0)
    rights = _READ_FILE | _READ_DIR | (_EXECUTE if execute else 0)
    try:
        for path in read:
            _allow(ruleset, path, rights)
        for path in listed:
            _allow(ruleset, path, _READ_DIR)
        for path, device_rights in _DEVICES:
            _allow(ruleset, path, device_rights)
    except BaseException:
        os.close(ruleset)
        raise
    return ruleset


def restrict_files(ruleset: int, abi: int) -> None:
    """Let this thread open nothing but what a ruleset allows.

    Raises:
        OSError: the kernel refuses.
    """
    # A bot could fill the system's log with what it is denied.
    call(_RESTRICT_SELF, ruleset, _LOG_OFF if abi >= 7 else 0)


def _attributes(abi: int) -> tuple[bytes, int]:
    """Return the rights that are denied unless a rule allows them, and their size."""
    files = _FIRST_RIGHTS
    for right, since in [(_REFER, 2), (_TRUNCATE, 3), (_IOCTL_DEV, 5)]:
        if abi >= since:
            files |= right
    words = [files]
    if abi >= 4:
        words.append(_TCP)
    if abi >= 6:
        words.append(_SCOPES)
    return struct.pack(f"={len(words)}Q", *words), 8 * len(words)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= ~_READ_DIR
        if rights:
            rule = struct.pack("=Qi", rights, descriptor)
            call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
