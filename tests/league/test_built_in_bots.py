"""The bots that come with arena are found by a word, and are hand-ins like others."""

import random
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
from hand_ins import taken_in

from arena.errors import ConfigError
from arena.games import game_paths
from arena.league.built_in.bots import (
    NAMES,
    RANDOM_BOT,
    built_in_bot,
    own_instead,
    sensible_partner,
)
from arena.league.config.league_file import load_config
from arena.league.config.settings import BotSettings
from arena.league.entries.sources import find_bot_file
from arena.testing import play_match

GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder without bots."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("word", NAMES)
def test_a_word_is_enough_where_no_file_is(word: str) -> None:
    path = built_in_bot(word)
    assert path is not None
    assert find_bot_file(word) == BotSettings(file=str(path), name=word)
    assert path.stem == word
    assert not own_instead(word, path)


@pytest.mark.parametrize("word", NAMES)
@pytest.mark.parametrize("place", ["{}", "{}/bot.py", "bots/{}.py", "bots/{}/bot.py"])
def test_a_file_of_ones_own_is_meant_first(word: str, place: str) -> None:
    file = Path(place.format(word))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    settings = find_bot_file(word)
    path = Path(settings.file)
    assert settings.name is None
    assert file.resolve().is_relative_to(path)
    said = own_instead(word, path)
    assert str(path) in said
    assert f"give {path.name} another name" in said


@pytest.mark.parametrize("word", ["./random", "Random", "random.py", "bots/random"])
def test_nothing_but_the_word_stands_for_it(word: str) -> None:
    with pytest.raises(ConfigError, match=r"no such file .*did you mean 'random'\?"):
        find_bot_file(word)


def test_they_are_read_as_all_hand_ins_are(tmp_path: Path) -> None:
    settings = [BotSettings(file=str(built_in_bot(x)), name=x) for x in NAMES]
    one, several = taken_in(settings, tmp_path / "depot", GAMES)
    assert one.hand_in is not None
    assert several.hand_in is not None
    assert one.hand_in.paths[0].read_bytes() == RANDOM_BOT.read_bytes()
    texts = {path.name: path.read_text() for path in several.hand_in.paths}
    for game in game_paths():
        if (text := sensible_partner(game)) is not None:
            assert texts[f"{game}_partner.py"] == text
    assert several.hand_in.outline == {"Sensible": GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_the_sensible_one_plays_every_game_and_beats_the_random_one(game: str) -> None:
    match = play_match("sensible", "random", game, games=10, seed=3)
    assert match.faults == match.opponent_faults == ()
    assert match.score > 0.5
    found = PathFinder.find_spec("random")
    assert found is not None
    assert found.origin == random.__file__, "other processes get it for Python's own"


def test_a_league_names_them_by_a_word(tmp_path: Path) -> None:
    file = tmp_path / "league.yaml"
    file.write_text(
        "name: x\ngames: [zombie_dice]\n"
        "bots: [bots, random, {file: sensible}, {file: random, name: other}]\n"
    )
    config = load_config(file)
    assert [x.name for x in config.bots] == [None, "random", "sensible", "other"]
    assert [Path(x.file) for x in config.bots[1:3]] == [*map(built_in_bot, NAMES)]
    assert config.notes == []
    (tmp_path / "random").mkdir()
    config = load_config(file)
    assert config.bots[1] == BotSettings(file=str(tmp_path.resolve() / "random"))
    assert "not for the bot random that comes with arena" in config.notes[0]
