"""The traps of bubblewrap, one test each, against the product's own command.

They are numbered as in the study of sandboxes: several layers over each other hide a
hole in one of them, so a trap is tried with the others out of the way where it can be.
"""

import ast
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
import trio
from matrix import divided
from msgspec.structs import replace
from ordinary_user import ROOT, can_be_ordinary_user, run_as_ordinary_user
from play_units import (
    GENEROUS,
    HONEST,
    bot_at,
    close_shared_sandboxes,
    nothing_left,
    play,
    shared_sandbox,
    unit_of,
)
from processes import parent_of
from sandboxes import sandbox_of, spec_of, why_not

from arena.records.game_record import GameRecord, Termination
from arena.referee.contestant.clock import ProcessClock
from arena.referee.sandbox import Process, bubblewrap
from arena.referee.sandbox.level import MAX_THREADS
from arena.referee.unit_player import UnitPlayer

DEVICES = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"}
SOURCE = """
from arena import Bot

class Told(Exception):
    pass

class Culprit(Bot):
    def act(self, obs):
        return "stop"

def tell():
{code}

def attempt():
    try:
        return tell()
    except OSError as error:
        return error.strerror

raise Told(repr(attempt()))
"""


@pytest.fixture(autouse=True)
def namespaces() -> None:
    if reason := why_not("namespaces"):
        pytest.skip(reason)


def in_bubblewrap(code: str) -> object:
    """Run Python in the product's namespaces, but with no filter and no Landlock.

    Returns what the code prints, read as Python.
    """
    library = spec_of("namespaces").library
    words = bubblewrap.command(library.read, ())
    python = [os.path.realpath(sys.executable), "-I", "-S", "-B", "-c"]
    python.append(f"import sys\nsys.path += {library.search!r}\n{dedent(code)}")
    done = subprocess.run(
        [*words, *python], capture_output=True, text=True, timeout=60, check=False
    )
    assert not done.stderr, done.stderr
    return ast.literal_eval(done.stdout)


def told(tmp_path: Path, code: str, level: str = "namespaces") -> object:
    """Return the result of `code`, the body of a function, inside a contestant.

    Of an `OSError` it is the text.
    """
    file = tmp_path / "culprit.py"
    lines = [f"    {line}" for line in dedent(code).strip().splitlines()]
    file.write_text(SOURCE.format(code="\n".join(lines)))
    unit = unit_of(bot_at(file, "Culprit"), HONEST, games=1, limits=GENEROUS)
    (record,) = play(unit, level=level)
    assert record.termination == Termination.START_FAILURE
    said = record.faults[0].message.partition("its process says ")[2]
    return ast.literal_eval(ast.literal_eval(said).partition("Told: ")[2])


REMOUNT = """
import ctypes, os
from arena.worker.confinement import kernel
{before}
libc = ctypes.CDLL(None, use_errno=True)
failed = libc.mount(None, b"/", None, 0x1020, None)
print(repr(os.strerror(ctypes.get_errno()) if failed else "remounted"))
"""


def test_gotcha_1_no_capability_is_kept() -> None:
    """The zygote keeps the one that it makes namespaces by, and no contestant does."""
    denied = "Operation not permitted"
    assert in_bubblewrap(REMOUNT.format(before="")) == "remounted"
    dropping = "kernel.drop_capabilities()"
    assert in_bubblewrap(REMOUNT.format(before=dropping)) == denied
    apart = "kernel.enter_user_namespace()"
    assert in_bubblewrap(REMOUNT.format(before=apart)) == denied


def test_gotcha_2_no_process_is_made_though_the_kernel_would_not_count_it(
    tmp_path: Path,
) -> None:
    assert told(tmp_path, "import os\nreturn os.fork()") == "Operation not permitted"


def test_gotcha_3_no_limit_counts_the_processes_of_a_whole_session(
    tmp_path: Path,
) -> None:
    code = """
        import resource, threading
        thread = threading.Thread(target=print)
        thread.start()
        thread.join()
        return resource.getrlimit(resource.RLIMIT_NPROC)
    """
    mine = resource.getrlimit(resource.RLIMIT_NPROC)
    # In a namespace of its own nobody else's count, so that there may be one.
    assert told(tmp_path, code) == (MAX_THREADS, MAX_THREADS)
    assert told(tmp_path, code, level="filters") == mine


WRITABLE = f"""
import os
places = []
for folder, _, files in os.walk("/"):
    try:
        os.open(os.path.join(folder, "gotcha"), os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except OSError:
        pass
    else:
        places.append(folder)
    for name in files:
        path = os.path.join(folder, name)
        if os.access(path, os.W_OK) and os.path.realpath(path) not in {DEVICES!r}:
            places.append(path)
print(places)
"""


def test_gotcha_4_there_is_no_place_to_write() -> None:
    assert in_bubblewrap(WRITABLE) == []


def test_gotcha_4_what_can_be_written_to_keeps_nothing() -> None:
    code = f"""
        import os, stat
        print([os.major(os.stat(path).st_rdev) for path in {sorted(DEVICES)}])
    """
    # <Documentation/admin-guide/devices.txt>: 1 are the devices of memory.
    assert in_bubblewrap(code) == [1] * len(DEVICES)


@pytest.mark.parametrize("level", ["limits", "process"])
def test_gotcha_5_no_contestant_is_started_by_a_thread_that_it_would_die_with(
    level: str,
) -> None:
    raised: list[BaseException] = []

    def start() -> None:
        with sandbox_of(level) as sandbox:
            try:
                trio.run(sandbox.spawn)
            except RuntimeError as error:
                raised.append(error)

    with nothing_left():
        thread = threading.Thread(target=start)
        thread.start()
        thread.join()
    assert [str(e) for e in raised] == [
        "contestants are to be started by the main thread"
    ]


