"""Leagues with all that pages must cope with, made by hand."""

import json
from itertools import combinations
from pathlib import Path
from random import Random

from leagues import entry, fault, fill, game, label_info, league, value_of
from msgspec.structs import replace

from arena.league.config.info import EntryInfo, LabelInfo, LeagueInfo
from arena.league.results.store import Store
from arena.records.game_record import Fault, GameRecord
from arena.reports.games import read_games
from arena.reports.pages.write import write_pages
from arena.reports.report import Report, read_report

LABELS = ("dice", "run")
NAMES = (
    "Ana",
    "<script>alert(1)</script>",
    "\"quoted\" & 'single'",
    "../../etc/passwd",
    "\u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627",
    "\U0001f9df\u200d\u2640\ufe0f zombie",
    "x" * 60,
    "{{ 7 * 7 }} %}",
)
SECRET = "what only its author may see"


def label(name: str, game_name: str, *house_rules: str) -> LabelInfo:
    """Return a label of a game that is there."""
    return replace(label_info(name, *house_rules), game=game_name, options={})


def cast() -> list[EntryInfo]:
    """Return entries of which one is refused and one plays a single game."""
    own = [entry(name, *LABELS, file=f"bots/{i}.py") for i, name in enumerate(NAMES)]
    own[-1] = replace(own[-1], labels=("dice",))
    broken = entry("broken", *LABELS, file="bots/broken.py", refused="<b>no class</b>")
    return [*own, broken]


def season(entries: list[EntryInfo], fixtures: int = 3) -> list[GameRecord]:
    """Return the games of a round robin; the second of the entries often fails."""
    rng = Random(1)
    strength = {who.id: 2.0 + i for i, who in enumerate(reversed(entries))}
    games: list[GameRecord] = []
    seen = json.dumps({"round": 3, "hand": ["red"], "<i>": 1})
    for name in LABELS:
        both = [who for who in entries if name in who.labels]
        for a, b in [*combinations(both, 2)] * fixtures:
            for seats in ((a, b), (b, a)):
                number = len(games)
                first, second = (strength[who.id] for who in seats)
                wins = rng.random() < first / (first + second)
                faults: tuple[Fault, ...] = ()
                for seat, who in enumerate(seats):
                    if who.refused or (who is entries[1] and number % 3 == 0):
                        faults = (
                            fault(
                                seat,
                                who,
                                "start_failure" if who.refused else "crash",
                                message=f"{SECRET}: IndexError after 0.{number} s",
                                traceback=f"bots/1.py, line 7\n    return {SECRET}",
                                output=f"\x1b[31m{SECRET}</pre>",
                                observation=seen,
                                legal_actions=("roll", "stop"),
                            ),
                        )
                        wins = seat == 1
                played = game(number, seats, (1, 2) if wins else (2, 1), name, faults)
                # Of no interest here, and so of nothing that a game allows.
                games.append(replace(played, history=()))
    return games


def info_of(entries: list[EntryInfo]) -> LeagueInfo:
    """Return a league with an anchor, a house rule and a file that takes no part."""
    return replace(
        league(
            entries,
            (
                label("dice", "zombie_dice", "a <rule> of the house"),
                label("run", "ox_blocks"),
            ),
            anchor=(entries[0].id, 1000.0),
            rejected=(("notes<br>.py", "no bot in it"),),
        ),
        name="Class <2026>",
    )


def write(
    folder: Path, info: LeagueInfo, records: list[GameRecord], *, luck: bool = False
) -> Report:
    """Write a league's games and its pages in `report` below; return its report."""
    rng = Random(2)
    chance = {x.game_id: (rng.uniform(-0.2, 0.2),) for x in records} if luck else None
    labels = [x.label for x in info.labels]
    fill(folder, info, records, chance, [value_of(x) for x in labels] if luck else ())
    with Store.read(folder) as store:
        report = read_report(store)
        games = read_games(store, report)
        write_pages(report, games, store, folder / "report", "results/classroom")
    return report
