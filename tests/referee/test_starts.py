"""What a bot finds at its start, at every level: the same as after `python my_bot.py`.

As root, and once more as an ordinary user.
"""

import ast
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest
import trio
from matrix import divided
from msgspec.structs import replace
from ordinary_user import ROOT, can_be_ordinary_user, run_as_ordinary_user
from play_units import (
    GENEROUS,
    HONEST,
    bot_at,
    nothing_left,
    play,
    unit_of,
)
from processes import no_process_left
from sandboxes import sandbox_of, why_not

from arena.referee.sandbox import LEVELS
from arena.referee.sandbox.start_folders import StartFolders
from arena.referee.work_unit import EntrySpec, Limits

NATIVE = """
from arena import Bot

class It(Bot):
    def zombie_dice(self, obs):
{inside}
        return "stop"
"""
GUEST = """
import zombiedice

class It:
    def __init__(self, name):
        self.name = name

    def turn(self, gameState):
{inside}

if __name__ == "__main__":
    zombiedice.runTournament(zombies=(It("it"),), numGames=100)
"""
KINDS = {"native": NATIVE, "guest": GUEST}


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have nothing stay behind in the folder of temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield
    assert not list(folder.iterdir())


def need(level: str) -> None:
    if reason := why_not(level):
        pytest.skip(f"no {level} here: {reason}")


def written(folder: Path, kind: str, top: str = "", inside: str = "pass") -> EntrySpec:
    """Return an entry of a file with some lines at its top and in its method."""
    text = KINDS[kind].format(inside=indent(inside, " " * 8))
    path = folder / "my_bot.py"
    path.write_text(f"{top}\n{text}")
    return bot_at(path, "It")


def matrix(*quick: tuple[str, str]) -> pytest.MarkDecorator:
    cases = [(level, kind) for level in LEVELS for kind in KINDS]
    return pytest.mark.parametrize(
        ("level", "kind"), divided(cases, lambda case: case in quick)
    )


FOUND = {
    "__name__": "'my_bot'",
    "__file__": "'FOLDER/my_bot.py'",
    "__builtins__ is sys.modules['builtins']": "True",
    "__spec__.name, __package__": "('my_bot', '')",
    "sys.modules['__main__'] is sys.modules['my_bot']": "True",
    "sys.argv": "['FOLDER/my_bot.py']",
    "sys.orig_argv[1:]": "['FOLDER/my_bot.py']",
    "sys.orig_argv[0] == sys.executable": "True",
    "sys.path[0]": "'FOLDER'",
    "sys.flags.no_site, sys.flags.safe_path, sys.flags.optimize": "(1, True, 0)",
    "os.getcwd(), os.path.abspath('')": "('FOLDER', 'FOLDER')",
    "os.path.dirname(os.path.abspath(__file__))": "'FOLDER'",
    "sorted(os.environ)": repr(
        [
            *("HOME", "LC_ALL", "LOGNAME", "MKL_NUM_THREADS", "OMP_NUM_THREADS"),
            *("OPENBLAS_NUM_THREADS", "PATH", "PWD", "PYTHONHASHSEED", "USER"),
        ]
    ),
    "os.environ['PWD']": "'FOLDER'",
    "os.path.expanduser('~'), str(pathlib.Path.home())": (
        "('/nonexistent', '/nonexistent')"
    ),
    "getpass.getuser()": "'bot'",
    "os.getlogin()": "OSError",
    "locale.setlocale(locale.LC_ALL, '')": "'C.UTF-8'",
    "sys.getfilesystemencoding(), locale.getpreferredencoding()": "('utf-8', 'UTF-8')",
    "time.tzset()": "None",
    "sys.stdin.read(), sys.stdin.isatty()": "('', False)",
    "input()": "EOFError",
    "sys.stdout is sys.__stdout__, sys.stderr is sys.__stderr__": "(True, True)",
    "sys.stdout.encoding, sys.stdout.errors": "('utf-8', 'replace')",
    "sys.stdout.isatty(), sys.stdout.name, sys.stdout.mode": (
        "(False, '<stdout>', 'w')"
    ),
    "sys.stdout.fileno()": "1",
    "os.get_terminal_size()": "OSError",
    "tuple(shutil.get_terminal_size())": "(80, 24)",
    "os.system('cls')": "32512",
    "threading.current_thread().name, threading.active_count()": "('MainThread', 1)",
    "signal.getsignal(signal.SIGINT) is signal.default_int_handler": "True",
    "sys.getrecursionlimit()": "1000",
    "warnings.filters == [] or len(warnings.filters)": "5",
    "os.listdir()": "PermissionError",
    "glob.glob('*')": "[]",
    "os.path.exists('my_bot.py')": "False",
    "open('new.txt', 'w')": "OSError",
    "open(__file__)": "FileNotFoundError",
    "[n for n in range(64) if is_open(n)][:3]": "[0, 1, 2]",
    "len([n for n in range(64) if is_open(n)])": "5",
}
"""Expressions, and what they are; a kind of error if they raise one."""
UNREADABLE = {
    "os.path.exists('my_bot.py')": "True",
    "open(__file__)": "PermissionError",
}
REFUSED = {"open('new.txt', 'w')": "PermissionError"}
WRITTEN = {
    "open('new.txt', 'w')": (
        "<_io.TextIOWrapper name='new.txt' mode='w' encoding='UTF-8'>"
    )
}
"""By root, into a folder that is gone with the process."""
ELSEWHERE: dict[str, dict[str, str]] = {
    "guest": {"__name__": "'__main__'"},
    "filters": {**UNREADABLE, **REFUSED},
    "limits": {"os.listdir()": "[]", **REFUSED},
    "process": {"os.listdir()": "[]", **(REFUSED if os.geteuid() else WRITTEN)},
}
"""What differs at a level, or for a kind of bot."""
ASKS = """
import getpass, glob, locale, os, pathlib, shutil, signal, sys, threading, time
import warnings

def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True

def found(expressions):
    here = os.getcwd()
    told = {}
    for expression in expressions:
        try:
            value = repr(eval(expression, globals()))
        except (Exception, EOFError) as error:
            value = type(error).__name__
        told[expression] = value.replace(here, "FOLDER")
    return told
"""


