"""What programs can do at each level of isolation, and what they can't.

As root, and what differs by user once more as an ordinary one.
"""

import os
import select
import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio
from matrix import divided
from ordinary_user import can_be_ordinary_user, run_as_ordinary_user
from play_units import nothing_left
from programs import (
    CC,
    NODE,
    ZOO,
    Talk,
    compile_text,
    compiled,
    needs_cc,
    needs_node,
)
from sandboxes import sandbox_of, why_not

import arena
from arena.referee.sandbox import LEVELS, Sandbox, forking
from arena.worker.program import NOT_STARTED

ARENA = Path(arena.__path__[0])
MEMORY_BYTES = 256 * 2**20
STOPPING = (
    *(signal.SIGKILL, signal.SIGSTOP),
    *(signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU),
)
STRONG = LEVELS[:2]
levels = pytest.mark.parametrize("level", LEVELS, scope="module")
strong = pytest.mark.parametrize("level", STRONG, scope="module")


@dataclass(frozen=True)
class Ground:
    """A folder of programs, and what there is to get at beside it."""

    own: Path
    other: Path
    """A file in the folder of another bot."""
    port: int
    apart: Path
    """A program that needs the folder `lib` beside its own."""

    def shown(self) -> list[str]:
        """Return the folders of bots and of their runtimes, for the sandboxes."""
        return [str(self.own), str(self.other.parent), NODE, str(self.apart)]

    def attempts(self) -> list[str]:
        """Return the attempts that must fail in a contained program."""
        return [
            "read /etc/passwd",
            "list /etc",
            f"read {self.other}",
            f"list {self.other.parent}",
            f"read {ARENA / 'games' / 'ox_blocks' / 'luck' / 'value.py'}",
            f"read {ARENA / 'games' / 'ox_blocks' / 'partner.py'}",
            f"write {self.own / 'new'}",
            "write /tmp/arena-test-of-a-program",
            f"connect {self.port}",
            f"signal {os.getpid()}",
            "memory 2048",
        ]

    def attempts_in_c(self) -> list[str]:
        """Return the attempts that only a program without a runtime can make."""
        return [
            *self.attempts(),
            "fork",
            "vfork",
            "socket",
            f"trace {os.getpid()}",
            f"renice {os.getpid()}",
            "exec /usr/bin/true",
            "raise",
            "shared 1",
            "growing 1",
            *(f"suffer {int(number)}" for number in STOPPING),
        ]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    own, other, apart = map(tmp_path_factory.mktemp, ("own", "other", "apart"))
    (other / "secret").write_text("secret")
    (own / "data").write_text("data")
    (own / "text").write_text("no program")
    (own / "text").chmod(0o755)
    (own / "tries.mjs").write_text((ZOO / "tries.mjs").read_text())
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        yield Ground(own, other / "secret", port, installed(apart))


def installed(folder: Path) -> Path:
    """Return a program that looks for a library by its own place."""
    program, library = folder / "bin" / "apart", folder / "lib" / "libapart.so"
    for made in (program, library):
        made.parent.mkdir()
    if CC is not None:
        options = ["-shared", "-fPIC", f"-Wl,-soname,{library.name}"]
        compile_text("int six(void) { return 6; }", library, *options)
        text = """
            #include <stdio.h>
            int six(void);
            int main(void) { getchar(); return printf("%d\\n", six()) != 2; }
            """
        path = "-Wl,-rpath,$ORIGIN/../lib"
        compile_text(text, program, str(library), path)
    return program


@pytest.fixture(scope="module")
def tries(ground: Ground) -> Path:
    return compiled("tries.c", ground.own)


@pytest.fixture(scope="module")
def sandbox(level: str, ground: Ground) -> Iterator[Sandbox]:
    if reason := why_not(level):
        pytest.skip(reason)
    with sandbox_of(level, ground.shown()) as opened:
        start(opened, ground.own / "text")
        yield opened


@dataclass(frozen=True)
class Heard:
    """The end of a program."""

    answers: list[str]
    status: int
    printed: str


def start(
    sandbox: Sandbox, path: Path, lines: Sequence[str] = (), command: Sequence[str] = ()
) -> Heard:
    """Say lines to a program, which is a file or what runs a file or a folder."""

    async def run() -> Heard:
        with trio.fail_after(60):
            words = tuple(command) or (str(path),)
            process = await sandbox.spawn(MEMORY_BYTES, str(path), words)
            try:
                talk = Talk(process)
                answers = [await talk.ask(line) for line in lines]
                talk.finish()
                return Heard(answers, await process.wait(), process.printed())
            finally:
                process.close()

    return trio.run(run)


def escapes(lines: Sequence[str], heard: Heard) -> dict[str, str]:
    """Return the successful attempts of a program that lived to its end."""
    assert heard.status == 0, heard
    said = dict(zip(lines, heard.answers, strict=True))
    return {line: answer for line, answer in said.items() if answer in ("done", "")}


@needs_cc
@strong
def test_program_in_c_gets_at_nothing(
    sandbox: Sandbox, ground: Ground, tries: Path
) -> None:
    lines = ground.attempts_in_c()
    assert escapes(lines, start(sandbox, tries, lines)) == {}
    assert not (ground.own / "new").exists()


@needs_cc
def test_they_are_attempts(ground: Ground, tries: Path) -> None:
    """Nothing keeps from them at the level that keeps nothing."""
    harmful = ("write", "trace", "renice", "exec", "suffer")
    lines = [line for line in ground.attempts_in_c() if not line.startswith(harmful)]
    with nothing_left(), sandbox_of("process") as sandbox:
        assert list(escapes(lines, start(sandbox, tries, lines))) == lines


