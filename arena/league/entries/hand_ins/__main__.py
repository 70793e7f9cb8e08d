"""Reads hand-ins, one after another, in a process that may fail alone.

It runs no line of them.  On its standard input it gets a `Task`, then a `Wish` for each
hand-in, and answers each of these on its standard output.
"""

import os
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from arena.league.entries.hand_ins.contents import (
    Contents,
    of_bot,
    of_form_1,
    of_program,
)
from arena.league.entries.hand_ins.depot import Depot
from arena.league.entries.hand_ins.hand_in import HandIn, Refused
from arena.league.entries.hand_ins.messages import Failed, Message, Ready, Task, Wish
from arena.league.entries.hand_ins.outline import outline, slips
from arena.league.entries.hand_ins.regular_files import (
    ReadFile,
    RefusedError,
    read_files,
)
from arena.worker.protocol import FrameReader, frame

CPU_S = 10
"""Seconds that it may compute for one hand-in."""
_MEMORY_BYTES = 2**30
_DESCRIPTORS = 64


class _Reader:
    """Reads hand-ins for one task."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._shared: dict[str, Sequence[ReadFile]] = {}
        for path in task.shared:
            try:
                files = read_files(path)
            except RefusedError as error:
                raise RefusedError(f"{path} {error}") from None
            except OSError as error:
                why = f"{path} can't be read ({error.strerror})"
                raise RefusedError(why) from None
            name = os.path.basename(path)
            self._shared[name.removesuffix(".py")] = files

    def read(self, wish: Wish) -> HandIn | Refused | Failed:
        """Read a hand-in, and keep it if it is to be kept."""
        try:
            contents = self._contents(wish)
        except RefusedError as error:
            return Refused(str(error))
        except OSError as error:
            return Refused(f"can't be read ({error.strerror})")
        except MemoryError:
            return Refused("is too large to be read")
        code, name = contents.code, os.path.basename(wish.path)
        home = ""
        if self._task.depot:
            files = {f.name: (f.data, f.is_executable) for f in contents.files}
            try:
                home = str(Depot(Path(self._task.depot)).keep(code, name, files))
            except OSError as error:
                return Failed(error.strerror or str(error))
        games = self._task.games
        text, modules = b"", frozenset[str]()
        if not wish.is_program:
            text, modules = contents.text, contents.modules
        guests = {x: path for x, path in self._task.guests.items() if x in modules}
        return HandIn(
            code=code,
            alike=contents.alike,
            home=home,
            main=contents.main,
            folder=contents.folder,
            files=tuple(file.name for file in contents.files),
            names=contents.names,
            beside=contents.beside,
            modules=modules,
            outline=outline(text, games, guests.values()),
            slips=tuple(slips(text, games, guests)),
        )

    def _contents(self, wish: Wish) -> Contents:
        task = self._task
        is_old = task.form == 1
        name = os.path.basename(wish.path)
        files = read_files(wish.path, hidden=is_old)
        if wish.is_program:
            return of_program(name, files, task.form)
        if is_old:
            folder = os.path.dirname(wish.path)

            def read_beside(module: str) -> Sequence[ReadFile]:
                path = os.path.join(folder, module)
                if not os.path.isfile(os.path.join(path, "__init__.py")):
                    path += ".py"
                    if not os.path.isfile(path):
                        return ()
                try:
                    return read_files(path, hidden=True)
                except RefusedError as error:
                    name = os.path.basename(path)
                    raise RefusedError(f"imports {name}, which {error}") from None

            return of_form_1(name, files, read_beside, task.guests)
        return of_bot(name, files, self._shared, task.known, task.guests)


def _limit() -> None:
    """Limit what this process may use, whatever it is given to read."""
    for kind, most in (
        (resource.RLIMIT_AS, _MEMORY_BYTES),
        (resource.RLIMIT_NOFILE, _DESCRIPTORS),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # Not every system has each of them.
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def _limit_cpu() -> None:
    """Give this process time for one more hand-in."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime) + CPU_S
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


def main() -> None:
    """Serve until the input ends."""
    _limit()
    frames = FrameReader()
    reader: _Reader | None = None
    while data := os.read(0, 2**16):
        for body in frames.feed(data):
            _limit_cpu()
            message = msgspec.msgpack.decode(body, type=Task | Wish)
            answer: Message
            if isinstance(message, Task):
                reader, answer = _begin(message)
            else:
                assert reader is not None
                answer = reader.read(message)
            sys.stdout.buffer.write(frame(answer))
            sys.stdout.buffer.flush()


def _begin(task: Task) -> tuple[_Reader | None, Message]:
    try:
        return _Reader(task), Ready()
    except RefusedError as error:
        return None, Refused(str(error))


main()
