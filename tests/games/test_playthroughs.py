"""Golden playthroughs: nothing in the behaviour of a game changes unnoticed.

After a change that is wanted, each file is written anew by its own command, which a
failing test prints, such as

    python -m arena.games.playthrough ox_blocks --seed 1 > tests/golden/ox_blocks.txt
"""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from shlex import split

import pytest
from pig import Pig, make_pig

from arena.games.playthrough import main, write_playthrough

GOLDEN = Path(__file__).parent.parent / "golden"

# The file, and the arguments that write it.
PLAYTHROUGHS = {
    "zombie_dice.txt": (
        """zombie_dice --players 3 --options '{"target": 6}' --seed 3198"""
    ),
    "zombie_dice_tiebreak.txt": (
        "zombie_dice --seed 1507"
        """ --options '{"cup": "none", "target": 3, "tiebreak_rounds": 1}'"""
    ),
    "zombie_dice_big_summer_action_movie.txt": (
        "zombie_dice --seed 5587"
        """ --options '{"preset": "big_summer_action_movie", "target": 6}'"""
    ),
    "zombie_dice_santa_claus_meets_the_zombies.txt": (
        "zombie_dice --seed 2295"
        """ --options '{"preset": "santa_claus_meets_the_zombies", "target": 6}'"""
    ),
    "zombie_dice_direct_to_video_sequel.txt": (
        "zombie_dice --seed 12043"
        """ --options '{"preset": "direct_to_video_sequel", "target": 6}'"""
    ),
    "zombie_dice_all_yellow.txt": (
        "zombie_dice --seed 16006"
        """ --options '{"preset": "all_yellow", "target": 6}'"""
    ),
    "zombie_dice_school_bus.txt": (
        """zombie_dice --options '{"bus": true, "target": 6}' --seed 15483"""
    ),
    "zombie_dice_zombie_horde.txt": (
        """zombie_dice --options '{"horde": true, "target": 6}' --seed 8420"""
    ),
    "zombie_dice_everything.txt": (
        "zombie_dice --seed 62326 --options '"
        """{"preset": "direct_to_video_sequel", "bus": true, "horde": true, """
        """"target": 8}'"""
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

# What a file of Zombie Dice shows, so that a new seed keeps it: the ruling, what is
# done or rolled, and the line of the next position that tells of its effect.
SHOWN = {
    "zombie_dice.txt": [
        (
            1,
            "feet: 1 green\ncup         1 red\n",
            "cup         4 green, 4 yellow, 2 red",
        ),
        (5, "brains: 6, shotguns: 1, feet: 1 red", "final round 2, seat 1, roll 0"),
        (8, "green feet, yellow feet, red feet", "feet: 1 green, 1 yellow, 1 red"),
        (9, "action: stop", "seat 0: 6, seat 1: 11, seat 2: 4"),
    ],
    "zombie_dice_tiebreak.txt": [
        (6, "action: stop", "tiebreaker round"),
        (6, "tiebreaker round", "returns: [0.5, 0.5]"),
    ],
    "zombie_dice_big_summer_action_movie.txt": [
        (15, "green brain, yellow shotgun, hunk shotgun", "dice: 2 green, 1 red;"),
        (17, "red feet, hunk double brain, hottie shotgun", "brains: 0, shotguns: 1"),
        (12, "hunk double shotgun", "shotguns: 2, feet: 2 green"),
    ],
    "zombie_dice_santa_claus_meets_the_zombies.txt": [
        (20, "green brain, red brain, red shotgun", "shotguns: 3, feet: none"),
        (20, "brains: 2, shotguns: 3", "round 3, seat 0, roll 0"),
        (21, "green feet, yellow shotgun, yellow shotgun", "dice: 1 green, 1 yellow,"),
    ],
    "zombie_dice_direct_to_video_sequel.txt": [
        (14, "red brain, hunk shotgun, santa brain", "1 hottie, 1 santa"),
        (
            21,
            "green shotgun, green feet, santa energy drink",
            "dice: 1 green; noted: 0",
        ),
        (22, "5 green, 2 yellow, 2 red, 1 santa", "dice: 1 santa; noted: 9"),
    ],
    "zombie_dice_all_yellow.txt": [
        (1, "cup         1 yellow\n", "cup         10 yellow"),
        (6, "action: stop", "tiebreaker round 5, seat 0, roll 0"),
    ],
    "zombie_dice_school_bus.txt": [
        (25, "action: roll bus", "rolling with the bus"),
        (26, "action: leave bus", "bus: gone"),
        (27, "feet: 1 green, 1 yellow", "feet: none\ncup         4 green, 3 yellow"),
        (28, "yellow brain, yellow brain, bus stop", "seat 1: 6"),
        (29, "green brain, red shotgun, bus yield", "shotguns: 2, feet: 1 red"),
        (30, "green brain, green feet, bus dead end", "brains: 3, shotguns: 0"),
        (31, "green shotgun, red feet, bus run over", "which brain is lost?"),
        (31, "action: lose yellow", "cup         3 green, 4 yellow, 1 red"),
        (32, "bus brain and shotgun", "noted: 1; bus: boarded"),
    ],
    "zombie_dice_zombie_horde.txt": [
        (33, "horde hoard of 3", "brains: 4, shotguns: 1"),
        (34, "green feet, red brain, horde horde", "seat 0: 0, seat 1: 3"),
        (
            35,
            "green feet, red brain, horde horde",
            "cup         4 green, 4 yellow, 3 red",
        ),
    ],
    "zombie_dice_everything.txt": [
        (17, "red feet, hunk double brain, santa shotgun", "brains: 0, shotguns: 1"),
        (20, "santa helmet", "helmet; bus: waiting"),
        (21, "green feet, hottie feet, santa energy drink", "dice: 1 green; noted: 0"),
        (27, "action: roll bus", "1 hottie, 1 santa, 1 horde\ntable  "),
        (29, "green feet, hottie shotgun, bus yield", "feet: 1 green, 1 hottie"),
        (31, "action: lose red", "dice: 2 green, 1 hottie; noted: 0; bus: gone"),
        (34, "green brain, yellow brain, horde horde", "brains: 0, shotguns: 0"),
    ],
}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = PLAYTHROUGHS[name]
    main(split(arguments))
    found = capsys.readouterr().out
    command = f"python -m arena.games.playthrough {arguments} > tests/golden/{name}"
    expected = (GOLDEN / name).read_bytes().decode()
    assert found == expected, f"if this change is wanted: {command}"


@pytest.mark.parametrize("name", SHOWN)
def test_a_playthrough_shows_its_rulings(name: str) -> None:
    steps = (GOLDEN / name).read_text().split("\n\n")
    for ruling, happens, then in SHOWN[name]:
        assert any(
            happens in step and then in after for step, after in pairwise(steps)
        ), f"expected to see ruling {ruling} in {happens!r}, then {then!r}"


def test_every_playthrough_of_zombie_dice_shows_something() -> None:
    assert set(SHOWN) == {n for n in PLAYTHROUGHS if n.startswith("zombie_dice")}


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
