"""A folder that keeps hand-ins under the hash of their files.

A hand-in is there whole or not at all, and in a folder of its own: those of one content
may have different names, which their bots can see.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from arena.league.entries.hand_ins.hand_in import HandIn
from arena.referee.contestant.bot_code import code_hash

HAND_INS = "hand_ins"
"""The folder of a league's hand-ins among its results."""
_NEW = ".new-"
_ORDER = "order.txt"
_KEPT_FORMER = 200
"""Hand-ins that no bot of the league has any more: the last ones."""
_KEPT_BYTES = 2**30
"""Of these together."""


class Depot:
    """A folder of hand-ins.  Only the user that arena runs as may look into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def place(self) -> Path:
        """Its absolute path, which is not that of what it leads to if it is a link."""
        return self.folder.parent.resolve() / self.folder.name

    def home(self, code: str, name: str) -> Path:
        """Return the folder in which the files of a hand-in are, or would be."""
        return self.folder / code / name

    def here(self, hand_in: HandIn) -> HandIn:
        """Return a hand-in as it is here, or would be."""
        home = self.home(hand_in.code, hand_in.name)
        return msgspec.structs.replace(hand_in, home=str(home))

    def has(self, hand_in: HandIn) -> bool:
        """Return True if a hand-in is here, complete and unchanged."""
        try:
            contents = self.here(hand_in).contents()
        except OSError:
            return False
        return code_hash(hand_in.names, contents) == hand_in.code

    def keep_sent(self, hand_in: HandIn, data: Sequence[bytes]) -> bool:
        """Keep a bot in Python; return False if `data` has not the promised hash.

        Raises:
            OSError: it can't be written.
        """
        if code_hash(hand_in.names, data) != hand_in.code:
            return False
        files = {
            name: (text, False) for name, text in zip(hand_in.files, data, strict=True)
        }
        self.keep(hand_in.code, hand_in.name, files)
        return True

    def keep(
        self, code: str, name: str, files: Mapping[str, tuple[bytes, bool]]
    ) -> Path:
        """Keep a hand-in, unless it is here already; return its folder.

        `files` are contents, and True if the file is executable, by relative paths.

        Raises:
            OSError: it can't be written.
        """
        home = self.home(code, name)
        for place in (self.folder, home.parent, home):
            # Results may come from somebody else.
            if place.is_symlink():
                raise OSError(0, f"{place} leads elsewhere; remove the link")
        if _has(home, files):
            return home
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        # It is never here in part, even if two write it at the same time.
        with tempfile.TemporaryDirectory(prefix=_NEW, dir=self.folder) as folder:
            new = Path(folder, "new")
            new.mkdir()
            for file, (data, is_executable) in files.items():
                place = new / file
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
                place.chmod(0o500 if is_executable else 0o400)
            home.parent.mkdir(exist_ok=True)
            shutil.rmtree(home, ignore_errors=True)
            try:
                new.rename(home)
            except OSError:
                if not _has(home, files):
                    raise
        return home

    def tidy(self, used: Sequence[tuple[str, str]]) -> None:
        """Remove what has been left half-written, and hand-ins of long ago.

        `used` are hash and name of all that the league plays now.  Of those that it
        does not play any more, the last ones stay.
        """
        if not _is_folder(self.folder):
            return
        order = self.folder / _ORDER
        known = [f"{code}/{name}" for code, name in used]
        with_former = []
        # Without it, it is only lost which of the former ones are the latest.
        if _is_file(order):
            with suppress(OSError, UnicodeDecodeError):
                with_former = order.read_text("utf-8").splitlines()
        here = {
            f"{home.parent.name}/{home.name}"
            for home in self.folder.glob("[!.]*/*")
            if _is_folder(home.parent) and _is_folder(home)
        }
        former = [x for x in dict.fromkeys([*with_former, *sorted(here)]) if x in here]
        former = [x for x in former if x not in set(known)][-_KEPT_FORMER:]
        sizes = {x: _size(self.folder / x) for x in former}
        while former and sum(sizes[x] for x in former) > _KEPT_BYTES:
            former.pop(0)
        for gone in here - {*former, *known}:
            shutil.rmtree(self.folder / gone, ignore_errors=True)
        for folder in self.folder.iterdir():
            if folder.name.startswith(_NEW):
                shutil.rmtree(folder, ignore_errors=True)
            elif _is_folder(folder) and not any(folder.iterdir()):
                folder.rmdir()
        text = "".join(f"{x}\n" for x in [*former, *sorted(set(known))])
        new = self.folder / f"{_NEW}order"
        # On a full disk what was played can still be reported.
        with suppress(OSError):
            new.unlink(missing_ok=True)
            new.write_text(text, "utf-8")
            new.replace(order)


def _has(home: Path, files: Mapping[str, tuple[bytes, bool]]) -> bool:
    """Return True if a hand-in is at `home`, whole and unchanged."""
    try:
        here = {
            str(path.relative_to(home))
            for path in home.rglob("*")
            if not _is_folder(path) and "__pycache__" not in path.parts
        }
        return here == files.keys() and all(
            _is_file(home / file)
            and (home / file).read_bytes() == data
            and os.access(home / file, os.X_OK) == is_executable
            for file, (data, is_executable) in files.items()
        )
    except OSError:
        return False


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _size(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*"))


@contextmanager
def temporary_depot() -> Iterator[Depot]:
    """Have a depot that is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        yield Depot(Path(folder))
