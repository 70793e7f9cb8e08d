"""When something was due, and how late it came."""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Self

from arena.errors import ConfigError
from arena.text import counted, duration

_DAY_S = 86400
_EXPECTED = (
    "expected a day or a day with a time, such as 2026-11-29 or '2026-11-29 18:00', "
    "maybe with a zone, as in '2026-11-29 18:00+01:00'; found "
)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A time up to which hand-ins are in time."""

    end: datetime
    """The first moment that is late."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the deadline that a text says: to the end of that day or minute.

        Raises:
            ConfigError: it says none.
        """
        text = text.strip()
        try:
            found = datetime.fromisoformat(text)
            is_day = len(re.findall(r"\d+", text)) <= 3 and found.time() == time()
            step = timedelta(seconds=1 if found.second else 60)
            return cls(found + (timedelta(days=1) if is_day else step))
        except (ValueError, OverflowError):
            raise ConfigError("--deadline", f"{_EXPECTED}{text!r}") from None

    def seconds_late(self, submitted: datetime) -> float:
        """Return how long after the end something came; below 0 if it was in time."""
        end, came = in_one_zone(self.end, submitted)
        return (came - end).total_seconds()


def in_one_zone(*times: datetime) -> tuple[datetime, ...]:
    """Return times that can be compared: those without a zone in that of the others."""
    zone = next((t.tzinfo for t in times if t.tzinfo is not None), None)
    return tuple(t if t.tzinfo is not None else t.replace(tzinfo=zone) for t in times)


def how_late(seconds: float) -> str:
    """Return a time for a person: `2 h 10 min`, or `3 days`."""
    if seconds < 2 * _DAY_S:
        return duration(max(60.0, seconds))
    return counted(int(seconds // _DAY_S), "day")
