"""Runs `arena` as a user does, and makes sure that it leaves nothing behind."""

import csv
import io
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from processes import children, no_process_left
from warm import Command, forks

from arena.errors import RecordError
from arena.league.results.secret import Secret, secret_path, write_secret

FILES = (
    "leaderboard.json",
    "leaderboard.csv",
    "leaderboard.md",
    "ratings.json",
    "crosstable.csv",
    "faults.csv",
)
"""What a league writes beside its games."""
TIMEOUT_S = 120.0
"""For anything to happen in a test; then it has failed."""
FIRST = "return obs.legal_actions[0]"
LAST = "return obs.legal_actions[-1]"
BY_CHANCE = "return self.rng.choice(obs.legal_actions)"
SECRET = Secret(b"luck" * 8, b"ids." * 8, b"name" * 8)
"""The keys of all leagues here, so that they come out alike."""
CAREFUL = "return 'stop' if obs.shotguns else 'roll'"


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str


def write_files(files: Mapping[str, str], folder: Path) -> None:
    """Write files by their paths below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def installed(files: Mapping[str, str], folder: Path) -> Path:
    """Install a package from its files, by name, as its readers do; return where."""
    source, site = folder / "source", folder / "site"
    write_files(files, source)
    pip = "-m pip --isolated --disable-pip-version-check install --no-index --no-deps"
    words = [*pip.split(), "--no-build-isolation", "--target", site, source]
    run_python(*words, cwd=folder)
    return site


def announce(
    site: Path, module: str, text: str = "", point: str = "", version: str = "1.0"
) -> None:
    """Write a module as an installer leaves it, with an entry point or without."""
    info = site / f"{module}-{version}.dist-info"
    info.mkdir(parents=True)
    (site / f"{module}.py").write_text(text)
    metadata = f"Metadata-Version: 2.1\nName: {module}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata)
    (info / "RECORD").write_text(f"{module}.py,,\n")
    if point:
        (info / "entry_points.txt").write_text(f"[arena]\n{point} = {module}\n")


def run_python(
    *words: str | Path, cwd: Path, environment: Mapping[str, str] | None = None
) -> str:
    """Run Python to its end; return what it prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Page:
    """A page of the documentation that shows all files of a package."""

    def __init__(self, path: str) -> None:
        self.path = Path(__file__).parents[2] / path
        self.text = self.path.read_text()
        block = r"`([\w./]+)`[^\n`]*:\n\n```\w+\n(.*?)```"
        self.files = dict(re.findall(block, self.text, flags=re.DOTALL))
        """The blocks of code, by the names of their files."""
        assert self.text.count("```") == 2 * len(self.files)

    def commands(self) -> list[list[str]]:
        """Return the commands that it shows, a list of words each."""
        lines = re.findall(r"^    ((?:arena|python) .*)$", self.text, re.MULTILINE)
        return [shlex.split(line.partition(" > ")[0]) for line in lines]

    def check_types(self, folder: Path, *names: str) -> None:
        """Have the types of some of its files checked, or of all."""
        write_files(self.files, folder)
        run_python("-m", "mypy", "--strict", *names or ".", cwd=folder)


