"""The columns of a leaderboard that are there on demand, by what asks for them."""

from typing import Final

from arena.errors import ConfigError
from arena.text import did_you_mean

EXTRA_COLUMNS: Final = (
    *("range", "apart", "games", "wdl", "results", "clean", "nash", "versions"),
    "by_game",
)
"""In the order in which tables have them."""
ALL: Final = "all"


def asked_columns(text: str) -> frozenset[str]:
    """Return the extra columns in a list with commas, or all of them for `all`.

    Raises:
        ConfigError: there is no such column.
    """
    names = {name.strip() for name in text.split(",")} - {""}
    known = (*EXTRA_COLUMNS, ALL)
    for name in sorted(names.difference(known)):
        help = did_you_mean(name, known, f"known are {', '.join(known)}")
        raise ConfigError("--columns", f"no such column {name!r}; {help}")
    return frozenset(EXTRA_COLUMNS if ALL in names else names)
