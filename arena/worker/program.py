"""How a contestant's process becomes a program in another language."""

import os
import signal
from typing import NoReturn

from arena.worker.protocol import CONFINED, Confinement

NOT_STARTED = 127
"""Exit status of a process that could not become the program, as shells have it."""


def become_program(confinement: Confinement, read_fd: int, write_fd: int) -> NoReturn:
    """Go on as the program, with the pipes as its standard input and output.

    The process must be confined.  It keeps its number, its confinement and, as
    standard error, its output; nothing else is left open.  If the program can't be
    started, that is said there, and the process ends with status `NOT_STARTED`.
    """
    program = confinement.command[0]
    os.write(write_fd, CONFINED)
    try:
        os.dup2(read_fd, 0)
        os.dup2(write_fd, 1)
        os.closerange(3, 1 << 20)
        # What is ignored would stay so; Python ignores what ends other programs.
        for number in signal.valid_signals():
            if signal.getsignal(number) is signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.chdir(confinement.folder)
        os.execve(program, confinement.command, _environment(program))
    except OSError as error:
        os.write(2, f"{program} can't be started: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_STARTED)


def _environment(program: str) -> dict[str, str]:
    """Return what of this process's environment is not for Python alone."""
    left_out = ("PYTHON", "PWD", "OLDPWD")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    # Settings that it may not read, rather than does not find, are an error to it.
    kept["OPENSSL_CONF"] = os.devnull
    # Where libraries are by their place from the program; there is no /proc to ask.
    kept["LD_ORIGIN_PATH"] = os.path.dirname(program)
    return kept
