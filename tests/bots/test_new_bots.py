"""`arena new` writes bots that play as they are and tell what they see."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from arena_pig import Pig
from bot_games import play, read
from click.testing import CliRunner, Result

from arena.cli.new import bot_text, class_name, command
from arena.cli.play import command as play_command
from arena.errors import ArenaError
from arena.games import CHANCE, game_class, get_game
from arena.games.observation_fields import observation_fields
from arena.league.built_in.bots import RANDOM_BOT, sensible_partner
from arena.league.entries.sources import bot_files
from arena.testing import load_bot

GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
ALL = tuple(word for game in GAMES for word in ("--game", game))
EXPANSIONS = {"preset": "direct_to_video_sequel", "bus": True, "horde": True}
CHANGED: list[tuple[str, int, dict[str, Any]]] = [
    ("zombie_dice", 3, EXPANSIONS),
    ("zombie_dice", 2, {"cup": "none", "bus": True, "dice": {"green": 4}}),
    ("ox_blocks", 2, {"size": 4, "removal": "must"}),
    ("zombie_run", 4, {"hand": 6, "must_swap_from_discard": True}),
    ("zombie_mania", 5, {"games": 2}),
]
"""Options that change what is legal."""


def new(folder: Path, *words: str) -> Result:
    """Run the verb in this process."""
    bots = ["--folder", str(folder / "bots")]
    return CliRunner(env={"COLUMNS": "300"}).invoke(
        command, [*words, *bots], standalone_mode=False
    )


def made(folder: Path, *words: str) -> Path:
    """Return the file that the verb has written."""
    result = new(folder, *words)
    assert result.exception is None, result.exception
    return folder / "bots" / f"{words[0]}.py"


@pytest.fixture(scope="module")
def every_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new bot for all games."""
    return made(tmp_path_factory.mktemp("new"), "my_bot", *ALL)


def test_it_says_what_it_has_written_and_what_to_do_next(tmp_path: Path) -> None:
    result = new(tmp_path, "my_bot", "--game", "ox_blocks")
    bots = tmp_path / "bots"
    assert result.output == (
        f"made the folder {bots}\n"
        f"made {bots}/my_bot.py\n\n"
        "Watch a game, try it as the league would, then change it:\n\n"
        f"    arena play ox_blocks {bots}/my_bot.py random\n"
        f"    arena check {bots}/my_bot.py\n"
    )
    assert list(read(bots / "my_bot.py")) == ["MyBot"]
    result = new(tmp_path, "other", "--test")
    assert result.output == (
        f"made {bots}/other.py\nmade {bots}/_tests/test_other.py\n\n"
        "Watch a game, try it as the league would, then change it:\n\n"
        f"    arena play zombie_dice {bots}/other.py random\n"
        f"    arena check {bots}/other.py\n"
        f"    python -m pytest {bots}/_tests\n"
    )


def test_a_game_is_told_once(tmp_path: Path) -> None:
    file = made(tmp_path, "mine", "--game", "ox_blocks", "--game", "ox_blocks")
    assert file.read_text().count("def ox_blocks(") == 1


def test_every_field_and_action_is_told(every_game: Path) -> None:
    text = every_game.read_text("utf-8")
    for game in GAMES:
        above = text.split(f"    def {game}(")[0].rsplit(f"# {game}: ", 1)[1]
        comment = re.sub(r"\n *# *", " ", above)
        *told, others = above.partition("With other options of the game also:")
        unused = get_game(game).unused_fields()
        for field in observation_fields(game_class(game).observation_type):
            assert field.text
            if field.name in unused:
                assert f"{field.name}" in others
                assert f" {field.name} " not in "".join(told)
                continue
            assert f" {field.name} " in comment
            assert " ".join(field.text.split()) in " ".join(comment.split())
        actions = get_game(game).rules_text().split("\nActions")[1].split("\n\n")[0]
        for line in actions.splitlines()[1:]:
            assert f"# {line}" in above
    assert max(map(len, text.splitlines())) <= 88
    words = " ".join(text.replace("#", "").split())
    kinds = ".green, .yellow, .red, .hunk, .hottie, .santa, .horde, .total."
    assert words.count(f"Ask it for {kinds}") == 1


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_better_than_chance(every_game: Path, game: str) -> None:
    mine = read(every_game)["MyBot"]
    random = read(RANDOM_BOT)["Random"]
    games = [play(game, (mine, random), seed)[0][0] for seed in range(10)]
    games += [play(game, (random, mine), seed)[0][1] for seed in range(10)]
    assert sum(games) >= 11


@pytest.mark.parametrize(("game", "players", "options"), CHANGED)
def test_it_is_legal_with_all_options(
    every_game: Path, game: str, players: int, options: dict[str, Any]
) -> None:
    cls = read(every_game)["MyBot"]
    for seed in range(3):
        play(game, (cls,) * players, seed, options)


