"""The interface of an isolation level, and the registry of levels."""

import abc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import ClassVar, NamedTuple

import msgspec

from arena.referee.sandbox.library import Library
from arena.referee.sandbox.process import Process
from arena.registry import Registry, load

LEVELS = ("namespaces", "filters", "limits", "process")
"""The levels that `auto` knows, from the strongest to the weakest."""


def _check_name(name: str) -> None:
    if not name.isidentifier() or name == "auto":
        raise ValueError(f"an isolation level can't be called {name!r}")


SANDBOXES = Registry(
    "two isolation levels are called {name}: {old} and {new}",
    {
        "namespaces": "arena.referee.sandbox.forking:NamespacesSandbox",
        "filters": "arena.referee.sandbox.forking:FiltersSandbox",
        "limits": "arena.referee.sandbox.cold:LimitsSandbox",
        "process": "arena.referee.sandbox.cold:ProcessSandbox",
    },
    _check_name,
)
"""The class of each isolation level, by its name."""
CPU_PER_PROCESS_S = 24 * 3600
"""Then the kernel ends a contestant that no referee has ended."""
MAX_THREADS = 128
"""Of one contestant: more than thread pools, numpy, Java, Go and node start."""


class Attempt(NamedTuple):
    """Something that a contained bot can't do."""

    name: str
    """Its name in `probe_bot.py`."""
    words: str
    """Ends the sentence "A bot can ..."."""


ATTEMPTS = (
    Attempt("read", "read other files"),
    Attempt("list", "list other folders"),
    Attempt("write", "write where the league is run"),
    Attempt("create", "leave files behind"),
    Attempt("connect", "use the network"),
    Attempt("socket", "be called by other processes"),
    Attempt("signal", "send signals to other processes"),
    Attempt("renice", "change the priority of other processes"),
    Attempt("environment", "look into other processes"),
    Attempt("lock", "leave messages in locks on shared files"),
    Attempt("shared", "leave messages in shared memory"),
    Attempt("fork", "start processes"),
    Attempt("program", "start programs"),
    Attempt("mount", "change what is mounted where"),
    Attempt("memory", "take more memory than it may"),
    Attempt("limits", "raise its own limits"),
)


class SandboxSpec(msgspec.Struct, frozen=True):
    """All that a sandbox is made from; it can be sent to another process."""

    level: str
    path: str
    """Import path (`module:Class`) of the level."""
    library: Library
    folders: tuple[str, ...] = ()
    """Packages of bots, files and folders of programs, and what runs these where the
    library has not got it: each is shown to its own contestants only."""
    preload: tuple[str, ...] = ()
    """Modules that some bots import and that take long to load."""


class Sandbox(abc.ABC):
    """An isolation level, ready to start contestants' processes."""

    name: ClassVar[str]
    contains: ClassVar[frozenset[str]]
    """Names of the `ATTEMPTS` that must fail here."""
    threads: ClassVar[bool] = True
    """True if bots can have threads."""

    def __init__(self, spec: SandboxSpec) -> None:
        """Prepare it; nothing is started yet.

        Raises:
            OSError: this machine can't have it; the text says why.
        """
        self.spec = spec

    @abc.abstractmethod
    async def spawn(
        self, memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
    ) -> Process:
        """Start a confined process that knows nothing yet.

        `memory` is its limit in bytes, 0 for none: of its address space, or of what a
        program can write to.  `folder` is what it may read beside the library: the
        package of its bot, or the file or folder of its program.  `command` is the
        program, by its real path, and its arguments, to be started in that folder;
        without one the process serves bots in Python.  Contestants die with the
        thread that starts them at some levels: call it from the main thread.

        Raises:
            OSError: the machine can't; nobody's bot is to blame.
        """

    @abc.abstractmethod
    def parts(self) -> str:
        """Return its parts in a few words, such as `Landlock 7, seccomp`."""

    @abc.abstractmethod
    def close(self) -> None:
        """End all that it has started beside contestants."""


def environment() -> dict[str, str]:
    """Return the environment of contestants, with nothing of this process's."""
    return {
        "HOME": "/nonexistent",
        # `getpass.getuser` would look for its name in a file that is not there.
        "USER": "bot",
        "LOGNAME": "bot",
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
        # Sets of strings have the same order in every run.
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def python_arguments() -> list[str]:
    """Return the command of contestants' Python, without the script's arguments.

    `-I` would ignore `PYTHONHASHSEED` too.
    """
    worker = import_module("arena.worker").__path__[0]
    python = os.path.realpath(sys.executable)
    return [python, "-s", "-S", "-P", "-B", os.path.join(worker, "__main__.py")]


def start_folder(folder: str, command: Sequence[str]) -> str:
    """Return the folder in which a program is started; empty without a program.

    `folder` is the bot's folder, or a file in that.
    """
    if not command:
        return ""
    return folder if os.path.isdir(folder) else os.path.dirname(folder)


@contextmanager
def open_sandbox(spec: SandboxSpec) -> Iterator[Sandbox]:
    """Make a sandbox, and close it at the end.

    Raises:
        OSError: this machine can't have it; the text says why.
    """
    try:
        sandbox_type: type[Sandbox] = load(spec.path)
    except Exception as error:
        raise OSError(
            f"its class {spec.path} can't be loaded ({type(error).__name__}: {error})"
        ) from error
    sandbox = sandbox_type(spec)
    try:
        yield sandbox
    finally:
        sandbox.close()
