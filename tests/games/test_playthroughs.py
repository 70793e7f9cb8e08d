"""Golden playthroughs: nothing in the behaviour of a game changes unnoticed.

The seeds are of short games that show what is noted with them.
"""

import json
import os
import subprocess
import sys
from itertools import pairwise
from shlex import split

import golden_files
import pytest
from secret_pig import SecretPig, make_pig

from arena.games.playthrough import main, write_playthrough

# The file, and the arguments that write it.
PLAYTHROUGHS = {
    "zombie_dice.txt": (
        "zombie_dice --players 3 --seed 2901 --options"
        """ '{"target": 3, "dice": {"green": 2, "yellow": 2, "red": 1}}'"""
    ),
    "zombie_dice_tiebreak.txt": (
        "zombie_dice --seed 2270"
        """ --options '{"cup": "none", "target": 2, "tiebreak_rounds": 1}'"""
    ),
    "zombie_dice_big_summer_action_movie.txt": (
        "zombie_dice --seed 8253"
        """ --options '{"preset": "big_summer_action_movie", "target": 3}'"""
    ),
    "zombie_dice_santa_claus_meets_the_zombies.txt": (
        "zombie_dice --seed 4294"
        """ --options '{"preset": "santa_claus_meets_the_zombies", "target": 3}'"""
    ),
    "zombie_dice_heroes.txt": (
        "zombie_dice --seed 7264 --options '"
        """{"dice": {"green": 3, "hunk": 1, "hottie": 1, "santa": 1}, "target": 3}'"""
    ),
    "zombie_dice_all_yellow.txt": (
        """zombie_dice --options '{"preset": "all_yellow", "target": 2}' --seed 2"""
    ),
    "zombie_dice_school_bus.txt": (
        """zombie_dice --options '{"bus": true, "target": 3}' --seed 350"""
    ),
    "zombie_dice_zombie_horde.txt": (
        """zombie_dice --options '{"horde": true, "target": 4}' --seed 1654"""
    ),
    "zombie_dice_everything.txt": (
        "zombie_dice --seed 5716 --options '"
        """{"preset": "direct_to_video_sequel", "bus": true, "horde": true, """
        """"target": 4}'"""
    ),
    "ox_blocks.txt": "ox_blocks --seed 14670",
    "ox_blocks_4x4.txt": (
        """ox_blocks --options '{"size": 4, "removal": "must"}' --seed 1726"""
    ),
    "zombie_run.txt": """zombie_run --players 3 --options '{"rounds": 1}' --seed 8""",
    # With a larger hand and so few cards that the draw pile runs out.
    "zombie_run_small_deck.txt": (
        """zombie_run --seed 21 --options '{"hand": 5, "rounds": 1, "streets": 2, """
        """"hordes": 2, "copies": [1,1,1,1,1,1,1,1,1]}'"""
    ),
    "zombie_mania.txt": (
        """zombie_mania --players 3 --options '{"tokens": 1}' --seed 314"""
    ),
    "zombie_mania_series.txt": (
        """zombie_mania --options '{"tokens": 1, "games": 2}' --seed 1769"""
    ),
}

