"""How to read the tables of a league: the short legend and the full one."""

from collections.abc import Iterator, Sequence

from arena.ratings import MEAN_ELO
from arena.reports.report import RankedRow, Report
from arena.reports.tables.columns import (
    APART,
    ELO,
    NO,
    PLACES,
    Column,
    apart_of,
    nash_weights,
    table_of,
)
from arena.reports.tables.notes import basis
from arena.reports.tables.precision import TOO_FEW, VAGUE_ELO, is_vague
from arena.text import counted

_OPEN = (
    "at least, at most, open: the games can't say how much better a bot is, or how "
    "much worse, or either."
)
_GROUPS = "stands above each bot that is surely worse than the first of the group above"


def short_legend(report: Report, columns: Sequence[Column], rule: str) -> list[str]:
    """Return a line for each column of some tables, but for those of the games.

    `rule` is what stands between groups: `a rule`.
    """
    lines = []
    titles = []
    for column in columns:
        if column.title in titles or column.extra == "by_game":
            continue
        titles.append(column.title)
        line = _line(column)
        if column.title == ELO:
            line += _short_scale(report)
        elif column.title == PLACES:
            line += f" {rule[0].upper()}{rule[1:]} {_GROUPS}."
        elif column.title == APART:
            line += _hopeless(report)
        lines.append(line)
    if any("/" in x for c in columns if c.extra == "by_game" for x in c.cells):
        lines.append("2/6: the second of six that play the game.")
    cells = " ".join(cell for column in columns for cell in column.cells)
    if any(word in cells for word in ("at least ", "at most ", "open")):
        lines.append(_OPEN)
    return [*lines, *basis(report)]


def full_legend(report: Report, rule: str, faults: str) -> list[str]:
    """Return the legend of the tables of a page: a paragraph for each column.

    `rule` is what stands between groups, and `faults` where all forfeits are told.
    """
    scale = _scale(report)
    further = {
        ELO: "It is fitted to all games at once, so their order makes no difference. "
        f"400 more mean 91 % of the score. {scale[0].upper()}{scale[1:]}.",
        PLACES: "All places of a table are right at once in 95 of 100 leagues like "
        "this, as is all that is called sure of them.",
        APART: "The number is right if the difference is what it seems now."
        f"{_hopeless(report)}",
        "Score": "All but wins is worth 0. It says as much of the opponents as of the "
        "bot.",
        "Clean": "It counts for nothing: bots may fail where they were losing.",
        "Versions": "Any change of its files makes one. Of many that play alike the "
        "one that happens to be here may be the luckiest.",
        "Forfeits": f"They count as losses. {faults} has each of them.",
    }
    notes = []
    for column in _all_columns(report):
        more = further.get(column.title, "")
        notes.append(f"{_line(column)} {more}".strip())
    if _takes_luck(report):
        notes.append(
            "Elo, places and groups rest on scores from which the luck of the dice is "
            "taken out, as far as that makes them more certain. What luck was is "
            f"worked out by these values: {'; '.join(_luck_values(report))}."
        )
    notes.append(f"Groups: {rule} {_GROUPS}. The order inside of a group may be luck.")
    if _is_mixed(report):
        notes += [
            f"Overall: {_overall(report)}",
            "The Elo in each game stands beside the place among the bots that play it; "
            "bots that don't play all games are not ranked overall.",
        ]
    rows = _all_rows(report)
    if _has_open_ranges(report):
        notes.append(f'{_OPEN} "At least 1950" holds in 97.5 of 100 leagues like this.')
    if any(map(is_vague, rows)):
        notes.append(
            f"{TOO_FEW}: the 95 % range is wider than ±{VAGUE_ELO:.0f} Elo, so the "
            "bot may be anything."
        )
    return [
        *notes,
        *basis(report),
        *_luck(report),
        f"Isolation of the bots: {report.isolation}.",
    ]


def _line(column: Column) -> str:
    about = column.about
    return f"{column.title}: {about[0].lower()}{about[1:]}"


def _all_columns(report: Report) -> list[Column]:
    """Return the columns of all tables, each once, but for those of the games."""
    sole = report.boards[0] if len(report.boards) == 1 else None
    tables = [table_of(report.rows, nash_weights(sole) if sole is not None else None)]
    tables += [table_of(board.rows, nash_weights(board)) for board in report.boards]
    found: dict[tuple[str, str], Column] = {}
    for column in (column for table in tables for column in table.columns):
        found.setdefault((column.extra, column.title), column)
    first = [column for column in found.values() if not column.extra]
    return first + [column for column in found.values() if column.extra]


def _scale(report: Report) -> str:
    """Return what is held, and where."""
    name, elo = report.anchor or ("", MEAN_ELO)
    # Who has forfeited all games holds nothing.
    if any(row.is_anchor for row in _all_rows(report)):
        return f"the anchor {name} is held at {elo:g}"
    return f"in each game the mean{_of_group(report)} is {elo:g}"


def _short_scale(report: Report) -> str:
    """Return the same where it can be said in few words."""
    if _of_group(report) and not any(row.is_anchor for row in _all_rows(report)):
        return ""
    scale = _scale(report)
    return f" {scale[0].upper()}{scale[1:]}."


def _hopeless(report: Report) -> str:
    """Return what no stands for, where it does."""
    said = any(apart_of(row) == NO for row in _all_rows(report))
    return " No: games like these can't tell." if said else ""


def _of_group(report: Report) -> str:
    """Return whose mean is held, if it is not that of all."""
    fits = [board.certain for board in report.boards]
    if all(fit is None or fit.middle == fit.components for fit in fits):
        return ""
    return " of the largest group that wins and loses among each other"


def _is_mixed(report: Report) -> bool:
    """Return True if there is a table over several games."""
    return len(report.boards) > 1 and report.has_overall


def _overall(report: Report) -> str:
    """Return what the overall Elo is, in a sentence."""
    labels = [board.label for board in report.boards]
    each = "each counting alike"
    if len({label.weight for label in labels}) > 1:
        weights = ", ".join(f"{x.label} {x.weight:g}" for x in labels)
        each = f"weighted {weights}"
    return (
        "the strength that would score against these bots what the bot is to be "
        f"expected to score against them over all games, {each}."
    )


def _takes_luck(report: Report) -> bool:
    return any(x.fits is not None and x.fits.taken is not None for x in report.boards)


def _luck(report: Report) -> Iterator[str]:
    """Yield a paragraph on secret luck."""
    if not report.commitment:
        return
    again = ""
    if report.earlier:
        times = counted(len(report.earlier), "time")
        again = f" It was drawn anew {times}, and all games were played again."
    yield (
        "Luck: secret. SHA-256 of its key, by which it can be checked once it is "
        f"revealed: {report.commitment}.{again}"
    )


def _has_open_ranges(report: Report) -> bool:
    return any(row.open_above or row.open_below for row in _all_rows(report))


def _all_rows(report: Report) -> list[RankedRow]:
    """Return the overall rows and those of each label."""
    return [*report.rows, *(row for board in report.boards for row in board.rows)]


def _luck_values(report: Report) -> list[str]:
    """Return the names of the luck values of each label, with version and digest."""
    return [
        f"{board.label.label}: {board.value.game} {board.value.version} "
        f"({board.value.digest})"
        for board in report.boards
        if board.value is not None and board.fits is not None and board.fits.taken
    ]
