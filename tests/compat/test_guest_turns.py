"""The arguments of a guest in its turns, and the moments when its code runs."""

from pathlib import Path

import pytest
from guest_games import told

BRAINS = "green brain, green brain, green brain"
FEET = "yellow feet, yellow feet, yellow feet"
KILLED = "red shotgun, red shotgun, red shotgun"
KEEPER = """
import zombiedice

class Keeper:
    def __init__(self):
        self.name = "keeper"
        self.log = []

    def newGame(self):
        self.log.append("newGame")

    def turn(self, gameState):
        self.log.append(gameState)
        while True:
            rolled = zombiedice.roll()
            self.log.append(rolled and rolled["rolls"][0].icon)
            if rolled is None or rolled["brains"]:
                break
        self.log.append("end of turn")

    def endGame(self, gameState):
        self.log.append(("endGame", gameState["SCORES"]))
"""


def test_its_code_runs_on_with_each_roll(tmp_path: Path) -> None:
    game = told(tmp_path, KEEPER)
    assert game.log == ["newGame"]
    game.happens(FEET)
    assert game.log == ["newGame"]
    assert game.decides() == "roll"
    assert game.log == ["newGame", 1, "footsteps"]
    game.happens("yellow brain, yellow feet, yellow feet")
    assert game.decides() == "stop"
    assert game.log[3:] == ["brains", "end of turn"]
    game.happens(BRAINS, "stop", BRAINS)
    assert game.decides() == "stop"
    game.ends()
    scores = {"keeper": 4, "zombie2": 3}
    assert game.log[5:] == [2, "brains", "end of turn", ("endGame", scores)]


def test_a_roll_that_kills_comes_to_it_later(tmp_path: Path) -> None:
    game = told(tmp_path, KEEPER)
    game.happens(KILLED)
    assert game.log == ["newGame"]
    game.happens(BRAINS, "stop", BRAINS)
    assert game.decides() == "stop"
    killed = [1, "shotgun", None, "end of turn"]
    assert game.log == ["newGame", *killed, 2, "brains", "end of turn"]
    game.happens(BRAINS, "stop", FEET)
    assert game.decides() == "roll"
    game.happens("yellow shotgun, yellow shotgun, yellow shotgun")
    game.ends()
    scores = {"keeper": 3, "zombie2": 6}
    assert game.log[8:] == [3, "footsteps", *killed[1:], ("endGame", scores)]


def test_it_sees_scores_order_and_round(tmp_path: Path) -> None:
    game = told(tmp_path, KEEPER, seat=1, players=3)
    game.happens(BRAINS, "stop", BRAINS)
    game.decides()
    game.happens(KILLED, BRAINS, "stop", FEET)
    game.decides()
    first, second = [state for state in game.bot.zombie.log if type(state) is dict]
    for state in (first, second):
        assert state["ORDER"] == ["zombie1", "keeper", "zombie3"]
        assert state["CURRENT_ZOMBIE"] == "keeper"
    assert (first["ROUND"], second["ROUND"]) == (1, 2)
    assert first["SCORES"] == {"zombie1": 3, "keeper": 0, "zombie3": 0}
    assert second["SCORES"] == {"zombie1": 6, "keeper": 3, "zombie3": 0}


def test_nobody_else_has_its_name(tmp_path: Path) -> None:
    game = told(tmp_path, KEEPER.replace('"keeper"', '"zombie2"'), players=3)
    assert game.bot.guest.game_state["ORDER"] == ["zombie2", "zombie2_", "zombie3"]


ROLL = "zombiedice.roll()"
THREADED = """
import threading, zombiedice

class Threaded:
    name = "threaded"
    log = []

    def turn(self, gameState):
        zombiedice.roll()
        helper = threading.Thread(target=self.roll)
        helper.start()
        helper.join()

    def roll(self):
        try:
            self.log.append(zombiedice.roll())
        except RuntimeError as error:
            self.log.append(str(error))
"""


def test_no_other_thread_rolls(tmp_path: Path) -> None:
    game = told(tmp_path, THREADED)
    game.happens(FEET)
    assert game.decides() == "stop"
    assert game.log == ["was called from outside of the turn that it belongs to"]


def test_nobody_rolls_before_a_turn(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"roll\(\) can be called in a bot's turn"):
        told(
            tmp_path, KEEPER.replace('self.log.append("newGame")', "zombiedice.roll()")
        )
