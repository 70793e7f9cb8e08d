"""A report is small enough that one of sixty bots in four games has 25 MB at the most.

The games are real ones, of rules of thumb that forget themselves now and then: a game's
replay is as large as its length makes it.  `tests/benchmarks/sixty.py` weighs the
report of a whole class.
"""

import sys
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from leagues import entry, fault, fill, finished, label_of, league
from msgspec.structs import replace

from arena.games import Table, derive_seed, get_game
from arena.league.results.store import Store
from arena.records.game_record import GameRecord
from arena.reports.games import Games, read_games
from arena.reports.pages.write import write_pages
from arena.reports.report import read_report
from arena.reports.watched import MOST_DECISIONS, MOST_GAMES

BOTS = Path(__file__).parents[2] / "bots"
GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
PLAYERS = [entry(f"student {n:02}", *GAMES, file=f"bots/{n}.py") for n in range(6)]

# Bytes, at the most, of:
REPLAY = 900
DECISION = 12  # further ones for each decision of a replay
LISTED = 40  # a game in the list
LISTED_PAIR = 8  # two bots in the list, in this order
MET = 250  # an opponent under a label on a bot's page
BOT = 22_000  # all else there
CELL = 100  # each cell of the crosstables
TABLES = 12_000  # all else on their page
ROW = 15_000  # a bot on all other pages
REST = 250_000


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Games]:
    """A league of six, each meeting each in both seats."""
    folder = tmp_path_factory.mktemp("size")
    labels = [label_of(name, name, 2) for name in GAMES]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(BOTS)])
        from teams import AllRounder

        what = product(GAMES, permutations(range(6), 2))
        records = [played(n, *one, AllRounder()) for n, one in enumerate(what)]
    fill(folder, league(PLAYERS, labels), records)
    with Store.read(folder) as store:
        report = read_report(store)
        games = read_games(store, report)
        write_pages(report, games, store, folder / "report", "results/class")
    return folder / "report", games


def played(number: int, label: str, pair: tuple[int, int], bot: Any) -> GameRecord:
    """Return a game between two; whoever is in the first seat may crash at its end."""
    random = Random(number)

    def choose(table: Table) -> str:
        seen = table.observe(1.0)
        is_awake = random.random() > 0.03 * (1 + pair[seen.seat])
        rule = getattr(bot, label) if is_awake else None
        return rule(seen) if rule else random.choice(seen.legal_actions)

    seats = tuple(PLAYERS[i] for i in pair)
    seed = derive_seed("size", number)
    table = Table(get_game(label, 2, {}), seed)
    ids = [who.id for who in seats]
    # So that the games of a label are a pack, of a size as in a large league.
    game_id = f"{GAMES.index(label)}{seed.hex()[:19]}"
    names = {"game_id": game_id, "fixture_id": f"f{number // 2}"}
    record = finished(table, label, ids, choose, **names)
    if number % 8:
        return record
    gone = fault(0, seats[0], "crash", traceback="line 7\n" * 20)
    lost = {"places": (2, 1), "returns": (0.0, 1.0), "forfeits": (True, False)}
    return replace(record, faults=(gone,), termination="crash", **lost)


@pytest.mark.exhaustive
def test_replays_of_no_game_are_larger_than_they_may_be(
    written: tuple[Path, Games],
) -> None:
    folder, games = written
    for number, label in enumerate(GAMES):
        own = [ref.decisions for ref in games.refs if ref.label == label]
        pack = folder / "replays" / f"{number}.js"
        assert 0 < weight(pack) <= replays_weigh(len(own), sum(own)), label


@pytest.mark.exhaustive
def test_no_part_is_larger_than_it_may_be(written: tuple[Path, Games]) -> None:
    folder, games = written
    bots = len(PLAYERS)
    assert len(games.refs) == 4 * bots * (bots - 1)
    assert len(games.replays) == len(games.refs)
    listed = LISTED * len(games.refs) + 4 * (LISTED_PAIR * bots * (bots - 1) + 1000)
    all_else = weight(folder)
    for pattern, most in {
        "replays": replays_weigh(len(games.replays), sum(games.refs.decisions)),
        "games": listed,
        "bots": bots * (BOT + 4 * MET * (bots - 1)),
        "crosstable*.html": TABLES + CELL * 5 * bots**2,
    }.items():
        found = sum(weight(path) for path in folder.glob(pattern))
        assert 0 < found <= most, pattern
        all_else -= found
    assert 0 < all_else <= REST + ROW * bots


def test_these_bounds_are_those_of_25_megabytes() -> None:
    """With two fixtures of every two; all that is worth a look is there, and more."""
    bots, labels, fixtures = 60, 4, 2
    pairs = labels * bots * (bots - 1) // 2
    assert pairs + labels * 9 + 100 < MOST_GAMES
    replays = replays_weigh(MOST_GAMES, MOST_DECISIONS)
    assert replays <= 15_000_000
    listed = LISTED * pairs * 2 * fixtures + LISTED_PAIR * 2 * pairs
    own = bots * (BOT + labels * MET * (bots - 1))
    cells = CELL * (labels + 1) * bots**2
    assert replays + listed + own + cells + TABLES + ROW * bots + REST < 25_000_000


def replays_weigh(replays: int, decisions: int) -> int:
    return REPLAY * replays + DECISION * decisions


def weight(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())
