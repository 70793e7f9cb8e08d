"""One remedy, and how the one that fits is found."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.text import did_you_mean

_LIKENESS = 0.75
"""Of two names, of which one was meant for the other."""
IN_SELF = "keep it in self, made in start()"
C = TypeVar("C")
"""What is known of a mistake: a type for each table."""


@dataclass(frozen=True, slots=True)
class Remedy(Generic[C]):
    """What to do about one kind of mistake."""

    mistake: str
    """What was done wrong, in a few words: its name in `tests/mistakes`."""
    words: Callable[[C], str]
    """Says what to do, without a full stop; nothing if it is another mistake."""


def remedy_for(case: C, remedies: Iterable[Remedy[C]]) -> str:
    """Return what the first remedy says that is for this mistake; nothing if none is.

    It looks at objects of a bot, which may do anything: what they raise is no remedy.
    """
    for remedy in remedies:
        try:
            words = remedy.words(case)
        except BaseException:
            continue
        if words:
            return words
    return ""


def name_hint(name: str, known: Iterable[str]) -> str:
    """Ask for the name that may be meant; nothing if there is none, or it is known."""
    names = [other for other in known if isinstance(other, str)]
    if name in names:
        return ""
    same = [other for other in names if _plain(other) == _plain(name)]
    return did_you_mean(name, same or names, likeness=0.0 if same else _LIKENESS)


def _plain(name: str) -> str:
    """Return a name as if nobody cared for upper case and underscores."""
    return name.replace("_", "").casefold()
