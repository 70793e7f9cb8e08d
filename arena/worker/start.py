"""What the file of a bot finds when it begins to run: as after `python my_bot.py`."""

import os
import sys
from contextlib import suppress


class Start:
    """The state of this process in which a file is run, each time that it is."""

    def __init__(self, file: str) -> None:
        self.folder = os.path.dirname(file)
        self._file = file
        self._path = [self.folder, *sys.path]
        self._streams = sys.stdin, sys.stdout, sys.stderr

    def restore(self) -> None:
        """Have it so again, whatever the file has changed when it was run before."""
        # Where it can't be entered, any other that exists does as well.
        with suppress(OSError):
            os.chdir(self.folder)
        os.environ["PWD"] = os.getcwd()
        sys.argv[:] = [self._file]
        sys.orig_argv[:] = [sys.executable, self._file]
        sys.path[:] = self._path
        # Else what a file puts around them would be put around that, each time.
        sys.stdin, sys.stdout, sys.stderr = self._streams
