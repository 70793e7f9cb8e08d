"""Plays small games with other programs, a while at a time, to be timed beside ours.

    PYTHON tests/benchmarks/peers.py NAME

Run by `speed.py` with a Python that has them, which may be another than its own.
Nothing but Python's own modules and the peer is imported.  It says in a line of JSON
what it plays, or why it can't.  For each line of input, a number of seconds, it plays
so long and says in a line how much it has played.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any

Play = Callable[[], int]
"""Plays one game; returns its steps."""


def zombiedice() -> tuple[Play, str, str, str]:
    """Zombie Dice by the simulator of this name: the policies that ours play too."""
    zombiedice: Any = import_module("zombiedice")

    class StopAt:
        def __init__(self, most: int) -> None:
            self.name = f"stop at {most}"
            self.most = most
            self.rolls = 0

        def turn(self, state: object) -> None:
            shotguns = 0
            while shotguns < self.most:
                self.rolls += 1
                shotguns += zombiedice.roll()["shotgun"]

    zombies = [StopAt(1), StopAt(2)]

    def play() -> int:
        before = sum(zombie.rolls for zombie in zombies)
        zombies.reverse()
        zombiedice.runGame(list(zombies))
        return sum(zombie.rolls for zombie in zombies) - before

    return play, "zombiedice", "Zombie Dice", "roll"


def axelrod() -> tuple[Play, str, str, str]:
    axelrod: Any = import_module("axelrod")

    players = [axelrod.TitForTat(), axelrod.Random()]

    def play() -> int:
        axelrod.Match(players, turns=200).play()
        return 200

    name = "iterated prisoner's dilemma, 200 turns"
    return play, "Axelrod", name, "turn of both players"


def pettingzoo() -> tuple[Play, str, str, str]:
    env: Any = import_module("pettingzoo.classic.tictactoe_v3").env()

    def play() -> int:
        env.reset()
        moves = 0
        for _ in env.agent_iter():
            observation, _, is_over, is_cut, _ = env.last()
            move = None
            if not (is_over or is_cut):
                mask = observation["action_mask"].tolist()
                move = random.choice([i for i, legal in enumerate(mask) if legal])
                moves += 1
            env.step(move)
        return moves

    return play, "pettingzoo", "tic-tac-toe", "move"


def pig() -> tuple[Play, str, str, str]:
    return _open_spiel("pig")


def tic_tac_toe() -> tuple[Play, str, str, str]:
    return _open_spiel("tic_tac_toe")


def _open_spiel(name: str) -> tuple[Play, str, str, str]:
    root: Any = import_module("pyspiel").load_game(name).new_initial_state()

    def play() -> int:
        state = root.clone()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return play, "open_spiel", name, "action, or outcome of chance"


def kaggle() -> tuple[Play, str, str, str]:
    kaggle: Any = import_module("kaggle_environments")
    # Newer versions have no tic-tac-toe any more.
    name = "tictactoe" if "tictactoe" in kaggle.environments else "connectx"
    env = kaggle.make(name)

    def play() -> int:
        env.reset()
        return len(env.run(["random", "random"])) - 1

    return play, "kaggle-environments", name, "move"


PEERS: dict[str, Callable[[], tuple[Play, str, str, str]]] = {
    "zombiedice": zombiedice,
    "open_spiel pig": pig,
    "open_spiel tic_tac_toe": tic_tac_toe,
    "pettingzoo": pettingzoo,
    "axelrod": axelrod,
    "kaggle-environments": kaggle,
}


def play_for(seconds: float, play: Play) -> dict[str, Any]:
    """Play whole games for a while; return how many, and the time they took."""
    games = steps = 0
    wall, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < seconds:
        steps += play()
        games += 1
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"games": games, "steps": steps, "wall": wall, "cpu": cpu}


def main() -> None:
    # What peers print is not meant for whoever listens.
    out = os.fdopen(os.dup(1), "w", buffering=1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        play, package, game, step = PEERS[sys.argv[1]]()
        play()
    except Exception as error:
        # It is here that a peer shows what it lacks, in whatever way.
        print(json.dumps({"missing": f"{type(error).__name__}: {error}"}), file=out)
        return
    about = f"{package} {version(package)}: {game}"
    print(json.dumps({"plays": about, "step": step}), file=out)
    for line in sys.stdin:
        print(json.dumps(play_for(float(line), play)), file=out)


if __name__ == "__main__":
    main()
