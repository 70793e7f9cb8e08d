"""The cores of this machine, and how referees share them."""

import os


def usable_cores() -> list[int | None]:
    """Return the cores that this process may use; None where they have no numbers."""
    if hasattr(os, "sched_getaffinity"):
        return [*sorted(os.sched_getaffinity(0))]
    return [None] * (os.cpu_count() or 1)


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(usable_cores())


def busy_contestants(referees: int) -> int:
    """Return the number of contestants that may compute at once for each referee.

    All referees together: no more contestants than cores, but at least one each.
    """
    return max(1, count_cores() // referees)
