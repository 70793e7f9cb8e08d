"""Programs that wait to play for a while, so that what is compared takes turns."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from timing import Share

PROGRAM = str(Path(__file__).parent / "peers.py")


class Companion:
    """A program as `peers.py` describes it, started and waiting."""

    def __init__(self, process: subprocess.Popen[str], plays: str, step: str) -> None:
        self.plays = plays
        """Package, version and game."""
        self.step = step
        self._process = process

    def play(self, seconds: float) -> Share:
        """Let it play so long."""
        assert self._process.stdin is not None
        print(seconds, file=self._process.stdin, flush=True)
        return Share(**_listen(self._process))


class MissingError(Exception):
    """A program can't play here; the text says why."""


@contextmanager
def started(words: Sequence[str]) -> Iterator[Companion]:
    """Start a program in a folder of its own, with Python's own settings.

    Raises:
        MissingError: it says what it lacks, or nothing at all.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment | {"HOME": folder, "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with process:
            try:
                about = _listen(process)
                if "missing" in about:
                    raise MissingError(about["missing"])
                yield Companion(process, about["plays"], about["step"])
            finally:
                assert process.stdin is not None
                process.stdin.close()


def _listen(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise MissingError("it ended without a word")
    found: dict[str, Any] = json.loads(line)
    return found


def start_peers(
    stack: ExitStack, names: Sequence[str], pythons: Sequence[str]
) -> tuple[dict[str, Companion], dict[str, str]]:
    """Start peers, each with the first Python that has it.

    Returns:
        Those that play, and why the others don't, by name.
    """
    found: dict[str, Companion] = {}
    missing: dict[str, str] = {}
    for name in names:
        for python in pythons or [sys.executable]:
            words = [python, PROGRAM, name]
            try:
                found[name] = stack.enter_context(started(words))
            except (MissingError, OSError) as error:
                missing[name] = str(error)
                continue
            missing.pop(name, None)
            break
    return found, missing


def start_round_trip(
    stack: ExitStack, messages: Sequence[tuple[bytes, bytes]], *, one_core: bool = False
) -> Companion:
    """Start two plain processes that exchange messages."""
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    path = Path(folder, "messages.json")
    path.write_text(json.dumps([(a.hex(), b.hex()) for a, b in messages]))
    where = "on one core" if one_core else "left alone"
    words = [sys.executable, "-I", PROGRAM, "round trip", str(path), where]
    return stack.enter_context(started(words))
