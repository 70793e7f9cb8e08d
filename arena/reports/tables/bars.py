"""An Elo and its range, drawn with characters."""

from arena.ratings import Row
from arena.reports.tables.elo_axis import Axis
from arena.reports.tables.precision import is_vague


def bar(axis: Axis, row: Row, width: int) -> str:
    """Return the drawing of a row: `   ──●──   `; spaces without games.

    An arrow is an end that is not known, and dots are a range that says nothing.
    """
    if row.elo is None or row.elo_low is None or row.elo_high is None:
        return " " * width

    def at(elo: float) -> int:
        return round(axis.at(elo) * (width - 1) / 100.0)

    vague = is_vague(row)
    low = 0 if vague or row.open_below else at(row.elo_low)
    high = width - 1 if vague or row.open_above else at(row.elo_high)
    cells = [" "] * width
    cells[low : high + 1] = ("·" if vague else "─") * (high + 1 - low)
    cells[at(row.elo)] = "●"
    if row.elo < axis.low or (row.open_below and not vague):
        cells[0] = "<"
    if row.open_above and not vague:
        cells[-1] = ">"
    return "".join(cells)


def scale(axis: Axis, width: int) -> str:
    """Return the numbers of an axis, each in the middle above its place if it fits."""
    text = ""
    for mark, number in axis.marks:
        start = round(mark * (width - 1) / 100.0) - len(number) // 2
        start = min(max(start, 0), width - len(number))
        if start > len(text) or not text:
            text = f"{text:<{start}}{number}"
    return f"{text:<{width}}"
