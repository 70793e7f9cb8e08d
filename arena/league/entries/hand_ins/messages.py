"""What the league and the process that reads hand-ins tell each other."""

import msgspec

from arena.league.entries.hand_ins.hand_in import HandIn, Refused


class Task(msgspec.Struct, frozen=True, tag=True):
    """What all hand-ins of a league have in common."""

    form: int
    """Of the league: in form 1 a bot may import all that lies beside it."""
    games: tuple[str, ...]
    """The games of the league."""
    known: tuple[str, ...]
    """All games that there are."""
    guests: dict[str, str]
    """Import paths of guests, by the names of the modules that they stand in for."""
    depot: str = ""
    """The folder to keep them in; empty if they are only to be looked at."""
    shared: tuple[str, ...] = ()
    """Paths of the files and folders that all bots may import."""


class Wish(msgspec.Struct, frozen=True, tag=True):
    """One hand-in to be read."""

    path: str
    is_program: bool = False


class Ready(msgspec.Struct, frozen=True, tag=True):
    """All that is shared has been read."""


class Failed(msgspec.Struct, frozen=True, tag=True):
    """A hand-in can't be kept: a fault of the machine."""

    reason: str


Message = Ready | Failed | HandIn | Refused
