"""The columns of a leaderboard for people: the same in a terminal and on a page."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from arena.ratings.claims import MOST_GAMES
from arena.reports.report import Board, LabelRow, RankedRow, Report, ReportRow
from arena.reports.tables.precision import TOO_FEW, is_vague

NO = "no"
"""What stands in the column Apart where no number of games like these would tell."""

ELO = "Elo ±"
PLACES = "Places"
APART = "Apart"

_RANK = "The place by Elo."
_BOT = "What the bot is called."
_DIVISION = (
    "The division: bots meet those of their own, and the references, which play in all."
)
_ELO = (
    "Strength: 200 more than another bot mean 76 % of the score against it; the true "
    "number is no further away than ± in 95 of 100 leagues like this."
)
_PLACES = "Those that the bot may truly have, as far as these games can tell."
_SCORE = "The share of its games that it won; a win that k bots share is 1/k for each."
_FORFEITS = (
    "Games that it lost by its own fault: it was too late, crashed, or broke the rules."
)
_RANGE = "Where the true Elo is in 95 of 100 leagues like this."
_APART = (
    "Yes if the bot is surely better than the one with the next lower Elo; if not, "
    "about how many more games each of the two needs to show it."
)
_GAMES = "Games that count."
_TALLY = "Sole wins, shared wins, and all other games."
_RESULTS = (
    "The Elo from results alone, with the luck of the dice in them; places don't rest "
    "on it."
)
_CLEAN = "The Elo without the fixtures that hold a forfeit, for comparison."
_NASH = "The share in the mixture of bots that no bot can beat; copies share theirs."
_VERSIONS = "How many versions of the bot this league has been run with."


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a leaderboard."""

    title: str
    cells: tuple[str, ...]
    """One for each row."""
    about: str
    """What it says, in one sentence."""
    extra: str = ""
    """What asks for it, if it is there on demand only; the same for columns that stay
    together."""

    @property
    def is_extra(self) -> bool:
        """True if it is there on demand only."""
        return bool(self.extra)


@dataclass(frozen=True, slots=True)
class RankedTable:
    """A leaderboard in columns, of which the first ones matter most."""

    rows: tuple[RankedRow, ...]
    ranks: Column
    bots: Column
    columns: tuple[Column, ...]
    """All others: first those that are always there."""
    breaks: tuple[int, ...]
    """Rows that begin a tie group, but for the first one."""
    ranked: int
    """Number of the first rows that are ranked, where there are others below them; else
    that of all rows."""
    others: str
    """What stands above those others; empty if there are none."""
    places: tuple[tuple[str, ...], ...]
    """Of each row that is not ranked its places in the games that it plays, where there
    are several: `dice 2 of 6`."""

    def shown(self, asked: Collection[str]) -> tuple[Column, ...]:
        """Return the columns that are there if these extra ones are asked for."""
        return tuple(x for x in self.columns if not x.extra or x.extra in asked)


def table_of(
    rows: Sequence[RankedRow],
    nash: Mapping[str, float] | None,
    more: Sequence[Column] = (),
    places: Sequence[tuple[str, ...]] = (),
) -> RankedTable:
    """Return the columns that these rows have something to say in.

    `nash` has the weight of each bot in the Nash average, where there is one; `more`
    are further columns, the last ones; `places` is as in `RankedTable`.
    """

    def column(
        title: str, text: Callable[[RankedRow], str], about: str, extra: str = ""
    ) -> Column:
        return Column(title, tuple(map(text, rows)), about, extra)

    columns = [column(ELO, elo_of, _ELO), column(PLACES, possible_places, _PLACES)]
    if any(row.division for row in rows):
        division = column("Div", lambda row: str(row.division or "all"), _DIVISION)
        columns.insert(0, division)
    score = _SCORE
    if any(row.results_elo is not None for row in rows):
        score = f"{score[:-1]}; the luck of the dice is in it, but not in the Elo."
    columns.append(column("Score", _score, score))
    if any(row.forfeits for row in rows):
        columns.append(column("Forfeits", lambda row: f"{row.forfeits:,}", _FORFEITS))
    columns += [
        column("95 % range", range_of, _RANGE, "range"),
        column(APART, apart_of, _APART, "apart"),
        column("Games", lambda row: f"{row.games:,}", _GAMES, "games"),
        column("W/D/L", _tally, _TALLY, "wdl"),
    ]
    if any(row.results_elo is not None for row in rows):
        columns.append(column("Results", _results, _RESULTS, "results"))
    if any(row.clean_elo is not None for row in rows):
        columns.append(
            column("Clean", lambda row: _whole(row.clean_elo), _CLEAN, "clean")
        )
    if nash is not None:
        weight = column(
            "Nash",
            lambda row: f"{nash[row.bot]:.0%}" if row.games else "",
            _NASH,
            "nash",
        )
        columns.append(weight)
    if any(row.versions > 1 for row in rows):
        columns.append(
            column("Versions", lambda row: str(row.versions), _VERSIONS, "versions")
        )
    ranked = sum(row.rank is not None for row in rows)
    others = others_title(rows[ranked:]) if ranked else ""
    groups = [len(list(own)) for _, own in groupby(rows, lambda row: row.group)]
    breaks = (sum(groups[:i]) for i in range(1, len(groups)))
    return RankedTable(
        rows=tuple(rows),
        ranks=column("#", lambda row: "" if row.rank is None else str(row.rank), _RANK),
        bots=column("Bot", lambda row: row.bot, _BOT),
        columns=(*columns, *more),
        breaks=tuple(row for row in breaks if row < ranked),
        ranked=ranked if others else len(rows),
        others=others,
        places=tuple(places) or ((),) * len(rows),
    )


