"""A game from another package is played like the ones that come along.

The package is that of `arena/games/README.md`, built and installed as its readers do.
"""

import re
import shutil
from pathlib import Path

import pytest
from commands import (
    BY_CHANCE,
    FIRST,
    LAST,
    Course,
    Page,
    announce,
    installed,
    run_python,
    write_files,
)

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "packages" / "pig"
PAGE = Page("arena/games/README.md")
BOT = "bots/hold_at_20.py"
LEAGUE = "configs/pig_night.yaml"
FILES = {"arena_pig/__init__.py": ""} | {
    name: text for name, text in PAGE.files.items() if name not in (BOT, LEAGUE)
}
"""Those of the package."""
HOUSE_RULE = "Nobody gets another turn once the target is reached (ruling 1)"
GENEROUS = "limits: {start: 60, move: 60, bank: 60}\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course where the page's package is installed."""
    folder = tmp_path_factory.mktemp("third")
    course = Course(folder / "course")
    course.environment["PYTHONPATH"] = str(installed(FILES, folder))
    (course.folder / BOT).write_text(PAGE.files[BOT])
    (course.folder / "configs").mkdir()
    (course.folder / LEAGUE).write_text(PAGE.files[LEAGUE] + GENEROUS)
    course.write_bot("random_bot", BY_CHANCE)
    course.write_bot("ana", LAST, method="pig")
    course.write_bot("dot", FIRST, method="zombie_dice")
    return course


def test_the_page_shows_the_package_as_it_is() -> None:
    assert {
        str(path.relative_to(PACKAGE)): path.read_bytes().decode()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    } == FILES
    for link in re.findall(r"\]\((?!https)([^)]+)\)", PAGE.text):
        assert (PAGE.path.parent / link).exists()


@pytest.mark.exhaustive
def test_the_packages_types_are_sound(tmp_path: Path) -> None:
    write_files(FILES, tmp_path)
    PAGE.check_types(tmp_path, "arena_pig", "test_pig.py")


def test_arena_knows_nothing_of_it() -> None:
    paths = sorted((ROOT / "arena").rglob("*.py"))
    assert paths
    for path in paths:
        text = path.read_text().lower()
        assert not re.search("(?<![a-z])pig(?![a-z])", text), path


@pytest.mark.exhaustive
def test_its_own_tests_pass_where_it_is_installed(
    course: Course, tmp_path: Path
) -> None:
    # Without the sources beside them, they can only have found what is installed.
    shutil.copy(PACKAGE / "test_pig.py", tmp_path)
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--strict-config"]
    assert "4 passed" in run_python(*words, cwd=tmp_path, environment=course.variables)


def test_its_rules_bring_no_tool_of_the_referee(course: Course) -> None:
    tools = "{'pluggy', 'trio', 'click', 'rich', 'numpy', 'arena.hooks'}"
    code = f"import sys, arena_pig.game; print(sorted({tools} & sys.modules.keys()))"
    found = run_python("-c", code, cwd=course.folder, environment=course.variables)
    assert found == "[]\n"


def test_the_pages_commands_run(course: Course) -> None:
    assert len(PAGE.commands()) == 6
    for command, *words in PAGE.commands():
        if command == "arena":
            done = course.arena(*words)
            assert done.code == 0
            assert "can't be" not in done.err
        elif words != ["-m", "pytest"]:
            text = run_python(*words, cwd=course.folder, environment=course.variables)
            assert text.startswith("game: pig, rules 1, 3 players\noptions: {")


def test_it_is_among_the_games(course: Course) -> None:
    done = course.arena("games")
    assert (done.code, done.err) == (0, "")
    (row,) = [line for line in done.out.splitlines() if line.startswith("pig ")]
    assert row.split() == ["pig", "Pig", "2-10", "target"]
    assert "the target is 100." in course.arena("rules", "pig").out
    assert "the target is 30." in course.arena("rules", "pig", "-o", "target=30").out


