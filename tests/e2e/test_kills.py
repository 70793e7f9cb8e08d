"""Whoever is killed, whenever: the league comes out as if nothing had happened."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from commands import BY_CHANCE, CAREFUL, TIMEOUT_S, Course, victims

KILLS = 5
PAIR = 120
LEAGUE = ("league", "small.yaml", "--workers", "2")
VICTIMS = ("coordinator", "referee", "zygote", "contestant")
WEIGHTS = (1, 2, 3, 3)
"""The first is there from the beginning, the others only while games are played."""


def make_course(folder: Path) -> Course:
    """Return a league that takes a while, played once without a disturbance."""
    course = Course(folder)
    course.write_bot("ana", CAREFUL)
    course.write_bot("ben", BY_CHANCE)
    course.write_bot("cid", "sum(range(2000))", CAREFUL)
    course.write_bot("dan", "return 'stop' if obs.brains > 2 else 'roll'")
    course.write_league({"game": "zombie_dice", "fixtures": PAIR // 2})
    course.league("small.yaml", "--results", "results/whole")
    return course


def kill_at_random(course: Course, kills: int, luck: Random) -> dict[str, int]:
    """Kill processes of a league at random instants; return how many of each kind.

    The league is run again whenever it has ended.
    """
    done = dict.fromkeys(VICTIMS, 0)
    leagues = 0
    while sum(done.values()) < kills:
        with course.running(*LEAGUE) as league:
            kind = luck.choices(VICTIMS, WEIGHTS)[0]
            while league.poll() is None and sum(done.values()) < kills:
                if not victims(league.pid, kind):
                    time.sleep(0.01)
                    continue
                time.sleep(luck.uniform(0.0, 0.5))
                if found := victims(league.pid, kind):
                    with suppress(ProcessLookupError):
                        os.kill(luck.choice(found), signal.SIGKILL)
                        done[kind] += 1
                kind = luck.choices(VICTIMS, WEIGHTS)[0]
            _, err = league.communicate(timeout=TIMEOUT_S)
        assert "Traceback" not in err
        assert league.returncode in (0, 3, -signal.SIGKILL), err
        assert not course.temporary_files()
        if course.recorded() == 6 * PAIR:
            # All is played: begin again, with other instants.
            leagues += 1
            course.results().rename(course.folder / f"done-{leagues}")
    return done


@pytest.mark.exhaustive
def test_kills_at_random_instants_change_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = make_course(tmp_path / "course")
    done = kill_at_random(course, KILLS, Random(1))
    course.league("small.yaml")
    course.check_same()
    with capsys.disabled():
        print(f" {done} ", end="")