@matrix(("limits", "guest"))
def test_what_a_bot_finds(tmp_path: Path, level: str, kind: str) -> None:
    need(level)
    inside = f"print(os.getcwd())\nprint(found({[*FOUND]!r}))\nraise ValueError"
    entry = written(tmp_path, kind, ASKS, inside)
    (game,) = play(unit_of(entry, HONEST, games=1, limits=GENEROUS), level=level)
    (fault,) = game.faults
    folder, told = fault.output.splitlines()
    at = {"namespaces": "/bot", "filters": str(tmp_path)}
    assert folder == at.get(level, folder)
    expected = {**FOUND, **ELSEWHERE.get(level, {}), **ELSEWHERE.get(kind, {})}
    assert ast.literal_eval(told) == expected


TOPS = r"""
import argparse, asyncio, atexit, codecs, getpass, io, locale, logging, multiprocessing
import os, pathlib, pickle, random, shutil, signal, sys, threading, time, warnings

os.chdir(os.path.dirname(os.path.abspath(__file__)))
os.chdir(sys.path[0])
os.chdir(pathlib.Path(__file__).resolve().parent)
os.chdir(os.path.dirname(os.path.realpath(sys.argv[0])))
sys.path.append(os.path.dirname(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
parser = argparse.ArgumentParser()
parser.add_argument("--games", type=int, default=games)
assert parser.parse_args().games == 1000
sys.stdout.reconfigure(encoding="utf-8", errors="replace")
if sys.stdout.encoding.lower() != "utf-8":
    raise ValueError(sys.stdout.encoding)
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf8")
sys.stderr = io.TextIOWrapper(sys.stderr.detach(), encoding="utf-8")
print("wrapped")
sys.stdout.flush()
sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
sys.stdout = codecs.getwriter("utf-8")(sys.stdout.buffer)
sys.stdout = sys.__stdout__
sys.stdout.buffer.write("\u2764".encode())
logging.basicConfig(level=logging.DEBUG, format="%(message)s", stream=sys.stdout)
logging.getLogger().info("started as %s", getpass.getuser())
warnings.filterwarnings("ignore")
warnings.warn("nobody hears it")
locale.setlocale(locale.LC_ALL, "")
time.tzset()
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
multiprocessing.set_start_method("spawn", force=True)
multiprocessing.freeze_support()
sys.setrecursionlimit(10_000)
atexit.register(print, "bye")
threading.stack_size(64 * 1024 * 1024)
asyncio.set_event_loop_policy(None)
os.system("cls" if os.name == "nt" else "clear")
os.environ["SEED"] = "1"
random.seed(int(os.environ.get("SEED", "0")))
width = shutil.get_terminal_size().columns
try:
    name = input("What is your name? ")
except EOFError:
    name = "nobody"
for line in sys.stdin:
    print(line)
class QTable(dict):
    pass
MADE_BY_TRAINING = b"\x80\x04c__main__\nQTable\n)\x81."
assert type(pickle.loads(MADE_BY_TRAINING)) is QTable
assert pickle.loads(pickle.dumps(QTable())) == {}
"""
"""What real files have at their top."""


