"""What the probe's bot tries to get at: what it must not, and what it needs."""

from typing import NamedTuple


class Attempt(NamedTuple):
    """Something that a contained bot can't do."""

    name: str
    """As `probe_bot.py` calls it."""
    words: str
    """Ends the sentence "A bot can ..."."""


ATTEMPTS = (
    Attempt("read", "read other files"),
    Attempt("list", "list other folders"),
    Attempt("write", "write where the league is run"),
    Attempt("create", "leave files behind"),
    Attempt("connect", "use the network"),
    Attempt("socket", "be called by other processes"),
    Attempt("signal", "send signals to other processes"),
    Attempt("renice", "change the priority of other processes"),
    Attempt("environment", "look into other processes"),
    Attempt("lock", "leave messages in locks on shared files"),
    Attempt("shared", "leave messages in shared memory"),
    Attempt("fork", "start processes"),
    Attempt("program", "start programs"),
    Attempt("mount", "change what is mounted where"),
    Attempt("memory", "take more memory than it may"),
    Attempt("limits", "raise its own limits"),
)
