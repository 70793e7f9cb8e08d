"""A mistake as a student writes it, and his file after he has followed the remedy."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent, indent


@dataclass(frozen=True)
class Mistake:
    """A file with a mistake in it."""

    name: str
    """That of its remedy; with a colon and some words if that has several mistakes."""
    text: str | bytes
    """Of the file `mistake.py`."""
    remedied: str
    """Of the same file, after the remedy was followed as it says; empty if the remedy
    is not to change this file."""
    bot: str = "Mistake"
    """The class."""
    game: str = "zombie_dice"
    beside: Mapping[str, str | bytes] = field(default_factory=dict)
    """Files of its folder, by their names: then the hand-in is a folder."""
    remedied_beside: Mapping[str, str | bytes] = field(default_factory=dict)
    """Files of the folder that the remedy asks for."""

    until: tuple[int, int] = (4, 0)
    """The version of Python from which on it is no mistake."""

    @property
    def remedy(self) -> str:
        """The name of its remedy."""
        return self.name.partition(":")[0]


HEAD = "from arena import Bot\n\n\nclass Mistake(Bot):\n"
ROLLS = "    def zombie_dice(self, obs):\n        return 'roll'\n"


def method(body: str, before: str = "", inside: str = "") -> str:
    """Return a bot whose method is in the lines from 8 on.

    `before` is one line above the class, `inside` are lines above the method.
    """
    head = f"from arena import Bot\n{before}\n\n\nclass Mistake(Bot):\n{inside}\n"
    return f"{head}    def zombie_dice(self, obs):\n{indent(dedent(body), ' ' * 8)}"
