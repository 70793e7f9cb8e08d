"""The page of decision times: numbers, and histograms of all bots on one axis."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from arena.reports.pages.charts import TimeAxis, histogram, time_axis
from arena.reports.pages.site import Site
from arena.reports.report import Report
from arena.reports.times import NEAR_LIMIT, TimesRow
from arena.text import computing_time


@dataclass(frozen=True, slots=True)
class TimesLine:
    """A bot's times under one label."""

    row: TimesRow
    path: str
    """Of its histogram, as in SVG; empty without decisions."""

    @property
    def verdict(self) -> str:
        """Return `near the limit` or `over the limit`, of its slowest decision."""
        share = self.row.share_of_limit
        if share is None or share <= NEAR_LIMIT:
            return ""
        return "near the limit" if share <= 1.0 else "over the limit"


@dataclass(frozen=True, slots=True)
class TimesTable:
    """The times of all bots under one label, or all."""

    anchor: str
    title: str
    lines: tuple[TimesLine, ...]


def axis_of(report: Report) -> TimeAxis:
    """Return the axis of all histograms, which holds the move limit too."""
    times: list[float] = []
    for row in report.times:
        times += [x for x in (row.median, row.slowest, row.limit) if x is not None]
    return time_axis(times)


def shared_data(report: Report, axis: TimeAxis) -> dict[str, Any]:
    """Return what the templates of all pages with histograms need."""
    return {
        "axis": axis,
        "bars": axis.count,
        "limit": computing_time(report.times[0].limit) if report.times else "",
        "seconds": _seconds,
        "percent": _percent,
    }


def write_times_page(site: Site, axis: TimeAxis) -> None:
    """Write `times.html`."""
    report = site.report
    site.write(
        "times.html",
        "times.html",
        "Times",
        tables=_tables(report, axis),
        pondered=any(row.pondered for row in report.times),
        **shared_data(report, axis),
    )


def _tables(report: Report, axis: TimeAxis) -> list[TimesTable]:
    """Return the times over all games, then those of each label, if there are some."""
    parts: list[tuple[str, str, str | None]] = []
    if report.columns:
        parts.append(("all", "All games", None))
    parts += [(f"game-{i}", x, x) for i, x in enumerate(report.labels, 1)]
    tables = [
        TimesTable(anchor, title, tuple(_lines(report, axis, label)))
        for anchor, title, label in parts
    ]
    return [table for table in tables if table.lines]


def _lines(report: Report, axis: TimeAxis, label: str | None) -> Iterator[TimesLine]:
    for _, rows in groupby(report.times, lambda row: row.bot):
        # The first one is of all labels; a label may be called as it is.
        whole, *parts = rows
        for row in [whole] if label is None else parts:
            if label in (None, row.label):
                yield TimesLine(row, histogram(axis.bars(row.histogram)))


def bot_histograms(report: Report, bot: str, axis: TimeAxis) -> list[tuple[str, str]]:
    """Return the histogram of a bot in each label that it has decided in."""
    # The first row is of all labels.
    parts = [row for row in report.times if row.bot == bot][1:]
    return [
        (row.label, histogram(axis.bars(row.histogram)))
        for row in parts
        if row.histogram
    ]


def _seconds(value: float | None) -> str:
    """Return a time for a table."""
    return "" if value is None else computing_time(value)


def _percent(share: float) -> str:
    """Return a share of the limit for a table."""
    return f"{100.0 * share:.1f} %" if share >= 0.001 else "under 0.1 %"