class Course:
    """A folder with bots, leagues and their results, where commands are run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bots = folder / "bots"
        self.bots.mkdir(parents=True)
        self._temporary = folder / "tmp"
        self._temporary.mkdir()
        (folder / "results").mkdir()
        self.environment: dict[str, str] = {}
        self.draws_keys = False
        """True if leagues draw keys of their own."""

    def write_bot(
        self, stem: str, *lines: str, method: str = "act", start: Sequence[str] = ()
    ) -> None:
        """Write a bot whose class is called like the file, and its one method.

        With `start` it has lines to begin a game with, too.
        """
        text = ["from arena import Bot", f"class {stem.title()}(Bot):"]
        for name, inside in ((method, lines), ("start", start)):
            if inside:
                text += [f"    def {name}(self, obs):"]
                text += [f"        {line}" for line in inside]
        (self.bots / f"{stem}.py").write_text("\n".join(text) + "\n")

    def write_league(self, *games: object, name: str = "small", **keys: object) -> str:
        """Write a league's file with generous limits; return its name.

        Luck takes longer to work out than these games to play, so it is left alone.
        """
        limits = {"start": 60, "move": 60, "bank": 60}
        league = {"name": name, "bots": "bots", "limits": limits, "games": games}
        league["luck_adjustment"] = False
        (self.folder / f"{name}.yaml").write_text(
            yaml.safe_dump(json.loads(json.dumps(league | keys)))
        )
        return f"{name}.yaml"

    def arena(self, *words: str | Path) -> Done:
        """Run a command to its end; nothing of it may be left."""
        with self.running(*words) as command:
            out, err = command.communicate(timeout=TIMEOUT_S)
        assert command.returncode is not None
        assert not self.temporary_files()
        return Done(command.returncode, out, without_load_and_keys(err))

    def league(self, *words: str | Path) -> str:
        """Run a league to its end; return what it prints."""
        done = self.arena("league", *words)
        assert done.code == 0, done.err
        return done.out

    @contextmanager
    def running(self, *words: str | Path) -> Iterator[Command]:
        """Run a command during a block that ends or kills it."""
        self._give_keys(words)
        fork = forks()
        with no_process_left():
            command = fork.start([*map(str, words)], self.folder, self.variables)
            try:
                yield command
            finally:
                command.close()

    def _give_keys(self, words: Sequence[str | Path]) -> None:
        """Give a league that is to be played the keys of all leagues here."""
        told = [*map(str, words)]
        if self.draws_keys or told[:1] != ["league"] or len(told) == 1:
            return
        name = f"results/{Path(told[1]).stem}"
        if "--results" in told[:-1]:
            name = told[told.index("--results") + 1]
        folder = self.folder / name
        if folder.parent.is_dir() and not secret_path(folder).exists():
            with suppress(RecordError):
                write_secret(folder, SECRET)

    @property
    def variables(self) -> dict[str, str]:
        """The environment of its commands."""
        ours = {"TMPDIR": str(self._temporary), "COLUMNS": "100"}
        return os.environ | ours | self.environment

    def temporary_files(self) -> list[str]:
        """Return the files that the command has left there."""
        return os.listdir(self._temporary)

    def check_same(self, one: str = "small", other: str = "whole") -> None:
        """Check that two results folders have the same games and derived files."""
        assert self.files(one) == self.files(other)
        assert self.export(one, "--moves") == self.export(other, "--moves")

    def files(self, name: str = "small") -> dict[str, bytes]:
        """Return the derived files of a results folder."""
        return {f: (self.results(name) / f).read_bytes() for f in FILES}

    def faults(self, name: str = "small") -> list[dict[str, str]]:
        """Return the rows of `faults.csv`."""
        text = self.files(name)["faults.csv"].decode()
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def export(self, name: str = "small", *options: str) -> list[dict[str, Any]]:
        """Return the games of a league, without the seconds they took."""
        done = self.arena("export", f"results/{name}", *options)
        assert (done.code, done.err) == (0, "")
        games = [json.loads(line) for line in done.out.splitlines()]
        return [{k: v for k, v in game.items() if k != "seconds"} for game in games]

    def recorded(self, name: str = "small", table: str = "games") -> int:
        """Return the number of games, or rows of another table, by now."""
        return len(self.rows(f"SELECT game_id FROM {table}", name))

    def rows(self, query: str, name: str = "small") -> list[tuple[Any, ...]]:
        """Return the result of a query to a league that may be being played."""
        path = self.results(name) / "league.sqlite"
        try:
            database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
            with closing(database):
                return database.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []

    def results(self, name: str = "small") -> Path:
        """Return the results folder of a league."""
        return self.folder / "results" / name

    def forget(self, game_ids: Iterable[str], name: str = "small") -> None:
        """Delete games from a results folder, as if they had not been played yet."""
        rows = [(game_id,) for game_id in game_ids]
        with closing(sqlite3.connect(self.results(name) / "league.sqlite")) as database:
            database.executemany("DELETE FROM games WHERE game_id = ?", rows)
            database.commit()

    def copy_results(self, name: str, to: str) -> None:
        """Copy a results folder with its keys."""
        shutil.copytree(self.results(name), self.results(to))
        write_secret(self.results(to), SECRET)


def without_load_and_keys(err: str) -> str:
    """Leave out what depends on how busy the machine is, and where keys come from."""
    left_out = re.compile(
        r"note: (the machine is busy|\S+\.json has been there since before the first)"
    )
    lines = err.splitlines(keepends=True)
    return "".join(line for line in lines if not left_out.match(line))


def wait_for(
    command: Command | subprocess.Popen[str], condition: Callable[[], object]
) -> None:
    """Wait until something is the case, while a command runs."""
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert command.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)


def descendants(pid: int, module: str) -> list[int]:
    """Return the processes below another that run a module, oldest first."""
    found: list[int] = []
    below = [pid]
    for parent in below:
        below += sorted(children(parent))
    for pid in below[1:]:
        with suppress(OSError):
            if module.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(
                b"\0"
            ):
                found.append(pid)
    return found


def victims(coordinator: int, kind: str) -> list[int]:
    """Return the processes of a league of one kind."""
    if kind == "coordinator":
        return [coordinator]
    if kind == "referee":
        return descendants(coordinator, "arena.referee")
    # What is forked from a zygote has its command line.
    alike = descendants(coordinator, "zygote")
    pythons = [pid for pid in alike if not _is_sandbox(pid)]
    forked = {child for pid in pythons for child in children(pid)}
    if kind == "zygote":
        return [pid for pid in alike if pid not in forked]
    apart = [pid for pid in pythons if pid in forked and not _is_first(pid)]
    return apart or descendants(coordinator, "serve")


def _is_first(pid: int) -> bool:
    """Say whether a process is there only to be the first of a contestant's."""
    with suppress(OSError, IndexError):
        status = Path(f"/proc/{pid}/status").read_text(errors="replace")
        return status.split("NSpid:")[1].splitlines()[0].split()[-1] == "1"
    return False


def _is_sandbox(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip() == "bwrap"
    return False


def names_in(table: str) -> list[str]:
    """Return the names of the first table of a leaderboard, from the top."""
    parts = [x.splitlines() for x in table.split("\n\n") if x.startswith("-")]
    lines = parts[0][3:-1]
    return [line.split()[1] for line in lines if not line.startswith("-")]


def only(games: Iterable[dict[str, Any]], names: set[str]) -> list[dict[str, Any]]:
    """Return the games in which nobody but these has played."""
    return [game for game in games if set(game["seats"]) <= names]
