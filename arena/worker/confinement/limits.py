"""Limits on what a contestant's process uses of the machine."""

import sys

if sys.platform != "win32":
    import resource

_FILE_SIZE = 4 * 1024 * 1024
_LOCKED_MEMORY = 64 * 1024
_OPEN_FILES = 64
_STACK = 8 * 1024 * 1024
_RESERVED = 4 * 1024**3
"""Bytes of address space that a program may have beside its memory."""


def limit_resources(
    memory: int, cpu: int, tasks: int | None, *, is_program: bool = False
) -> None:
    """Cap memory (bytes), CPU time (seconds), files and more; 0 is no cap.

    `tasks` are processes and threads together, all of the user's that the namespace
    has; None is no cap.  For a program only what it can write to counts as memory.
    What a system does not know is left out.

    Raises:
        OSError: Linux refuses a limit.
    """
    if sys.platform == "win32":
        return
    caps = [
        ("RLIMIT_CORE", 0, 0),
        ("RLIMIT_FSIZE", _FILE_SIZE, _FILE_SIZE),
        ("RLIMIT_NOFILE", _OPEN_FILES, _OPEN_FILES),
        ("RLIMIT_MSGQUEUE", 0, 0),
        ("RLIMIT_MEMLOCK", _LOCKED_MEMORY, _LOCKED_MEMORY),
        # Signals that wait are counted together for all processes of a user.
        ("RLIMIT_SIGPENDING", 0, 0),
    ]
    if tasks is not None:
        caps.append(("RLIMIT_NPROC", tasks, tasks))
    if memory and is_program:
        # Runtimes reserve far more addresses than they use.  But what was written
        # and can only be read from then on no longer counts as data, nor does a
        # stack.
        space = memory + _RESERVED
        caps += [
            ("RLIMIT_DATA", memory, memory),
            ("RLIMIT_STACK", _STACK, _STACK),
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
