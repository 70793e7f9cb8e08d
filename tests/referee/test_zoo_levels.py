"""Each level of isolation keeps its promises against hostile bots, also as root.

Every level plays the zoo (`zoo_table.py`) in a process of its own, and the table of
what came of it is printed: `pytest -rP tests/referee/test_zoo_levels.py` shows it.
At the strongest level that this machine gives, all of it is played, and it is seen
too that who misbehaves loses exactly its games and is told why.
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
from typing import Any

import msgspec
import pytest
from matrix import divided
from ordinary_user import can_be_ordinary_user, run_as_ordinary_user
from zoo_cases import CASES, EVERYWHERE, Case
from zoo_ground import Ground
from zoo_table import Row, show

from arena.referee.sandbox import LEVELS
from arena.worker.confinement import landlock_abi

HERE = Path(__file__).parent
TIMEOUT_S = 600.0
"""Seconds after which a level has failed to play the zoo."""
USERS = ("this user", "an ordinary user")
TRY_BUBBLEWRAP = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="what bots do is watched in Linux's /proc"
)


def run_python(user: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run Python as a user."""
    if user == "an ordinary user":
        return run_as_ordinary_user(arguments, timeout=TIMEOUT_S)
    return subprocess.run(
        [sys.executable, "-B", *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def why_not(user: str, level: str) -> str:
    """Return the reason why this machine can't give a level; empty if it can.

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


_SAMPLE = (
    "loops",
    "dies: segfault",
    "finds_descriptors",
    "reads_environment",
    "hoards_mappings",
    "bombs_with_threads",
    "forks",
    "runs_programs",
    "kills_sibling",
    "plants_files",
    "reads_canary",
    "looks_at_canary",
    "seeks_values: imports",
    "seeks_values: opens",
    "connects",
    "whispers_by_lock",
    "keeps_a_global (restart: game)",
)
SAMPLES = {
    "namespaces": _SAMPLE,
    "filters": _SAMPLE,
    "limits": ("loops", "hoards_mappings", "bombs_with_threads", "runs_programs"),
    "process": (
        *("loops", "finds_descriptors", "forks", "reads_canary"),
        *("seeks_values: imports", "seeks_values: opens"),
    ),
}
"""Harm of each kind: by time, processes, memory, threads, files, the network.

Where Python has to be started for each there are only those that this level is about,
and one that it keeps from nothing.
"""
PLAYED_ELSEWHERE = {
    "burns",
    "chatters",
    "counts_games",
    "never_rests",
    "remembers_luck",
    "selective",
    "speaks_bytes",
    "speaks_when_nudged",
}
"""Bots that misbehave in no game of these."""


def cases_of(user: str, level: str, breadth: str) -> list[Case]:
    """Return the cases that a user plays at a level: those that something is said of.

    The two users share those that every level keeps alike, if there is nothing else
    to be seen of them.
    """
    root = user == USERS[0] and os.geteuid() == 0
    cases = [case for case in CASES if case.is_expected(level, root)]
    if breadth == "sample":
        return [case for case in cases if case.name in SAMPLES[level]]
    if breadth == "all" or can_be_ordinary_user():
        return cases
    alike = [case for case in cases if case.kept == EVERYWHERE]
    shared = alike[USERS.index(user) :: len(USERS)]
    return [case for case in cases if case not in alike or case in shared]


Play = tuple[str, str, str]
"""A user, a level (`best`: the strongest there is), and which cases are played."""
PLAYS: list[Play] = [
    (USERS[0], "best", "all"),
    *((USERS[0], level, "sample") for level in LEVELS[1:]),
    *((USERS[1], level, "sample") for level in LEVELS),
    *((USERS[0], level, "shared") for level in LEVELS[1:]),
    *((USERS[1], level, "shared") for level in LEVELS),
]


def play_zoo(play: Play) -> list[tuple[Case, Row]]:
    """Return the results of the cases of a play."""
    user, level, breadth = play
    if level == "best":
        level = next(name for name in LEVELS if not why_not(user, name))
    elif reason := why_not(user, level):
        pytest.skip(f"{level}, {user}: {reason}")
    cases = cases_of(user, level, breadth)
    arguments = [str(HERE / "zoo_table.py"), "--json", level]
    done = run_python(user, [*arguments, *(case.name for case in cases)])
    assert done.returncode == 0, done.stderr
    rows = msgspec.json.decode(done.stdout, type=list[Row])
    return list(zip(cases, rows, strict=True))


@pytest.fixture(scope="module")
def played(request: pytest.FixtureRequest) -> Iterator[dict[Play, Future[Any]]]:
    """All plays that are asked for, two at a time: much of them is waiting."""
    plays = [
        (call["user"], call["level"], call["breadth"])
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.function is test_level_contains_the_zoo
        and (call := item.callspec.params)
    ]
    with ThreadPoolExecutor(len(USERS)) as pool:
        yield {play: pool.submit(play_zoo, play) for play in plays}
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(
    ("user", "level", "breadth"), divided(PLAYS, lambda play: play[2] != "shared")
)
def test_level_contains_the_zoo(
    user: str,
    level: str,
    breadth: str,
    played: dict[Play, Future[list[tuple[Case, Row]]]],
) -> None:
    """Proves gotchas 1 (`mounts`), 2 (`bombs_with_forks`) and 4 (`plants_files`,
    `fills_disk`, `fills_inodes`) too, where the user is root."""
    found = played[user, level, breadth].result()
    rows = [row for _, row in found]
    root = user == USERS[0] and os.geteuid() == 0
    verdicts = Counter(row.verdict for row in rows)
    print(f"{rows[0].level}, {user} (uid {os.geteuid() if root else 65534}):")
    print(", ".join(f"{count} {word}" for word, count in sorted(verdicts.items())))
    print(show(rows))
    problems = [
        f"{case.name}: {problem}"
        for case, row in found
        if (problem := problem_with(case, row, root, explained=breadth == "all"))
    ]
    assert not problems, "\n".join(problems)


def problem_with(case: Case, row: Row, root: bool, *, explained: bool) -> str:
    """Describe the errors in the result of a case; empty if there are none."""
    assert row.case == case.name
    if not row.ran:
        expected = case.may_run(row.level, root)
        return "not run: others had leaked" if expected else ""
    if case.must_bite(row.level, root):
        return "" if row.leaks else "does no harm where nothing keeps it from it"
    if row.leaks:
        return f"leaked: {'; '.join(row.leaks)}"
    ends = row.termination.split(", ")
    if not set(ends) <= set(case.ends):
        return f"ended by {row.termination} ({row.messages}); expected {case.ends}"
    if row.oddities and case.against != "twin":
        return f"its records are odd: {', '.join(row.oddities)}"
    for message in row.messages if explained else ():
        if not re.match(case.message, message):
            return f"is told: {message}"
    return ""


def test_every_case_is_played_where_something_is_expected_of_it() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    culprits = {
        path.stem
        for path in (HERE.parent / "zoo").glob("*.py")
        if "\nclass Culprit" in path.read_text()
    }
    assert culprits - {case.file for case in CASES} == PLAYED_ELSEWHERE
    for level in LEVELS:
        played = {c.name for user in USERS for c in cases_of(user, level, "shared")}
        users = (True, False)
        expected = {
            c.name for c in CASES for root in users if c.is_expected(level, root)
        }
        assert played >= expected if os.geteuid() == 0 else played <= expected
        sample = {c.name for c in cases_of(USERS[1], level, "sample")}
        assert sample >= {*SAMPLES[level]} - {"looks_at_canary"}


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


ODD = Row("loops", "filters", termination="timeout", oddities=("blame",))
TOLD = Row("loops", "filters", termination="timeout", messages=("Oops",))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (Row("reads_canary", "filters", leaks=("canary",)), "leaked: canary"),
        (Row("loops", "filters", termination="natural"), "ended by natural"),
        (Row("mounts", "filters", ran=False), "not run: others had leaked"),
        (Row("reads_canary", "process", termination="natural"), "does no harm where"),
        (ODD, "its records are odd: blame"),
        (TOLD, "is told: Oops"),
        (Row("mounts", "limits", ran=False), ""),
        (Row("loops", "process", termination="timeout"), ""),
    ],
)
def test_row_is_held_against_what_is_expected(row: Row, problem: str) -> None:
    (case,) = (case for case in CASES if case.name == row.case)
    found = problem_with(case, row, root=False, explained=True)
    assert found.startswith(problem)
    assert bool(found) == bool(problem)
