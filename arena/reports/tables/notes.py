"""What is said of a league beside its tables, a sentence or two each."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import inf

from arena.ratings import MEAN_ELO, SeatTerm
from arena.ratings.match_ups.intransitivity import Cycle
from arena.records.game_record import Termination
from arena.reports.forfeits import quarantined
from arena.reports.oddities import ADVICE, oddity_lines
from arena.reports.report import Board, RankedRow, Report
from arena.reports.tables.precision import (
    GOOD_ELO,
    TOO_FEW,
    VAGUE_ELO,
    error,
    games_for,
    is_even,
    is_vague,
)
from arena.reports.times import NEAR_LIMIT, repeated_bots, slow_bots
from arena.text import listed

ODDITIES = "What honest play hardly explains"
"""Title of what `oddities` returns."""

_MOST_NAMES = 3
"""Of more bots a sentence only says how many they are."""

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"),
    *("ninth", "tenth"),
)


def warnings(report: Report) -> list[str]:
    """Return the reasons to trust the numbers less, most important first."""
    return [
        *(note for board in report.boards for note in _board_warnings(report, board)),
        *_anchor_overall(report),
        *_too_few(report),
        *_missing(report),
    ]


def _bots(names: Sequence[str]) -> str:
    """Return the names, or how many they are."""
    return listed(names) if len(names) <= _MOST_NAMES else f"{len(names)} bots"


def _too_few(report: Report) -> Iterator[str]:
    """Yield where ranges say nothing, and how many games it takes until they do."""
    tables: list[tuple[str, Iterable[RankedRow], float]] = [
        (board.label.label, board.rows, _df(board)) for board in report.boards
    ]
    if report.columns and not any(is_vague(x) for _, rows, _ in tables for x in rows):
        tables = [("Overall", report.rows, inf)]
    for title, rows, df in tables:
        vague = [row for row in rows if is_vague(row) and not row.is_anchor]
        if not vague:
            continue
        names = [row.bot for row in vague]
        most = max(
            vague, key=lambda row: (row.games * (error(row) or 0.0) ** 2, row.bot)
        )
        games = games_for(most.games, error(most) or 0.0, df if is_even(most) else inf)
        yield (
            f"{title}: {TOO_FEW} to say how strong {_bots(names)} "
            f"{'is' if len(names) == 1 else 'are'}: the 95 % range is wider than "
            f"±{VAGUE_ELO:.0f} Elo. {games.capitalize()} games of each bot would make "
            f"it ±{GOOD_ELO:.0f}."
        )


def _df(board: Board) -> float:
    """Return the degrees of freedom of a label's errors."""
    return inf if board.certain is None else board.certain.df


def _missing(report: Report) -> Iterator[str]:
    """Yield who is ranked without playing all games, where that is possible."""
    if not report.ranks_any:
        return
    missing = [x.bot for x in report.rows if x.rank is not None and x.missing]
    if missing:
        verb = "misses" if len(missing) == 1 else "miss"
        yield (
            "Overall a game that a bot misses counts as lost to all that play it "
            f"(overall: any): {_bots(missing)} {verb} some."
        )


def _board_warnings(report: Report, board: Board) -> Iterator[str]:
    label = board.label.label
    if board.fits is None:
        return
    level = f"{MEAN_ELO if report.anchor is None else report.anchor[1]:g}"
    yield from _anchor(report, board)
    if len(board.pools) > 1:
        groups = "; ".join(
            ", ".join(sorted(row.bot for row in pool)) for pool in board.pools
        )
        end = "."
        if len(report.boards) > 1:
            end = ", and the overall Elo leaves this game out."
        yield (
            f"{label}: no games link these groups, so their Elo can't be compared: "
            f"{groups}. Each has a table of its own, where its mean is held at "
            f"{level}{' or the anchor at its Elo' * board.fits.fit.anchored}{end}"
        )
    elif len(report.boards) > 1 and not report.weights[label]:
        yield (
            f"{label}: only bots of one student or one file have games here, so this "
            "game does not count overall."
        )
    if all(row.forfeits == row.games for row in board.rows):
        yield (
            f"{label}: every bot has forfeited every game, so nothing is known of how "
            "they play."
        )
    elif board.fits.clean is None and any(row.forfeits for row in board.rows):
        yield (
            f"{label}: every fixture holds a forfeit, so there is no Elo without them."
        )
    elif all(row.draws == row.games for row in board.rows):
        yield f"{label}: every game was drawn, so these bots are equal so far."


def _anchor(report: Report, board: Board) -> Iterator[str]:
    """Yield what is wrong with the anchor in a label, and what to do."""
    if report.anchor is None or board.fits is None:
        return
    name, elo = report.anchor
    fit = board.fits.certain
    start = f"{board.label.label}: the anchor {name}"
    if fit.anchor_broken:
        yield (
            f"{start} has forfeited all its games here, so the mean of the others is "
            f"held at {elo:g} instead. Repair it, or name another anchor."
        )
    elif not fit.anchored:
        yield (
            f"{start} has no games here, so the mean of the bots is held at {elo:g} "
            "instead."
        )
    elif fit.anchor_is_apart:
        scores = {row.bot: row.score for row in board.rows}
        seldom = {0.0: "wins nothing", 1.0: "wins everything"}
        how = seldom.get(scores[name] or 0.0, "wins or loses too seldom")
        yield (
            f"{start} {how} here, so the games can't say how far from it the others "
            "are. Name an anchor that wins and loses in every game, or enter a "
            "reference whose strength is between it and the others."
        )


