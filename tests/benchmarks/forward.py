"""How fast a search bot can simulate: states copied, guessed, and played out.

Part of `speed.py`.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from random import Random
from statistics import median
from typing import TypeVar

from companions import start_peers
from playing import Options
from timing import (
    Row,
    Share,
    cpu_per_step,
    shown,
    steps_per_cpu_second,
    take_turns,
)

from arena.games import (
    CHANCE,
    TERMINAL,
    Observation,
    State,
    Table,
    derive_seed,
    get_game,
)

MOVE = 0.1
"""Seconds of a move that search may use."""
POSITIONS = 40
On = TypeVar("On", State, Observation)
PEERS = ("open_spiel pig", "open_spiel tic_tac_toe")


def measure_forward(options: Options) -> dict[str, list[Row]]:
    """Play on at random from copies of positions, and time what that takes."""
    turn = options.seconds / 3.0
    rows: list[Row] = []
    with ExitStack() as stack:
        ways: dict[str, Callable[[], Share]] = {}
        for game in options.games:
            seats = positions(game)
            states = [each.sample_state(Random(0)) for each in seats]
            ways[f"{game}: playouts"] = partial(_time, turn, _playout, states)
            ways[f"{game}: clone"] = partial(_time, turn / 4, _clone, states)
            ways[f"{game}: actions"] = partial(_time, turn / 4, _list, states)
            ways[f"{game}: guess"] = partial(_time, turn / 4, _guess, seats)
        peers, missing = start_peers(stack, PEERS, options.peers)
        for name, peer in peers.items():
            ways[name] = partial(peer.play, turn)
        found = take_turns(ways, options.rounds)
    for game in options.games:
        playouts = found[f"{game}: playouts"]
        row: Row = {"simulates": game, "runs": len(playouts)}
        row["decisions in 100 ms"] = shown(
            median(MOVE * x.games / x.cpu for x in playouts)
        )
        row["steps/CPU-s"] = shown(median(map(steps_per_cpu_second, playouts)))
        row["us a clone"] = _microseconds(found[f"{game}: clone"])
        row["clones/CPU-s"] = shown(
            median(map(steps_per_cpu_second, found[f"{game}: clone"]))
        )
        row["us a sample_state"] = _microseconds(found[f"{game}: guess"])
        row["us a legal_actions"] = _microseconds(found[f"{game}: actions"])
        row["a step"] = "action, or outcome of chance"
        rows.append(row)
    for name, peer in peers.items():
        speed = median(map(steps_per_cpu_second, found[name]))
        row = {"simulates": peer.plays, "runs": options.rounds}
        rows.append({**row, "steps/CPU-s": shown(speed), "a step": peer.step})
    for name, why in missing.items():
        rows.append({"simulates": f"{name}: not here ({why})"})
    return {"forward model": rows}


def positions(name: str) -> list[Observation]:
    """Return what is seen at decisions of games that are played at random.

    Of many games, so that all phases of a game are among them.
    """
    rng = Random(1)
    found: list[Observation] = []
    game = get_game(name)
    number = 0
    while len(found) < POSITIONS:
        table = Table(game, derive_seed("forward", number))
        number += 1
        seen: list[Observation] = []
        while table.advance() != TERMINAL and table.decisions < game.max_decisions:
            seen.append(table.observe(MOVE))
            table.act(rng.choice(table.state.legal_actions()))
        found.append(rng.choice(seen))
    return found


def _time(
    seconds: float, work: Callable[[On, Random], tuple[int, int]], on: list[On]
) -> Share:
    """Do a work for a while; return the decisions and steps that it has counted."""
    rng = Random(2)
    decisions = steps = 0
    wall, started = time.perf_counter(), time.process_time()
    now = started
    while now - started < seconds:
        for each in on:
            more_decisions, more_steps = work(each, rng)
            decisions += more_decisions
            steps += more_steps
        now = time.process_time()
    return Share(decisions, steps, time.perf_counter() - wall, now - started)


def _playout(root: State, rng: Random) -> tuple[int, int]:
    """Play a copy to its end; return its decisions, and all its steps."""
    state = root.clone()
    decisions = steps = 0
    while (player := state.current_player()) != TERMINAL:
        if player == CHANCE:
            state.apply(state.outcome_at(rng.random()))
        else:
            state.apply(rng.choice(state.legal_actions()))
            decisions += 1
        steps += 1
    return decisions, steps


def _clone(root: State, rng: Random) -> tuple[int, int]:
    root.clone()
    return 1, 1


def _list(root: State, rng: Random) -> tuple[int, int]:
    root.legal_actions()
    return 1, 1


def _guess(seen: Observation, rng: Random) -> tuple[int, int]:
    seen.sample_state(rng)
    return 1, 1


def _microseconds(shares: list[Share]) -> float | None:
    return shown(1e6 * median(map(cpu_per_step, shares)))
