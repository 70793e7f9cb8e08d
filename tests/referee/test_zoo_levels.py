"""What each level of isolation keeps from hostile bots, as root and otherwise.

Every level plays the zoo (`zoo_table.py`) in a process of its own, and the table of
what came of it is printed: `pytest -rP tests/referee/test_zoo_levels.py` shows it.
The two users share those that every level keeps alike; `test_zoo.py` has them all.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from ordinary_user import can_be_ordinary_user, run_as_ordinary_user
from zoo_cases import CASES, EVERYWHERE, Case
from zoo_ground import Ground
from zoo_table import Row, show

from arena.referee.sandbox import LEVELS
from arena.worker.confinement import landlock_abi

HERE = Path(__file__).parent
PATIENCE = 600.0
"""Seconds after which a level has failed to play the zoo."""
USERS = ("this user", "an ordinary user")
TRY_BUBBLEWRAP = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="what bots do is watched in Linux's /proc"
)


def run_python(user: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run Python as a user."""
    if user == "an ordinary user":
        return run_as_ordinary_user(arguments, timeout=PATIENCE)
    return subprocess.run(
        [sys.executable, "-B", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def why_not(user: str, level: str) -> str:
    """Return what this machine lacks for a level; empty if nothing.

    The sandbox itself is not asked: it must not be excused by its own failure.
    """
    if user == "an ordinary user" and (reason := can_be_ordinary_user()):
        return reason
    if level == "filters" and not landlock_abi():
        return "this kernel has no Landlock"
    if level == "namespaces":
        if shutil.which("bwrap") is None:
            return "bubblewrap is not installed (no program bwrap)"
        code = f"import os; os.execvp('bwrap', {TRY_BUBBLEWRAP})"
        done = run_python(user, ["-c", code])
        if done.returncode:
            return f"bubblewrap can't be used here: {done.stderr.strip()}"
    return ""


def cases_of(user: str) -> list[Case]:
    """Return the cases that a user plays."""
    if can_be_ordinary_user():
        return list(CASES)
    alike = [case for case in CASES if case.kept == EVERYWHERE]
    shared = {case.name for case in alike[USERS.index(user) :: len(USERS)]}
    return [case for case in CASES if case not in alike or case.name in shared]


def play_zoo(user: str, level: str) -> list[Row]:
    """Return what came of the cases of a user at a level."""
    if reason := why_not(user, level):
        pytest.skip(f"{level}, {user}: {reason}")
    names = [case.name for case in cases_of(user)]
    done = run_python(user, [str(HERE / "zoo_table.py"), "--json", level, *names])
    assert done.returncode == 0, done.stderr
    return msgspec.json.decode(done.stdout, type=list[Row])


@pytest.fixture(scope="module")
def tables() -> Iterator[dict[tuple[str, str], Future[list[Row]]]]:
    """The tables of all users and levels, one after another for each user."""
    with ThreadPoolExecutor(len(USERS)) as pool:
        yield {
            (user, level): pool.submit(play_zoo, user, level)
            for level in LEVELS
            for user in USERS
        }
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("user", USERS)
def test_level_contains_the_zoo(
    user: str, level: str, tables: dict[tuple[str, str], Future[list[Row]]]
) -> None:
    """Proves gotchas 1 (`mounts`), 2 (`bombs_with_forks`) and 4 (`plants_files`,
    `fills_disk`, `fills_inodes`) too, where the user is root."""
    rows = tables[user, level].result()
    verdicts = Counter(row.verdict for row in rows)
    print(f"{level}, {user} (uid {os.geteuid() if user == USERS[0] else 65534}):")
    print(", ".join(f"{count} {word}" for word, count in sorted(verdicts.items())))
    print(show(rows))
    root = user == USERS[0] and os.geteuid() == 0
    problems = [
        f"{case.name}: {problem}"
        for case, row in zip(cases_of(user), rows, strict=True)
        if (problem := problem_with(case, row, root))
    ]
    assert not problems, "\n".join(problems)


def problem_with(case: Case, row: Row, root: bool) -> str:
    """Say what is wrong with what came of a case; nothing if all is as expected."""
    assert row.case == case.name
    if not row.ran:
        expected = case.may_run(row.level, root)
        return "not run: others had leaked" if expected else ""
    if not case.is_kept(row.level, root):
        bites = bool(row.leaks) or row.level != "process" or not case.must_bite(root)
        return "" if bites else "does no harm where nothing keeps it from it"
    if row.leaks:
        return f"leaked: {'; '.join(row.leaks)}"
    if row.termination not in case.ends:
        return f"ended by {row.termination} ({row.message}); expected {case.ends}"
    return ""


def test_everything_of_the_zoo_is_tried() -> None:
    tests = "".join(path.read_text() for path in HERE.parent.glob("*/*.py"))
    for path in (HERE.parent / "zoo").glob("*.py"):
        assert re.search(rf"\b{path.stem}\b", tests), path
    assert len({case.name for case in CASES}) == len(CASES) >= 60


def test_every_case_is_played_at_every_level() -> None:
    played = {case.name for user in USERS for case in cases_of(user)}
    assert played == {case.name for case in CASES}


def test_ground_shows_what_is_done_to_it() -> None:
    with Ground() as ground:
        assert ground.damage() == []
        os.kill(ground.victim, signal.SIGURG)
        os.kill(os.getpid(), signal.SIGURG)
        ground.canary.write_text("eaten")
        (Path("/tmp") / ground.mark).touch()
        assert ground.damage() == [
            "changed results/canary",
            f"left /tmp/{ground.mark}",
            "signalled the referee",
            "signalled a sibling",
        ]
        assert ground.damage() == []
        os.kill(ground.victim, signal.SIGKILL)
        assert ground.damage() == ["killed a sibling"]
        assert ground.damage() == []


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (Row("reads_canary", "filters", leaks=("canary",)), "leaked: canary"),
        (Row("loops", "filters", termination="natural"), "ended by natural"),
        (Row("mounts", "filters", ran=False), "not run: others had leaked"),
        (Row("reads_canary", "process", termination="natural"), "does no harm where"),
        (Row("reads_canary", "limits", leaks=("canary",)), ""),
        (Row("mounts", "limits", ran=False), ""),
        (Row("loops", "process", termination="timeout"), ""),
    ],
)
def test_row_is_held_against_what_is_expected(row: Row, problem: str) -> None:
    (case,) = (case for case in CASES if case.name == row.case)
    found = problem_with(case, row, root=False)
    assert found.startswith(problem)
    assert bool(found) == bool(problem)
