"""The isolation levels that this machine can give, found out by trying.

Each level is probed with a real contestant whose bot tries what no bot may
(`sandbox/probe_bot.py`).  Neither the name of the system nor the installed programs
are trusted.
"""

import os
import secrets
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.errors import LeagueError, find_error
from arena.referee.ask_bot import ask_for_bots
from arena.referee.contestant.misconduct import Misconduct, saying
from arena.referee.sandbox import (
    LEVELS,
    SANDBOXES,
    Sandbox,
    SandboxSpec,
    open_sandbox,
)
from arena.referee.sandbox.level import ATTEMPTS
from arena.referee.sandbox.library import Library
from arena.referee.work_unit import EntrySpec, Limits

AUTO = "auto"
TRUSTED_ONLY = "run only bots you trust"
_PROBE_LIMITS = Limits(start=60.0, memory=512)
_ANSWER = "it has tried"
_PROGRAM = (
    "import json, sys\n"
    "request = json.loads(sys.stdin.readline())\n"
    "replies, sys.stdout = sys.stdout, sys.stderr\n"
    "{}\n"
    f"reply = dict(id=request['id'], error={_ANSWER!r})\n"
    "print(json.dumps(reply), file=replies, flush=True)\n"
)
"""Makes a program of the probe's bot: it prints what that has got at, and answers."""


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of trying a level on this machine."""

    level: str
    parts: str = ""
    """Its parts in a few words."""
    problem: str = ""
    """Why it can't be had; empty if it can."""
    got: tuple[str, ...] = ()
    """Names of the attempts that succeeded."""
    lacks: tuple[str, ...] = ()
    """Needs of bots that are not met there, a sentence each."""
    broken_games: tuple[str, ...] = ()
    """Games that can't be loaded there, a sentence each."""
    start: float = 0.0
    """Seconds to start a contestant's process, once others have been started."""

    @property
    def is_usable(self) -> bool:
        """True if it keeps all that it promises."""
        return not self.problem


@dataclass(frozen=True, slots=True)
class Isolation:
    """The level in force."""

    spec: SandboxSpec
    parts: str
    passed_over: tuple[Probe, ...] = ()
    """Stronger levels that can't be had here."""

    @property
    def level(self) -> str:
        return self.spec.level

    def __str__(self) -> str:
        return f"{self.level} ({self.parts})"

    def warning(self) -> str:
        """Return a warning to whoever runs bots at this level; empty at strong ones."""
        if self.level in LEVELS[:2]:
            return ""
        return f"isolation is {self.level} only: {TRUSTED_ONLY}"

    def notes(self) -> list[str]:
        """Return notes for the instructor, a sentence each."""
        found = [f"isolation {p.level}: {p.problem}" for p in self.passed_over]
        return [*found, *filter(None, [self.warning()])]


@asynccontextmanager
async def find_isolation(
    wanted: str,
    required: str | None,
    library: Library,
    folders: Sequence[str],
    preload: Sequence[str],
    games: Mapping[str, str],
) -> AsyncIterator[tuple[Isolation, Sandbox]]:
    """Open the level `wanted`, or for `auto` the strongest that this machine gives.

    Raises:
        LeagueError: there is none, or none as strong as `required`, or a game
            can't be loaded by contestants.
    """
    names = LEVELS if wanted == AUTO else (wanted,)
    failed: list[Probe] = []
    for name in names:
        if required and not is_as_strong(name, required):
            break
        spec = SandboxSpec(
            name, SANDBOXES[name], library, tuple(folders), tuple(preload)
        )
        with ExitStack() as stack:
            found, sandbox = await _probe(spec, games, stack)
            if found.broken_games:
                raise LeagueError(
                    f"{found.broken_games[0]}; contestants find only what is installed"
                )
            if sandbox is not None and found.is_usable:
                yield Isolation(spec, found.parts, tuple(failed)), sandbox
                return
        failed.append(found)
    reasons = "; ".join(f"{p.level}: {p.problem}" for p in failed)
    if required and not failed:
        raise LeagueError(
            f"isolation {required} is required, and {wanted} is weaker; "
            "ask for the level itself, or for auto"
        )
    asked = required or wanted
    raise LeagueError(
        f"isolation {asked} can't be had on this machine ({reasons}); "
        "arena doctor says what could help"
    )


def is_as_strong(name: str, required: str) -> bool:
    """Say whether a level promises at least what another does."""
    if name in LEVELS and required in LEVELS:
        return LEVELS.index(name) <= LEVELS.index(required)
    return name == required


