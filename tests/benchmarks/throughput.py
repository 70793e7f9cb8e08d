"""Games and decisions per second, beside other programs and beside bare messages.

Part of `speed.py`.
"""

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median

from companions import start_peers, start_round_trip
from metering import cpu_with_children
from peers import PEERS
from playing import League, Options, Run, shares
from timing import (
    Row,
    Share,
    cpu_per_game,
    cpu_per_step,
    games_per_second,
    medians,
    per,
    ratio,
    shown,
    steps_per_second,
    take_turns,
)
from wire import messages_of, play_here, unit_of_course

MESSAGES_OF = 20
"""Games whose messages are exchanged by the plain processes."""
SAME_POLICIES = "zombiedice"
"""The peer that plays the game that ours play, by the same policies."""

Way = Callable[[], Run | Share]
Plays = Mapping[str, Sequence[Share]]


def measure_throughput(options: Options) -> dict[str, list[Row]]:
    """Play leagues of two bots, while peers and plain processes take turns."""
    turn = options.seconds / 3.0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ways: dict[str, Way] = {}
        starts: dict[str, str] = {}
        steps: dict[str, str] = {}
        shortest = League(folder / "start", options.games[0])
        for workers in options.workers:
            ways[f"start, {workers}"] = partial(shortest.play, 1, workers)
        for game in options.games:
            league = League(folder / game, game)
            fixtures = league.fixtures_for(options.seconds)
            for workers in options.workers:
                name = _ours(game, workers)
                ways[name] = partial(league.play, fixtures, workers)
                starts[name] = f"start, {workers}"
            messages = messages_of(league.course, game, MESSAGES_OF)
            trip = start_round_trip(stack, messages)
            ways[_messages(game)] = partial(trip.play, turn)
            steps[_messages(game)] = trip.step
        peers, missing = start_peers(stack, list(PEERS), options.peers)
        for name, peer in peers.items():
            ways[name] = partial(peer.play, turn)
            steps[name] = peer.step
        found = take_turns(ways, options.rounds)
    plays = shares(found, starts)
    rows = []
    for name, played in plays.items():
        row = _row(peers[name].plays if name in peers else name, played)
        row["a step"] = steps.get(name, "decision")
        rows.append(row)
    for game in options.games:
        for workers in options.workers:
            name = _ours(game, workers)
            row = rows[list(plays).index(name)]
            row.update(_compared(game, name, plays))
            runs = [run for run in found[name] if isinstance(run, Run)]
            row["games/s, whole command"] = shown(
                median(per(run.games, run.whole.wall) for run in runs)
            )
            if workers > 1:
                alone = plays[_ours(game, 1)]
                row["CPU x 1 worker"] = ratio(plays[name], alone, cpu_per_game)
    for name, why in missing.items():
        rows.append({"plays": f"{name}: not here ({why})"})
    return {"throughput": rows}


def _ours(game: str, workers: int) -> str:
    return f"arena: {game}, {workers} worker{'s' * (workers > 1)}"


def _messages(game: str) -> str:
    return f"two plain processes, messages of {game}"


def _row(name: str, played: Sequence[Share]) -> Row:
    speeds = [steps_per_second(share) for share in played]
    row: Row = {"plays": name, "runs": len(played)}
    # One game of bare messages is as many as they happen to be.
    if "plain processes" not in name:
        row["games a run"] = round(median(share.games for share in played))
        row["games/s"] = medians(played, games_per_second)
        row["CPU ms/game"] = medians(played, lambda x: 1e3 * cpu_per_game(x))
    row["steps/s"] = shown(median(speeds))
    row["least"] = shown(min(speeds))
    row["most"] = shown(max(speeds))
    row["CPU us/step"] = medians(played, lambda x: 1e6 * cpu_per_step(x))
    return row


def _compared(game: str, name: str, plays: Plays) -> Row:
    row: Row = {}
    trip = plays[_messages(game)]
    row["x messages"] = ratio(plays[name], trip, steps_per_second)
    if game == "zombie_dice" and SAME_POLICIES in plays:
        theirs = plays[SAME_POLICIES]
        row["x zombiedice"] = ratio(plays[name], theirs, games_per_second)
        row["x CPU of zombiedice"] = ratio(plays[name], theirs, cpu_per_game)
    return row


def measure_single(options: Options) -> dict[str, list[Row]]:
    """Play one game at a time, so that there is nothing to batch."""
    return {
        "one game at a time": [r for x in options.games for r in _single(x, options)]
    }


def _single(game: str, options: Options) -> list[Row]:
    ours = (f"{game}: arena league", f"{game}: a referee alone")
    start = f"{game}: start"
    trips = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        league = League(folder / game, game, in_flight=1)
        fixtures = league.fixtures_for(options.seconds)
        messages = messages_of(league.course, game, MESSAGES_OF)
        ways: dict[str, Way] = {
            start: partial(league.play, 1, 1),
            ours[0]: partial(league.play, fixtures, 1),
            ours[1]: partial(_referee, league, fixtures),
        }
        for key, one_core in (("left alone", False), ("one core", True)):
            trip = start_round_trip(stack, messages, one_core=one_core)
            trips[key] = f"{game}: {trip.plays}"
            ways[trips[key]] = partial(trip.play, options.seconds / 3.0)
        found = take_turns(ways, options.rounds)
    plays = shares(found, {ours[0]: start})
    rows = []
    for name, played in plays.items():
        row = _row(name, played)
        if name in ours:
            for key, trip_name in trips.items():
                theirs = plays[trip_name]
                row[f"x messages, {key}"] = ratio(played, theirs, steps_per_second)
                row[f"x CPU, {key}"] = ratio(played, theirs, cpu_per_step)
        rows.append(row)
    return rows


def _referee(league: League, fixtures: int) -> Share:
    """Play with this process as the referee, and nothing recorded."""

    def play(games: int) -> Share:
        unit = unit_of_course(league.course, league.game, games, in_flight=1)
        wall, cpu = time.perf_counter(), cpu_with_children()
        records = play_here(unit)
        cpu, wall = cpu_with_children() - cpu, time.perf_counter() - wall
        decisions = sum(record.decisions for record in records)
        return Share(len(records), decisions, wall, cpu)

    start = play(2)
    return play(2 * fixtures).less(start)
