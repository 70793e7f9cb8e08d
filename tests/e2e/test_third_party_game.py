"""A game from another package is played like the ones that come along."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from commands import Course

import arena

PIG = Path(__file__).parents[1] / "games" / "pig.py"
PLUGIN = """\
from arena.hooks import hookimpl


@hookimpl
def arena_games():
    return {"pig": "pig_game.rules:Pig", "pig_party": "pig_game.rules:PigParty"}
"""
PARTY = """

class PigParty(Pig):
    name = "pig_party"
    min_players = 3
"""


def write_package(folder: Path, name: str, plugin: str) -> Path:
    """Write a package as an installer leaves it, with its entry point."""
    package = folder / f"{name}_game"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(plugin)
    (package / "rules.py").write_text(PIG.read_text() + PARTY)
    info = folder / f"{name}_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}-game\nVersion: 1.0\n"
    )
    (info / "entry_points.txt").write_text(f"[arena]\n{name} = {name}_game\n")
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A Python environment in which a game has been installed beside `arena`."""
    folder = tmp_path_factory.mktemp("third")
    course = Course(folder / "course")
    environment = folder / "environment"
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", environment], check=True
    )
    (site,) = environment.glob("lib/python*/site-packages")
    write_package(site, "pig", PLUGIN)
    # The rest is where it is for this test.
    around = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    around.append(str(Path(arena.__file__).parents[1]))
    (site / "around.pth").write_text("\n".join(around) + "\n")
    course.python = str(environment / "bin" / "python")
    course.write_bot("ana", "return obs.legal_actions[-1]", method="pig")
    course.write_bot(
        "ben", "return 'hold' if obs.points >= 20 else 'roll'", method="pig"
    )
    course.write_bot("cid", "return obs.legal_actions[0]")
    course.write_bot("dot", "return 'stop'", method="zombie_dice")
    return course


def test_it_is_among_the_games(course: Course) -> None:
    done = course.arena("games")
    assert (done.code, done.err) == (0, "")
    (row,) = [line for line in done.out.splitlines() if line.startswith("pig ")]
    assert row.split() == ["pig", "Pig", "2-10", "target,", "bonus"]
    assert "The target is 20." in course.arena("rules", "pig_party").out
    assert "The target is 30." in course.arena("rules", "pig", "-o", "target=30").out


def test_it_is_played_in_a_league(course: Course) -> None:
    course.write_league(
        "ox_blocks",
        {"game": "pig", "fixtures": 2, "options": {"target": 30}},
        {"game": "zombie_dice", "fixtures": 1},
    )
    course.league("small.yaml")
    games = course.export()
    pigs = [game for game in games if game["label"] == "pig"]
    assert {name for game in pigs for name in game["seats"]} == {"Ana", "Ben", "Cid"}
    assert len(pigs) == 3 * 2 * 2
    natural = [game for game in pigs if game["termination"] == "natural"]
    assert natural
    assert all(max(game["scores"]) >= 30 for game in natural)
    assert not any(any(game["forfeits"]) for game in pigs)


def test_it_is_played_alone(course: Course) -> None:
    done = course.arena("play", "pig", "ana", "ben", "--seed", "5", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Pig, seed 5\n  seat 0: Ana\n  seat 1: Ben\nafter ")


BROKEN = {
    "fails at import": ("1 / 0\n", "ZeroDivisionError: division by zero"),
    "ends the program": ("raise SystemExit(7)\n", "SystemExit: 7"),
    "takes the name of another": (
        PLUGIN.replace('"pig":', '"ox_blocks":'),
        "ValueError: two games are called ox_blocks: arena.games.ox_blocks:OXBlocks",
    ),
}


@pytest.mark.parametrize("why", BROKEN)
def test_a_plugin_that_is_broken_stops_nothing(tmp_path: Path, why: str) -> None:
    plugin, said = BROKEN[why]
    course = Course(tmp_path / "course")
    course.environment["PYTHONPATH"] = str(
        write_package(tmp_path / "packages", "bad", plugin)
    )
    course.write_bot("ana", "return obs.legal_actions[0]")
    note = f"note: plugin bad (bad_game): can't be used: {said}"
    done = course.arena("games")
    assert done.code == 0
    assert done.err.startswith(note)
    assert done.err.count("\n") == 1
    assert "zombie_dice " in done.out
    course.write_league("ox_blocks")
    done = course.arena("league", "small.yaml")
    assert done.code == 0
    assert done.err.startswith(note)


def test_a_game_that_can_not_be_loaded_is_said_in_a_sentence(tmp_path: Path) -> None:
    course = Course(tmp_path / "course")
    plugin = PLUGIN.replace("rules:Pig", "rule:Pig")
    course.environment["PYTHONPATH"] = str(
        write_package(tmp_path / "packages", "pig", plugin)
    )
    problem = (
        "pig can't be loaded (ModuleNotFoundError: No module named 'pig_game.rule')\n"
    )
    course.write_bot("ana", "return obs.legal_actions[0]")
    course.write_league("pig")
    for words, where in [
        (["league", "small.yaml"], "small.yaml: games[0]"),
        (["play", "pig", "ana", "ana"], "game"),
        (["rules", "pig"], "game"),
    ]:
        done = course.arena(*words)
        assert (done.code, done.out) == (2, "")
        assert done.err == f"arena: {where}: {problem}"
    done = course.arena("games")
    assert done.code == 0
    assert "zombie_dice " in done.out
    assert done.err.startswith("note: pig: can't be loaded: ModuleNotFoundError: ")
