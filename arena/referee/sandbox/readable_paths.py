"""The files that contestants may read: those of Python, the system and runtimes."""

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from glob import glob
from itertools import product
from pathlib import Path

_SYSTEM = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
)
"""Shared libraries and time zones of the system."""
_RUNTIMES = (
    "/etc/java-*/security",
    "/usr/share/lua",
    "/usr/share/nodejs",
    "/usr/share/perl",
    "/usr/share/perl5",
    "/usr/share/php",
)
"""Folders of languages outside of the system's folders of libraries."""
_PACKAGE_FOLDERS = ("site-packages", "dist-packages")
"""Folders among Python's own in which installers put packages."""


def with_python(read: Iterable[str], closed: Iterable[str]) -> list[str]:
    """Return the paths in `read`, and those of Python and the system's libraries.

    Of folders of packages, and of the folders `closed`, there is only what `read`
    names.  The paths are sorted, and none lies below another.
    """
    folders = {*_python(), *_system()}
    folders |= {*_mapped([*folders, *read])}
    not_open = set(closed)
    for folder, name in product(folders, _PACKAGE_FOLDERS):
        not_open |= {*glob(f"{folder}/{name}"), *glob(f"{folder}/python*/{name}")}
    return _outermost({*read, *(p for f in folders for p in _outside(f, not_open))})


def _python() -> Iterator[str]:
    """Yield the paths of Python's standard library and its program."""
    prefixes = {
        "installed_base": sys.base_prefix,
        "installed_platbase": sys.base_exec_prefix,
        "platbase": sys.base_exec_prefix,
    }
    for name in ("stdlib", "platstdlib"):
        yield os.path.realpath(sysconfig.get_path(name, vars=prefixes))
    yield os.path.realpath(sys.executable)


def _system() -> Iterator[str]:
    return (os.path.realpath(path) for path in _SYSTEM if os.path.exists(path))


def _mapped(read: Sequence[str]) -> Iterator[str]:
    """Yield the paths of this process's shared libraries that are not in `read`."""
    try:
        maps = Path("/proc/self/maps").read_bytes().decode(errors="replace")
    except OSError:
        return
    entries = [os.path.realpath(entry) for entry in sys.path if os.path.isdir(entry)]
    packages = [entry for entry in entries if not _is_below(sys.base_prefix, [entry])]
    home = os.path.realpath(Path.home())
    for path in sorted(set(re.findall(r"(/.*\.so(?:\.[\w.]+)?)$", maps, re.M))):
        # Libraries of packages come with the packages.
        if not _is_below(path, [*read, *packages]):
            folder = os.path.dirname(path)
            # What is Python's own may be at home; of others only this file is shown.
            is_pythons = _is_below(folder, [os.path.realpath(sys.base_prefix)])
            is_private = _is_below(folder, [home]) or any(
                _is_below(other, [folder]) for other in (home, *packages)
            )
            yield path if is_private and not is_pythons else folder


def _is_below(path: str, folders: Iterable[str]) -> bool:
    """Say whether a path is one of `folders` or lies in one; all are absolute."""
    return any(f"{path}/".startswith(f"{folder.rstrip('/')}/") for folder in folders)


def _outside(path: str, closed: Iterable[str]) -> Iterator[str]:
    """Yield what lies at or below a path and outside of the folders `closed`."""
    inner = [folder for folder in closed if _is_below(folder, [path])]
    if not inner:
        yield path
    elif path not in inner:
        with suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                if not entry.is_symlink():
                    yield from _outside(entry.path, inner)
                    continue
                # Whoever may open a link may open what it leads to.
                real = os.path.realpath(entry.path)
                if _is_below(real, [path]) and not _is_below(real, inner):
                    yield entry.path


def _outermost(paths: set[str]) -> list[str]:
    """Return the paths that lie below no other, sorted."""
    found: list[str] = []
    for path in sorted(paths, key=lambda path: path.split("/")):
        if not found or not _is_below(path, found[-1:]):
            found.append(path)
    return sorted(found)


def shared_runtimes() -> list[str]:
    """Return the real paths that any program may read."""
    return sorted(os.path.realpath(path) for name in _RUNTIMES for path in glob(name))


def runtime(program: str, closed: Sequence[str]) -> tuple[str, ...]:
    """Return the paths of a program and of the libraries installed with it.

    These are in the folder `lib` beside the `bin` that the program is in, outside of
    the folders `closed`.
    """
    folder, name = os.path.split(os.path.dirname(program))
    libraries = os.path.join(folder, "lib")
    if name == "bin" and os.path.isdir(libraries):
        return program, *_outside(libraries, closed)
    return (program,)
