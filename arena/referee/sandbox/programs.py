"""What a program in another language is given beside the library."""

import os
from collections.abc import Sequence
from glob import glob

_SHARED = (
    "/etc/java-*/security",
    "/usr/share/lua",
    "/usr/share/nodejs",
    "/usr/share/perl",
    "/usr/share/perl5",
    "/usr/share/php",
)
"""Where languages keep what of theirs is not in the system's folders of libraries."""


def start_folder(folder: str, command: Sequence[str]) -> str:
    """Return where a program is started; empty if there is none.

    `folder` is what the bot consists of: a folder, or a file in it.
    """
    if not command:
        return ""
    return folder if os.path.isdir(folder) else os.path.dirname(folder)


def shared_runtimes() -> list[str]:
    """Return the real paths of what any program may read."""
    return sorted(os.path.realpath(path) for name in _SHARED for path in glob(name))


def runtime(program: str) -> tuple[str, ...]:
    """Return the program, and where its own libraries are if it is installed apart.

    That is the folder `lib` beside the folder `bin` it is in.
    """
    folder, name = os.path.split(os.path.dirname(program))
    libraries = os.path.join(folder, "lib")
    if name == "bin" and os.path.isdir(libraries):
        return program, libraries
    return (program,)
