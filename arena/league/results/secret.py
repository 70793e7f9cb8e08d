"""The private file of a results folder: the keys of its league.

    results/classroom/                 the results, which may be handed on
    results/.secrets/classroom.json    their private file (mode 600)

It is there before the first game is played.  Nothing else holds a key, and without it
the league can't be played on: keep a copy of it.
"""

import glob
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import replace

from arena.errors import RecordError
from arena.league.config.keys import KEY_BYTES, Keys, commitment_to

FOLDER = ".secrets"
_Key = Annotated[bytes, msgspec.Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
_MOST_BYTES = 2**20
_OTHERS = 0o077
"""The permissions of all but the owner."""


class Secret(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="form", tag=1
):
    """The contents of a private file; bytes are in base64."""

    luck: _Key
    ids: _Key
    aliases: _Key
    spent: tuple[_Key, ...] = ()
    """Luck keys that are used for no game any more, oldest first: earlier ones, and the
    present one once it is revealed."""
    pseudonyms: str = ""
    """The text that the league's file mixes into aliases; the only thing here that is
    used where the luck is public."""

    @classmethod
    def draw(cls) -> "Secret":
        """Return keys that nobody has had before."""
        return cls(_new_key(), _new_key(), _new_key())

    @property
    def keys(self) -> Keys:
        """The keys that a league is played with."""
        earlier = [commitment_to(key) for key in self.spent if key != self.luck]
        return Keys(self.luck, self.ids, self.aliases, tuple(earlier))

    @property
    def is_spent(self) -> bool:
        """True if the luck key was revealed: nothing may be played with it any more."""
        return self.luck in self.spent

    def spend(self) -> "Secret":
        """Return the same keys, with which nothing is played any more."""
        return self if self.is_spent else replace(self, spent=(*self.spent, self.luck))

    def has_keys_of(self, other: "Secret") -> bool:
        """Return whether a league is played with the same keys."""
        mine, theirs = (replace(x, spent=(), pseudonyms="") for x in (self, other))
        return mine == theirs

    def redraw(self) -> "Secret":
        """Return a new luck key with the same ids and aliases."""
        return replace(self.spend(), luck=_new_key())

    def __repr__(self) -> str:
        """Say nothing of the keys: what is printed may be read by anybody."""
        return f"Secret({commitment_to(self.luck)})"

    def encode(self) -> bytes:
        """Return the bytes of its file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def _new_key() -> bytes:
    return os.urandom(KEY_BYTES)


def secret_path(results: Path) -> Path:
    """Return the path of the private file of a results folder, there or not."""
    folder = results.resolve()
    return folder.parent / FOLDER / f"{folder.name}.json"


def read_secret(results: Path) -> Secret | None:
    """Return the keys of the league in a results folder; None if there is no file.

    Raises:
        RecordError: the file is damaged, no file, or others may read it.
    """
    path = secret_path(results)
    data = read_private(path)
    return None if data is None else decode_secret(data, path)


def decode_secret(data: bytes, path: Path) -> Secret:
    """Return the keys in the bytes of a private file.

    Raises:
        RecordError: they are damaged; `path` names the file in it.
    """
    try:
        return msgspec.json.decode(data, type=Secret)
    except msgspec.MsgspecError as error:
        # What it says names no value of the file.
        raise RecordError(
            f"{path}: is no private file of a league ({error}); restore it from a copy"
        ) from None


def write_secret(results: Path, secret: Secret) -> None:
    """Write the keys of a results folder, in one step that can't tear, and durably.

    The folder should be locked (`locked`), so that nobody else writes them too.

    Raises:
        RecordError: they can't be written, or others could read them; an older file
            stays as it was.
    """
    path = secret_path(results)
    try:
        _make_folder(path.parent)
        prefix = f".{path.name}."
        # What a run that was killed has left holds keys too.
        for left in path.parent.glob(f"{glob.escape(prefix)}*"):
            left.unlink(missing_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=prefix, dir=path.parent)
        try:
            with open(descriptor, "wb") as file:
                _check_mode(path, os.fstat(file.fileno()))
                file.write(secret.encode())
                file.flush()
                os.fsync(file.fileno())
            os.rename(name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
        _sync(path.parent)
    except OSError as error:
        raise RecordError(
            f"{path}: the league's keys can't be written ({error.strerror}); make room "
            "or allow writing there"
        ) from None


def _make_folder(folder: Path) -> None:
    """Make the folder of private files, which git leaves alone."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        _sync(folder.parent)
    _check_folder(folder)
    ignore = folder / ".gitignore"
    # An empty one is what a full disk has left.
    if not (ignore.exists() and ignore.stat().st_size):
        ignore.write_text("*\n")


def _check_folder(folder: Path) -> None:
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        raise RecordError(
            f"{folder}: is no folder, and the league's keys lie there; move it away"
        )
    _check_mode(folder, status)


def _sync(folder: Path) -> None:
    """Have the names in a folder survive a crash of the machine."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_private(path: Path, most: int = _MOST_BYTES) -> bytes | None:
    """Return the bytes of a private file, the first ones; None if there is none.

    Raises:
        RecordError: it can't be read, is no file, or others may use it or its folder.
    """
    try:
        _check_folder(path.parent)
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordError(
            f"{path}: the league's keys can't be read ({error.strerror}); allow "
            "reading it"
        ) from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise RecordError(f"{path}: is no file; restore it from a copy")
        _check_mode(path, status)
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(descriptor)


def _check_mode(path: Path, status: os.stat_result) -> None:
    """Check that nobody but the owner may use a file or folder.

    Raises:
        RecordError: others may.
    """
    mode = stat.S_IMODE(status.st_mode)
    if mode & _OTHERS:
        only = 0o700 if stat.S_ISDIR(status.st_mode) else 0o600
        raise RecordError(
            f"{path}: others may use it (mode {mode:o}), and it is to keep the "
            f"league's keys; run chmod {only:o} on it, or choose a disk that keeps "
            "modes with --results"
        )