def test_it_plays_as_the_sensible_partner_does(every_game: Path) -> None:
    def methods(text: str) -> dict[str, str]:
        (cls,) = (x for x in ast.parse(text).body if isinstance(x, ast.ClassDef))
        found = [x for x in cls.body if isinstance(x, ast.FunctionDef)]
        return {x.name: ast.unparse(x) for x in found}

    made = methods(every_game.read_text("utf-8"))
    assert tuple(made) == GAMES
    for game in GAMES:
        partner = sensible_partner(game)
        assert partner is not None
        assert methods(partner) == {game: made[game]}


def test_a_game_from_elsewhere_is_told_in_its_own_words(tmp_path: Path) -> None:
    pig = Pig(2, Pig.parse_options({}))
    text = bot_text("mine", [pig])
    for field in observation_fields(Pig.observation_type):
        assert f"#     {field.name} " in text
    assert "    # Actions: 'roll', 'hold'\n" in text
    file = tmp_path / "mine.py"
    file.write_text(text)
    cls: Any = read(file)["Mine"]
    state = pig.new_state()
    while state.current_player() == CHANCE:
        state.apply(state.outcome_at(0.5))
    assert cls().pig(state.observation(0)) in state.legal_actions()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((x, f"{x}: expected a name of letters, ") for x in ("2fast", "my-bot", "_m")),
        ("class", "class: is a word of Python's; choose another: class_bot"),
        ("mine.py", "mine.py: say it without .py: arena new mine"),
        ("random", "random: is the name of a module of Python's"),
        ("numpy", "numpy: is the name of a package; choose another, such as numpy_bot"),
        ("zombiedice", "zombiedice: is the name of a package"),
        ("x" * 61, "expected 60 letters at most"),
    ],
)
def test_names_that_can_not_be_are_refused(
    tmp_path: Path, name: str, expected: str
) -> None:
    result = new(tmp_path, name)
    assert isinstance(result.exception, ArenaError)
    assert expected in str(result.exception)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "there", ["Mine.py", "mine/__init__.py", "mine.py", "_tests/test_mine.py"]
)
def test_what_is_there_is_left_as_it_is(tmp_path: Path, there: str) -> None:
    file = tmp_path / "bots" / there
    file.parent.mkdir(parents=True)
    file.write_text("precious")
    result = new(tmp_path, "mine", "--test")
    assert "is there already; choose another name" in str(result.exception)
    assert file.read_text() == "precious"


def test_an_unknown_game_or_folder_is_refused(tmp_path: Path) -> None:
    result = new(tmp_path, "mine", "--game", "zombie_dize")
    assert "did you mean 'zombie_dice'?" in str(result.exception)
    (tmp_path / "bots").touch()
    assert "is a file" in str(new(tmp_path, "mine").exception)


def test_no_league_looks_at_the_test_of_a_bot(tmp_path: Path) -> None:
    file = made(tmp_path, "mine", "--test")
    assert (file.parent / "_tests" / "test_mine.py").is_file()
    assert bot_files(file.parent) == [file]


def test_the_test_of_a_bot_passes_until_it_plays_what_is_not_legal(
    tmp_path: Path,
) -> None:
    file = made(tmp_path, "mine", "--test", *ALL)
    code = (file.parent / "_tests" / "test_mine.py").read_text()
    test: dict[str, Any] = {"__file__": str(file.parent / "_tests" / "test_mine.py")}
    exec(code, test)
    for game in GAMES:
        assert f'"{game}"' in code
        test["test_its_first_decision_is_legal_and_fast"](game)
        test["test_it_plays_to_the_end"](game)
    file.write_text(file.read_text().replace('return "stop"', "return 1"))
    with pytest.raises(AssertionError):
        test["test_it_plays_to_the_end"]("zombie_dice")


@pytest.mark.parametrize(
    ("name", "cls"),
    # No class may take the place of its base.
    [("my_bot", "MyBot"), ("ana", "Ana"), ("R2D2", "R2D2"), ("bot", "TheBot")],
)
def test_the_class_is_called_like_the_file(name: str, cls: str) -> None:
    assert class_name(name) == cls


def test_a_new_bot_may_be_a_folder(tmp_path: Path) -> None:
    made(tmp_path, "mine", "--as-folder", "--test", *ALL)
    mine = tmp_path / "bots" / "mine"
    assert bot_files(mine.parent) == [mine]
    (mine / "part.py").write_text("VALUE = 1\n")
    with (mine / "bot.py").open("a") as text:
        text.write("\n\nimport part\n")
    assert type(load_bot(mine)).__name__ == "Mine"
    assert "is there already" in str(new(tmp_path, "mine").exception)
    done = CliRunner(env={"COLUMNS": "300"}).invoke(
        play_command, ["ox_blocks", str(mine), str(mine), "-q"]
    )
    assert done.exit_code == 0, done.output
    test = (mine.parent / "_tests" / "test_mine.py").read_text()
    assert 'BOT = Path(__file__).parents[1] / "mine"\n' in test
