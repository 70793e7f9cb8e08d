"""What a dry run says that the plan will be able to tell apart."""

import json
from math import inf, log, sqrt

import pytest
from commands import BY_CHANCE, Course
from scipy.special import ndtr

from arena.ratings.claims import MAX_LOOKS, cut
from arena.ratings.elo.standard_errors import PLENTY_PER_PARAMETER

LOGIT = 400.0 / log(10.0)
"""Elo of one natural log-odds."""
Z80 = 0.8416212335729143


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Four bots for every game, and one more for Zombie Dice."""
    course = Course(tmp_path_factory.mktemp("dry") / "course")
    for stem in ("ana", "ben", "cid", "dot"):
        course.write_bot(stem, BY_CHANCE)
    course.write_bot("eve", BY_CHANCE, method="zombie_dice")
    return course


def plan(course: Course, name: str) -> str:
    """Return the output of a dry run."""
    return course.arena("league", f"{name}.yaml", "--dry-run", "--workers", "1").out


def told_apart(out: str) -> dict[str, str]:
    """Return the rows of the second table, by their first words."""
    rows = out.split("\n\n")[1].splitlines()
    assert rows[0].split() == ["game", "50", "Elo", "apart", "80", "%", "from"]
    cells = [[x.strip() for x in row.split("  ") if x.strip()] for row in rows[2:]]
    return {
        label: f"{probability}, {smallest}" for label, probability, smallest in cells
    }


def figures(k: int, variance: float, df: float, looks: int = 1) -> str:
    """Recompute a row of so many entries, from the variance in squared log-odds."""
    error = LOGIT * sqrt(variance)
    needed = cut(k, df, looks)
    percent = 100.0 * ndtr(50.0 / error - needed)
    shown = "< 1" if percent < 1.0 else f"{percent:.0f}"
    return f"{shown} %, {error * (needed + Z80):.0f} Elo"


def degrees(clusters: int, parameters: int) -> float:
    """Return the degrees of freedom of so many fixtures."""
    return (
        inf if clusters >= PLENTY_PER_PARAMETER * parameters else max(1, clusters - 1)
    )


def test_it_says_what_can_be_told_apart(course: Course) -> None:
    course.write_league(
        {"game": "ox_blocks", "fixtures": 200, "weight": 3},
        {"game": "zombie_dice", "fixtures": 2, "label": "pairs"},
        {"game": "zombie_dice", "fixtures": 30, "label": "trio", "players": 3},
        {
            "game": "zombie_dice",
            "fixtures": 30,
            "label": "who wins",
            "players": 4,
            "placing": "winner",
        },
        {"game": "zombie_dice", "label": "crowd", "players": 6},
        name="told",
    )
    out = plan(course, "told")
    # 4/(k f) at tables of two; times 8/9 at tables of three; times 2 at tables of
    # four where only the winner counts.
    labels = {
        "ox_blocks": (4, 4 / (4 * 200), degrees(6 * 200, 4 + 1)),
        "pairs": (5, 4 / (5 * 2), degrees(10 * 2, 5 + 1)),
        "trio": (5, 4 / (5 * 30) * 8 / 9, degrees(10 * 30 // 3, 5 + 2)),
        "who wins": (5, 4 / (5 * 30) * 2, degrees(10 * 30 // 6, 5 + 3)),
    }
    # The first is of weight 3, and the one without games does not count.
    shares = dict.fromkeys(labels, 1 / 6) | {"ox_blocks": 3 / 6}
    parts = {label: shares[label] ** 2 * v for label, (_, v, _) in labels.items()}
    variance = sum(parts.values())
    inexact = sum(parts[label] ** 2 / df for label, (_, _, df) in labels.items())
    assert told_apart(out) == {
        **{label: figures(*expected) for label, expected in labels.items()},
        "crowd": "-, -",
        # Four bots play all of them.
        "overall": figures(4, variance, variance**2 / inexact),
    }
    assert "two bots 50 Elo apart are told apart with the probability shown" in out
    assert "evenly" not in out
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.exhaustive
def test_an_adaptive_plan_is_judged_as_if_shared_out_evenly(course: Course) -> None:
    course.write_league(
        {"game": "ox_blocks", "fixtures": 80},
        {"game": "zombie_dice", "fixtures": 12, "label": "trio", "players": 3},
        name="adapts",
        schedule="adaptive",
    )
    out = plan(course, "adapts")
    told = told_apart(out)
    pairs = degrees(6 * 80, 4 + 1)
    assert told["ox_blocks"] == figures(4, 4 / (4 * 80), pairs, MAX_LOOKS + 1)
    trio = degrees(10 * 12 // 3, 5 + 2)
    assert told["trio"] == figures(5, 4 / (5 * 12) * 8 / 9, trio)
    assert "As if all games were shared out evenly" in out
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.exhaustive
def test_what_is_recorded_changes_no_figure_of_the_plan(course: Course) -> None:
    course.write_league({"game": "ox_blocks", "fixtures": 2})
    course.league("small.yaml")
    out = plan(course, "small")
    assert "24 games, of which 24 are recorded" in out
    assert told_apart(out) == {"ox_blocks": figures(4, 4 / (4 * 2), degrees(12, 5))}


def test_a_league_that_plays_nothing_tells_nothing_apart(course: Course) -> None:
    course.write_league(
        {"game": "zombie_dice", "players": 6},
        name="idle",
        schedule="divisions",
        divisions={"size": 2},
        references=["ana", "ben"],
    )
    done = course.arena("league", "idle.yaml", "--dry-run", "--json")
    assert done.code == 0
    assert "2 divisions of 1 or 2 bots.\n" in done.err
    assert "References, whom all bots meet: Ana, Ben.\n" in done.err
    assert "Elo" not in done.err
    assert "0 games, of which 0 are recorded" in done.err
    # What programs are told of it.
    *notes, plan, last = map(json.loads, done.out.splitlines())
    assert {note["event"] for note in notes} == {"note"}
    assert plan["event"] == "plan"
    assert (plan["planned"], plan["recorded"], plan["seconds"]) == (0, 0, 0.0)
    assert plan["divisions"] == [1, 2]
    assert last == {"event": "done", "exit": 0, "results": "results/idle"}
    assert not course.results("idle").exists()
