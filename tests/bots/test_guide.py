"""The student's guide says what is true, and its bots run."""

import ast
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
import yaml
from bot_games import models, play, read
from documents import BOTS, GUIDE, cells, files, names, quoted, section
from hand_ins import with_beside
from sandboxes import sandbox_of, why_not

from arena.bot import Bot
from arena.games import Observation, game_class, get_game
from arena.games.zombie_dice import DiceCount
from arena.league.config.settings import LeagueSettings
from arena.league.entries.sources import bot_files
from arena.referee.ask_bot import ask_for_bots
from arena.referee.contestant.misconduct import Misconduct
from arena.referee.sandbox import LEVELS
from arena.referee.work_unit import EntrySpec, Limits
from arena.reports.files import _TIMES
from arena.worker.protocol import GameResult

GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
EXPANSIONS = {"preset": "direct_to_video_sequel", "bus": True, "horde": True}
WIDEST = {"zombie_dice": EXPANSIONS}
"""Options that bring every kind of action into a game, where the defaults do not."""
BLOCKS = files(GUIDE)
BOT_BLOCKS = sorted(file for file, code in BLOCKS.items() if "(Bot)" in code)


def public_names(cls: type) -> set[str]:
    """Return the fields, properties and methods that the class itself adds."""
    fields = set(getattr(cls, "__struct_fields__", ()))
    inherited = set(dir(Observation))
    own = {name for name in dir(cls) if name not in inherited}
    return {name for name in fields | own if not name.startswith("_")}


@pytest.mark.parametrize("name", GAMES)
def test_every_field_of_an_observation_is_told_and_no_other(name: str) -> None:
    told = names("| " + section(GUIDE, f"`{name}`").split("| Field |")[1])
    common = set(Observation.__struct_fields__)
    assert set(told) == public_names(game_class(name).observation_type) - common


def test_what_all_observations_have_is_told() -> None:
    told = names(section(GUIDE, "What you see"))
    assert set(told) == {name for name in dir(Observation) if name[0] != "_"}


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_action_is_told_and_what_is_told_exists(name: str) -> None:
    table = section(GUIDE, f"`{name}`").split("| Field |")[0]
    told = re.findall(r"^\| `(.*?)`", table, re.M)
    actions = get_game(name, options=WIDEST.get(name)).actions
    assert set(told) <= set(actions)
    assert sorted(map(kind, told)) == sorted(set(map(kind, actions)))


def test_every_die_that_is_counted_is_told() -> None:
    cell = section(GUIDE, "`zombie_dice`").split("| `cup` |")[1].split("\n")[0]
    dice = (*DiceCount.__struct_fields__, "total")
    assert re.findall(r"`obs\.cup\.(\w+)`", cell) == list(dice)


def test_a_bot_that_only_rolls_and_stops_never_meets_the_bus() -> None:
    seen: set[str] = set()

    class RollAndStop(Bot):
        def zombie_dice(self, obs: Any) -> str:
            assert {"roll", "stop"} <= set(obs.legal_actions)
            seen.add(obs.bus)
            return self.rng.choice(("roll", "stop"))

    for seed in range(20):
        play("zombie_dice", (RollAndStop, RollAndStop), seed, EXPANSIONS)
    assert seen == {"waiting"}


@pytest.mark.parametrize("name", ["zombie_run", "zombie_mania"])
def test_actions_are_told_with_their_phase(name: str) -> None:
    table = section(GUIDE, f"`{name}`").split("| Field |")[0]
    told = re.findall(r"^\| `(.*?)` \| `(.*?)` \|", table, re.M)
    seen: set[tuple[str, str]] = set()

    class Spy(Bot):
        def act(self, obs: Any) -> Any:
            seen.update((kind(action), obs.phase) for action in obs.legal_actions)
            return self.rng.choice(obs.legal_actions)

    play(name, (Spy, Spy), seed=0)
    assert {(kind(action), phase) for action, phase in told} == seen


def kind(action: str) -> str:
    """Return an action without what varies in it: cells, positions, icons, dice."""
    if action.startswith(("keep ", "lose ")):
        return action.split()[0]
    return re.sub(r"\b[a-d]?\d\b", "_", action)


@pytest.mark.parametrize("name", GAMES)
def test_every_option_is_told_with_its_default(name: str) -> None:
    table = section(GUIDE, f"What a league may set in `{name}`")
    told = re.findall(r"^\| `(.*?)` \| `(.*?)` \|", table, re.M)
    defaults = game_class(name).parse_options({})
    assert {key: yaml.safe_load(value) for key, value in told} == {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in msgspec.structs.asdict(defaults).items()
    }


def test_the_columns_of_times_are_told_by_their_names() -> None:
    told = quoted(section(GUIDE, "Limits").partition("`times.csv`")[2])
    columns = set(_TIMES)
    sums = {"cpu", "slept", "share_of_league"}
    assert columns & set(told) == {"median", "p99", "slowest"} | sums


def test_how_many_forfeits_in_a_row_are_too_many() -> None:
    (told,) = re.findall(r"too many of the same game in a row, (\d+) unless", GUIDE)
    assert int(told) == LeagueSettings("x", ["ox_blocks"]).quarantine


