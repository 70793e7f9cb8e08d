"""Bots in other languages: the command that starts one, as a league's file has it."""

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from arena.referee.contestant.misconduct import Misconduct
from arena.text import printable, quoted

_MAX_SHOWN_CHARS = 200


def command_words(command: str | Sequence[str]) -> tuple[str, ...]:
    """Return a program and its arguments; a text is split as a shell would.

    Raises:
        ValueError: there is no program in it, or it is no valid text.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError:
        raise ValueError(
            f"expected a program and its arguments; found {command!r}, where a quote "
            "is left open"
        ) from None
    if not words or not words[0]:
        raise ValueError(f"expected a program and its arguments; found {command!r}")
    for word in words:
        if printable(word, lines=False) != word:
            raise ValueError(f"expected plain text; found {word!a}")
    return tuple(words)


def find_program(words: Sequence[str], folder: str) -> str:
    """Return the real, absolute path of the program that a command begins with.

    With a slash it is looked up from `folder`, else on the PATH.

    Raises:
        ValueError: there is none, or none that a contestant could become.
    """
    name = words[0]
    found: str | None
    if "/" in name:
        found = os.path.join(folder, name)
        if not os.path.isfile(found):
            raise ValueError(f"there is no file {os.path.normpath(found)}")
        if not os.access(found, os.X_OK):
            raise ValueError(
                f"{os.path.normpath(found)} is not executable; let it be (chmod +x), "
                "or name the program that runs it"
            )
    else:
        found = shutil.which(name)
        if found is None:
            hint = f"; for the file beside the bot write ./{name}"
            raise ValueError(
                f"no program {name!r} is found on the PATH"
                + (hint if os.path.isfile(os.path.join(folder, name)) else "")
            )
    path = os.path.realpath(found)
    if _is_script(path):
        todo = "give the path of the program that it starts"
        if "/" in name:
            todo = f"name the program that runs it too: node {shlex.quote(name)}, say"
        raise ValueError(f"{path} is a script; {todo}")
    return path


def _is_script(path: str | Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False  # It may be executable all the same.


def is_binary(path: str | Path) -> bool:
    """Return True if a path is an executable file, and no script."""
    is_executable = os.path.isfile(path) and os.access(path, os.X_OK)
    return is_executable and not _is_script(path)


def command_line(program: str, command: Sequence[str]) -> tuple[str, ...]:
    """Return a command with its program by its path; empty if there is none."""
    return (program, *command[1:]) if program else ()


def why_not_started(fault: Misconduct) -> str:
    """Return the reason why a program can't be started, with one line that it printed.

    That is the first line with an error in it, or else the first one: the others only
    say where that happened, and in which version.
    """
    lines = [line.strip() for line in fault.output.splitlines() if line.strip()]
    errors = (line for line in lines if "error" in line.casefold())
    told = next(errors, lines[0] if lines else "")[:_MAX_SHOWN_CHARS]
    if told in fault.message:
        return fault.message
    return f"{fault.message}; it printed: {quoted(told)}"
