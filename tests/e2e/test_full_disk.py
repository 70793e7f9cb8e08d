"""A disk that is full or read-only stops a league in a sentence and damages nothing."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

import pytest
from commands import BY_CHANCE, CAREFUL, Course
from matrix import divided
from processes import no_process_left

PAIR = 30
UNSHARE = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]


def why_not() -> str:
    """Say why no file system of its own can be mounted for a test."""
    if shutil.which("unshare") is None:
        return "no program unshare"
    command = [*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr.strip()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A league that has been played once where there was room enough."""
    if reason := why_not():
        pytest.skip(f"can't mount a small file system: {reason}")
    course = Course(tmp_path_factory.mktemp("disk") / "course")
    course.write_bot("ana", CAREFUL)
    course.write_bot("ben", BY_CHANCE)
    course.write_bot("cid", "return 'stop' if obs.brains > 2 else 'roll'")
    # The luck of such a game takes little to work out.
    game = {"game": "zombie_dice", "fixtures": PAIR // 2, "options": {"target": 7}}
    course.write_league(game, luck_adjustment=True)
    course.league("small.yaml", "--workers", "1", "--results", "results/whole")
    return course


def run_on_small_disk(course: Course, *steps: str) -> list[str]:
    """Run shell commands where `disk` is a file system of its own; return what they
    print, with `code N` after each."""
    (course.folder / "disk").mkdir(exist_ok=True)
    arena = f"{shlex.quote(sys.executable)} -m arena"
    script = "\n".join(f"{step}; echo code $?" for step in steps)
    with no_process_left():
        done = subprocess.run(
            [*UNSHARE, "sh", "-c", script.replace("ARENA", arena)],
            cwd=course.folder,
            # So that an error has one line.
            env=course.variables | {"COLUMNS": "1000"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert "Traceback" not in done.stdout + done.stderr
    return [*(done.stdout + done.stderr).splitlines()]


KEYS = (
    "mkdir -m 700 disk/.secrets && "
    "cp -p results/.secrets/whole.json disk/.secrets/small.json"
)
LEAGUE = "ARENA league small.yaml --workers 1 --results disk/small"


@pytest.mark.parametrize("size", divided(("48k", "96k"), lambda size: size == "48k"))
def test_a_full_disk(course: Course, size: str) -> None:
    """From one with no room for the first game to one with none for the tables."""
    lines = run_on_small_disk(
        course,
        f"mount -t tmpfs -o size={size} none disk",
        KEYS,
        f"{LEAGUE} 2>&1 | tail -n 1",
        "cp -a disk larger && umount disk && mv larger/small larger/.secrets disk",
        LEAGUE,
        "rm -rf results/small; mv disk/small results/small",
        "rm -r disk/.secrets larger",
    )
    assert lines.count("code 0") == 7, lines
    said = lines[2]
    assert re.match(r"arena: (/.*/)?disk/small", said), said
    assert "No space left" in said or "disk is full" in said or "disk I/O" in said, said
    course.check_same()


@pytest.mark.exhaustive
def test_results_that_became_read_only(course: Course) -> None:
    lines = run_on_small_disk(
        course,
        "mkdir disk/small; cp results/whole/league.sqlite disk/small",
        KEYS,
        "mount --bind disk/small disk/small",
        "mount -o remount,bind,ro disk/small",
        f"{LEAGUE} 2>&1 | tail -n 1",
        "cmp disk/small/league.sqlite results/whole/league.sqlite",
        "umount disk/small",
        LEAGUE,
        "rm -rf results/small; mv disk/small results/small; rm -r disk/.secrets",
    )
    assert lines.count("code 0") == 9, lines
    said = lines[4]
    assert said == (
        "arena: disk/small: can't write results here (no permission, or a read-only "
        "disk); choose another place with --results"
    )
    assert course.files() == course.files("whole")


@pytest.mark.exhaustive
def test_collecting_onto_a_full_disk(course: Course) -> None:
    """Nothing is half there, and with more room the same command goes on."""
    with zipfile.ZipFile(course.folder / "bot-1.zip", "w") as export:
        for number in range(5):
            place = f"Ana {number}_{number}_assignsubmission_file"
            export.write(course.bots / "ana.py", f"{place}/bot.py")
            export.writestr(f"{place}/weights.npz", os.urandom(30_000))
    collect = "ARENA collect bot-1.zip --into disk/hand_ins"
    lines = run_on_small_disk(
        course,
        "mount -t tmpfs -o size=96k none disk",
        f"{collect} 2>&1 | tail -n 1",
        "ls -A disk",
        "mount -o remount,size=4m disk",
        f"{collect} | tail -n 5",
        "ls -A disk/hand_ins",
        "umount disk",
    )
    assert lines.count("code 0") == 7, lines
    assert lines[1:3] == [
        "arena: disk/hand_ins: can't be written (No space left on device); what lay "
        "there is safe: make room or allow writing there, then run the same again",
        "code 0",
    ]
    assert lines[3] == "code 0"
    names = ["students.csv", *(f"ana-{number}" for number in range(5))]
    assert sorted(lines[-8:-2]) == sorted(names)