@needs_cc
@levels
def test_program_in_c_has_what_it_needs(
    level: str, sandbox: Sandbox, ground: Ground, tries: Path
) -> None:
    has_threads = level != "limits" or os.geteuid() == 0
    needs = {
        "echo \u2603": "\u2603",
        f"read {ground.own / 'data'}": "done",
        f"list {ground.own}": "done",
        "read /dev/random": "done",
        "folder": str(ground.own),
        "memory 200": "done",
        "wait": "done",
        "thread": "done" if has_threads else "EAGAIN",
    }
    heard = start(sandbox, ground.own, list(needs), [str(tries)])
    assert heard == Heard(list(needs.values()), 0, "")


@needs_cc
@strong
def test_program_that_is_a_file_has_no_more_than_that(
    sandbox: Sandbox, ground: Ground, tries: Path
) -> None:
    lines = [f"read {tries}", f"read {ground.own / 'data'}", "folder"]
    first, second, folder = start(sandbox, tries, lines).answers
    assert (first, second, folder) == ("done", "EACCES", str(ground.own))


@needs_cc
@levels
def test_program_that_is_installed_apart_has_its_libraries(
    sandbox: Sandbox, ground: Ground
) -> None:
    heard = start(sandbox, ground.own, ["go"], [str(ground.apart)])
    assert heard == Heard(["6"], 0, "")


@needs_cc
@pytest.mark.parametrize("level", ["limits"], scope="module")
def test_limits_keep_a_program_from_memory(sandbox: Sandbox, tries: Path) -> None:
    lines = ["memory 257", "frozen 8192", "raise"]
    assert start(sandbox, tries, lines).answers == ["ENOMEM", "ENOMEM", "EPERM"]


@needs_node
@levels
def test_program_in_node(level: str, sandbox: Sandbox, ground: Ground) -> None:
    if level == "limits" and os.geteuid() != 0:
        pytest.skip("node needs threads, which count as processes")
    program = ground.own / "tries.mjs"
    command = [NODE, program.name]
    needs = ["echo \u2603", f"read {program}", "memory 100"]
    heard = start(sandbox, program, needs, command)
    assert heard == Heard(["\u2603", "done", "done"], 0, "")
    if level in STRONG:
        lines = [*ground.attempts(), f"fork {NODE}"]
        assert escapes(lines, start(sandbox, program, lines, command)) == {}


@needs_cc
@levels
def test_program_that_can_not_be_started_says_why(
    sandbox: Sandbox, ground: Ground
) -> None:
    for name, why in [("text", "Exec format error"), ("missing", "No such file")]:
        heard = start(sandbox, ground.own, ["echo"], [str(ground.own / name)])
        assert (heard.answers, heard.status) == ([""], NOT_STARTED)
        assert heard.printed.startswith(f"{ground.own / name} can't be started: {why}")


@needs_cc
@pytest.mark.parametrize("level", LEVELS[:3], scope="module")
def test_flood_ends_a_program(sandbox: Sandbox, tries: Path) -> None:
    heard = start(sandbox, tries, ["print 10000000"])
    assert (heard.answers, heard.status) == ([""], -signal.SIGXFSZ)
    assert set(heard.printed) == {"x"}


@needs_cc
@pytest.mark.parametrize("level", divided(STRONG, lambda level: level == STRONG[0]))
def test_bot_that_is_gone_spoils_nothing(
    level: str, ground: Ground, tries: Path
) -> None:
    if reason := why_not(level):
        pytest.skip(reason)
    shown = [*ground.shown(), str(ground.own.with_name("gone"))]
    with nothing_left(), sandbox_of(level, shown) as sandbox:
        assert start(sandbox, tries, ["echo a"]).answers == ["a"]


@needs_cc
def test_without_landlock_each_has_only_its_own(
    ground: Ground, tries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason := why_not("namespaces"):
        pytest.skip(reason)
    monkeypatch.setattr(forking, "landlock_abi", lambda: 0)
    # There is an /etc, but not that of the machine.
    lines = [line for line in ground.attempts_in_c() if line != "list /etc"]
    lines.append(f"read {ground.own / 'data'}")
    with nothing_left(), sandbox_of("namespaces", ground.shown()) as sandbox:
        heard = start(sandbox, tries, [*lines, f"read {tries}"])
    assert heard.answers.pop() == "done"
    assert escapes(lines, heard) == {}


@needs_cc
@pytest.mark.parametrize("level", divided(STRONG, lambda level: level == STRONG[0]))
def test_program_dies_with_its_sandbox(level: str, ground: Ground, tries: Path) -> None:
    if reason := why_not(level):
        pytest.skip(reason)

    async def run() -> None:
        with trio.fail_after(60), ExitStack() as stack:
            sandbox = stack.enter_context(sandbox_of(level, ground.shown()))
            process = await sandbox.spawn(MEMORY_BYTES, str(tries), (str(tries),))
            stack.callback(process.close)
            assert await Talk(process).ask("echo a") == "a"
            descriptor = os.pidfd_open(process.pid)
            stack.callback(os.close, descriptor)
            assert not select.select([descriptor], [], [], 0)[0]
            sandbox.close()
            assert select.select([descriptor], [], [], 20)[0]

    with nothing_left():
        trio.run(run)


@needs_cc
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize(
    "which", divided(("c_gets_at_nothing", "needs or in_node"), lambda w: "c_" in w)
)
def test_it_is_the_same_for_an_ordinary_user(which: str) -> None:
    if reason := can_be_ordinary_user():
        pytest.skip(reason)
    arguments = ["-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", __file__]
    arguments += ["-k", f"not ordinary and ({which})"]
    done = run_as_ordinary_user(arguments, timeout=120)
    assert done.returncode == 0, done.stdout
    print(done.stdout)
