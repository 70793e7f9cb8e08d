"""What is said of a league beside its tables, a sentence or two each."""

import shlex
from collections.abc import Iterable, Iterator
from itertools import groupby

from arena.ratings import SeatTerm
from arena.ratings.match_ups.intransitivity import Cycle
from arena.records.game_record import Termination
from arena.reports.forfeits import quarantined
from arena.reports.oddities import ADVICE, oddity_lines
from arena.reports.report import Board, Report
from arena.reports.times import NEAR_LIMIT, repeated_bots, slow_bots

ODDITIES = "What honest play hardly explains"
"""Title of what `oddities` returns."""

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"),
    *("ninth", "tenth"),
)


def warnings(report: Report) -> list[str]:
    """Return the reasons to trust the numbers less, most important first."""
    notes = []
    if report.played < report.planned:
        notes.append(
            f"Unfinished: {report.played} of {report.planned} games are played, so "
            "the table will still change."
        )
    elif len(report.rows) == 1:
        notes.append("Only one bot is entered: it has nobody to play against.")
    elif report.rows and not report.played:
        notes.append("No games are played, so nobody has an Elo.")
    for board in report.boards:
        notes += _board_warnings(report, board)
    return notes


def _board_warnings(report: Report, board: Board) -> Iterator[str]:
    label = board.label.label
    if board.fits is None:
        return
    level = f"{1000.0 if report.anchor is None else report.anchor[1]:g}"
    if report.anchor is not None and not board.fits.fit.anchored:
        yield (
            f"{label}: the anchor {report.anchor[0]} has no games here, so the mean of "
            f"the bots is held at {level} instead."
        )
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
            f"and the adjusted Elo rest on the {confirming} games alone that "
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
    without = [board for board in report.boards if board.no_luck]
    counts = any(row.results_elo is not None for row in report.rows)
    by_reason: dict[str, list[Board]] = {}
    for board in without:
        by_reason.setdefault(board.no_luck, []).append(board)
    end = ", so overall the plain one counts" if counts else ""
    return [
        f"{_names(boards)}: no luck-adjusted Elo{end}: {reason}."
        for reason, boards in by_reason.items()
    ]


def oddities(report: Report) -> list[str]:
    """Return what honest play hardly explains, a paragraph each, and what to do."""
    found = oddity_lines(report.oddities, report.weights, shlex.quote(report.folder))
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
            elos = ", ".join(map(_seat_elo, own))
            lines.append(f"{board.label.label}{at}: {elos}")
    return lines


def _seat_elo(term: SeatTerm) -> str:
    number = term.seat + 1
    seat = _ORDINALS[term.seat] if number <= len(_ORDINALS) else f"{number}th"
    # Zero has no sign.
    elo = f"{term.elo:+.0f}" if round(term.elo) else "0"
    return f"{seat} seat {elo} Elo (±{term.half_width:.0f})"


def cycles(report: Report) -> list[str]:
    """Return the labels where Elo does not explain who beats whom, a line each."""
    lines = []
    for board in report.boards:
        shape = board.shape
        if shape is None or not shape.rejects:
            continue
        assert shape.p is not None
        often = "under 0.1 %" if shape.p < 0.001 else f"{100 * shape.p:.1f} %"
        found = "; ".join(map(_cycle, shape.cycles))
        found = found or "No three bots are sure to beat each other in turn"
        lines.append(
            f"{board.label.label}: who beats whom does not follow from the Elo alone "
            f"(luck would do as much in {often} of leagues). {found}."
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
