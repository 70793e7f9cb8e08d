"""Programs in other languages, for tests that need one."""

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from arena.referee.sandbox import Process

ZOO = Path(__file__).parent / "zoo" / "programs"
CC = shutil.which("cc")
NODE = os.path.realpath(shutil.which("node") or "node")

needs_cc = pytest.mark.skipif(CC is None, reason="no C compiler (no program cc)")
needs_node = pytest.mark.skipif(
    not os.path.exists(NODE), reason="node is not installed (no program node)"
)


def compiled(name: str, folder: Path) -> Path:
    """Compile a program of the zoo into a folder."""
    made = folder / name.removesuffix(".c")
    compile_text((ZOO / name).read_text(), made, "-pthread")
    return made


def compile_text(text: str, made: Path, *options: str) -> None:
    """Compile a text in C."""
    command = [CC or "cc", "-o", str(made), "-x", "c", "-", "-x", "none", *options]
    subprocess.run(command, input=text, text=True, check=True)


class Talk:
    """Says lines to a program and hears a line for each."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._rest = b""

    async def ask(self, line: str) -> str:
        """Return the answer; empty if the program ends instead."""
        with suppress(BrokenPipeError):
            os.write(self.process.write_fd, f"{line}\n".encode())
        while b"\n" not in self._rest:
            await trio.lowlevel.wait_readable(self.process.read_fd)
            data = os.read(self.process.read_fd, 1 << 16)
            if not data:
                return ""
            self._rest += data
        answer, _, self._rest = self._rest.partition(b"\n")
        return answer.decode()

    def finish(self) -> None:
        """Say that nothing else will be said."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.process.write_fd)
        os.close(nowhere)
