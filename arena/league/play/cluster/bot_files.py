"""The files of bots, sent to other machines and kept there under their hash."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.referee.contestant.bot_code import code_hash


class Parcel(msgspec.Struct, frozen=True):
    """What a bot consists of, without what is in it."""

    code: str
    """Hash of its files."""
    name: str
    """Of its file, or of the folder of its package."""
    files: tuple[str, ...]
    """Relative to the folder that it lies in, its own first."""

    @property
    def is_package(self) -> bool:
        """Whether it is the folder of a package."""
        return os.path.join(self.name, "__init__.py") in self.files


def pack(path: Path, code: str, files: Sequence[Path]) -> Parcel:
    """Return the parcel of the bot at `path`, which consists of `files`."""
    names = tuple(os.path.relpath(file, path.parent) for file in files)
    return Parcel(code, path.name, names)


def contents(path: Path, parcel: Parcel) -> tuple[bytes, ...]:
    """Return what is in the files of the bot at `path`, in order.

    Raises:
        OSError: one can't be read.
    """
    return tuple((path.parent / file).read_bytes() for file in parcel.files)


class Depot:
    """A folder where the files of bots are kept, those of each in a folder of its own.

    They lie there as they did beside each other at home.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, parcel: Parcel) -> Path:
        """Return where a bot's own file, or the folder of its package, is kept."""
        return self._place(parcel) / parcel.name

    def files(self, parcel: Parcel) -> list[Path]:
        """Return where all its files are kept, in order."""
        return [self._place(parcel) / file for file in parcel.files]

    def has(self, parcel: Parcel) -> bool:
        """Say whether a bot is there, whole and as it was sent."""
        return _is(parcel, self._place(parcel))

    def keep(self, parcel: Parcel, data: Sequence[bytes]) -> bool:
        """Keep a bot; say whether it is the one that was promised.

        Raises:
            OSError: it can't be written.
        """
        place = self._place(parcel)
        place.parent.mkdir(parents=True, exist_ok=True)
        # It is never there in part, whoever else sends it at the same time.
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            new = Path(folder) / "new"
            for file, text in zip(parcel.files, data, strict=True):
                (new / file).parent.mkdir(parents=True, exist_ok=True)
                (new / file).write_bytes(text)
            if not _is(parcel, new):
                return False
            if not self.has(parcel):
                shutil.rmtree(place, ignore_errors=True)
                new.rename(place)
        return True

    def _place(self, parcel: Parcel) -> Path:
        # Packages of one content may have different names, which their bots can see.
        return self._folder / parcel.code / parcel.name


def _is(parcel: Parcel, folder: Path) -> bool:
    try:
        return code_hash([folder / file for file in parcel.files]) == parcel.code
    except OSError:
        return False