# What a file shows, so that a new seed keeps it: the ruling, what is done or happens,
# and the line of the next position that tells of its effect.
SHOWN = {
    "zombie_dice.txt": [
        (1, "feet: none\ncup         1 green, 1 red\n", "2 green, 1 yellow, 1 red"),
        (5, "brains: 3, shotguns: 1, feet: 2 green", "final round 1, seat 2, roll 0"),
        (8, "yellow feet, yellow feet, red feet", "feet: 2 yellow, 1 red"),
        (9, "action: stop", "seat 0: 0, seat 1: 3, seat 2: 4"),
    ],
    "zombie_dice_tiebreak.txt": [
        (6, "action: stop", "tiebreaker round"),
        (6, "tiebreaker round", "returns: [0.5, 0.5]"),
    ],
    "zombie_dice_big_summer_action_movie.txt": [
        (15, "green brain, yellow brain, hunk shotgun", "dice: 4 green, 1 yellow;"),
        (
            17,
            "green brain, hunk double shotgun, hottie brain",
            "brains: 3, shotguns: 2",
        ),
        (12, "hunk double shotgun", "shotguns: 2, feet: none"),
    ],
    "zombie_dice_santa_claus_meets_the_zombies.txt": [
        (20, "green shotgun, green feet, yellow feet", "shotguns: 3, feet: 1 green"),
        (20, "brains: 4, shotguns: 3", "round 1, seat 1, roll 0"),
        (21, "green feet, yellow shotgun, red brain", "dice: 5 green, 1 red;"),
    ],
    "zombie_dice_heroes.txt": [
        (14, "green brain, hunk shotgun, santa brain", "1 hottie, 1 santa"),
        (21, "green feet, hunk feet, santa energy drink", "dice: 1 green; noted: 0"),
        (22, "dice: 2 green, 1 santa; noted: 0", "dice: 1 santa; noted: 2"),
    ],
    "zombie_dice_all_yellow.txt": [
        (1, "cup         2 yellow\n", "cup         11 yellow")
    ],
    "zombie_dice_school_bus.txt": [
        (25, "action: roll bus", "rolling with the bus"),
        (26, "action: leave bus", "bus: gone"),
        (28, "green brain, green brain, bus stop", "seat 1: 3"),
        (30, "green feet, yellow brain, bus dead end", "brains: 2, shotguns: 2"),
        (32, "bus brain and shotgun", "noted: 1; bus: boarded"),
    ],
    "zombie_dice_zombie_horde.txt": [
        (33, "horde hoard of 3", "brains: 4, shotguns: 0"),
        (34, "yellow feet, yellow feet, horde horde", "seat 0: 5, seat 1: 0"),
        (35, "yellow feet, yellow feet, horde horde", "6 green, 2 yellow, 1 red\n"),
    ],
    "zombie_dice_everything.txt": [
        (20, "santa helmet", "helmet; bus: waiting"),
        (
            27,
            "feet: 1 horde",
            "feet: none\ncup         3 green, 2 yellow, 1 red, 1 hunk",
        ),
        (29, "red brain, horde shotgun, bus yield", "shotguns: 1, feet: 1 horde"),
        (31, "yellow shotgun, hottie brain, bus run over", "which brain is lost?"),
        (31, "action: lose green", "cup         4 green, 1 yellow, 1 red, 1 hunk"),
        (34, "green feet, yellow brain, horde horde", "brains: 0, shotguns: 1"),
    ],
    "ox_blocks.txt": [
        (39, "may: remove b3, pass\naction: pass", "X throws"),
        (39, "may: remove b3, pass\naction: remove b3", "X throws"),
        (39, "may: remove b1, remove c3\n", "X throws"),
        (41, "seat 1 may: place a1", "O has won"),
    ],
    "ox_blocks_4x4.txt": [(39, "may: remove a1\n", "O throws")],
    "zombie_run.txt": [
        (50, "outcome: 15 (probability 0.193548387)\nseat 1 sees: nothing", "drawn 15"),
        (52, "action: discard shout", "seat 1, score 92:"),
    ],
    "zombie_run_small_deck.txt": [
        (53, "draw pile 0 cards, discard pile 3", "draw pile 3 cards, discard pile 0"),
        (52, "action: swap 4 shout", "seat 0, score 70:"),
    ],
    "zombie_mania.txt": [
        (58, "outcome: gravestone ", "seat 0 has won"),
        (62, "action: move 1 seat 1", "seat 0: 0, seat 1: 2, seat 2: 1"),
        (65, "action: move 2 graveyard", "seat 1: 0, seat 2: 1, graveyard: 2"),
    ],
    "zombie_mania_series.txt": [
        (66, "game 1 of 2", "game 2 seat 1 turn 1 roll 1"),
        (67, "penalty seat 0: 1, seat 1: 0", "penalty seat 0: 1, seat 1: 1"),
    ],
}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(split(PLAYTHROUGHS[name]))
    found = capsys.readouterr().out
    golden_files.check(found, name)
    steps = found.split("\n\n")
    for ruling, happens, then in SHOWN.get(name, []):
        assert any(
            happens in step and then in after for step, after in pairwise(steps)
        ), f"expected to see ruling {ruling} in {happens!r}, then {then!r}"


def test_every_golden_playthrough_is_compared() -> None:
    found = {path.name for path in golden_files.FOLDER.glob("*.txt")}
    assert found == set(PLAYTHROUGHS)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_a_playthrough_is_the_same_in_any_process(hash_seed: str) -> None:
    arguments = split(PLAYTHROUGHS["ox_blocks.txt"])
    found = subprocess.run(
        [sys.executable, "-m", "arena.games.playthrough", *arguments],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    )
    golden_files.check(found.stdout.decode(), "ox_blocks.txt")


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
        "seat 0 observes: scores=[0,0] turn_seat=0 turn=1 points=0 rolls=0 "
        "rolling=false my_bonus=",
        "seat 1 observes: scores=[0,0] turn_seat=0 turn=1 points=0 rolls=0 "
        "rolling=false my_bonus=",
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
    class ShortPig(SecretPig):
        max_decisions = 5

    text = write_playthrough(ShortPig(2, SecretPig.parse_options({})), 0)
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
