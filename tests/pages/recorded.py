"""Recorded games of every kind, and the pages that replay them."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from leagues import entry, fill, finished, label_of, league

from arena.games import Game, Table, as_objects, derive_seed, get_game
from arena.games import registry as known_games
from arena.league.config.info import LeagueInfo
from arena.league.results.store import Store
from arena.records.batch import to_batches
from arena.records.game_record import Fault, GameRecord
from arena.records.prints import Printed

sys.path.append(str(Path(__file__).parents[1] / "games"))

SECRET = "what only its author may see"
NAMES = (
    "Ana",
    "<img src=x onerror=alert(1)> & 'Bo'",
    "\u05d0\u05d1\u05d2 {{ 1 }}",
    "stop_at_two",
)
WHO = tuple(entry(name, file=f"bots/{i}.py") for i, name in enumerate(NAMES))
SHORT = {"tokens": 2}
KINDS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "dice": ("zombie_dice", 2, {"target": 4}),
    "everything": (
        "zombie_dice",
        2,
        {"preset": "direct_to_video_sequel", "bus": True, "horde": True, "target": 10},
    ),
    "dice of three": ("zombie_dice", 3, {"target": 2}),
    "ox": ("ox_blocks", 2, {}),
    "ox of four": ("ox_blocks", 2, {"size": 4}),
    "run": ("zombie_run", 2, {"rounds": 2}),
    "run of three": ("zombie_run", 3, {"rounds": 1}),
    "run of four": ("zombie_run", 4, {"rounds": 1}),
    "mania": ("zombie_mania", 2, SHORT),
    "mania of four": ("zombie_mania", 4, SHORT),
    "series": ("zombie_mania", 3, {"games": 2, **SHORT}),
    "pig": ("pig", 2, {"target": 8, "bonus": 3}),
}
"""The game, its players and its options, by label."""


PRINTS = (
    (0, 2, "<b>what Ana prints</b>\nin two lines"),
    (1, 3, "seat 0 forfeits"),
    (0, 10**6, "when all is over"),
)
"""Of the game `run`: seat, step and text."""


@dataclass(frozen=True)
class Recorded:
    """A league of one game of each kind, and some that were forfeited."""

    folder: Path
    info: LeagueInfo
    records: dict[str, GameRecord]
    """By what they are called in `KINDS`, or `forfeit`, `played on`, `never begun`."""

    def game(self, name: str) -> Game:
        return game_of(self.records[name].label)


def game_of(label: str) -> Game:
    return get_game(*KINDS[label])


def played(
    number: int, label: str, *, forfeits_at: int = -1, faults: tuple[Fault, ...] = ()
) -> GameRecord:
    """Return a game of random actions; one seat may forfeit before a decision."""
    game = game_of(label)
    random = Random(number)
    return finished(
        Table(game, derive_seed("recorded", label)),
        label,
        [who.id for who in WHO[: game.players]],
        lambda table: _choose(table, random),
        forfeit=lambda table, seat: (
            _fault(table, seat) if table.decisions == forfeits_at else None
        ),
        faults=faults,
        game_id=f"{number:x}{number:015x}",
    )


def _choose(table: Table, random: Random) -> str:
    """Return a random action, but one that lets something happen."""
    legal = table.state.legal_actions()
    if legal[0].startswith("keep"):
        return random.choice(legal[-3:])
    if legal[0].startswith("move"):
        return legal[-1]
    calm = [x for x in legal if "shout" not in x]
    return random.choice(calm if calm and random.random() < 0.7 else legal)


def _fault(table: Table, seat: int) -> Fault:
    seen = as_objects(table.state.observation(seat))
    del seen["events"], seen["time_left"]
    return Fault(
        seat,
        WHO[seat].id,
        table.decisions,
        "illegal_action",
        f"{SECRET}: played 'jump'",
        traceback=f"bots/{seat}.py, line 7\n    return {SECRET}",
        output=f"</pre><b>{SECRET}",
        action="jump",
        observation=msgspec.json.encode(seen).decode(),
        legal_actions=tuple(table.state.legal_actions()),
    )


def record_all(folder: Path) -> Recorded:
    """Play one game of each kind, and store them."""
    records = {label: played(i, label) for i, label in enumerate(KINDS, 1)}
    records["forfeit"] = played(13, "ox", forfeits_at=3)
    records["played on"] = played(14, "dice of three", forfeits_at=3)
    missing = Fault(1, WHO[1].id, 0, "start_failure", f"{SECRET}: no such file")
    records["never begun"] = played(15, "ox", faults=(missing,))
    info = league(
        WHO,
        [
            label_of(label, *kind, **options)
            for label, (*kind, options) in KINDS.items()
        ],
    )
    fill(folder, info, records.values())
    with Store.open(folder) as store:
        run = records["run"]
        prints = [Printed(seat, step, text) for seat, step, text in PRINTS]
        store.prints.add(to_batches([run], {run.game_id: prints}))
    return Recorded(folder, info, records)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """The games of every kind, with one of a plugin's that is known meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(known_games.GAMES._paths, "pig", "secret_pig:SecretPig")
        yield record_all(tmp_path_factory.mktemp("recorded"))


def names_of(store: Store) -> dict[str, str]:
    return {who.id: who.name for who in store.info().entries}
