"""Errors that a person can cause, each one sentence for that person.

    ArenaError
      ConfigError    a league file, an option or a path on the command line
      RecordError    a results folder: damaged, foreign or not writable
        BusyError    another run writes into it
      LeagueError    the machine could not play the league

What a bot does wrong is none of these: it never leaves the referee, and becomes
a termination and a `Fault`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

E = TypeVar("E", bound=BaseException)


class ArenaError(Exception):
    """Base of all errors that are shown without a traceback."""


class ConfigError(ArenaError):
    """Says where (file, path of the key), what was expected and what was found."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")


class RecordError(ArenaError):
    """Says which file, what is wrong with it and what to do."""


class BusyError(RecordError):
    """Says which folder another run holds."""


class LeagueError(ArenaError):
    """Says what the machine could not do."""


def find_error(group: BaseExceptionGroup[BaseException], kind: type[E]) -> E | None:
    """Return the first error of a type in a group, at any depth; None without one."""
    for error in group.exceptions:
        if isinstance(error, kind):
            return error
        if isinstance(error, BaseExceptionGroup):
            found = find_error(error, kind)
            if found is not None:
                return found
    return None


@contextmanager
def starting_contestants() -> Iterator[None]:
    """Turn a machine's refusal to start a process into one sentence.

    Raises:
        LeagueError: no process could be started.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        error = find_error(group, OSError)
        if error is None:
            raise
        raise LeagueError(f"no contestant could be started ({error})") from None
