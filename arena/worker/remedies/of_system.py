"""Remedies for files, programs and networks: what a bot can't use."""

import ast
import errno
import os
import re
from itertools import islice

from arena.text import did_you_mean, some_of
from arena.worker.remedies.raised import Raised
from arena.worker.remedies.remedy import Remedy

_MOST_FILES = 1000
_SHOWN_FILES = 6
_LIKENESS = 0.75
_NO_WRITING = (
    "a bot can write no files: keep what it needs in self, and print what you want to "
    "see"
)
_WRITERS = (
    "mkdir makedirs write_text write_bytes touch remove unlink rename replace rmdir "
    "save savez savetxt to_csv symlink copy copyfile move rmtree mkstemp"
)
_OF_MACHINE = re.compile("/(bin|dev|etc|lib|proc|sys|usr|var)/")
_NETWORK = {"socket", "ssl", "urllib.request", "http.client", "smtplib", "ftplib"}
_SHELVES = {"shelve", "dbm"}
_PROGRAMS = {"subprocess", "os.fork", "os.forkpty", "pty.fork", "os.popen"}


def _refused(raised: Raised) -> OSError | None:
    """Return the error if the system has refused something."""
    error = raised.error
    return error if isinstance(error, OSError) else None


def _many_processes(raised: Raised) -> str:
    is_one = _refused(raised) and any(
        re.match(r"multiprocessing\.|concurrent\.futures\.process", name)
        for name in raised.modules
    )
    return "a bot has one process: compute in this one" if is_one else ""


def _no_network(raised: Raised) -> str:
    error = _refused(raised)
    if error is None or error.filename is not None:
        return ""
    is_one = (
        raised.modules & _NETWORK
        or isinstance(error, ConnectionError)
        or type(error).__name__ == "gaierror"
    )
    return "a bot has no network" if is_one else ""


def _no_programs(raised: Raised) -> str:
    if _refused(raised) is None:
        return ""
    code = raised.code
    name = ast.unparse(code.func) if isinstance(code, ast.Call) else ""
    is_one = (
        "subprocess" in raised.modules
        or name in _PROGRAMS
        or re.match(r"os\.(exec|spawn|posix_spawn)", name)
    )
    return "a bot can start no programs" if is_one else ""


def _no_place(raised: Raised) -> str:
    is_one = _refused(raised) and "No usable temporary directory" in raised.message
    return "a bot can write no files: take io.StringIO or io.BytesIO" if is_one else ""


def _no_database(raised: Raised) -> str:
    if type(raised.error).__name__ != "OperationalError":
        return ""
    if "unable to open database file" not in raised.message:
        return ""
    return "a bot can write no files: take sqlite3.connect(':memory:')"


def _log_file(raised: Raised) -> str:
    is_one = _refused(raised) and "logging" in raised.modules
    return "leave out the file: what is logged is kept like prints" if is_one else ""


def _writing(raised: Raised) -> str:
    error = _refused(raised)
    if error is None or error.errno is None:
        return ""
    is_shelf = raised.modules & _SHELVES
    if error.errno == errno.EROFS or is_shelf or _is_written(raised):
        return _NO_WRITING
    if error.errno not in (errno.EACCES, errno.EPERM) or error.filename is None:
        return ""
    folder = raised.hand_in.folder
    path = os.path.join(folder, os.fsdecode(error.filename))
    try:
        os.stat(error.filename)
    except FileNotFoundError:  # To read it would have failed in another way.
        return _NO_WRITING
    except OSError:
        return ""
    # What is in its folder it may read.
    is_in_it = folder and os.path.normpath(path).startswith(f"{folder}/")
    return _NO_WRITING if is_in_it else ""


def _is_written(raised: Raised) -> bool:
    """Say whether a call is one that writes."""
    code = raised.code
    if not isinstance(code, ast.Call):
        return False
    name = ast.unparse(code.func).rpartition(".")[2]
    modes = [*code.args[:2], *(x.value for x in code.keywords if x.arg == "mode")]
    is_mode = any(
        isinstance(mode, str) and re.fullmatch(r"[rbt]*[wax+][wax+bt]*", mode)
        for mode in map(raised.value, modes)
    )
    return (is_mode and name == "open") or name in _WRITERS.split()


