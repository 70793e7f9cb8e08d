"""Runs Python as an ordinary user, in tests that are run by root.

Where this Python, its packages or this repository lie below a folder that is closed
to others, such as root's home, they are shown to that user at their own paths: in a
mount namespace of the process alone, the closed folder is covered by an empty one
that holds nothing else.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOBODY = 65534
"""Its id, and that of its group."""


def run_as_ordinary_user(
    arguments: Sequence[str], *, timeout: float, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run this Python with `arguments`, in a new home that is taken away again.

    It sees this repository's `arena` and what is installed beside it.  `timeout` is
    in seconds; `env` is all of its environment but PATH, HOME, TMPDIR, PYTHONPATH.

    Raises:
        subprocess.TimeoutExpired: it did not come to its end.
    """
    home = tempfile.mkdtemp(prefix="arena-home-")
    try:
        os.chown(home, NOBODY, NOBODY)
        variables = {
            **(env or {}),
            "PATH": os.defpath,
            "HOME": home,
            "TMPDIR": home,
            "PYTHONPATH": os.pathsep.join([str(ROOT), *_packages()]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        python = os.path.realpath(sys.executable)
        words = ["env", "-i", *(f"{name}={value}" for name, value in variables.items())]
        words += ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}"]
        words += ["--clear-groups", "--inh-caps=-all", "--no-new-privs"]
        words += [python, *arguments]
        script = f"set -e\n{_show(_needed())}cd {shlex.quote(home)}\n"
        script += f"exec {shlex.join(words)}\n"
        return subprocess.run(
            ["unshare", "--mount", "--propagation=private", "sh", "-c", script],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    finally:
        shutil.rmtree(home)


@cache
def can_be_ordinary_user() -> str:
    """Return why `run_as_ordinary_user` can't be used here; empty if it can."""
    if os.name != "posix" or os.geteuid() != 0:
        return "only root can become another user"
    for program in ("unshare", "setpriv"):
        if shutil.which(program) is None:
            return f"no program {program} (it is part of util-linux)"
    try:
        done = run_as_ordinary_user(["-c", "import arena.games"], timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return done.stderr.strip().rpartition("\n")[2] if done.returncode else ""


def _packages() -> list[str]:
    """Return the folders that modules are installed in, in order."""
    return [path for path in sys.path if "site-packages" in Path(path).parts]


def _needed() -> list[str]:
    return [str(ROOT), sys.base_prefix, *_packages()]


def _show(paths: Iterable[str]) -> str:
    """Return shell commands that make `paths` readable where they are."""
    closed: dict[str, list[str]] = {}
    for path in paths:
        if (cover := _closed_folder(path)) is not None:
            closed.setdefault(cover, []).append(path)
    lines = []
    for cover, hidden in closed.items():
        lines.append("aside=$(mktemp -d)")
        for number, path in enumerate(hidden):
            lines.append(f"mkdir $aside/{number}")
            lines.append(f"mount --bind {shlex.quote(path)} $aside/{number}")
        lines.append(f"mount -t tmpfs -o mode=755 cover {shlex.quote(cover)}")
        for number, path in enumerate(hidden):
            lines.append(f"mkdir -p {shlex.quote(path)}")
            lines.append(f"mount --move $aside/{number} {shlex.quote(path)}")
            lines.append(f"rmdir $aside/{number}")
        lines.append("rmdir $aside")
    return "".join(f"{line}\n" for line in lines)


def _closed_folder(path: str) -> str | None:
    """Return the first folder on the way to `path` that others can't enter."""
    real = Path(os.path.realpath(path))
    for folder in (*reversed(real.parents), real):
        if not folder.stat().st_mode & 0o001:
            return str(folder)
    return None
