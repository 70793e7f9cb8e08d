"""The page of decision times: numbers, and histograms of all bots on one axis."""

from typing import Any

from arena.reports.pages.charts import TimeAxis, histogram, time_axis
from arena.reports.pages.site import Site
from arena.reports.report import Report
from arena.text import computing_time, duration


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
        "histogram": lambda row: histogram(axis.bars(row.histogram)),
        "limit": computing_time(report.times[0].limit) if report.times else "",
        "seconds": _seconds,
        "percent": _percent,
        "sum_of": _sum,
    }


def write_times_page(site: Site, axis: TimeAxis) -> None:
    """Write `times.html`."""
    report = site.report
    site.write(
        "times.html",
        "times.html",
        "Times",
        tables=_tables(report),
        pondered=any(row.pondered for row in report.times),
        known=any(row.cpu for row in report.times),
        slept=any(row.slept for row in report.times),
        **shared_data(report, axis),
    )


def _tables(report: Report) -> list[dict[str, Any]]:
    """Return the times over all games, then those of each label, if there are some."""
    tables = []
    if report.columns:
        rows = [row for row in report.times if row.is_total]
        tables.append({"anchor": "all", "title": "All games", "rows": rows})
    for i, label in enumerate(report.labels, 1):
        rows = [x for x in report.times if x.label == label and not x.is_total]
        tables.append({"anchor": f"game-{i}", "title": label, "rows": rows})
    return [table for table in tables if table["rows"]]


def _sum(value: float | None) -> str:
    """Return a time that may be hours, for a table."""
    return "" if value is None else duration(value) if value else "0"


def _seconds(value: float | None) -> str:
    """Return a time for a table."""
    return "" if value is None else computing_time(value)


def _percent(share: float) -> str:
    """Return a share of the limit for a table."""
    return f"{100.0 * share:.1f} %" if share >= 0.001 else "under 0.1 %"
