"""An isolation level from another package is chosen by its name, and held to its word.

The package is that of `arena/referee/README.md`, built and installed as its readers do.
"""

import re
from pathlib import Path

import pytest
from commands import CAREFUL, Course, Page, announce, installed
from sandboxes import why_not

PAGE = Page("arena/referee/README.md")
LEAKY = """
from arena.hooks import hookimpl
from arena.referee.sandbox.cold import ProcessSandbox


class LeakySandbox(ProcessSandbox):
    name = "leaky"
    contains = frozenset({"read"})


@hookimpl
def arena_sandboxes() -> dict[str, str]:
    return {"leaky": "arena_leaky:LeakySandbox"}
"""
PRINTS_NICENESS = (
    "import os",
    "print('niceness', os.getpriority(os.PRIO_PROCESS, 0))",
    "raise ValueError(obs.scores)",
)

pytestmark = pytest.mark.skipif(bool(why_not("filters")), reason=why_not("filters"))


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course where the page's package is installed, and one that lies."""
    folder = tmp_path_factory.mktemp("level")
    site = installed(PAGE.files, folder)
    announce(site, "arena_leaky", LEAKY, "leaky")
    course = Course(folder / "course")
    course.environment["PYTHONPATH"] = str(site)
    course.write_bot("ana", CAREFUL, method="zombie_dice")
    course.write_bot("ben", *PRINTS_NICENESS, method="zombie_dice")
    course.write_league({"game": "zombie_dice", "fixtures": 1})
    return course


@pytest.mark.exhaustive
def test_its_types_are_sound(tmp_path: Path) -> None:
    PAGE.check_types(tmp_path)


def test_a_league_is_played_at_it(course: Course) -> None:
    (words,) = (x[3:] for x in PAGE.commands() if x[-1] == "gentle")
    done = course.arena("league", "small.yaml", *words)
    assert done.code == 0
    assert "isolation: gentle (Landlock " in done.err
    assert "niceness 10)" in done.err
    assert "note: isolation is gentle only: run only bots you trust" in done.err
    page = course.files()["leaderboard.md"].decode()
    assert "Isolation of the bots: gentle." in page
    # The bot has been where the level puts it.
    assert "niceness 10" in course.files()["faults.csv"].decode()


@pytest.mark.exhaustive
def test_the_doctor_probes_it_too(course: Course) -> None:
    out = course.arena("doctor").out
    head = next(x for x in out.splitlines() if x.startswith("a bot can"))
    assert head.split()[-2:] == ["gentle", "leaky"]
    lines = out.replace("\n  ", " ")
    assert re.search(r"^gentle: Landlock .*; run only bots you trust$", lines, re.M)
    assert "\nleaky: can't be had: a bot could read other files\n" in out


def test_what_it_promises_and_does_not_keep_is_refused(course: Course) -> None:
    words = ["--isolation", "leaky", "--results", "results/leaky"]
    done = course.arena("league", "small.yaml", *words)
    assert done.code == 3
    assert done.err.startswith(
        "arena: isolation leaky can't be had on this machine (leaky: a bot could "
        "read other files)"
    )


def test_another_level_does_not_stand_for_it_nor_it_for_another(course: Course) -> None:
    for chosen, required in [("gentle", "filters"), ("auto", "gentle")]:
        words = ["--isolation", chosen, "--require-isolation", required]
        done = course.arena(
            "league", "small.yaml", *words, "--results", "results/other"
        )
        assert done.code == 3
        assert f"isolation {required} is required, and {chosen} is weaker" in done.err