@pytest.mark.parametrize("level", ["namespaces", "filters"])
def test_gotcha_5_a_zygote_outlives_the_thread_that_started_it(level: str) -> None:
    unit = unit_of(HONEST, replace(HONEST, id="twin"), games=2, limits=GENEROUS)
    records: list[GameRecord] = []
    first: list[Process] = []
    zygotes: list[int | None] = []

    with nothing_left(), sandbox_of(level) as sandbox:
        thread = threading.Thread(target=lambda: first.append(trio.run(sandbox.spawn)))
        thread.start()
        thread.join()

        async def go_on() -> None:
            with trio.fail_after(60):
                await UnitPlayer(unit, sandbox, records.append).play()
                second = await sandbox.spawn()
                zygotes.extend(parent_of(each.pid) for each in (first[0], second))
                second.close()

        trio.run(go_on)
        first[0].close()
    assert {record.termination for record in records} == {Termination.NATURAL}
    assert zygotes[0] == zygotes[1] is not None


def test_gotcha_6_every_folder_on_the_way_can_be_entered() -> None:
    read = spec_of("namespaces").library.read
    folders = {str(parent) for path in read for parent in Path(path).parents}
    code = f"""
        import os
        print([os.stat(path).st_mode & 0o777 for path in {sorted(folders)}])
    """
    modes = in_bubblewrap(code)
    assert isinstance(modes, list)
    assert {mode & 0o555 for mode in modes} == {0o555}


def test_gotcha_7_shared_libraries_are_found_as_on_the_host() -> None:
    paths = ["/etc/alternatives", "/etc/ld.so.cache"]
    there = [os.path.exists(path) for path in paths]
    code = f"""
        import os
        print([os.path.exists(path) for path in {paths}])
    """
    assert in_bubblewrap(code) == there


def test_gotcha_8_the_name_of_the_host_is_not_told(tmp_path: Path) -> None:
    assert told(tmp_path, "import os\nreturn os.uname().nodename") == "arena"


def test_gotcha_8_numbers_of_processes_and_threads_tell_of_no_others(
    tmp_path: Path,
) -> None:
    code = """
        import os, threading
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
        return os.getpid(), os.getppid(), thread.native_id
    """
    assert told(tmp_path, code) == (2, 0, 3)


def test_gotcha_8_there_is_no_proc() -> None:
    assert "--proc" not in bubblewrap.command((), ())
    code = """
        import os
        print([os.path.lexists(path) for path in ("/proc", "/sys", "/run", "/home")])
    """
    assert in_bubblewrap(code) == [False] * 4


@pytest.mark.parametrize("mode", [0o755, 0o4755])
@pytest.mark.parametrize("user", [0, 1000])
def test_gotcha_9_a_capability_is_asked_for_only_where_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, user: int
) -> None:
    program = tmp_path / "bwrap"
    program.touch()
    program.chmod(mode)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    command = bubblewrap.command((), ())
    assert command[0] == str(program)
    assert ("--cap-add" in command) is (user == 0 or mode == 0o755)
    assert "--clearenv" not in command


def test_gotcha_10_nothing_is_executed_once_a_bot_is_there(tmp_path: Path) -> None:
    assert "--seccomp" not in bubblewrap.command((), ())
    python = os.path.realpath(sys.executable)
    code = f"import os\nreturn os.execv({python!r}, ['python', '-c', 'pass'])"
    assert told(tmp_path, code) == "Operation not permitted"
    # The program is there and could be: it is what runs the bot.
    code = f"import os\nprint(os.access({python!r}, os.R_OK | os.X_OK))"
    assert in_bubblewrap(code) is True


def test_gotcha_11_the_process_known_is_the_contestants() -> None:
    async def run() -> None:
        with trio.fail_after(60):
            process = await sandbox.spawn()
            status = Path(f"/proc/{process.pid}/status").read_text()
            lines = dict(line.split(":\t", 1) for line in status.splitlines())
            outer, middle, inner = map(int, lines["NSpid"].split())
            # It is neither bubblewrap nor the zygote.
            assert outer == process.pid
            assert middle > 1
            # To the first process of its namespace it would be no end to abort.
            assert inner == 2
            assert lines["Seccomp"].strip() == "2"
            assert int(lines["CapBnd"], 16) == int(lines["CapEff"], 16) == 0
            assert ProcessClock(process.pid).now() > 0.0
            process.close()

    with shared_sandbox("namespaces") as sandbox, nothing_left():
        trio.run(run)


@pytest.fixture
def without_landlock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Open a sandbox that nobody else will use."""
    close_shared_sandboxes()
    monkeypatch.setattr("arena.referee.sandbox.forking.landlock_abi", lambda: 0)
    yield
    close_shared_sandboxes()


@pytest.mark.usefixtures("without_landlock")
def test_namespaces_hold_without_landlock(tmp_path: Path) -> None:
    """Each contestant then has a sandbox of its own, and no bot's file is in it."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    code = f"return open({str(secret)!r}).read()"
    assert told(tmp_path, code) == "No such file or directory"


@pytest.mark.skipif(
    os.geteuid() != 0 or bool(can_be_ordinary_user()),
    reason="only root can become another user",
)
@pytest.mark.parametrize(
    "which", divided(("gotcha_1_ or gotcha_2", "gotcha"), lambda which: "_1_" in which)
)
def test_gotchas_as_an_ordinary_user(which: str) -> None:
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", __file__]
    arguments += ["-k", f"not ordinary and ({which})", "--rootdir", str(ROOT)]
    done = run_as_ordinary_user(arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped" not in done.stdout
