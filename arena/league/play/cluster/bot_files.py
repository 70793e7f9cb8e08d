"""The files of bots, sent to other machines and kept there under their hash."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.referee.contestant.bot_code import code_hash


class Parcel(msgspec.Struct, frozen=True):
    """The list of a bot's files, without their contents."""

    code: str
    """Hash of all its files."""
    name: str
    """Of its file, or of the folder of its package."""
    files: tuple[str, ...]
    """Paths relative to the folder of the bot, its own first."""

    @property
    def is_package(self) -> bool:
        """True if the bot is a package: a folder."""
        return os.path.join(self.name, "__init__.py") in self.files


def pack(path: Path, code: str, files: Sequence[Path]) -> Parcel:
    """Return the parcel of the bot at `path`, which consists of `files`."""
    names = tuple(os.path.relpath(file, path.parent) for file in files)
    return Parcel(code, path.name, names)


def contents(path: Path, parcel: Parcel) -> tuple[bytes, ...]:
    """Return the contents of the files of the bot at `path`, in order.

    Raises:
        OSError: one can't be read.
    """
    return tuple((path.parent / file).read_bytes() for file in parcel.files)


class Depot:
    """A folder that keeps the files of bots, each bot in a folder of its own.

    The files of a bot have the same relative paths as at home.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, parcel: Parcel) -> Path:
        """Return the path here of a bot's own file, or of the folder of its package."""
        return self._folder_of(parcel) / parcel.name

    def files(self, parcel: Parcel) -> list[Path]:
        """Return the paths here of all files of a bot, in order."""
        return [self._folder_of(parcel) / file for file in parcel.files]

    def has(self, parcel: Parcel) -> bool:
        """Return True if a bot is here, complete and unchanged."""
        return _is(parcel, self._folder_of(parcel))

    def keep(self, parcel: Parcel, data: Sequence[bytes]) -> bool:
        """Keep a bot; return False if its contents do not have the promised hash.

        Raises:
            OSError: it can't be written.
        """
        home = self._folder_of(parcel)
        home.parent.mkdir(parents=True, exist_ok=True)
        # It is never here in part, even if it is sent twice at the same time.
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            new = Path(folder) / "new"
            for file, text in zip(parcel.files, data, strict=True):
                (new / file).parent.mkdir(parents=True, exist_ok=True)
                (new / file).write_bytes(text)
            if not _is(parcel, new):
                return False
            if not self.has(parcel):
                shutil.rmtree(home, ignore_errors=True)
                new.rename(home)
        return True

    def _folder_of(self, parcel: Parcel) -> Path:
        # Packages of one content may have different names, which their bots can see.
        return self._folder / parcel.code / parcel.name


def _is(parcel: Parcel, folder: Path) -> bool:
    try:
        return code_hash([folder / file for file in parcel.files]) == parcel.code
    except OSError:
        return False
