"""The reports that plugins bring."""

from collections.abc import Iterator
from pathlib import Path

from arena.plugins import REPORTS
from arena.registry import load
from arena.reports.games import Games
from arena.reports.report import Report


def write_plugin_reports(report: Report, games: Games, results: Path) -> Iterator[str]:
    """Write the report of every plugin; yield the outcome of each, in a sentence.

    It is a function of `report`, `games` and a folder, which is `results/NAME` and is
    there.  One that fails harms no other.
    """
    for name, path in sorted(REPORTS.items()):
        folder = results / name
        try:
            folder.mkdir(exist_ok=True)
            load(path)(report, games, folder)
        except (Exception, SystemExit) as error:
            yield (
                f"note: report {name} ({path}): can't be written: "
                f"{type(error).__name__}: {error}"
            )
        else:
            yield f"report {name}: in {folder}"
