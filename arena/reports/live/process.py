"""The process that writes the live page, as the league sees it.

It may fail, hang or be killed, and a disk may be full: the league waits for nothing
that this process does, until it has come to its own end.
"""

import os
import subprocess
import sys
from contextlib import suppress
from enum import StrEnum

import msgspec

PATIENCE_S = 10.0
"""For the last page of a small league, when all else is done."""
_MOST_BYTES = 4096
"""Of what the process says."""


class LeagueState(StrEnum):
    """How the league stands that the page tells of."""

    PLAYING = "playing"
    PLAYED = "played"
    """All games are; what they have come to is worked out."""
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    """It can go on."""

    @property
    def is_last(self) -> bool:
        """True if nothing follows."""
        return self in (LeagueState.FINISHED, LeagueState.INTERRUPTED)


class LiveOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What the process is to do."""

    results: str
    """The results folder."""
    seconds: float
    """Between two pages, at the least."""
    is_first: bool
    """True if no game was recorded before this run."""
    has_pseudonyms: bool
    alias_text: str
    """As of `LeagueConfig`."""


class LiveWriter:
    """The process, of which nothing is expected."""

    def __init__(self, order: LiveOrder) -> None:
        self._order = order
        self._process: subprocess.Popen[bytes] | None = None
        self._problem = ""
        self._is_started = False

    def start(self) -> None:
        """Start the process, unless it was started before."""
        if self._is_started:
            return
        self._is_started = True
        try:
            # In a group of its own, as Ctrl-C is for the league; in the same session,
            # as low priority counts within one.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "arena.reports.live.writer"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
        except OSError as error:
            self._problem = f"its process can't be started ({error})"
            return
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        self._tell(msgspec.json.encode(self._order) + b"\n")

    def all_played(self) -> None:
        """Have the page say that all games are played, and no more."""
        if self._process is not None:
            self._tell(_line(LeagueState.PLAYED))

    def problem(self) -> str:
        """Return why there is no new page, once; empty if all is well."""
        process = self._process
        if process is not None and not self._problem:
            self._problem = self._heard(process)
            if not self._problem and process.poll() is not None:
                self._problem = f"its process has ended (with {process.returncode})"
                self._close(process)
        problem, self._problem = self._problem, ""
        return problem

    def end(self, state: LeagueState, patience_s: float = PATIENCE_S) -> None:
        """Have the last page written, of a league in a state; then nothing is left.

        Raises:
            KeyboardInterrupt: while it was waited for; nothing is left either.
        """
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        try:
            self._tell(_line(state))
            with suppress(OSError):
                process.stdin.close()
            process.wait(patience_s)
            self._problem = self._heard(process)
        except subprocess.TimeoutExpired:
            self._problem = "its process does not end"
        finally:
            self._close(process)

    def _close(self, process: subprocess.Popen[bytes]) -> None:
        """Leave nothing of the process."""
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        self._process = None

    @staticmethod
    def _heard(process: subprocess.Popen[bytes]) -> str:
        """Return what the process has said; empty if nothing."""
        assert process.stdout is not None
        with suppress(OSError):
            said = os.read(process.stdout.fileno(), _MOST_BYTES)
            return " ".join(said.decode(errors="replace").split())
        return ""

    def _tell(self, data: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        # Who has died reads nothing.
        with suppress(OSError):
            os.write(self._process.stdin.fileno(), data)


def _line(state: LeagueState) -> bytes:
    return f"{state}\n".encode()