def others_title(rows: Sequence[RankedRow]) -> str:
    """Return what stands above rows without a rank that follow those with one."""
    if not rows:
        return ""
    if any(row.games for row in rows):
        return "Not ranked, as they don't play all games:"
    return "Not ranked, as they have no games:"


def nash_weights(board: Board) -> dict[str, float] | None:
    """Return the weight of each bot in a label's Nash average, if there is one."""
    if board.shape is None or board.shape.nash is None:
        return None
    return {share.entry: share.weight for share in board.shape.nash}


def label_columns(report: Report) -> tuple[Column, ...]:
    """Return the Elo of the overall rows in each label, with the place there."""
    return tuple(
        Column(
            board.label.label,
            tuple(_in_label(board, row) for row in report.rows),
            f"The Elo in {board.label.label}, and the place among the bots that play "
            "it.",
            "by_game",
        )
        for board in report.boards
        if report.columns
    )


def _in_label(board: Board, row: ReportRow) -> str:
    """Return `1755 2/6`: the Elo, and the place among those that play it.

    An Elo that the games can't tell is no number beside which there is no range.
    """
    label = board.label.label
    part = row.per_game.get(label)
    if part is None:
        return "missed" if row.rank is not None and label in row.missing else ""
    is_open = part.open_above or part.open_below
    elo = range_of(part) if is_open else _whole(part.elo)
    return f"{elo} {part.rank}/{_players(board, part)}"


def other_places(report: Report) -> tuple[tuple[str, ...], ...]:
    """Return of each overall row without a rank its places: `dice 2 of 6`."""
    return tuple(
        tuple(
            f"{board.label.label} {place}"
            for board in report.boards
            if row.rank is None and (place := place_in(board, row))
        )
        for row in report.rows
    )


def place_in(board: Board, row: ReportRow) -> str:
    """Return `2 of 6`: the place of a bot in a label; empty if it does not play it."""
    part = row.per_game.get(board.label.label)
    return "" if part is None else f"{part.rank} of {_players(board, part)}"


def _players(board: Board, part: LabelRow) -> int:
    return len(board.pools[part.pool])


def _whole(elo: float | None) -> str:
    return "" if elo is None else f"{elo:.0f}"


def elo_of(row: RankedRow) -> str:
    """Return `1644 ±22`: the Elo, and how far off the ends of its 95 % range are.

    Of two ends it is the one that is further away.  Where there are not two, or they
    say nothing, it is what `range_of` returns.
    """
    return _with_error(row, row.elo, row.elo_low, row.elo_high)


def _results(row: RankedRow) -> str:
    # Whether there are ends is a matter of results anyhow.
    return _with_error(row, row.results_elo, row.results_low, row.results_high)


def _with_error(
    row: RankedRow, elo: float | None, low: float | None, high: float | None
) -> str:
    if elo is None or low is None or high is None:
        return ""
    if row.is_anchor:
        return f"{elo:.0f} anchor"
    if row.open_above or row.open_below or is_vague(row):
        return _range(row, low, high)
    return f"{elo:.0f} ±{max(high - elo, elo - low):.0f}"


def _score(row: RankedRow) -> str:
    """Return the score in whole percent; 0 % and 100 % are none but these."""
    if row.score is None:
        return ""
    percent = round(100 * row.score)
    if percent in (0, 100) and row.score not in (0.0, 1.0):
        return "<1%" if percent == 0 else ">99%"
    return f"{percent}%"


def _tally(row: RankedRow) -> str:
    return f"{row.wins}/{row.draws}/{row.losses}"


def range_of(row: RankedRow) -> str:
    """Return the 95 % interval, as far as it has any ends."""
    if row.elo_low is None or row.elo_high is None:
        return ""
    return "anchor" if row.is_anchor else _range(row, row.elo_low, row.elo_high)


def _range(row: RankedRow, low: float, high: float) -> str:
    if row.open_above and row.open_below:
        return "open"
    if is_vague(row):
        return TOO_FEW
    if row.open_above:
        return f"at least {low:.0f}"
    if row.open_below:
        return f"at most {high:.0f}"
    return f"{low:.0f} to {high:.0f}"


def possible_places(row: RankedRow) -> str:
    """Return `2-3`: the places that the games leave open."""
    if row.rank_low is None or row.rank_high is None:
        return ""
    if row.rank_low == row.rank_high:
        return str(row.rank_low)
    return f"{row.rank_low}-{row.rank_high}"


def apart_of(row: RankedRow) -> str:
    """Return yes if a row is surely better than the next, or the games it needs."""
    if row.is_separated is None:
        return ""
    if row.is_separated:
        return "yes"
    if row.more_games is not None:
        return f"~{row.more_games:,}"
    return f">{MOST_GAMES:,}" if row.can_be_told else NO
