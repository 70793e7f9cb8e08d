"""What the benchmarks share: which levels there are here, and how times are shown."""

from collections.abc import Iterable
from statistics import median
from typing import Any

from sandboxes import why_not

Row = dict[str, Any]


def usable(levels: Iterable[str]) -> list[str]:
    """Return those of the levels that this machine gives."""
    return [level for level in levels if not why_not(level)]


def milliseconds(values: list[float]) -> Row:
    """Return median and worst of seconds."""
    return {
        "median, ms": round(1000 * median(values), 2),
        "worst, ms": round(1000 * max(values), 2),
        "runs": len(values),
    }
