"""The command line of bubblewrap: namespaces in which only a library exists."""

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence

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
_NOBODY = "65534"
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
    # As root all capabilities would be kept, that to mount anew among them.
    words += ["--unshare-cgroup-try", "--cap-drop", "ALL", "--new-session"]
    words += ["--as-pid-1"]
    if "--disable-userns" in _help(program):
        words.append("--disable-userns")
    if os.geteuid() == 0:
        words += ["--uid", _NOBODY, "--gid", _NOBODY]
    paths = sorted({*read, *folders})
    # Folders that bubblewrap makes above a mount can be entered by their maker only.
    for folder in _parents([*paths, *_DEVICES, *_LINKS]):
        words += ["--dir", folder]
    for path in paths:
        # A bot's folder may be gone by now, which must not stop the others.
        words += ["--ro-bind" if path in read else "--ro-bind-try", path, path]
    for link in _LINKS:
        if os.path.islink(link) and link not in paths:
            words += ["--symlink", os.readlink(link), link]
    for path, device in _DEVICES.items():
        words += ["--dev-bind", device, path]
    return [*words, "--dir", "/tmp", "--remount-ro", "/", "--chdir", "/tmp", "--"]


def _parents(paths: Iterable[str]) -> list[str]:
    folders = set()
    for path in paths:
        folder = os.path.dirname(path)
        while folder not in ("/", "") and folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    return sorted(folders)


def version() -> str:
    """Return the installed version, such as `0.8.0`.

    Raises:
        OSError: bubblewrap is not installed.
    """
    found = re.search(r"\d[\d.]*", _ask(_program(), "--version"))
    return found[0] if found else "of unknown version"


def _program() -> str:
    program = shutil.which("bwrap")
    if program is None:
        raise OSError("bubblewrap is not installed (no program bwrap)")
    return program


@functools.cache
def _help(program: str) -> str:
    return _ask(program, "--help")


def _ask(program: str, option: str) -> str:
    done = subprocess.run(
        [program, option],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_TIMEOUT_S,
        check=False,
    )
    return done.stdout + done.stderr
