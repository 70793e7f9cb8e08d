"""The reports that plugins bring."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from arena.plugins import report_paths
from arena.reports.games import Games
from arena.reports.report import Report


def write_further(report: Report, games: Games, results: Path) -> Iterator[str]:
    """Have every report of a plugin written; yield what came of each, a sentence each.

    It is a function of `report`, `games` and a folder, which is `results/NAME` and is
    there.  One that fails harms no other.
    """
    for name, path in sorted(report_paths().items()):
        folder = results / name
        try:
            module, _, function = path.partition(":")
            folder.mkdir(exist_ok=True)
            getattr(import_module(module), function)(report, games, folder)
        except (Exception, SystemExit) as error:
            yield (
                f"note: report {name} ({path}): can't be written: "
                f"{type(error).__name__}: {error}"
            )
        else:
            yield f"report {name}: in {folder}"