CANT = re.findall(
    r"^\| `(.*?)` \| (`.*?)[:,] ", section(GUIDE, "What your bot can't do"), re.M
)
"""Code that fails, and the errors it fails with, as the guide tells them."""
ATTEMPTS = """
for code in {codes}:
    try:
        exec(code, {{"__file__": __file__}})
    except BaseException as error:
        print([cls.__name__ for cls in type(error).mro()])
    else:
        print(["nothing"])
"""


WORKS = """
import asyncio, logging, sqlite3, threading
logging.warning("logged")
asyncio.run(asyncio.sleep(0))
sqlite3.connect(":memory:").execute("select 1")
thread = threading.Thread(target=print, args=("threaded",))
thread.start()
thread.join()
"""
READS = "import os\nprint(open(os.path.dirname(__file__) + '/data.txt').read())\n"
TRIED = {
    "fails.py": ATTEMPTS.format(codes=[code for code, _ in CANT]),
    "works.py": WORKS,
    "imports.py": "import yaml",
    "reads.py": READS,
    "package/__init__.py": READS,
}
"""What is tried, by the file of a bot."""


@pytest.fixture(scope="module", params=LEVELS[:2])
def heard(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Misconduct]:
    """What comes of each file when it is read, at a level that keeps bots in."""
    level = str(request.param)
    if reason := why_not(level):
        pytest.skip(f"{level}: {reason}")
    folder = tmp_path_factory.mktemp("tried")
    package = folder / "package"
    package.mkdir()
    for where in (folder, package):
        (where / "data.txt").write_text("brains")
    found: dict[str, Any] = {}

    async def read_all() -> None:
        with sandbox_of(level, [str(package)]) as sandbox:
            for name, code in TRIED.items():
                file = folder / name
                path = package if file.parent == package else file
                sources = ((str(file), code.encode()),)
                entry = EntrySpec(
                    "it",
                    str(path),
                    "",
                    files=(str(file),),
                    sources=sources,
                    folder=str(package) if path == package else "",
                )
                limits = Limits(start=60.0)
                found[name] = await ask_for_bots(entry, GAMES, limits, sandbox)

    trio.run(read_all)
    return found


def test_what_a_bot_cant_do_fails_as_told(heard: dict[str, Misconduct]) -> None:
    assert len(CANT) >= 10
    got = [ast.literal_eval(line) for line in heard["fails.py"].output.splitlines()]
    for (code, told), classes in zip(CANT, got, strict=True):
        assert set(re.findall(r"`(\w+)`", told)) & set(classes), code


def test_what_works_is_told(heard: dict[str, Misconduct]) -> None:
    assert heard["works.py"].output == "WARNING:root:logged\nthreaded\n"
    assert heard["works.py"].message.startswith(
        "works.py: its process says 'no bot found"
    )


def test_the_refusal_of_a_module_is_in_the_words_of_the_guide(
    heard: dict[str, Misconduct],
) -> None:
    (told,) = re.findall(r"^    (No module named .*)$", GUIDE, re.M)
    message = heard["imports.py"].message
    assert message == (f'imports.py:1: its process says "ModuleNotFoundError: {told}"')


def test_a_package_reads_its_data_and_a_single_file_nothing(
    heard: dict[str, Misconduct],
) -> None:
    assert heard["package/__init__.py"].output == "brains\n"
    assert "Error" in heard["reads.py"].message
    assert heard["reads.py"].output == ""


def test_what_end_is_told() -> None:
    for field in GameResult.__struct_fields__:
        assert f"`result.{field}`" in GUIDE


def test_the_forward_model_is_told() -> None:
    state = get_game("ox_blocks").new_state()
    for name in names(section(GUIDE, "Looking ahead")):
        assert hasattr(state, name)


def test_all_bots_are_listed_by_their_files() -> None:
    text = section(GUIDE, "Bots to learn from")
    single = dict(re.findall(r"\[`(\w+)`\]\((\w+\.py)\)", text))
    for name, file in single.items():
        assert [cls.name for cls in read(BOTS / file).values()] == [name]
    members = {}
    for linked, *by in cells(text):
        (file,) = re.findall(r"\]\((teams/\w+\.py)\)", linked)
        members[file] = {quoted(cell)[0] for cell in by}
    team = members.pop("teams/__init__.py")
    for file, named in members.items():
        assert {cls.name for cls in read(BOTS / file).values()} == named
    assert set(models()) == set(single).union(team, *members.values())


def test_every_bot_stands_alone() -> None:
    for file in bot_files(BOTS):
        assert with_beside(file).beside == ()


@pytest.mark.parametrize("file", BOT_BLOCKS)
def test_every_bot_of_the_guide_runs(file: str, tmp_path: Path) -> None:
    for name, code in BLOCKS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code)
    bots = read(tmp_path / file.removesuffix("/__init__.py"))
    assert bots
    rival = models()["all_rounder"]
    for cls in bots.values():
        games = [x for x in GAMES if hasattr(cls, x) or hasattr(cls, "act")]
        for game in games:
            play(game, (cls, rival), seed=1)
        # One repetition tells.
        seats = (rival, cls)
        assert play(games[0], seats, seed=1) == play(games[0], seats, seed=1)


def test_the_first_bot_beats_random(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text(BLOCKS["my_bot.py"])
    mine, random = read(file)["MyBot"], models()["random"]
    wins = sum(play("zombie_dice", (mine, random), seed)[0][0] for seed in range(50))
    assert wins > 30
