"""What the league knows of a hand-in that has been read."""

from pathlib import Path

import msgspec

SHARED = "\0shared/"
"""Begins what a shared file is called in the hash."""


class HandIn(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A hand-in as it was read and kept: the league uses this copy, and no other.

    All paths are relative to `home`.
    """

    code: str
    """Hash of all files that it consists of."""
    alike: str = ""
    """Hash of the same files whatever the main one is called: that of copies."""
    home: str
    """The folder in which its files are kept."""
    main: str
    """The bot's own file, or the folder of a package or of a program."""
    folder: str = ""
    """The folder that its process may read; empty for a single file in Python."""
    files: tuple[str, ...]
    """Everything it consists of, its own file first."""
    names: tuple[str, ...]
    """What each file is called in the hash."""
    beside: tuple[str, ...] = ()
    """Files beside it, not its own, that it imports: of leagues of form 1."""
    modules: frozenset[str] = frozenset()
    """Names of the modules that it seems to import."""
    outline: dict[str, tuple[str, ...]] = {}
    """The classes that seem to be bots, each with the games that it seems to play."""
    slips: tuple[str, ...] = ()
    """A sentence on each likely mistake of its author, not too many."""

    @property
    def name(self) -> str:
        """The name that the student has given it."""
        return self.main.partition("/")[0]

    @property
    def own(self) -> tuple[str, ...]:
        """Those of `files` that are not shared."""
        pairs = zip(self.files, self.names, strict=True)
        return tuple(file for file, called in pairs if not called.startswith(SHARED))

    @property
    def path(self) -> Path:
        """The path of `main`."""
        return Path(self.home, self.main)

    @property
    def read_folder(self) -> str:
        """The path of `folder`; empty if there is none."""
        return str(Path(self.home, self.folder)) if self.folder else ""

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths of `files`."""
        return tuple(Path(self.home, file) for file in self.files)

    def contents(self) -> tuple[bytes, ...]:
        """Return the contents of `files`.

        Raises:
            OSError: one can't be read.
        """
        return tuple(path.read_bytes() for path in self.paths)


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A hand-in that is not taken."""

    reason: str
    """Why, and what to do; it goes on after the name of the hand-in."""
