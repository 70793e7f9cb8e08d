"""The files beside a league's games, written anew, and its table for a terminal."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from arena.league.results.store import Store

if TYPE_CHECKING:
    from arena.reports.report import Report


def write_derived(store: Store, folder: Path) -> tuple["Report", str]:
    """Write the files beside the games; return the report, and its table as text."""
    # Imported late: numpy and scipy take longer than a look at --help should.
    from arena.reports.files import write_files
    from arena.reports.report import read_report
    from arena.reports.tables.terminal import leaderboard_text

    report = read_report(store)
    write_files(report, folder)
    return report, leaderboard_text(report, shutil.get_terminal_size().columns)
