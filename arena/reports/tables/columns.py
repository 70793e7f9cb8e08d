"""The columns of a leaderboard for people: the same in a terminal and on a page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from arena.ratings import Row
from arena.reports.report import Board, RankedRow, Report


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a leaderboard."""

    title: str
    cells: tuple[str, ...]
    """One for each row."""

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

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns but rank and name."""
        return (*chain.from_iterable(self.rating), *self.tally)


def table_of(
    rows: Sequence[RankedRow], nash: Mapping[str, float] | None
) -> RankedTable:
    """Return the columns that these rows have something to say in.

    `nash` has the weight of each bot in the Nash average, where there is one.
    """

    def column(title: str, text: Callable[[RankedRow], str]) -> Column:
        return Column(title, tuple(map(text, rows)))

    plain = [
        column("Elo", lambda row: _number(row.elo)),
        column("95 % range", _range),
        column("Ranks", _ranks),
        column("Apart", _apart),
    ]
    if any(row.division for row in rows):
        plain.insert(0, column("Div", lambda row: str(row.division or "all")))
    rating: list[tuple[Column, ...]] = [tuple(plain)]
    if any(row.results_elo is not None for row in rows):
        results = column("Results", lambda row: _number(row.results_elo))
        rating.append((results, column("95 % range", _results_range)))
    if nash is not None:
        rating.append((column("Nash", lambda row: f"{nash[row.bot]:.0%}"),))
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
    groups = [len(list(rows)) for _, rows in groupby(rows, lambda row: row.group)]
    return RankedTable(
        ranks=column("#", lambda row: "" if row.rank is None else str(row.rank)),
        bots=column("Bot", lambda row: row.bot),
        rating=tuple(rating),
        tally=tuple(tally),
        breaks=tuple(sum(groups[:i]) for i in range(1, len(groups))),
    )


def nash_weights(board: Board) -> dict[str, float] | None:
    """Return the weight of each bot in a label's Nash average, if there is one."""
    if board.shape is None or board.shape.nash is None:
        return None
    return {share.entry: share.weight for share in board.shape.nash}


def label_columns(report: Report) -> tuple[Column, ...]:
    """Return the Elo of the overall rows in each label."""
    return tuple(
        Column(label, tuple(_elo_in(row.per_game.get(label)) for row in report.rows))
        for label in report.columns
    )


def _elo_in(row: Row | None) -> str:
    return "" if row is None else _number(row.elo)


def _number(elo: float | None) -> str:
    return "" if elo is None else f"{elo:.1f}"


def _range(row: RankedRow) -> str:
    """Return the 95 % interval, as far as it has any ends."""
    if row.elo_low is None or row.elo_high is None:
        return ""
    if row.is_anchor:
        return "anchor"
    if row.open_above and row.open_below:
        return "open"
    if row.open_above:
        return f"over {row.elo_low:.0f}"
    if row.open_below:
        return f"under {row.elo_high:.0f}"
    return f"{row.elo_low:.0f} to {row.elo_high:.0f}"


def _results_range(row: RankedRow) -> str:
    if row.results_low is None or row.results_high is None:
        return ""
    if row.is_anchor:
        return "anchor"
    return f"{row.results_low:.0f} to {row.results_high:.0f}"


def _ranks(row: RankedRow) -> str:
    if row.rank_low is None or row.rank_high is None:
        return ""
    if row.rank_low == row.rank_high:
        return str(row.rank_low)
    return f"{row.rank_low}-{row.rank_high}"


def _apart(row: RankedRow) -> str:
    """Return yes if a row is surely better than the next, or the games it needs."""
    if row.is_separated is None:
        return ""
    if row.is_separated:
        return "yes"
    return "no" if row.more_games is None else f"~{row.more_games}"
