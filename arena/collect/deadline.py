"""When something was due, and how late it came."""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Self

from arena.errors import ConfigError
from arena.text import counted, duration

_MINUTE = timedelta(minutes=1)
_EXPECTED = (
    "expected a day or a day with a time, such as 2026-11-29 or '2026-11-29 18:00', "
    "maybe with a zone, as in '2026-11-29 18:00+01:00'; found "
)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A time up to which hand-ins are in time."""

    due: datetime
    grace: timedelta = timedelta()
    """How long it takes until what comes is late: a minute is over at its end."""

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
            if is_day:
                return cls(found + timedelta(days=1))
            return cls(found, timedelta(seconds=1 if found.second else 60))
        except (ValueError, OverflowError):
            raise ConfigError("--deadline", f"{_EXPECTED}{text!r}") from None

    def how_late(self, submitted: datetime) -> str:
        """Return how late something came: `2 h 10 min`; nothing if it was in time."""
        due, came = in_one_zone(self.due, submitted)
        late = came - due
        if late < self.grace:
            return ""
        if late >= timedelta(days=2):
            return counted(late.days, "day")
        return duration(60 * max(1, late // _MINUTE))


def in_one_zone(*times: datetime) -> tuple[datetime, ...]:
    """Return times that can be compared: those without a zone in that of the others."""
    zone = next((t.tzinfo for t in times if t.tzinfo is not None), None)
    return tuple(t if t.tzinfo is not None else t.replace(tzinfo=zone) for t in times)
