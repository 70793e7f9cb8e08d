"""A league on a Dask cluster: the same bytes as here, whoever is killed."""

import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clusters import DaskCluster, dask_cluster
from commands import CAREFUL, TIMEOUT_S, Course, announce, only, wait_for
from warm import Command

LABEL = 6
"""Games of each label; those of one are never played with those of another."""
ALL = 4 * LABEL
OPEN = 7
"""The target in the first label."""
DOOR = """
import os

from arena.hooks import hookimpl
from arena.referee.sandbox.cold import LimitsSandbox


class DoorSandbox(LimitsSandbox):
    name = "door"

    def __init__(self, spec):
        if "DOOR" not in os.environ:
            raise OSError("the door is shut")
        super().__init__(spec)


@hookimpl
def arena_sandboxes():
    return {"door": "arena_door:DoorSandbox"}
"""
"""An isolation level that a machine gives only if it is told to."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """That of whoever can play at the level."""
    site = tmp_path_factory.mktemp("site")
    announce(site, "arena_door", DOOR, "door")
    announce(site, "luck", "CHANCE = 0.5\n")
    return {"PYTHONPATH": str(site), "DOOR": "open"}


@pytest.fixture(scope="module")
def whole(
    environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Course:
    """A league that stops where a test wants it to, played here without a stop."""
    course = Course(tmp_path_factory.mktemp("cluster") / "course")
    course.environment |= environment
    course.write_bot("ben", "return self.rng.choice(['roll', 'stop'])")
    # It begins no game of most labels before a file is there.  Only at the weaker
    # levels can it see that, wherever its own file is kept.
    gate = str(course.folder / "gate")
    start = (
        "import os, time",
        f"while obs.target > {OPEN} and not os.path.exists({gate!r}):",
        "    time.sleep(0.002)",
    )
    course.write_bot("gated", CAREFUL, method="zombie_dice", start=start)
    games = [
        {
            "game": "zombie_dice",
            "label": f"to {target}",
            "options": {"target": target},
            "fixtures": LABEL // 2,
        }
        for target in range(OPEN, OPEN + 4)
    ]
    course.write_league(*games, isolation="door", packages=["luck"])
    open_gate(course)
    course.league("small.yaml", "--results", "results/whole")
    return course


@pytest.fixture(scope="module")
def small_cluster(
    environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DaskCluster]:
    """A scheduler, and a worker that can play at the level of the course."""
    with dask_cluster(tmp_path_factory.mktemp("dask")) as cluster:
        cluster.add_worker(environment)
        yield cluster


@pytest.fixture(scope="module")
def cluster(environment: dict[str, str], small_cluster: DaskCluster) -> DaskCluster:
    """The same with two workers."""
    small_cluster.add_worker(environment)
    return small_cluster


@pytest.fixture
def course(whole: Course, tmp_path: Path) -> Iterator[Course]:
    """The league, not played yet and with its gate closed."""
    (whole.folder / "gate").unlink(missing_ok=True)
    yield whole
    results = whole.folder / "results" / "small"
    if results.exists():
        results.rename(tmp_path / "results")


def open_gate(course: Course) -> None:
    (course.folder / "gate").touch()


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def finish(league: Command) -> str:
    _, err = league.communicate(timeout=TIMEOUT_S)
    assert league.returncode == 0, err
    return err


def test_a_cluster_plays_what_this_machine_would(
    small_cluster: DaskCluster, tmp_path: Path
) -> None:
    course = Course(tmp_path / "course")
    course.write_bot("ana", CAREFUL, method="zombie_dice")
    course.write_bot("cid", "from helper import answer", "return answer(obs)")
    (course.folder / "helper.py").write_text("def answer(obs):\n    return 'stop'\n")
    course.write_bot("dan", "raise ValueError(str(obs.seat))")
    (course.bots / "eva").mkdir()
    (course.bots / "eva" / "__init__.py").write_text(
        """\
from pathlib import Path

from arena import Bot

WORDS = (Path(__file__).parent / "data" / "words.txt").read_text().split()


class Eva(Bot):
    def zombie_dice(self, obs):
        return self.rng.choice(WORDS)