@matrix(("namespaces", "guest"))
def test_what_files_do_at_their_top(tmp_path: Path, level: str, kind: str) -> None:
    need(level)
    entry = written(tmp_path, kind, TOPS)
    games = play(unit_of(entry, HONEST, games=2, limits=GENEROUS), level=level)
    assert [fault.message for game in games for fault in game.faults] == []


FOLDER = {
    "bot.py": """
import json, os, pickle, sys

sys.path.append(os.path.join(os.path.dirname(__file__), "lib"))
from helper import wanted

class Table(dict):
    pass

with open("weights.json") as file:
    assert json.load(file) == {"brains": 2}
with open(os.path.join("data", "table.pkl"), "rb") as file:
    TABLE = pickle.load(file)
assert os.getcwd() == os.path.dirname(os.path.abspath(__file__)) == sys.path[0]
assert os.path.basename(os.getcwd()) == "team"
assert sorted(os.listdir()) == ["bot.py", "data", "lib", "weights.json"]
assert sys.argv == [os.path.abspath("bot.py")]
for name in SPOILT:
    try:
        open(name, "w").write("spoilt")
    except OSError:
        pass
""",
    "lib/helper.py": """
def wanted():
    return 2
""",
    "weights.json": '{"brains": 2}',
    "data/table.pkl": "c__main__\nTable\n)\x81.",
}


def team(folder: Path, kind: str) -> EntrySpec:
    """Return the entry of a bot that is a folder and reads data from it."""
    # A guest's file is run again for each game, and would find what it has spoilt.
    spoilt = ("new.txt", "weights.json") if kind == "native" else ()
    text = f"SPOILT = {spoilt!r}\n{FOLDER['bot.py']}{KINDS[kind].format(inside=PASS)}"
    texts = {**FOLDER, "bot.py": text}
    for name, text in texts.items():
        file = folder / "team" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "latin-1")
        file.chmod(0o400)
    sources = tuple(str(folder / "team" / x) for x in ("bot.py", "lib/helper.py"))
    return EntrySpec("It", sources[0], "It", files=sources, folder=str(folder / "team"))


PASS = " " * 8 + "pass"


@matrix(("limits", "native"))
def test_a_folder_is_what_its_bot_starts_in(
    tmp_path: Path, level: str, kind: str
) -> None:
    """It reads its files by their names alone, and spoils none of them."""
    need(level)
    entry = team(tmp_path, kind)
    for _ in range(2):
        games = play(unit_of(entry, HONEST, games=1, limits=GENEROUS), level=level)
        assert [fault.message for game in games for fault in game.faults] == []
    files = {
        str(file.relative_to(tmp_path / "team")): file.read_text("latin-1")
        for file in (tmp_path / "team").rglob("*")
        if file.is_file()
    }
    assert {**files, "bot.py": ""} == {**FOLDER, "bot.py": ""}


LATE = Limits(start=60.0, move=0.1, bank=0.0)


