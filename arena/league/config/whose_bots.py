"""`private/students.json` in a results folder: whose the bots of a league were.

The results themselves have ids that tell nobody.
"""

from pathlib import Path

import msgspec

from arena.errors import ConfigError
from arena.league.config.small_file import read_small

FILE = Path("private", "students.json")


class WhoseBot(msgspec.Struct, frozen=True):
    """A bot of students."""

    entry: str
    """Its id."""
    bot: str
    """What the tables call it."""
    file: str
    students: tuple[str, ...]
    """As in `StudentRow.who`, in alphabetical order."""
    called: str = ""
    """What the tables for the organiser call it; empty if as all do."""


class _Whose(msgspec.Struct, frozen=True):
    bots: tuple[WhoseBot, ...]


def whose_bots_text(bots: tuple[WhoseBot, ...]) -> str:
    """Return the text of the file."""
    text = msgspec.json.format(msgspec.json.encode(_Whose(bots)), indent=1)
    return f"{text.decode()}\n"


def read_whose_bots(where: str, folder: Path) -> tuple[WhoseBot, ...]:
    """Return the bots of students in a results folder; none if it does not say.

    Raises:
        ConfigError: the file can't be read, as the league's file wants it at `where`.
    """
    path = folder / FILE
    try:
        return msgspec.json.decode(read_small(path), type=_Whose).bots
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ConfigError(where, f"{path} can't be read ({error.strerror})") from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ConfigError(
            where, f"{path} is damaged ({error}); run that league again"
        ) from None
