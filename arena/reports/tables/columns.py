"""The columns of a leaderboard for people: the same in a terminal and on a page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from arena.ratings.claims import MOST_GAMES
from arena.reports.report import Board, LabelRow, RankedRow, Report, ReportRow
from arena.reports.tables.precision import TOO_FEW, is_vague

NO = "no"
"""What stands in the column Apart where no number of games like these would tell."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a leaderboard."""

    title: str
    cells: tuple[str, ...]
    """One for each row."""
    is_extra: bool = False
    """True if it is there on demand only."""

    @property
    def is_dull(self) -> bool:
        """True if all its cells are empty or zero."""
        return not any(cell.strip("0") for cell in self.cells)


@dataclass(frozen=True, slots=True)
class RankedTable:
    """A leaderboard in columns, of which the first ones matter most."""

    ranks: Column
    bots: Column
    rating: tuple[tuple[Column, ...], ...]
    """Groups of columns that stay together: first Elo, interval and claims, then other
    measures of strength."""
    tally: tuple[Column, ...]
    """Forfeits, versions, score and games."""
    breaks: tuple[int, ...]
    """Rows that begin a tie group, but for the first one."""
    ranked: int
    """Number of the first rows that are ranked, where there are others below them; else
    that of all rows."""
    others: str
    """What stands above those others; empty if there are none."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns but rank and name."""
        return (*chain.from_iterable(self.rating), *self.tally)


def table_of(
    rows: Sequence[RankedRow],
    nash: Mapping[str, float] | None,
    *,
    with_results: bool = False,
) -> RankedTable:
    """Return the columns that these rows have something to say in.

    `nash` has the weight of each bot in the Nash average, where there is one;
    `with_results` adds the Elo from results alone, where that is another one.
    """

    def column(
        title: str, text: Callable[[RankedRow], str], *, is_extra: bool = False
    ) -> Column:
        return Column(title, tuple(map(text, rows)), is_extra)

    plain = [
        column("Elo", lambda row: _number(row.elo)),
        column("95 % range", range_of),
        column("Ranks", _ranks),
        column("Apart", apart_of),
    ]
    if any(row.division for row in rows):
        plain.insert(0, column("Div", lambda row: str(row.division or "all")))
    rating: list[tuple[Column, ...]] = [tuple(plain)]
    if with_results and any(row.results_elo is not None for row in rows):
        results = column("Results", lambda row: _number(row.results_elo), is_extra=True)
        rating.append((results, column("95 % range", _results_range, is_extra=True)))
    if nash is not None:
        rating.append(
            (column("Nash", lambda row: f"{nash[row.bot]:.0%}" if row.games else ""),)
        )
    tally = [column("Forfeits", lambda row: str(row.forfeits))]
    if any(row.clean_elo is not None for row in rows):
        tally.append(column("Clean", lambda row: _number(row.clean_elo)))
    if any(row.versions > 1 for row in rows):
        tally.append(column("Versions", lambda row: str(row.versions)))
    tally += [
        column(
            "Score", lambda row: "" if row.score is None else f"{100 * row.score:.1f}%"
        ),
        column("Games", lambda row: str(row.games)),
        column("W/D/L", lambda row: f"{row.wins}/{row.draws}/{row.losses}"),
    ]
    ranked = sum(row.rank is not None for row in rows)
    others = others_title(rows[ranked:]) if ranked else ""
    groups = [len(list(own)) for _, own in groupby(rows, lambda row: row.group)]
    breaks = (sum(groups[:i]) for i in range(1, len(groups)))
    return RankedTable(
        ranks=column("#", lambda row: "" if row.rank is None else str(row.rank)),
        bots=column("Bot", lambda row: row.bot),
        rating=tuple(rating),
        tally=tuple(tally),
        breaks=tuple(row for row in breaks if row < ranked),
        ranked=ranked if others else len(rows),
        others=others,
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
        Column(board.label.label, tuple(_in_label(board, row) for row in report.rows))
        for board in report.boards
        if report.columns
    )


def _in_label(board: Board, row: ReportRow) -> str:
    """Return `1755.0 2/6`: the Elo, and the place among those that play it.

    An Elo that the games can't tell is no number beside which there is no range.
    """
    label = board.label.label
    part = row.per_game.get(label)
    if part is None:
        return "missed" if row.rank is not None and label in row.missing else ""
    is_open = part.open_above or part.open_below
    elo = range_of(part) if is_open else _number(part.elo)
    return f"{elo} {part.rank}/{_players(board, part)}"


def place_in(board: Board, row: ReportRow) -> str:
    """Return `2 of 6`: the place of a bot in a label; empty if it does not play it."""
    part = row.per_game.get(board.label.label)
    return "" if part is None else f"{part.rank} of {_players(board, part)}"


def _players(board: Board, part: LabelRow) -> int:
    return len(board.pools[part.pool])


def _number(elo: float | None) -> str:
    return "" if elo is None else f"{elo:.1f}"


def range_of(row: RankedRow) -> str:
    """Return the 95 % interval, as far as it has any ends."""
    return _range(row, row.elo_low, row.elo_high)


def _results_range(row: RankedRow) -> str:
    # Whether there are ends is a matter of results anyhow.
    return _range(row, row.results_low, row.results_high)


def _range(row: RankedRow, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    if row.is_anchor:
        return "anchor"
    if row.open_above and row.open_below:
        return "open"
    if is_vague(row):
        return TOO_FEW
    if row.open_above:
        return f"at least {low:.0f}"
    if row.open_below:
        return f"at most {high:.0f}"
    return f"{low:.0f} to {high:.0f}"


def _ranks(row: RankedRow) -> str:
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
        return f"~{row.more_games}"
    return f">{MOST_GAMES}" if row.can_be_told else NO
