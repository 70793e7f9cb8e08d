"""When a deadline ends, and how late something came."""

from datetime import datetime

import pytest

from arena.collect.deadline import Deadline
from arena.errors import ConfigError


def late(deadline: str, submitted: str) -> str:
    return Deadline.parse(deadline).how_late(datetime.fromisoformat(submitted))


@pytest.mark.parametrize(
    ("deadline", "submitted", "told"),
    [
        # A day, or a minute, is over at its end.
        ("2026-11-29", "2026-11-29 23:59:59.9", ""),
        ("2026-11-29", "2026-11-30 00:00", "1 min"),
        ("2026-11-29 23:59", "2026-11-29 23:59:59", ""),
        ("2026-11-29 23:59", "2026-11-30 00:00", "1 min"),
        ("2026-11-29 00:00", "2026-11-29 00:01", "1 min"),
        ("2026-11-29 18:00:10", "2026-11-29 18:00:11", "1 min"),
        ("2026-11-29T18:00", "2026-11-29 20:10", "2 h 10 min"),
        ("2026-11-29", "2026-12-03 12:00", "3 days"),
        # In one zone or two: a time without one is in that of the other.
        ("2026-11-29 18:00+01:00", "2026-11-29 17:00:30+00:00", ""),
        ("2026-11-29 18:00+01:00", "2026-11-29 17:02+00:00", "2 min"),
        ("2026-11-29 18:00", "2026-11-29 18:00:30+05:00", ""),
        ("2026-11-29 18:00+05:00", "2026-11-29 18:02", "2 min"),
    ],
)
def test_late_or_not(deadline: str, submitted: str, told: str) -> None:
    assert late(deadline, submitted) == told


@pytest.mark.parametrize("text", ["", "soon", "29.11.2026", "2026-11-31", "9999-12-31"])
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ConfigError, match=r"--deadline: expected a day .* 2026-11-29"):
        Deadline.parse(text)
