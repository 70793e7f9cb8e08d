"""How to read the tables of a league: the short legend and the full one."""

from collections.abc import Iterator

from arena.ratings import MEAN_ELO
from arena.reports.report import RankedRow, Report
from arena.reports.tables.columns import NO, apart_of, label_columns, nash_weights
from arena.reports.tables.notes import basis
from arena.reports.tables.precision import TOO_FEW, VAGUE_ELO, is_vague
from arena.text import counted

_TAKEN = (
    "It rests on scores from which the luck of the dice is taken out, as far as that "
    "makes it more certain."
)
_RESULTS = (
    "the Elo from results alone, with the luck of the dice in them, and its 95 % "
    "range. Ranks, groups and marks don't rest on it."
)
_OPEN = (
    "at least, at most, open: the games can't say how much better a bot is, or how "
    'much worse, or either. "At least 1950" holds in 97.5 of 100 leagues like this.'
)
_VERSIONS = (
    "how many of the bot this league has been run with; any change of its files makes "
    "one. Of many that play alike the one that happens to be here may be the luckiest."
)
_NASH = "share in the mixture of bots that no bot can beat; copies of a bot share its."


def short_legend(report: Report, tables: str) -> list[str]:
    """Return the legend of some tables in a terminal: a line for a column or two.

    `tables` is their text: a column is explained if its title is in it.
    """
    strength = f"Elo: 200 more mean 76 % of the score against a bot; {_scale(report)}."
    if _takes_luck(report):
        strength += f" {_TAKEN}"
    lines = [strength]
    if _is_mixed(report):
        lines.append(f"Overall: {_overall(report)}")
        if "/" in "".join(cell for c in label_columns(report) for cell in c.cells):
            lines.append("2/6: the second of six that play the game.")
    lines += [
        "95 % range: what chance leaves open. Ranks: those that a bot may truly have. "
        "A rule stands above each bot that is surely worse than the first of the group "
        "before. Apart: yes if a bot is surely better than the next lower Elo; if not, "
        f"about how many more games each of the two needs.{_hopeless(report)}",
    ]
    if any(word in tables for word in ("at least ", "at most ", " open")):
        lines.append(_OPEN)
    if "Results" in tables:
        lines.append(f"Results: {_RESULTS}")
    if "Clean" in tables:
        lines.append(
            "Clean: the Elo without the fixtures that hold a forfeit, for comparison."
        )
    if "Versions" in tables:
        lines.append(f"Versions: {_VERSIONS}")
    if "Nash" in tables:
        lines.append(f"Nash: {_NASH}")
    last = f"Isolation: {report.isolation}."
    if "W/D/L" in tables:
        last += " W/D/L: sole wins, shared wins, the rest."
    elif report.played:
        last += " Games and W/D/L: in leaderboard.md, or a wider terminal."
    return [*lines, last, *basis(report)]


def full_legend(
    report: Report, rule: str, faults: str, *, with_results: bool
) -> list[str]:
    """Return the legend of the tables of a page: a paragraph for each column.

    `rule` is what stands between groups, and `faults` where all forfeits are told;
    `with_results` if the page has the Elo from results alone.
    """
    scale = _scale(report)
    notes = [
        "Elo: strength, fitted to all games at once, so their order makes no "
        "difference. 200 points more than an opponent mean 76 % of the score against "
        f"it, 400 mean 91 %. {scale[0].upper()}{scale[1:]}."
    ]
    if _takes_luck(report):
        notes.append(
            f"{_TAKEN} What luck was is worked out by these values: "
            f"{'; '.join(_luck_values(report))}."
        )
    if _is_mixed(report):
        notes += [
            f"Overall: {_overall(report)}",
            "The Elo in each game stands beside the place among the bots that play it; "
            "bots that don't play all games are not ranked overall.",
        ]
    notes += [
        "95 % range: it holds the true Elo in 95 of 100 leagues like this.",
        "Ranks: those that a bot may truly have. All ranks of a table are right at "
        "once in 95 of 100 leagues like this, as is all that is said of groups and of "
        "being apart.",
        f"Groups: {rule} stands above each bot that is surely worse than the first "
        "one of the group before. The order inside of a group may be luck.",
        "Apart: yes if a bot is surely better than the next lower Elo; otherwise about "
        "how many more games each of the two needs until that shows, if the difference "
        f"is what it seems now.{_hopeless(report)}",
    ]
    rows = _all_rows(report)
    if _has_open_ranges(report):
        notes.append(_OPEN)
    if any(map(is_vague, rows)):
        notes.append(
            f"{TOO_FEW}: the 95 % range is wider than ±{VAGUE_ELO:.0f} Elo, so the "
            "bot may be anything."
        )
    if with_results and any(row.results_elo is not None for row in rows):
        notes.append(f"Results: {_RESULTS}")
    if any(row.clean_elo is not None for row in rows):
        notes.append(
            "Clean: the Elo without the fixtures that hold a forfeit. It is there for "
            "comparison and counts for nothing: bots may fail where they were losing."
        )
    if any(row.versions > 1 for row in rows):
        notes.append(f"Versions: {_VERSIONS}")
    if any(nash_weights(board) for board in report.boards):
        notes.append(f"Nash: {_NASH}")
    return [
        *notes,
        "Score: a sole win is 1, a win that k bots share is 1/k for each, all else is "
        "0. W/D/L: sole wins, shared wins, all other games.",
        "Forfeits: games lost by the bot's own fault (too late, crashed, illegal); "
        f"they count as losses. {faults} has each of them.",
        *basis(report),
        *_luck(report),
        f"Isolation of the bots: {report.isolation}.",
    ]


def _scale(report: Report) -> str:
    """Return what is held, and where."""
    name, elo = report.anchor or ("", MEAN_ELO)
    # Who has forfeited all games holds nothing.
    if any(row.is_anchor for row in _all_rows(report)):
        return f"the anchor {name} is held at {elo:g}"
    return f"in each game the mean{_of_group(report)} is {elo:g}"


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
