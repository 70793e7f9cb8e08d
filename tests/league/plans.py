"""Plans made by hand, and the rule of quarantine as it is written."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hand_ins import kept

from arena.games import get_game
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig, LeagueGame
from arena.league.config.settings import Overall, Placing, RatedBy, ScheduleName
from arena.league.entries.enrolment import Enrolment
from arena.league.entries.entry import Entry
from arena.league.schedule.core import Schedule, make_schedule
from arena.league.schedule.matches import Match
from arena.league.schedule.plan import Plan
from arena.league.schedule.quarantine import Player
from arena.league.schedule.queue import Queue
from arena.records.game_record import GameRecord
from arena.referee.sandbox.library import Library
from arena.referee.work_unit import GameTask, Limits, Restart, WorkUnit
from arena.worker.protocol import GameSpec

Games = Sequence[tuple[str, tuple[str, ...]]]
"""The label and the bots of each game, in the order of the plan."""
Faults = Mapping[int, Mapping[str, str]]
"""How each bot that forfeits a game does so, by the game's place in the plan."""


def entry(name: str, *games: str, code: str = "code", **params: Any) -> Entry:
    """Return an entry that plays games; all of them if none is named."""
    return Entry(
        id=f"{name}:Bot",
        name=name,
        path=Path(f"/bots/{name}.py"),
        bot="Bot",
        params=params,
        games=games or ("zombie_dice", "ox_blocks"),
        hand_in=kept(code, f"{name}.py", "helper.py"),
    )


def league_game(name: str, label: str = "", **changes: Any) -> LeagueGame:
    """Return a game of a league; keys as in its file."""
    game = get_game(name, changes.pop("players", 2), changes.pop("options", {}))
    found = LeagueGame(
        label=label or name,
        game=game,
        spec=GameSpec(name, "module:Class", game.players, game.options_dict),
        fixtures=3,
        max_decisions=500,
        weight=1.0,
        placing=Placing.ALL,
    )
    return replace(found, **changes)


def league(*games: LeagueGame, **changes: Any) -> LeagueConfig:
    """Return a league; keys as in its file."""
    found = LeagueConfig(
        path=Path("league.yaml"),
        name="small",
        seed=0,
        bots=(),
        games=games or (league_game("zombie_dice"),),
        anchor=None,
        limits=Limits(),
        in_flight=32,
        isolation="auto",
        require_isolation=None,
        restart=Restart.MATCH,
        quarantine=10,
        packages=(),
        schedule=ScheduleName.ROUND_ROBIN,
        references=(),
        divisions=None,
        grading=None,
        pseudonyms=False,
        watch=None,
        most_bots=None,
        luck_adjustment=True,
        by=RatedBy.LUCK_ADJUSTED,
        overall=Overall.ALL,
        library=Library(modules=(), read=(), search=()),
    )
    return replace(found, **changes)


def scheduled(
    config: LeagueConfig, entries: Iterable[Entry], keys: Keys | None = None
) -> Schedule:
    """Return the schedule of a league, with these entries; public luck by default."""
    keys = keys or Keys.of_seed(config.seed or 0)
    return make_schedule(config, Enrolment(tuple(entries), ()), keys)


def make_plan(config: LeagueConfig, entries: Iterable[Entry]) -> Plan:
    """Return every game of a league that is not planned because of results."""
    return scheduled(config, entries).plan


def tasks(match: Match) -> list[GameTask]:
    """Return all games of a match."""
    return list(match.tasks(range(len(match))))


def next_of(queue: Queue) -> WorkUnit:
    """Return the next unit of a queue, as there is one."""
    unit = queue.next()
    assert unit is not None
    return unit


def whole(match: Match) -> WorkUnit:
    """Return all of a match as a unit by itself."""
    return match.unit(range(len(match)))


def record_of(unit: WorkUnit, place: int, **changes: Any) -> GameRecord:
    """Return a game of a unit, as if it had been played without a winner."""
    task = unit.games[place]
    seats = tuple(unit.entries[i].id for i in task.seats)
    return game_record(
        seats,
        game_id=task.game_id,
        fixture_id=task.fixture_id,
        match_id=task.match_id,
        **({"label": unit.label} | changes),
    )


def game_record(seats: tuple[str, ...], **changes: Any) -> GameRecord:
    """Return a game without a winner, or fault."""
    size = len(seats)
    plain = {
        "game_id": "g",
        "fixture_id": "f",
        "match_id": "m",
        "label": "zombie_dice",
        "returns": (1 / size,) * size,
        "places": (1,) * size,
        "scores": (0.0,) * size,
        "termination": "natural",
        "forfeits": (False,) * size,
        "decisions": 2,
        "seconds": (0.0,) * size,
        "history": (),
    }
    return GameRecord(seats=seats, **(plain | changes))


def ids_by_group(plan: Plan) -> dict[tuple[str, ...], list[str]]:
    """Return the ids of all games by label and entries, in the order of the plan."""
    found: dict[tuple[str, ...], list[str]] = {}
    for match in plan.matches:
        group = (match.label, *(e.id for e in match.entries))
        found.setdefault(group, []).extend(match.game_ids(range(len(match))))
    return found


def game_ids(plan: Plan) -> list[str]:
    """Return the ids of all games, in the order of the plan."""
    return list(plan.game_ids())


def by_the_rule(
    games: Games, faults: Faults, patience: int, exempt: frozenset[str]
) -> tuple[dict[int, tuple[str, ...]], dict[Player, int]]:
    """Return who is out of which game, and which game completed each row.

    The rule as it is written: one game after another, everything known.
    """
    rows: Counter[Player] = Counter()
    ends: dict[Player, int] = {}
    out: dict[int, tuple[str, ...]] = {}
    for position, (label, bots) in enumerate(games):
        gone = tuple(bot for bot in bots if (label, bot) in ends)
        if gone:
            out[position] = gone
            continue
        for bot in bots:
            player = label, bot
            rows[player] = rows[player] + 1 if bot in faults[position] else 0
            if rows[player] == patience and bot not in exempt:
                ends[player] = position
    return out, ends
