"""Where the time of a decision goes: referee, rules, wire, contestant, coordinator.

Part of `speed.py`.
"""

import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from companions import start_round_trip
from playing import SHOTGUNS, League, Options
from timing import Row, Share, cpu_per_step, medians, per, shown, take_turns
from wire import messages_of

from arena.games import TERMINAL, Table, derive_seed, get_game

MESSAGES_OF = 20
Choose = Callable[[Any], str]
"""A policy: an action for an observation."""


def measure_overhead(options: Options) -> dict[str, list[Row]]:
    """Split the CPU time of a decision in a league by who uses it."""
    return {"overhead per decision": [_overhead(x, options) for x in options.games]}


def _overhead(game: str, options: Options) -> Row:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        league = League(folder / game, game)
        fixtures = league.fixtures_for(options.seconds)
        messages = messages_of(league.course, game, MESSAGES_OF)
        trip = start_round_trip(stack, messages, one_core=True)
        alone = RulesAlone(game, max(2, min(fixtures, 200)))
        turn = options.seconds / 3.0
        ways: dict[str, Callable[[], Any]] = {
            "start": partial(league.play, 1, 1),
            "league": partial(league.play, fixtures, 1),
            "messages": partial(trip.play, turn),
            "rules": partial(alone.repeat, turn),
            "rules and bots": partial(alone.play, turn),
        }
        found = take_turns(ways, options.rounds)
    pairs = zip(found["league"], found["start"], strict=True)
    shares = [run.beyond(start) for run, start in pairs]
    both = zip(found["rules"], found["rules and bots"], strict=True)
    bots = median(more - rules for rules, more in both)

    def role(name: str, among: Iterable[Share]) -> float | None:
        return medians(among, lambda x: 1e6 * per(x.roles[name], x.steps))

    return {
        "CPU us per decision": game,
        "runs": options.rounds,
        "decisions": shares[0].steps,
        "all": medians(shares, lambda x: 1e6 * cpu_per_step(x)),
        "coordinator": role("coordinator", shares),
        "referee": role("referees", shares),
        "of it rules": shown(1e6 * median(found["rules"])),
        "contestants": role("contestants", shares),
        "of it bots": shown(1e6 * bots),
        "bare message, asker": role("asker", found["messages"]),
        "bare message, asked": role("asked", found["messages"]),
    }


class RulesAlone:
    """Games stepped in this process, with neither messages nor other processes."""

    def __init__(self, name: str, games: int) -> None:
        self._game = get_game(name)
        self._games = games
        self._choose = policies(name)
        self._played = [self._play(number) for number in range(games)]

    def play(self, seconds: float) -> float:
        """Play for a while, bots included; return the CPU seconds of a decision."""
        return self._time(seconds, lambda number: len(self._play(number)))

    def repeat(self, seconds: float) -> float:
        """Take the same decisions without asking anybody; return the same."""
        return self._time(seconds, self._repeat)

    def _time(self, seconds: float, play: Callable[[int], int]) -> float:
        decisions = number = 0
        started = now = time.process_time()
        while now - started < seconds:
            decisions += play(number % self._games)
            number += 1
            now = time.process_time()
        return (now - started) / decisions

    def _table(self, number: int) -> Table:
        return Table(self._game, derive_seed("speed", number))

    def _play(self, number: int) -> list[str]:
        table = self._table(number)
        actions: list[str] = []
        while (seat := table.advance()) != TERMINAL and not _is_long(table):
            actions.append(self._choose[seat](table.observe(inf)))
            table.act(actions[-1])
        return actions

    def _repeat(self, number: int) -> int:
        table = self._table(number)
        actions = self._played[number]
        for action in actions:
            table.advance()
            table.observe(inf)
            table.act(action)
        assert table.advance() == TERMINAL or _is_long(table)
        return len(actions)


def _is_long(table: Table) -> bool:
    return table.decisions >= table.game.max_decisions


def policies(name: str) -> list[Choose]:
    """Return what the bots of a league of the game play, seat by seat."""
    if name == "zombie_dice":
        return [partial(_stop_at, most) for most in SHOTGUNS.values()]
    return [partial(_by_chance, Random(seat)) for seat in range(2)]


def _stop_at(most: int, observation: Any) -> str:
    return "stop" if observation.shotguns >= most else "roll"


def _by_chance(rng: Random, observation: Any) -> str:
    legal: list[str] = observation.legal_actions
    return rng.choice(legal)
