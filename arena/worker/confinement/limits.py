"""Limits on the resources of a contestant's process."""

import sys

if sys.platform != "win32":
    import resource

_FILE_SIZE_BYTES = 4 * 1024 * 1024
_LOCKED_BYTES = 64 * 1024
_OPEN_FILES = 64
_STACK_BYTES = 8 * 1024 * 1024
_RESERVED_BYTES = 4 * 1024**3
"""Address space that a program may have beside its memory."""


def limit_resources(
    memory: int, cpu: int, tasks: int | None, *, is_program: bool = False
) -> None:
    """Cap memory (bytes), CPU time (seconds), files and more; 0 is no cap.

    `tasks` counts processes and threads together, all of the user's in the namespace;
    None is no cap.  For a program only writable memory counts.  Limits that the system
    does not know are left out.

    Raises:
        OSError: Linux refuses a limit.
    """
    if sys.platform == "win32":
        return
    caps = [
        ("RLIMIT_CORE", 0, 0),
        ("RLIMIT_FSIZE", _FILE_SIZE_BYTES, _FILE_SIZE_BYTES),
        ("RLIMIT_NOFILE", _OPEN_FILES, _OPEN_FILES),
        ("RLIMIT_MSGQUEUE", 0, 0),
        ("RLIMIT_MEMLOCK", _LOCKED_BYTES, _LOCKED_BYTES),
        # Signals that wait are counted together for all processes of a user.
        ("RLIMIT_SIGPENDING", 0, 0),
    ]
    if tasks is not None:
        caps.append(("RLIMIT_NPROC", tasks, tasks))
    if memory and is_program:
        # Runtimes reserve far more addresses than they use.  But memory that was made
        # read-only no longer counts as data, and neither does a stack.
        space = memory + _RESERVED_BYTES
        caps += [
            ("RLIMIT_DATA", memory, memory),
            ("RLIMIT_STACK", _STACK_BYTES, _STACK_BYTES),
            ("RLIMIT_AS", space, space),
        ]
    elif memory:
        caps.append(("RLIMIT_AS", memory, memory))
    if cpu:
        # The soft one can be ignored; the hard one can't.
        caps.append(("RLIMIT_CPU", cpu, cpu + 1))
    for name, soft, hard in caps:
        number = getattr(resource, name, None)
        if number is None:
            continue
        highest = resource.getrlimit(number)[1]
        if highest != resource.RLIM_INFINITY:
            soft, hard = min(soft, highest), min(hard, highest)
        try:
            resource.setrlimit(number, (soft, hard))
        except (ValueError, OSError) as error:
            # Elsewhere a limit may have a name and nothing behind it.
            if sys.platform == "linux":
                raise OSError(f"{name}: {error}") from error
