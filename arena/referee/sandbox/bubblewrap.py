"""The command line of bubblewrap: namespaces in which only a library exists."""

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePath

_UNSHARE = ("user", "pid", "net", "ipc", "uts")
_DEVICES = {
    "/dev/null": "/dev/null",
    # Old kernels let others wait for what is read from the real one.
    "/dev/random": "/dev/urandom",
    "/dev/urandom": "/dev/urandom",
    "/dev/zero": "/dev/zero",
}
_LINKS = ("/lib", "/lib32", "/lib64", "/etc/localtime")
"""Links by which programs find files that lie elsewhere."""
HOME = "/bot"
"""An empty folder, in which processes start."""
_NOBODY = "65534"
_HOSTNAME = "arena"
_TIMEOUT_S = 20.0


def command(read: Sequence[str], folders: Sequence[str]) -> list[str]:
    """Return the command that runs its further arguments in a sandbox.

    There are `read` and `folders`, read-only and at their own paths, and nothing
    else: no place to write (even the root is a file system without limit, until it
    is mounted again read-only), no `/proc`, no network but a loopback of its own.

    Raises:
        OSError: bubblewrap is not installed.
    """
    program = _program()
    words = [program]
    for name in _UNSHARE:
        words.append(f"--unshare-{name}")
    # As root all capabilities would be kept.
    words += ["--unshare-cgroup-try", "--cap-drop", "ALL", "--new-session"]
    words += ["--as-pid-1", "--hostname", _HOSTNAME]
    if os.geteuid() == 0 or not os.stat(program).st_mode & stat.S_ISUID:
        # For the namespaces of contestants, who drop it.  Where it is installed as
        # root's, bubblewrap gives it to nobody else.
        words += ["--cap-add", "CAP_SYS_ADMIN"]
    if os.geteuid() == 0:
        words += ["--uid", _NOBODY, "--gid", _NOBODY]
    merged, hidden = _merged(read)
    paths = {*merged, *folders}
    made: set[str] = set()
    # What is hidden stands before what is there in its place.
    for path in sorted({*paths, *hidden, *_DEVICES, *_LINKS}):
        # Folders that bubblewrap makes itself can be entered by their maker only.
        for folder in _parents(path):
            if folder not in made:
                words += ["--dir", folder]
                made.add(folder)
        if path in hidden:
            words += ["--tmpfs", path]
        elif path in paths:
            # A bot's folder may be gone by now, which must not stop the others.
            words += ["--ro-bind-try", path, path]
    for link in _LINKS:
        if os.path.islink(link) and link not in paths:
            words += ["--symlink", os.readlink(link), link]
    for path, device in _DEVICES.items():
        words += ["--dev-bind", device, path]
    for folder in ("/tmp", HOME):
        words += ["--dir", folder]
    for path in ("/", *hidden):
        words += ["--remount-ro", path]
    return [*words, "--chdir", HOME, "--"]


def _merged(paths: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return fewer paths that hold the same, and folders in them that are hidden.

    With each mount the next one takes longer: where nothing is left out in a folder, or
    only one other folder, all are mounted together.
    """
    inside: dict[str, set[str]] = {}
    for path in paths:
        inside.setdefault(os.path.dirname(path), set()).add(path)
    merged, hidden = set(paths), set()
    # What is merged may complete the folder above.
    for folder in sorted(inside, key=len, reverse=True):
        known = inside[folder]
        with suppress(OSError), os.scandir(folder) as entries:
            # A link whose end is not there leads nowhere.
            others = {e.path for e in entries if not e.is_symlink()} - known
            if len(others) < min(2, len(known) - 1) and all(map(os.path.isdir, others)):
                merged = merged - known | {folder}
                hidden |= others
                inside.get(os.path.dirname(folder), set()).add(folder)
    return merged, hidden


def _parents(path: str) -> list[str]:
    """Return the folders above a path, the outermost first."""
    folders = [str(folder) for folder in PurePath(path).parents]
    return folders[-2::-1]


def version() -> str:
    """Return the installed version, such as `0.8.0`.

    Raises:
        OSError: bubblewrap is not installed.
    """
    done = subprocess.run(
        [_program(), "--version"],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_TIMEOUT_S,
        check=False,
    )
    found = re.search(r"\d[\d.]*", done.stdout)
    return found[0] if found else "of unknown version"


def _program() -> str:
    program = shutil.which("bwrap")
    if program is None:
        raise OSError("bubblewrap is not installed (no program bwrap)")
    return program