def test_a_wrong_option_is_said_in_a_sentence(course: Course) -> None:
    for option, problem in [
        ("taget=50", "options.taget: unknown key; did you mean 'target'?"),
        ("target=1", "options.target: expected a whole number >= 2; found 1"),
    ]:
        done = course.arena("rules", "pig", "-o", option)
        assert (done.code, done.out, done.err) == (2, "", f"arena: {problem}\n")


def test_it_is_played_alone(course: Course) -> None:
    words = ["play", "pig", "hold_at_20", "ana", "random_bot", "--seed", "5"]
    done = course.arena(*words, "--quiet")
    assert (done.code, done.err) == (0, "")
    seats = "  seat 0: HoldAt20\n  seat 1: Ana\n  seat 2: Random_Bot\n"
    assert done.out.startswith("Pig, seed 5\n")
    assert f"{HOUSE_RULE}.\n{seats}after " in done.out
    assert "forfeit" not in done.out


def test_it_is_played_in_a_league_at_tables_of_three(course: Course) -> None:
    course.league(LEAGUE)
    games = course.export("pig_night")
    pigs = [game for game in games if game["label"] == "pig"]
    # Three bots make one table, which has three seatings in each of two fixtures.
    assert len(pigs) == 2 * 3
    for game in pigs:
        assert set(game["seats"]) == {"HoldAt20", "Ana", "Random_Bot"}
        assert game["termination"] == "natural"
        assert max(game["scores"]) >= 50
        assert not any(game["forfeits"])
    assert {game["label"] for game in games} == {"pig", "zombie_dice"}
    table = (course.folder / "results/pig_night/leaderboard.md").read_text()
    assert "| pig" in table
    assert HOUSE_RULE in table.replace("\\", "")


PLUGIN = FILES["arena_pig/plugin.py"]
BROKEN = {
    "fails at import": ("1 / 0\n", "ZeroDivisionError: division by zero"),
    "ends the program": ("raise SystemExit(7)\n", "SystemExit: 7"),
    "takes the name of another": (
        PLUGIN.replace('"pig":', '"ox_blocks":'),
        "ValueError: two games are called ox_blocks: arena.games.ox_blocks:OXBlocks",
    ),
    "takes the name of another method": (
        PLUGIN.replace('"pig":', '"start":'),
        "ValueError: a game can't be called 'start'; expected a name for a bot's",
    ),
    "has a name that no method can have": (
        PLUGIN.replace('"pig":', '"pig-2":'),
        "ValueError: a game can't be called 'pig-2'; expected a name for a bot's",
    ),
}


@pytest.mark.parametrize("why", BROKEN)
def test_a_plugin_that_is_broken_stops_nothing(tmp_path: Path, why: str) -> None:
    plugin, said = BROKEN[why]
    course = Course(tmp_path / "course")
    announce(tmp_path, "bad_plugin", plugin, "bad")
    course.environment["PYTHONPATH"] = str(tmp_path)
    course.write_bot("ana", FIRST)
    note = f"note: plugin bad (bad_plugin): can't be used: {said}"
    done = course.arena("games")
    assert done.code == 0
    assert done.err.startswith(note)
    assert done.err.count("\n") == 1
    assert "zombie_dice " in done.out
    if why == "takes the name of another":
        course.write_league("ox_blocks")
        done = course.arena("league", "small.yaml")
        assert done.code == 0
        assert done.err.startswith(note)


def test_a_game_that_can_not_be_loaded_is_said_in_a_sentence(tmp_path: Path) -> None:
    course = Course(tmp_path / "course")
    announce(tmp_path, "pig_plugin", PLUGIN, "pig")
    course.environment["PYTHONPATH"] = str(tmp_path)
    problem = "pig can't be loaded (ModuleNotFoundError: No module named 'arena_pig')\n"
    course.write_bot("ana", FIRST)
    course.write_league("pig", luck_adjustment=True)
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