"""
    )
    (course.bots / "eva" / "data").mkdir()
    (course.bots / "eva" / "data" / "words.txt").write_text("roll stop stop\n")
    dice = {"game": "zombie_dice", "fixtures": 3}
    course.write_league(
        dice, {"game": "ox_blocks", "fixtures": 1}, quarantine=3, shared=["helper.py"]
    )
    course.league("small.yaml", "--workers", "1", "--results", "results/whole")
    course.league("small.yaml", "--executor", small_cluster.address)
    course.check_same()
    faults = course.files()["faults.csv"].decode()
    assert "dan.py:4: its process says 'ValueError: 0'" in faults
    assert "quarantine" in faults
    # It finds what lies in its package.
    evas = only(course.export(), {"Ana", "Eva"})
    assert {game["termination"] for game in evas} == {"natural"}
    # What is recorded already needs no cluster.
    out = course.league("small.yaml", "--executor", "dask://127.0.0.1:1")
    assert "\n0 games done" in out


@pytest.mark.exhaustive
def test_a_worker_that_is_killed_loses_nothing_and_a_late_one_helps(
    course: Course, cluster: DaskCluster
) -> None:
    victim = cluster.add_worker(course.environment)
    late = cluster.add_worker(course.environment, late=True)
    words = ("league", "small.yaml", "--executor", cluster.address)
    with course.running(*words) as league:
        # All three play what can't end.
        wait_for(league, lambda: len(cluster.referees()) == 3)
        wait_for(league, lambda: course.recorded() == LABEL)
        victim.kill()
        victim.wait()
        wait_for(league, lambda: len(cluster.referees()) == 2)
        cluster.let_in()
        wait_for(league, lambda: len(cluster.referees()) == 3)
        open_gate(course)
        err = finish(league)
    assert "note: a referee was lost once; " in err
    course.check_same()
    late.kill()
    late.wait()


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_a_league_that_ends_early_leaves_nothing_on_the_cluster(
    course: Course, cluster: DaskCluster, name: str
) -> None:
    words = ("league", "small.yaml", "--executor", cluster.address)
    with course.running(*words) as league:
        wait_for(league, lambda: course.recorded() == LABEL)
        wait_for(league, lambda: len(cluster.referees()) == 2)
        league.send_signal(signal.Signals[name])
        out, err = league.communicate(timeout=TIMEOUT_S)
    if name == "SIGINT":
        assert (league.returncode, out) == (130, "")
        assert re.search(rf"\ninterrupted: {LABEL} of {ALL} games ", err)
        assert "lost" not in err
        assert not cluster.referees()
    wait_until(lambda: not cluster.referees())
    assert course.recorded() == LABEL


@pytest.mark.exhaustive
def test_a_worker_that_is_not_as_this_machine_takes_nothing(
    course: Course, cluster: DaskCluster, tmp_path: Path
) -> None:
    site = course.environment["PYTHONPATH"]
    announce(tmp_path, "luck", "CHANCE = 1.0\n", version="2.0")
    weak = cluster.add_worker({"PYTHONPATH": site})
    other = cluster.add_worker({"PYTHONPATH": f"{tmp_path}:{site}", "DOOR": "open"})
    for worker in (weak, other):
        wait_for(worker, lambda: cluster.has_joined(worker))  # noqa: B023
    with course.running(
        "league", "small.yaml", "--executor", cluster.address
    ) as league:
        # Before both are refused, the others can't come to an end.
        wait_for(league, lambda: league.printed()[1].count("takes no games") == 2)
        open_gate(course)
        err = finish(league)
    assert not course.temporary_files()
    for worker, why in [
        (
            weak,
            "isolation door can't be had on this machine (door: the door is shut); "
            "arena doctor says what could help",
        ),
        (other, "luck is 2.0 there and 1.0 here"),
    ]:
        worker.kill()
        worker.wait()
        found = re.findall(rf"takes no games: {re.escape(why)}\n", err)
        assert len(found) == 1, err
    assert err.count("takes no games") == 2
    assert course.files() == course.files("whole")


@pytest.mark.exhaustive
def test_a_lost_scheduler_is_said_and_what_was_played_is_kept(
    course: Course, tmp_path: Path
) -> None:
    with dask_cluster(tmp_path / "dask") as cluster:
        cluster.add_worker(course.environment)
        words = ("league", "small.yaml", "--executor", cluster.address)
        with course.running(*words) as league:
            wait_for(league, lambda: course.recorded() == LABEL)
            cluster.scheduler.kill()
            out, err = league.communicate(timeout=TIMEOUT_S)
        assert (league.returncode, out) == (3, "")
        assert err.endswith(
            f"arena: the connection to {words[3]} was lost; what was played is "
            "recorded, and the same command goes on\n"
        )
        assert course.recorded() == LABEL
        # Workers without a scheduler end, and so do their referees.
        wait_until(lambda: not cluster.referees())
