"""A report keeps some tens of bytes of a game, and nothing else of what it has read."""

import tracemalloc
from pathlib import Path

import pytest
from leagues import entry, fault, fill, game, league
from matrix import divided

from arena.league.results import database
from arena.league.results.store import Store
from arena.records.game_record import Fault
from arena.reports.files import write_files
from arena.reports.report import read_report

ANA, BEN = entry("Ana", "dice"), entry("Ben", "dice")


def peak(folder: Path, games: int, faults: tuple[Fault, ...] = ()) -> int:
    """Return how many bytes it takes at most to write the report of so many games."""
    played = (
        game(number, (ANA, BEN), (1, 2) if number % 3 else (2, 1), faults=faults)
        for number in range(games)
    )
    fill(folder, league([ANA, BEN]), played)
    with Store.read(folder) as store:
        tracemalloc.start()
        try:
            report = read_report(store)
            write_files(report, folder)
            assert report.played == games
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


WORDY = fault(1, BEN, message="so it was " * 40, traceback="line\n" * 200)


@pytest.mark.parametrize("few", divided((400, 1200), lambda few: few == 400))
@pytest.mark.parametrize(
    ("faults", "most"),
    divided([((), 200), ((WORDY,), 500)], lambda case: case[0]),
)
def test_a_report_keeps_little_of_a_game(
    faults: tuple[Fault, ...],
    most: int,
    few: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(database, "_CACHED_BATCHES", 2)
    many = 3 * few
    # What is loaded once, some of it for few games or many alone, hides what is kept.
    for games in (few, many):
        peak(tmp_path / f"warm {games}", games)
    more = peak(tmp_path / "many", many, faults) - peak(tmp_path / "few", few, faults)
    assert abs(more) / (many - few) < most