@pytest.mark.parametrize(
    ("level", "is_folder"),
    divided(
        [(level, is_folder) for level in LEVELS for is_folder in (False, True)],
        lambda case: case == ("limits", False),
    ),
)
def test_its_lines_are_named_wherever_it_starts(
    tmp_path: Path, level: str, is_folder: bool
) -> None:
    """By the process itself in a reply, and by the referee where it has been killed."""
    need(level)
    path = tmp_path / "my_bot.py"
    folder = ""
    if is_folder:
        path = tmp_path / "team" / "bot.py"
        path.parent.mkdir()
        folder = str(path.parent)
    inside = """
if obs.seat:
    while True: pass
raise ValueError(__file__)
"""
    path.write_text(NATIVE.format(inside=indent(inside, " " * 8)))
    entry = EntrySpec("It", str(path), "It", files=(str(path),), folder=folder)
    raised, late = play(unit_of(entry, HONEST, games=2, limits=LATE), level=level)
    name = "team/bot.py" if is_folder else "my_bot.py"
    # Where it lies differs from process to process, and is told nobody.
    assert raised.faults[0].message == (
        f"{name}:9: its process says 'ValueError: {path.name}'"
    )
    for game, line in ((raised, 9), (late, 8)):
        (fault,) = game.faults
        assert fault.message.startswith(f"{name}:{line}: ")
        assert f'  File "{name}", line {line}, in zombie_dice\n' in fault.traceback


PROGRAM = """
import json, os, sys

assert os.path.isfile("program.py") and sys.argv == ["program.py"]
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "games": ["zombie_dice"]}
    if request["type"] == "act":
        reply["action"] = request["legal_actions"][-1]
    print(json.dumps(reply), flush=True)
"""


@pytest.mark.parametrize("level", divided(LEVELS, lambda level: level == "filters"))
def test_a_program_starts_in_its_folder(tmp_path: Path, level: str) -> None:
    need(level)
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    python = os.path.realpath(sys.executable)
    entry = EntrySpec("It", str(path), "program", files=(str(path),))
    entry = replace(entry, command=(python, "-IS", "program.py"))
    games = play(unit_of(entry, HONEST, games=2, limits=GENEROUS), level=level)
    assert [fault.message for game in games for fault in game.faults] == []


COLD = pytest.mark.parametrize("level", divided(LEVELS[2:], lambda x: x == "limits"))


@COLD
def test_the_folder_of_a_killed_process_is_gone_with_it(
    tmp_path: Path, level: str
) -> None:
    need(level)
    folder = team(tmp_path, "native").folder

    async def run() -> None:
        with trio.fail_after(60):
            first, second = [await sandbox.spawn(folder=folder) for _ in range(2)]
            assert Path(first.home, "team", "weights.json").exists()
            os.kill(first.pid, signal.SIGKILL)
            await first.wait()
            first.close()
            assert not os.path.exists(first.home)
            assert os.path.exists(second.home)
            second.close()

    with nothing_left(), sandbox_of(level, [folder]) as sandbox:
        trio.run(run)


def test_what_can_not_be_copied_is_said_in_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "team"
    folder.mkdir()
    for name in ("first", "second"):
        os.mkfifo(folder / name)
    folders = StartFolders()
    try:
        with pytest.raises(OSError, match=r"^`\S+` is a named pipe$"):
            folders.make(str(folder))
    finally:
        folders.close()


KILLED = """
import os, signal, sys, tempfile
import trio
from arena.referee.sandbox import open_sandbox
from sandboxes import spec_of

async def run():
    process = await sandbox.spawn()
    print(process.home, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

with open_sandbox(spec_of(sys.argv[1])) as sandbox:
    trio.run(run)
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", LEVELS[2:])
def test_a_killed_referee_leaves_no_folder(level: str) -> None:
    need(level)
    variables = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests"), *sys.path]),
        "TMPDIR": tempfile.gettempdir(),
    }
    with no_process_left():
        done = subprocess.run(
            [sys.executable, "-c", KILLED, level],
            capture_output=True,
            text=True,
            env=os.environ | variables,
            check=False,
        )
    assert done.returncode == -signal.SIGKILL, done.stderr
    home = done.stdout.strip()
    assert home.startswith(tempfile.gettempdir())
    assert not os.path.exists(home)


@pytest.mark.exhaustive
@pytest.mark.skipif(
    os.geteuid() != 0 or bool(can_be_ordinary_user()),
    reason="only root can become another user",
)
def test_it_is_the_same_for_an_ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", None)
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", __file__]
    arguments += ["-k", "not ordinary", "-m", "exhaustive or not exhaustive"]
    arguments += ["--rootdir", str(ROOT)]
    done = run_as_ordinary_user(arguments, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped" not in done.stdout
