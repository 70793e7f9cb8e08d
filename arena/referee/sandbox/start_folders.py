"""Folders that processes of bots start in where nothing hides the machine from them.

Each process has one to itself, with a copy of the hand-in if that is a folder, so that
no bot spoils what the league has kept, nor finds what another process has written.
"""

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

_REMOVE = 'cat; chmod -R u+rwx "$0"; rm -rf "$0"'
_READ_ONLY = 0o500
_REMOVE_TIMEOUT_S = 60.0


class StartFolders:
    """Makes such folders.  They are gone with this process, whichever way it ends."""

    def __init__(self) -> None:
        """Prepare to make some.

        Raises:
            OSError: the machine has no place for them.
        """
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="arena-"))
        try:
            # It waits for the end of this process, which may be killed.
            self._remover = subprocess.Popen(
                ["/bin/sh", "-c", _REMOVE, self._folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"PATH": os.defpath},
                start_new_session=True,
            )
        except BaseException:
            os.rmdir(self._folder)
            raise

    def make(self, folder: str) -> str:
        """Return a new folder; in it is a copy of the hand-in `folder`, if any.

        Nothing in it can be written by mistake, as at the levels that keep bots in.

        Raises:
            OSError: the machine has no place for it.
        """
        home = tempfile.mkdtemp(dir=self._folder)
        try:
            # Whoever reads its files then finds out that they are gone.
            if os.path.isdir(folder):
                copy = Path(home, os.path.basename(folder))
                _copy(folder, copy)
            for path, _, _ in os.walk(home):
                os.chmod(path, _READ_ONLY)
        except BaseException:
            self.remove(home)
            raise
        return home

    def remove(self, home: str) -> None:
        """Remove a folder with all that is in it, if it is still there."""
        for path, _, _ in os.walk(home):
            with suppress(OSError):
                os.chmod(path, 0o700)
        shutil.rmtree(home, ignore_errors=True)

    def close(self) -> None:
        """Remove all of them."""
        assert self._remover.stdin is not None
        self._remover.stdin.close()
        try:
            self._remover.wait(_REMOVE_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._remover.kill()
            self._remover.wait()


def _copy(folder: str, to: Path) -> None:
    """Copy a folder.

    Raises:
        OSError: of the first file that can't be copied; where the disk is full, that is
            of all the others, too.
    """
    try:
        shutil.copytree(folder, to, symlinks=True)
    except shutil.Error as error:
        ((_, _, problem), *_) = error.args[0]
        raise OSError(problem) from None