def _own_file(raised: Raised) -> str:
    path = _missing(raised)
    if not path or raised.hand_in.folder:
        return ""
    own = raised.hand_in.path
    if os.path.abspath(path) not in (own, os.path.dirname(own), os.getcwd()):
        return ""
    return "a bot of one file can't open that, nor what is beside it"


def _of_machine(raised: Raised) -> str:
    is_one = _OF_MACHINE.match(_missing(raised))
    return "a bot sees no files but its own" if is_one else ""


def _beside_one_file(raised: Raised) -> str:
    path = _missing(raised)
    name = re.split(r"[\\/]", path.rstrip("\\/"))[-1]
    if not name or raised.hand_in.folder:
        return ""
    return (
        f"a bot of one file has no other files: hand in a folder with bot.py and "
        f"{name} in it, as arena new my_bot --as-folder makes it, and open {name!r}"
    )


def _not_in_folder(raised: Raised) -> str:
    path, folder = _missing(raised), raised.hand_in.folder
    name = re.split(r"[\\/]", path.rstrip("\\/"))[-1]
    if not name or not folder:
        return ""
    known = _files_in(folder)
    same = [file for file in known if os.path.basename(file) == name]
    asked = os.path.normpath(os.path.join(folder, path))
    if same and os.path.join(folder, same[0]) == asked:
        return f"write os.path.join(os.path.dirname(__file__), {same[0]!r})"
    if same:
        return f"did you mean {same[0]!r}?"
    has = some_of(map(repr, known[:_SHOWN_FILES]), len(known)) or "no such files"
    hint = did_you_mean(name, known, likeness=_LIKENESS)
    return hint or f"your folder has {has}; a bot sees no other files"


def _missing(raised: Raised) -> str:
    """Return the path of a file that could not be read; nothing if that is not it."""
    error = _refused(raised)
    if not isinstance(error, FileNotFoundError | PermissionError | NotADirectoryError):
        return ""
    if error.filename is None:  # numpy's own.
        match = re.fullmatch(r"(.+) not found\.", raised.message)
        return match[1] if match is not None else ""
    is_path = isinstance(error.filename, str | bytes)
    return os.fsdecode(error.filename) if is_path else ""


def _files_in(folder: str) -> list[str]:
    """Return the paths of files in a folder, relative to it."""
    paths = (
        os.path.relpath(os.path.join(parent, file), folder)
        for parent, _, files in os.walk(folder)
        for file in files
    )
    return sorted(islice(paths, _MOST_FILES))


def _exit(raised: Raised) -> str:
    if not isinstance(raised.error, SystemExit):
        return ""
    if "argparse" in raised.modules:
        return "no arguments are given here: give each a default"
    if raised.called is None:
        return "take it out: the file ends there before its bots are found"
    return "a bot must not end its process: write return in place of it"


def _input(raised: Raised) -> str:
    is_one = isinstance(raised.error, EOFError) and raised.message in (
        "",
        "EOF when reading a line",
    )
    return "nobody can answer input() here: decide by what you see" if is_one else ""


def _threads(raised: Raised) -> str:
    is_one = isinstance(raised.error, RuntimeError)
    if not is_one or "can't start new thread" not in raised.message:
        return ""
    return "end the threads that you start: it may have 128 at the same time"


OF_SYSTEM: tuple[Remedy[Raised], ...] = (
    Remedy("several processes", _many_processes),
    Remedy("other programs", _no_programs),
    Remedy("network", _no_network),
    Remedy("temporary files", _no_place),
    Remedy("database file", _no_database),
    Remedy("log file", _log_file),
    Remedy("file that is written", _writing),
    Remedy("its own file", _own_file),
    Remedy("file of the machine", _of_machine),
    Remedy("data beside a single file", _beside_one_file),
    Remedy("data that is not in the folder", _not_in_folder),
    Remedy("exit", _exit),
    Remedy("input", _input),
    Remedy("too many threads", _threads),
)
