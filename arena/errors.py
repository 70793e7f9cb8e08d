"""Errors that a person can cause, each one sentence for that person.

    ArenaError
      ConfigError    a league file, an option or a path on the command line
      RecordError    a results folder: damaged, foreign, locked or not writable
      LeagueError    the machine could not play the league

What a bot does wrong is none of these: it never leaves the referee, and becomes
a termination and a `Fault`.
"""


class ArenaError(Exception):
    """Base of all errors that are shown without a traceback."""


class ConfigError(ArenaError):
    """Says where (file, path of the key), what was expected and what was found."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")


class RecordError(ArenaError):
    """Says which file, what is wrong with it and what to do."""


class LeagueError(ArenaError):
    """Says what the machine could not do."""
