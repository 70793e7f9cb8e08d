"""What a guest sees after each of its rolls is what is played."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from guest_games import Told, told
from matrix import divided

from arena.games import CHANCE, TERMINAL
from arena.games.zombie_dice import DICE
from arena.worker.compat.zombiedice.seen_game import seen_after

WATCHER = """
import zombiedice

class Watcher:
    def __init__(self):
        self.log = []

    def newGame(self):
        self.scores = zombiedice.GAME_STATE["SCORES"]

    def turn(self, gameState):
        self.see(None)
        cup = zombiedice.GAME_STATE["CURRENT_CUP"]
        while True:
            rolled = zombiedice.roll()
            assert zombiedice.GAME_STATE["CURRENT_CUP"] is cup
            if rolled is None:
                break
            self.see(rolled)

    def see(self, rolled):
        state = zombiedice.GAME_STATE
        assert state["SCORES"] is self.scores
        seen = {k: v.copy() if hasattr(v, "copy") else v for k, v in state.items()}
        self.log.append((rolled, seen, zombiedice._guest.moment))
"""
"""Never stops; each roll that kills comes to it later."""
EXPANSIONS: tuple[dict[str, Any], ...] = (
    {},
    {"cup": "needed"},
    {"cup": "rest_first"},
    {"cup": "none"},
    {"preset": "big_summer_action_movie"},
    {"preset": "santa_claus_meets_the_zombies"},
    {"preset": "direct_to_video_sequel", "bus": True, "horde": True},
    {"preset": "all_yellow"},
    {"dice": {"green": 3, "red": 2}},
)
SHOWN = {"brain": "brains", "double brain": "brains"}
SHOWN |= dict.fromkeys(("hoard of 2", "hoard of 3"), "brains")
SHOWN |= dict.fromkeys(("shotgun", "double shotgun"), "shotgun")
SHOWN |= {"feet": "footsteps"}


def names(dice: tuple[int, ...]) -> Counter[str]:
    return +Counter(dict(zip((die.name for die in DICE), dice, strict=True)))


class Watched:
    """Plays a game of a watcher, and knows what it must have seen."""

    def __init__(self, game: Told, luck: Random) -> None:
        self.game = game
        self._luck = luck
        self.expected: list[tuple[str, dict[str, Any]]] = []
        self.short = 0
        """Rolls before which the cup was too short."""

    def play(self, turns: int) -> None:
        state = self.game.state
        while turns and (player := state.current_player()) != TERMINAL:
            if player == 0:
                self.short += sum(state.turn.cup) < 3
                assert self.game.decides() == "roll"
            elif player != CHANCE:
                self.game.happens("stop")
            elif state.seat == 0:
                turns -= self._roll()
            else:
                self.game.happens(self._fallen(1))
        self.game.ends()

    def _fallen(self, most: float) -> str:
        """Return a roll, one of the luckier ones where `most` is less than 1."""
        return str(self.game.state.outcome_at(self._luck.random() * most))

    def _roll(self) -> bool:
        """Let the watcher's dice fall; return whether its turn is over."""
        state = self.game.state
        turn, round_ = state.turn, state.round
        if turn.rolls == 0:
            self._expect("", turn, round_)
        fallen = self._fallen(self._luck.choice((0.1, 0.5, 1)))
        self.game.happens(fallen)
        self._expect(fallen, turn, round_)
        lies = (turn.cup, turn.hand, turn.brain_dice, turn.shotgun_dice, turn.aside)
        if "yield" not in fallen:
            assert tuple(map(sum, zip(*lies, strict=True))) == state.setup.dice
        return bool(state.turn is not turn)

    def _expect(self, fallen: str, turn: Any, round_: int) -> None:
        seen = {
            "CURRENT_CUP": names(turn.cup),
            "CURRENT_HAND": names(turn.hand),
            "ROLLED_BRAINS_DETAILS": names(turn.brain_dice),
            "BRAINS_ROLLED": turn.brains,
            "SHOTGUNS_ROLLED": turn.shotguns,
            "SCORES": [*map(int, self.game.state.scores())],
            "ROUND": round_,
            "CURRENT_ZOMBIE": "Watcher",
        }
        self.expected.append((fallen, seen))


def shown(rolled: Mapping[str, Any] | None) -> str:
    """Return a roll as the game writes it, with the package's words for faces."""
    dice = rolled["rolls"] if rolled else ()
    return ", ".join(f"{die.color} {die.icon}" for die in dice)


def in_words_of_package(fallen: str) -> str:
    dice = [die.split(" ", 1) for die in fallen.split(", ") if die]
    return ", ".join(f"{color} {SHOWN.get(face, face)}" for color, face in dice)


@pytest.mark.parametrize("options", divided(EXPANSIONS, lambda x: len(x) != 1))
@pytest.mark.parametrize("seed", divided(range(10), lambda seed: seed < 2))
def test_after_each_roll_it_sees_what_is_played(
    options: dict[str, Any], seed: int, tmp_path: Path
) -> None:
    watched = Watched(told(tmp_path, WATCHER, options=options), Random(seed))
    watched.play(turns=25)
    log = watched.game.bot.zombie.log
    game = watched.game.state.game
    for (rolled, state, moment), (fallen, seen) in zip(
        log, watched.expected, strict=True
    ):
        assert shown(rolled) == in_words_of_package(fallen)
        found = {key: state[key] for key in seen}
        for key in ("CURRENT_CUP", "CURRENT_HAND", "ROLLED_BRAINS_DETAILS"):
            found[key] = Counter(found[key])
        found["SCORES"] = [*found["SCORES"].values()]
        assert found == seen
        # What a fault at this moment shows is the same.
        again = dict(seen_after(game, 0, watched.game.history[:moment]))
        for key in ("CURRENT_HAND", "ROLLED_BRAINS_DETAILS"):
            again[key] = Counter(again[key])
        again["SCORES"] = [*again["SCORES"].values()]
        again["CURRENT_ZOMBIE"] = "Watcher"
        assert {key: again[key] for key in seen} == seen
    if options in ({}, {"cup": "needed"}, {"cup": "rest_first"}):
        assert watched.short > 0
