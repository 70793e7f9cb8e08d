"""The files for a gradebook: `grades.csv` and a `gradescope/` folder."""

from pathlib import Path

from arena.league.info import LeagueInfo
from arena.reports.report import Report


def write_grades(
    report: Report, info: LeagueInfo, folder: Path, where: str
) -> list[str]:
    """Grade a league and write what came of it into its results `folder`.

    Returns what the instructor should know, a sentence each; nothing if `info` has no
    `grading`.  `info` is what `Store.info` says, or that with the settings of an edited
    file (`arena.league.grading.with_settings`); `where` is the file these are in.
    `report` has the bots' own names.

    Raises:
        ConfigError: the grading names what is not there.
        RecordError: a file can't be written.
    """
    raise NotImplementedError
