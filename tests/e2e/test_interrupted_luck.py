"""While luck is worked out, a league can be interrupted as at any other time."""

import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import BY_CHANCE, CAREFUL, TIMEOUT_S, Course, descendants, wait_for
from toys import installed

LEAGUE = ("league", "small.yaml", "--workers", "2")
FIRST, LAST = 20, 6
"""Games of the label whose luck is worked out at once, and of that where it stops."""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A league that has been played, and whose luck comes to no end for now."""
    folder = tmp_path_factory.mktemp("luck")
    course = Course(folder / "course")
    course.environment |= {
        "PYTHONPATH": installed(folder / "site"),
        "TOY_STUCK": str(folder / "stuck"),
    }
    course.write_bot("ana", CAREFUL)
    course.write_bot("ben", BY_CHANCE)
    options = {"target": 4}
    course.write_league(
        {"game": "toy", "fixtures": FIRST // 2, "options": options},
        {"game": "stuck", "fixtures": LAST // 2, "options": options},
        isolation="limits",
        luck_adjustment=True,
    )
    course.league("small.yaml", "--workers", "1", "--results", "results/whole")
    return course


@pytest.fixture
def stuck(course: Course) -> Iterator[Path]:
    """A file that stops the second value."""
    path = Path(course.environment["TOY_STUCK"])
    path.touch()
    yield path
    path.unlink(missing_ok=True)


def luck(course: Course, name: str = "small") -> list[tuple[object, ...]]:
    """Return the luck that is known by now."""
    return course.rows("SELECT * FROM luck ORDER BY game_id", name)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_it_goes_on_where_it_was(
    course: Course, stuck: Path, tmp_path: Path, name: str
) -> None:
    with course.running(*LEAGUE) as league:
        wait_for(league, lambda: len(luck(course)) == FIRST)
        assert descendants(league.pid, "arena.league.play.luck_worker")
        league.send_signal(signal.Signals[name])
        out, err = league.communicate(timeout=TIMEOUT_S)
    assert not course.temporary_files()
    assert "Traceback" not in err
    if name != "SIGKILL":
        again = shlex.join(["arena", *LEAGUE])
        assert (league.returncode, out) == (130, "")
        assert err.endswith(f"\narena: interrupted; the same again:\n  {again}\n")
    before = luck(course)
    stuck.unlink()
    assert f"0 games played, {FIRST + LAST} taken" in course.league(*LEAGUE[1:])
    assert set(before) < set(luck(course)) == set(luck(course, "whole"))
    assert course.files() == course.files("whole")
    course.results().rename(tmp_path / "results")


@pytest.mark.exhaustive
def test_the_luck_of_a_final_run_is_not_drawn_again(
    course: Course, stuck: Path, tmp_path: Path
) -> None:
    with course.running(*LEAGUE, "--fresh") as league:
        wait_for(league, lambda: len(luck(course)) == FIRST)
        league.send_signal(signal.SIGINT)
        out, err = league.communicate(timeout=TIMEOUT_S)
    again = shlex.join(["arena", *LEAGUE])
    assert (league.returncode, out) == (130, "")
    assert err.endswith(f"\ninterrupted; to go on:\n  {again}\n")
    stuck.unlink()
    assert f"0 games played, {FIRST + LAST} taken" in course.league(*LEAGUE[1:])
    course.results().rename(tmp_path / "results")


@pytest.mark.exhaustive
def test_the_elo_with_all_luck_in_it_is_a_column_on_demand(course: Course) -> None:
    where = ("small.yaml", "--results", "results/whole")
    for words, shown in (((), False), (("--columns", "results"), True)):
        assert ("Results" in course.league(*where, *words)) is shown
        assert b"| Results |" in course.files("whole")["leaderboard.md"]
