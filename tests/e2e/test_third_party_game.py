"""A game from another package is played like the ones that come along.

The package is that of `arena/games/README.md` and `luck.md` beside it, built and
installed as their readers do.
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
from matrix import divided

from arena.reports.pages.slugs import slug

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "packages" / "pig"
PAGE = Page("arena/games/README.md")
(VALUE,) = re.findall(
    r"`arena_pig/luck.py`:\n\n```python\n(.*?)```",
    (ROOT / "arena/games/luck.md").read_text(),
    re.DOTALL,
)
BOT = "bots/hold_at_20.py"
LEAGUE = "configs/pig_night.yaml"
UNSHOWN = "arena_pig/README.md"
FILES = {
    name: text
    for name, text in {
        **PAGE.files,
        "arena_pig/luck.py": VALUE,
        UNSHOWN: (PACKAGE / UNSHOWN).read_text(),
    }.items()
    if name not in (BOT, LEAGUE)
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
    code = f"import sys, arena_pig; print(sorted({tools} & sys.modules.keys()))"
    found = run_python("-c", code, cwd=course.folder, environment=course.variables)
    assert found == "[]\n"


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive
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
    assert "\n## pig\n" in table
    assert HOUSE_RULE in table.replace("\\", "")
    # Its luck is taken out, and its replays are drawn.
    lucky = {game_id for game_id, *_ in course.rows("SELECT * FROM luck", "pig_night")}
    assert {game["game_id"] for game in pigs} <= lucky
    assert course.arena("report", "results/pig_night").code == 0
    report = course.folder / "results/pig_night/report"
    drawing = (report / "static/replay_pig.js").read_text()
    assert drawing == FILES["arena_pig/drawing.js"]
    assert '"static/replay_pig.js"' in (report / "replay.html").read_text()
    # A bot's page says how it plays, by what the package counts.
    page = (report / f"bots/{slug('HoldAt20')}.html").read_text()
    assert "Points when it holds" in page


@pytest.mark.exhaustive
def test_its_partner_is_met_in_a_trial_and_copied_by_new_bots(course: Course) -> None:
    done = course.arena("check", BOT, "--games", "2")
    assert (done.code, done.err) == (0, "")
    heads = next(x for x in done.out.splitlines() if x.startswith("game "))
    assert heads.split()[:5] == ["game", "games", "forfeits", "random", "sensible"]
    row = next(x.split() for x in done.out.splitlines() if x.startswith("pig "))
    assert row[:3] == ["pig", "4", "0"]
    done = course.arena("new", "my_pig", "--game", "pig", "--folder", "mine")
    assert (done.code, done.err) == (0, "")
    made = (course.folder / "mine" / "my_pig.py").read_text()
    assert "Below 20 points a roll gains more" in made
    assert made.endswith('return "hold" if obs.points >= 20 or has_won else "roll"\n')
    done = course.arena("check", "mine/my_pig.py", "--games", "2")
    assert (done.code, done.err) == (0, "")


def test_its_positions_are_made_from_fields(course: Course) -> None:
    code = (
        "from arena import plugins\n"
        "from arena.testing import PositionError, position\n"
        "plugins.load_plugins()\n"
        "obs = position('pig', scores=(3, 90), points=14, seat=1)\n"
        "print(obs.rolls, obs.turn_seat, obs.legal_actions)\n"
        "try:\n"
        "    position('pig', points=1)\n"
        "except PositionError as error:\n"
        "    print(error)\n"
    )
    found = run_python("-c", code, cwd=course.folder, environment=course.variables)
    assert found.splitlines() == [
        "3 1 ['roll', 'hold']",
        "position: points: 1 rolls without a 1 can't give 1",
    ]


CRASHING = """
from arena import Bot


class Crashing(Bot):
    def pig(self, obs):
        return obs.nothing
"""
"""A partner that forfeits its games."""


@pytest.mark.parametrize(
    ("name", "text", "words", "said"),
    divided(
        [
            ("luck.py", "1 / 0\n", "league", "its value can't be used (ZeroDivision"),
            (
                "drawing.py",
                "1 / 0\n",
                "report",
                "game pig: its drawing can't be used: ",
            ),
            (
                "partner.py",
                "def\n",
                "check",
                "a partner can't be used: sensible_pig.py:1",
            ),
            ("partner.py", CRASHING, "check", "Ana: no fault in "),
        ],
        lambda case: case[0] == "luck.py",
    ),
)
def test_a_part_that_is_broken_spoils_nothing(
    name: str, text: str, words: str, said: str, tmp_path: Path
) -> None:
    course = Course(tmp_path / "course")
    write_files(FILES | {f"arena_pig/{name}": text}, tmp_path / "site")
    announce(tmp_path / "site", "pig_plugin", PLUGIN, "pig")
    course.environment["PYTHONPATH"] = str(tmp_path / "site")
    course.write_bot("ana", FIRST)
    course.write_bot("ben", LAST)
    game = {"game": "pig", "fixtures": 2, "options": {"target": 5}}
    course.write_league(game, luck_adjustment=True)
    assert "played" in course.league("small.yaml")
    told = course.arena("league", "small.yaml")
    if words == "report":
        told = course.arena("report", "results/small")
    elif words == "check":
        told = course.arena("check", "ana", "--league", "small.yaml", "--games", "2")
    assert told.code == 0
    assert said in " ".join((told.out + told.err).split())


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
