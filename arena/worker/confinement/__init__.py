"""The limits that a contestant's process puts on itself before it gets a bot.

They are permanent: neither the process nor anything that runs in it can remove them.
A limit that the system does not have is left out, except for the filters: these are
either complete or an error.
"""

import os
import sys

from arena.worker.confinement.kernel import (
    die_with_parent,
    drop_capabilities,
    end_pid_namespace,
    enter_user_namespace,
    forbid_new_privileges,
    has_one_thread,
    leave_pid_namespace,
    make_undumpable,
    start_pid_namespace,
)
from arena.worker.confinement.landlock import (
    landlock_abi,
    open_ruleset,
    restrict_files,
)
from arena.worker.confinement.limits import limit_resources
from arena.worker.confinement.seccomp import build_filter, install_filter
from arena.worker.confinement.syscalls import MACHINES
from arena.worker.protocol import Confinement

__all__ = [
    "ConfinementError",
    "confine",
    "die_with_parent",
    "end_pid_namespace",
    "enter_user_namespace",
    "landlock_abi",
    "leave_pid_namespace",
    "make_undumpable",
    "open_ruleset",
    "start_pid_namespace",
]


class ConfinementError(OSError):
    """A process can't be confined as asked; the text says why in one sentence."""


def confine(confinement: Confinement, ruleset: int | None = None) -> None:
    """Confine this process, which must have one thread, for the rest of its life.

    `ruleset` is a descriptor of what it may open, if Landlock is wanted.

    Raises:
        ConfinementError: the process must not be given a bot.  It may be
            confined in part.
    """
    if confinement.filters:
        _check_for_filters(confinement.landlock, ruleset)
    is_program = bool(confinement.command)
    try:
        if confinement.limits:
            limit_resources(
                memory=confinement.memory,
                cpu=confinement.cpu,
                tasks=confinement.tasks,
                is_program=is_program,
            )
        make_undumpable()
        # Who has become root by a program of the system, nobody could end.
        forbid_new_privileges()
        if confinement.filters or confinement.limits:
            drop_capabilities()
        if confinement.filters:
            if ruleset is not None:
                restrict_files(ruleset, landlock_abi())
            machine, pid = os.uname().machine, os.getpid()
            install_filter(build_filter(machine, pid, is_program=is_program))
    except OSError as error:
        raise ConfinementError(
            f"confinement: the system refused a step ({error})"
        ) from error


def _check_for_filters(landlock: bool, ruleset: int | None) -> None:
    if sys.platform != "linux":
        raise ConfinementError(f"filters: expected Linux, found {sys.platform}")
    machine = os.uname().machine
    if machine not in MACHINES or sys.maxsize < 2**32:
        expected = " or ".join(MACHINES)
        raise ConfinementError(
            f"filters: expected a 64-bit Python on {expected}, found {machine}"
        )
    if landlock and not landlock_abi():
        raise ConfinementError(
            "filters: expected a kernel with Landlock (Linux 5.13 or newer, "
            "and switched on), found none"
        )
    if landlock != (ruleset is not None):
        raise ConfinementError(
            "filters: expected a ruleset where Landlock is wanted, and only there"
        )
    # Landlock would not bind the other threads.
    if not has_one_thread():
        raise ConfinementError("filters: expected a single thread, found more")
