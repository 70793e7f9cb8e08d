"""Plays small games with other programs, a while at a time, to be timed beside ours.

    PYTHON tests/benchmarks/peers.py NAME [ARGUMENT ...]

Run by `speed.py` with a Python that has them, which may be another than its own.
Nothing but Python's own modules and the peer is imported.  It says in a line of JSON
what it plays, or why it can't.  For each line of input, a number of seconds, it plays
so long and says in a line how much it has played.
"""

import json
import os
import random
import socket
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

Play = Callable[[], int]
"""Plays one game; returns its steps."""
Peer = tuple[Play, str, str]
"""What it plays, and what a step of it is."""


def zombiedice() -> Peer:
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

    return play, _about("zombiedice", "Zombie Dice"), "roll"


def axelrod() -> Peer:
    axelrod: Any = import_module("axelrod")

    players = [axelrod.TitForTat(), axelrod.Random()]

    def play() -> int:
        axelrod.Match(players, turns=200).play()
        return 200

    about = _about("Axelrod", "iterated prisoner's dilemma, 200 turns")
    return play, about, "turn of both players"


def pettingzoo() -> Peer:
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

    return play, _about("pettingzoo", "tic-tac-toe"), "move"


def open_spiel(name: str) -> Peer:
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

    return play, _about("open_spiel", name), "action, or outcome of chance"


def kaggle() -> Peer:
    kaggle: Any = import_module("kaggle_environments")
    # Newer versions have no tic-tac-toe any more.
    name = "tictactoe" if "tictactoe" in kaggle.environments else "connectx"
    env = kaggle.make(name)

    def play() -> int:
        env.reset()
        return len(env.run(["random", "random"])) - 1

    return play, _about("kaggle-environments", name), "move"


def _about(package: str, game: str) -> str:
    return f"{package} {version(package)}: {game}"


def round_trip(path: str, where: str) -> Peer:
    """Two plain processes that exchange messages over a socket pair.

    The file at `path` has pairs of request and reply in JSON, in hexadecimal.  Both
    sides are loops that block: what any referee in Python pays at least, and nothing
    else.  One game is all the messages once.
    """
    pairs = json.loads(Path(path).read_text())
    messages = [(bytes.fromhex(a), bytes.fromhex(b)) for a, b in pairs]
    if where == "on one core":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        _answer(theirs.detach(), messages)
        os._exit(0)
    theirs.close()
    # The clock of the other process, as the kernel names it.
    clocks["asked"] = lambda: time.clock_gettime((~child << 3) | 2)
    fd, read, write = ours.detach(), os.read, os.write

    def play() -> int:
        for request, reply in messages:
            write(fd, request)
            left = len(reply)
            while left:
                left -= len(read(fd, 65536))
        return len(messages)

    about = f"two plain processes, a socket pair, {where}"
    return play, about, "request and reply"


def _answer(fd: int, messages: list[tuple[bytes, bytes]]) -> None:
    """Answer every request, again and again until the other side is closed."""
    read, write = os.read, os.write
    while True:
        for request, reply in messages:
            left = len(request)
            while left:
                data = read(fd, 65536)
                if not data:
                    return
                left -= len(data)
            write(fd, reply)


PEERS: dict[str, Callable[[], Peer]] = {
    "zombiedice": zombiedice,
    "open_spiel pig": lambda: open_spiel("pig"),
    "open_spiel tic_tac_toe": lambda: open_spiel("tic_tac_toe"),
    "pettingzoo": pettingzoo,
    "axelrod": axelrod,
    "kaggle-environments": kaggle,
}
clocks: dict[str, Callable[[], float]] = {"asker": time.process_time}
"""CPU time of all processes that play."""


def play_for(seconds: float, play: Play) -> dict[str, Any]:
    """Play whole games for a while; return how many, and the time they took."""
    games = steps = 0
    before = {role: clock() for role, clock in clocks.items()}
    started = time.perf_counter()
    while (wall := time.perf_counter() - started) < seconds:
        steps += play()
        games += 1
    roles = {role: clock() - before[role] for role, clock in clocks.items()}
    cpu = sum(roles.values())
    return {"games": games, "steps": steps, "wall": wall, "cpu": cpu, "roles": roles}


def main() -> None:
    # What peers print is not meant for whoever listens.
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    name, *arguments = sys.argv[1:]
    try:
        play, about, step = PEERS[name]() if name in PEERS else round_trip(*arguments)
        play()
    except Exception as error:
        # It is here that a peer shows what it lacks, in whatever way.
        print(json.dumps({"missing": f"{type(error).__name__}: {error}"}), file=out)
        return
    print(json.dumps({"plays": about, "step": step}), file=out)
    for line in sys.stdin:
        print(json.dumps(play_for(float(line), play)), file=out)


if __name__ == "__main__":
    main()
