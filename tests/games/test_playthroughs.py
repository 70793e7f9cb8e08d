"""Golden playthroughs: nothing in the behaviour of a game changes unnoticed.

After a change that is wanted, each file is written anew by its own command, which a
failing test prints, such as

    python -m arena.games.playthrough ox_blocks --seed 1 > tests/golden/ox_blocks.txt
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from shlex import split

import pytest
from pig import Pig, make_pig

from arena.games.playthrough import main, write_playthrough

GOLDEN = Path(__file__).parent.parent / "golden"

# The file, and the arguments that write it.
PLAYTHROUGHS = {
    "zombie_dice.txt": "zombie_dice --players 3 --seed 1",
    "zombie_dice_tiebreak.txt": (
        "zombie_dice --seed 27"
        """ --options '{"cup": "none", "target": 3, "tiebreak_rounds": 1}'"""
    ),
    "ox_blocks.txt": "ox_blocks --seed 1",
    "ox_blocks_4x4.txt": """ox_blocks --options '{"size": 4}' --seed 18""",
    "zombie_run.txt": """zombie_run --players 3 --options '{"rounds": 1}' --seed 14""",
    "zombie_run_small_deck.txt": (
        "zombie_run --seed 10 --options '"
        """{"rounds": 1, "streets": 1, "hordes": 2, "copies": [1,1,1,1,1,1,1,1,1]}'"""
    ),
    "zombie_run_hand_of_6.txt": (
        """zombie_run --options '{"hand": 6, "rounds": 1}' --seed 10"""
    ),
    "zombie_mania.txt": (
        """zombie_mania --players 3 --options '{"tokens": 2}' --seed 1"""
    ),
    "zombie_mania_series.txt": (
        """zombie_mania --options '{"tokens": 1, "games": 2}' --seed 26"""
    ),
}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = PLAYTHROUGHS[name]
    main(split(arguments))
    found = capsys.readouterr().out
    command = f"python -m arena.games.playthrough {arguments} > tests/golden/{name}"
    expected = (GOLDEN / name).read_bytes().decode()
    assert found == expected, f"if this change is wanted: {command}"


def test_every_golden_file_is_compared() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(PLAYTHROUGHS)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_a_playthrough_is_the_same_in_any_process(hash_seed: str) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "arena.games.playthrough", "ox_blocks", "--seed", "1"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    )
    assert found.stdout == (GOLDEN / "ox_blocks.txt").read_bytes()


def test_a_playthrough_shows_it_all() -> None:
    text = write_playthrough(make_pig(target=6, bonus=3), 3)
    assert text.startswith(
        'game: pig, rules 1, 2 players\noptions: {"target":6,"bonus":3}\nseed: 3\n'
        "actions: 2, from roll to hold\n\n# 0\n"
    )
    for line in (
        "chance: bonus of seat 0\n",
        "seat 1 sees: nothing\n",
        "chance: seat 0 turn 1 roll 1\n",
        " (probability 0.166666667)\n",
        "seat 0 observes: scores=[0,0] my_bonus=",
        "seat 1 observes: scores=[0,0] my_bonus=",
        "seat 0 may: roll\naction: roll (id 0)\n",
        " may: roll, hold\naction: hold (id 1)\n",
        "the game is over\nreturns: [",
    ):
        assert line in text
    assert text.splitlines()[-2].startswith("scores: [")
    assert text.splitlines()[-1].startswith("places: [")


def test_seeds_give_different_playthroughs() -> None:
    texts = {write_playthrough(make_pig(), seed) for seed in range(5)}
    assert len(texts) == 5
    assert write_playthrough(make_pig(), 0) in texts


def test_an_endless_game_is_adjudicated() -> None:
    class ShortPig(Pig):
        max_decisions = 5

    text = write_playthrough(ShortPig(2, Pig.parse_options({})), 0)
    assert text.count("action: ") == 5
    assert "the game is adjudicated\nreturns: [" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["zombie_dise"], "game: no game is called 'zombie_dise'; did you mean"),
        (["ox_blocks", "--players", "3"], "players: expected exactly 2; found 3"),
        (["ox_blocks", "--options", "{"], "--options: expected JSON; "),
        (["ox_blocks", "--options", "[3]"], "expected a JSON object; found [3]"),
        (["ox_blocks", "--options", json.dumps({"sise": 3})], "did you mean 'size'?"),
    ],
)
def test_a_wrong_command_is_told_why(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err