async def probe(spec: SandboxSpec, games: Mapping[str, str]) -> Probe:
    """Try a level with a contestant that tries to get out, and time another's start."""
    with ExitStack() as stack:
        found, sandbox = await _probe(spec, games, stack)
        if sandbox is None:
            return found
        started = time.monotonic()
        process = await sandbox.spawn()
        seconds = time.monotonic() - started
        process.close()
        return replace(found, start=seconds)


async def probe_program(spec: SandboxSpec) -> str:
    """Say why programs in other languages can't be had at a level; empty if they can.

    The program is Python without the worker, and tries to get out as the bot does.
    """
    try:
        with open_sandbox(spec) as sandbox:
            said = await _send_in_the_bot(sandbox, {}, is_program=True)
            return _judge(sandbox, said).problem
    except BaseExceptionGroup as group:
        error = find_error(group, OSError)
        if error is None:
            raise
        return str(error)
    except OSError as error:
        return str(error)


async def _probe(
    spec: SandboxSpec, games: Mapping[str, str], stack: ExitStack
) -> tuple[Probe, Sandbox | None]:
    """Try a level; return also its sandbox, which `stack` closes, if it can be had."""
    try:
        sandbox = stack.enter_context(open_sandbox(spec))
        said = await _send_in_the_bot(sandbox, games)
    except BaseExceptionGroup as group:
        error = find_error(group, OSError)
        if error is None:
            raise
        return Probe(spec.level, problem=str(error)), None
    except OSError as error:
        return Probe(spec.level, problem=str(error)), None
    return _judge(sandbox, said), sandbox


def _judge(sandbox: Sandbox, said: str) -> Probe:
    """Return the findings of the probe's bot, from the lines it has printed."""
    lines = [line.partition(" ") for line in said.splitlines()]
    got = tuple(rest for word, _, rest in lines if word == "got")
    lacks = tuple(
        rest
        for word, _, rest in lines
        if word == "lacks" and (sandbox.threads or not rest.startswith("threads:"))
    )
    broken = tuple(
        f"{rest.replace(':', ' can not be loaded by a contestant:', 1)}"
        for word, _, rest in lines
        if word == "no"
    )
    problem = ""
    words = {attempt.name: attempt.words for attempt in ATTEMPTS}
    if not lines or lines[-1][0] != "done":
        problem = f"the probe was not finished: {said.strip() or 'it said nothing'}"
    elif set(got) & sandbox.contains:
        escaped = [words[name] for name in got if name in sandbox.contains]
        problem = f"a bot could {' and '.join(escaped)}"
    elif lacks:
        problem = f"bots lack {lacks[0]}"
    return Probe(sandbox.name, sandbox.parts(), problem, got, lacks, broken)


async def _send_in_the_bot(
    sandbox: Sandbox, games: Mapping[str, str], *, is_program: bool = False
) -> str:
    """Return the output of the probe's bot, which may be run as a program.

    No file is made for it, which could be left behind.
    """
    name = f"arena-probe-{secrets.token_hex(8)}"
    source = Path(__file__).with_name("sandbox") / "probe_bot.py"
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        targets = {
            "file": "/etc/passwd",
            "folders": [os.getcwd(), os.path.expanduser("~"), tempfile.gettempdir()],
            "name": name,
            "number": secrets.randbelow(2**31),
            "port": server.getsockname()[1],
            "referee": os.getpid(),
            "memory": (_PROBE_LIMITS.memory or 0) * 2**20,
            "attempts": [attempt.name for attempt in ATTEMPTS],
            "modules": [] if is_program else list(sandbox.spec.preload),
            "games": {} if is_program else dict(games),
        }
        text = f"TARGETS = {targets!r}\n{source.read_text()}"
        bot = EntrySpec(
            "probe", "/probe.py", "", sources=(("/probe.py", text.encode()),)
        )
        if is_program:
            python = os.path.realpath(sys.executable)
            command = (python, "-I", "-S", "-B", "-c", _PROGRAM.format(text))
            # It must be started in a folder that it may read.
            folder = os.path.realpath(os.path.dirname(os.__file__))
            bot = EntrySpec("probe", folder, "", command=command)
        heard = await ask_for_bots(bot, ("none",), _PROBE_LIMITS, sandbox)
    if not isinstance(heard, Misconduct):
        return ""
    if is_program and heard.message != saying(_ANSWER):
        last = heard.output.strip().rpartition("\n")[2]
        return f"{heard.message} {last and f'({last})'}"
    return heard.output or heard.message
