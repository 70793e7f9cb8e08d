"""Turns a contestant's process into a program in another language."""

import os
import signal
from typing import NoReturn

from arena.worker.protocol import CONFINED, Confinement

NOT_STARTED = 127
"""Exit status of a process that could not become the program, as shells have it."""


def become_program(confinement: Confinement, read_fd: int, write_fd: int) -> NoReturn:
    """Replace this process by the program; the pipes become its stdin and stdout.

    The process must be confined.  It keeps its number, its confinement and, as
    standard error, its output; nothing else stays open.  If the program can't be
    started, that is written there, and the process ends with status `NOT_STARTED`.
    """
    program = confinement.command[0]
    os.write(write_fd, CONFINED)
    try:
        os.dup2(read_fd, 0)
        os.dup2(write_fd, 1)
        os.closerange(3, 1 << 20)
        # Ignored signals would stay ignored; Python ignores some that end programs.
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
    """Return this process's environment without what only Python needs."""
    left_out = ("PYTHON", "PWD", "OLDPWD")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    # A settings file that it may not read is an error to it; a missing one is not.
    kept["OPENSSL_CONF"] = os.devnull
    # Libraries are found from the program's folder; there is no /proc to ask.
    kept["LD_ORIGIN_PATH"] = os.path.dirname(program)
    return kept