def _anchor_overall(report: Report) -> Iterator[str]:
    """Yield that the anchor is not ranked overall, if others are."""
    if report.anchor is None or report.overall is None or len(report.boards) == 1:
        return
    name, elo = report.anchor
    if name not in report.overall.entries:
        yield (
            f"Overall the anchor {name} is not ranked, so the mean of the bots is held "
            f"at {elo:g} instead. Name an anchor that plays all games."
        )


def basis(report: Report) -> list[str]:
    """Return the labels whose numbers do not rest on all games alike, and why."""
    notes = []
    if report.has_divisions:
        notes.append(
            "Div: the division. Bots meet those of their own and the references, which "
            "play in all: games against these make the Elo comparable across divisions."
        )
    adaptive = [board for board in report.boards if board.is_adaptive]
    if adaptive:
        confirming = sum(
            board.fits.confirmed.games
            for board in adaptive
            if board.fits is not None and board.fits.confirmed is not None
        )
        notes.append(
            f"{_names(adaptive)}: the schedule was adaptive. Elo, ranks and ties rest "
            "on all games, and allow for every look at the results. The 95 % ranges "
            f"and the Elo from results alone rest on the {confirming} games that "
            "were planned whatever came of others, at the beginning and at the end: so "
            "a range may lie beside its Elo."
        )
    winners = [
        board
        for board in report.boards
        if board.label.placing == "winner" and board.label.players > 2
    ]
    if winners:
        notes.append(
            f"{_names(winners)}: only who wins a table is ahead of the others there; "
            "who is second or last makes no difference (placing: winner)."
        )
    return notes + _without_luck(report)


def _without_luck(report: Report) -> list[str]:
    """Return the labels whose Elo is from results alone, and why."""
    if not report.takes_luck:
        return ["Elo, ranks and groups rest on results alone, with the luck in them."]
    by_reason: dict[str, list[Board]] = {}
    for board in report.boards:
        if board.no_luck:
            by_reason.setdefault(board.no_luck, []).append(board)
    return [
        f"{_names(boards)}: no luck is taken from the scores: {reason}."
        for reason, boards in by_reason.items()
    ]


def oddities(report: Report) -> list[str]:
    """Return what honest play hardly explains, a paragraph each, and what to do."""
    found = oddity_lines(report.oddities, shlex.quote(report.folder))
    lines = [
        f"{text} To look at first: {'; '.join(commands)}" if commands else text
        for text, commands in found
    ]
    return [*lines, ADVICE] if lines else []


def seats(report: Report) -> list[str]:
    """Return the Elo of each seat, a line for each label where it is known."""
    lines = []
    for board in report.boards:
        terms = () if board.certain is None else board.certain.seat_terms
        sizes = [
            (players, list(own)) for players, own in groupby(terms, lambda t: t.players)
        ]
        for players, own in sizes:
            at = f", tables of {players}" if len(sizes) > 1 else ""
            games = 0 if board.certain is None else board.certain.games
            elos = ", ".join(_seat_elo(term, games, _df(board)) for term in own)
            lines.append(f"{board.label.label}{at}: {elos}")
    return lines


def _seat_elo(term: SeatTerm, games: int, df: float) -> str:
    number = term.seat + 1
    seat = _ORDINALS[term.seat] if number <= len(_ORDINALS) else f"{number}th"
    if term.half_width > VAGUE_ELO:
        needed = games_for(games, term.half_width, df)
        return f"{seat} seat: {TOO_FEW} to tell, it takes {needed}"
    # Zero has no sign.
    elo = f"{term.elo:+.0f}" if round(term.elo) else "0"
    return f"{seat} seat {elo} Elo (±{term.half_width:.0f})"


def cycles(report: Report, *, only_circles: bool = False) -> list[str]:
    """Return the labels where Elo does not explain who beats whom, a line each.

    With `only_circles` those where some bots surely beat each other in turn.
    """
    lines = []
    for board in report.boards:
        shape = board.shape
        if shape is None or not shape.rejects or (only_circles and not shape.cycles):
            continue
        assert shape.p is not None
        often = "under 0.1 %" if shape.p < 0.001 else f"{100 * shape.p:.1f} %"
        found = "; ".join(map(_cycle, shape.cycles))
        found = f"In turn {found}" if found else "See the crosstable"
        lines.append(
            f"{board.label.label}: against some opponents, bots do better or worse "
            f"than their Elo says (luck alone does this in {often} of leagues). "
            f"{found}."
        )
    return lines


def _cycle(cycle: Cycle) -> str:
    following = (*cycle.entries[1:], cycle.entries[0])
    return ", ".join(
        f"{winner} beats {loser} {100 * score:.0f} %"
        for winner, loser, score in zip(
            cycle.entries, following, cycle.scores, strict=True
        )
    )


def _names(boards: Iterable[Board]) -> str:
    return ", ".join(board.label.label for board in boards)


def run_notes(report: Report) -> list[str]:
    """Return the warnings for an instructor after a run, a sentence each."""
    # That they are too slow is said already.
    late = {
        forfeit.bot
        for forfeit in report.forfeits
        if forfeit.fault.termination == Termination.TIMEOUT
    }
    near = [
        f"{row.bot}: its slowest decision took {row.slowest:.3g} s, the move limit is "
        f"{row.limit:g} s"
        for row in report.times
        if row.is_total
        and row.bot not in late
        and row.slowest is not None
        and row.slowest > NEAR_LIMIT * row.limit
    ]
    slow = slow_bots(report.times, late)
    return [*quarantined(report.forfeits), *near, *slow, *repeated_bots(report.times)]
