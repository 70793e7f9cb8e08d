"""How to read the tables of a league: the short legend and the full one."""

from collections.abc import Iterator

from arena.reports.report import RankedRow, Report
from arena.reports.tables.columns import nash_weights
from arena.reports.tables.notes import basis
from arena.text import counted

_ADJUSTED = (
    "the Elo from scores without the luck of the dice: what the same play would have "
    "earned with average dice. The same truth, with less noise unless bots are far "
    "apart; its range says so."
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
    if report.anchor is None:
        level, scale = "1000", "in each game the mean is 1000"
    else:
        name, elo = report.anchor
        level, scale = f"{elo:g}", f"the anchor {name} is held at {elo:g}"
    strength = f"Elo: 200 more mean 76 % of the score against a bot; {scale}."
    if len(report.boards) > 1:
        strength += (
            " It is the mean of all games; one that a bot does not play counts as "
            f"{level}."
        )
    lines = [
        strength,
        "95 % range: what chance leaves open. Ranks: those that a bot may truly have. "
        "A rule stands above each bot that is surely worse than the first of the group "
        "before. Apart: yes if a bot is surely better than the next lower Elo; if not, "
        "about how many more games each of the two needs.",
    ]
    if _has_open_ranges(report):
        lines.append(
            "over, under, open: who has won every game of some label has no upper end, "
            "who has lost every game no lower end."
        )
    if "Adjusted" in tables:
        lines.append(f"Adjusted: {_ADJUSTED}")
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


def full_legend(report: Report, rule: str, faults: str) -> list[str]:
    """Return the legend of the tables of a page: a paragraph for each column.

    `rule` is what stands between groups, and `faults` where all forfeits are told.
    """
    labels = [board.label for board in report.boards]
    even = len({label.weight for label in labels}) < 2
    weights = ", ".join(f"{label.label} {label.weight:g}" for label in labels)
    if report.anchor is None:
        level = "1000"
        scale = "In each game the mean Elo is 1000."
    else:
        name, elo = report.anchor
        level = "the anchor's Elo"
        scale = f"The anchor {name} is held at {elo:g}; all others are relative to it."
    overall = (
        "The first Elo is the mean over the games of the league that have been played"
        + (". " if even else f", weighted {weights}. ")
        + f"A bot that does not play a game is taken there at {level}."
    )
    notes = [
        "Elo: strength, fitted to all games at once, so their order makes no "
        "difference. 200 points more than an opponent mean 76 % of the score against "
        f"it, 400 mean 91 %. {scale}"
    ]
    if len(labels) > 1:
        notes.append(overall)
    notes += [
        "95 % range: it holds the true Elo in 95 of 100 leagues like this.",
        "Ranks: those that a bot may truly have. All ranks of a table are right at "
        "once in 95 of 100 leagues like this, as is all that is said of groups and of "
        "being apart.",
        f"Groups: {rule} stands above each bot that is surely worse than the first "
        "one of the group before. The order inside of a group may be luck.",
        "Apart: yes if a bot is surely better than the next lower Elo; otherwise about "
        "how many more games each of the two needs until that shows, if the difference "
        "is what it seems now.",
    ]
    rows = _all_rows(report)
    if _has_open_ranges(report):
        notes.append(
            "over, under, open: who has won every game of some label has no upper end, "
            "as nobody knows how much better it is; who has lost every game has no "
            "lower end."
        )
    if any(row.results_elo is not None for row in rows):
        notes.append(f"Adjusted: {_ADJUSTED} Luck was worked out by these values:")
        notes[-1] += f" {'; '.join(_luck_values(report))}."
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
        if board.value is not None and board.fits is not None and not board.no_luck
    ]
