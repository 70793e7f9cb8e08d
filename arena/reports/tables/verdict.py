"""The verdict on a league in a few sentences: who is best, how sure, and what is open.

What is called sure follows from the claims of a table, of which at most one table in
twenty holds any wrong one (`arena.ratings.claims`).  Only what is known of the order
counts: no number of this is made from Elo and ranges.
"""

import re
from collections.abc import Iterator, Sequence

from arena.ratings.claims import MOST_GAMES
from arena.reports.forfeits import Forfeit, by_bot, count_reasons, reasons_text
from arena.reports.report import Board, RankedRow, Report
from arena.reports.tables.precision import TOO_FEW, is_vague
from arena.text import counted, cut, listed, one_line, quoted

_MOST_NAMES = 3
"""Of more bots a sentence only says how many they are."""
_MOST_TABLES = 4
"""Of more games, or groups of bots, there is no sentence each."""
_MOST_FAULTY = 3
"""Bots that have a line of their own on their forfeits."""
_MAX_MESSAGE_CHARS = 120
_WORD = re.compile(r"[\w.+-]+")


def verdict(report: Report) -> list[str]:
    """Return who is best and how sure that is, a sentence each, the best first.

    A league that is not finished has nothing sure.
    """
    if not report.rows:
        return ["No bots are entered."]
    is_final = report.played >= report.planned
    lines = []
    if not is_final:
        lines.append(
            f"{report.played:,} of {report.planned:,} games are played, so all of this "
            "may still change."
        )
    elif len(report.rows) == 1:
        return ["Only one bot is entered: it has nobody to play against."]
    elif not report.played:
        return ["No games are played, so nobody has an Elo."]
    if not report.has_overall:
        return [*lines, _no_overall(report), *_by_game(report, is_final=is_final)]
    if len(report.boards) == 1 and len(report.boards[0].pools) > 1:
        return [*lines, *_by_group(report.boards[0], is_final=is_final)]
    ranked = [row for row in report.rows if row.rank is not None]
    if ranked and all(row.forfeits == row.games for row in report.rows):
        return [*lines, "Nobody can be called the best: all games are forfeited."]
    return [
        *lines,
        *_sentences(ranked, _field(report, len(ranked)), is_final=is_final),
    ]


def faults(report: Report, *, examples: bool, all_in: str = "faults.csv") -> list[str]:
    """Return who forfeits and why, a line each for those that do so most.

    An example is the message of the first forfeit in the order of the league's plan;
    it may quote seconds or addresses, which differ from run to run.
    """
    games = {row.bot: row.games for row in report.rows}
    unread = {entry.name for entry in report.refused}
    found = by_bot(report.forfeits)
    lines = []
    for bot, own in [*found.items()][:_MOST_FAULTY]:
        share = f"all {games[bot]:,}" if len(own) == games[bot] else ""
        share = share or f"{len(own):,} of {games[bot]:,}"
        line = f"{called(bot)} forfeits {share} games: {_why(own)}"
        if examples and bot not in unread:
            message = one_line(own[0].fault.message)
            line += f"; first: {cut(message, _MAX_MESSAGE_CHARS)}"
        lines.append(line)
    if left := len(found) - len(lines):
        lines.append(
            f"{counted(left, 'other bot')} {'forfeits' if left == 1 else 'forfeit'} "
            f"games too: {all_in} has all."
        )
    return lines


def _why(forfeits: Sequence[Forfeit]) -> str:
    """Return the reasons, with their numbers if there are several."""
    reasons = count_reasons(forfeits)
    text = "".join(reasons) if len(reasons) == 1 else reasons_text(forfeits)
    return text.replace("_", " ")


def called(name: str) -> str:
    """Return a name to stand in a sentence: in quotes unless it is one plain word.

    A name is its author's choice, and may read like a part of the sentence.
    """
    return name if _WORD.fullmatch(name) else quoted(name)


def _field(report: Report, ranked: int) -> str:
    """Return who they are that the overall table ranks: `the 4 bots`."""
    others = report.rows[ranked:]
    if any(row.games for row in others):
        return f"the {ranked} bots that play all games"
    return f"the {ranked} bots" + " that have games" * bool(others)


def _no_overall(report: Report) -> str:
    """Return why there is no overall table, and who is in none of the others."""
    counting = [label for label, weight in report.weights.items() if weight]
    full = [row for row in report.rows if not row.missing]
    why = "in no game all bots can be compared"
    if counting:
        who = f"only {called(full[0].bot)} plays" if full else "no bot plays"
        why = f"{who} all games: {listed(counting)}"
    idle = [row for row in report.rows if not row.games]
    without = f" Without any games: {_named(idle)}." if idle else ""
    return f"There is no overall table, as {why}.{without}"


def _by_game(report: Report, *, is_final: bool) -> Iterator[str]:
    """Yield a sentence for each of the first games that have any results."""
    boards = [board for board in report.boards if board.rows]
    for board in boards[:_MOST_TABLES]:
        label = board.label.label
        if len(board.pools) > 1:
            yield f"{label}: {_no_link(board)}"
            continue
        rows = board.rows
        best, *_ = _sentences(rows, f"the {len(rows)} bots", is_final=is_final)
        yield f"{label}: {best}"
    if len(boards) > _MOST_TABLES:
        yield f"{len(boards) - _MOST_TABLES} other games have a table each."


def _by_group(board: Board, *, is_final: bool) -> Iterator[str]:
    """Yield a sentence for each of the first groups of bots that games link."""
    yield _no_link(board)
    if len(board.pools) <= _MOST_TABLES:
        for i, rows in enumerate(board.pools, 1):
            best, *_ = _sentences(rows, f"its {len(rows)} bots", is_final=is_final)
            yield f"Group {i}: {best}"


def _no_link(board: Board) -> str:
    return (
        f"no games link its {len(board.pools)} groups of bots, so nobody can be called "
        "the best of all."
    )


def _sentences(
    rows: Sequence[RankedRow], field: str, *, is_final: bool
) -> Iterator[str]:
    """Yield the sentences on the ranked rows of a table, on its first place first.

    `field` says who they are: `the 4 bots`.
    """
    if len(rows) < 2:
        yield from (f"Only {called(row.bot)} plays all games." for row in rows)
        return
    if all(row.rank == 1 for row in rows):
        who = _named(rows) if len(rows) == 2 else field
        yield f"{who[0].upper()}{who[1:]} are equal so far."
        return
    if not is_final:
        ahead = [row for row in rows if row.rank == 1]
        verb = "leads" if len(ahead) == 1 else "lead"
        yield f"So far {_named(ahead)} {verb} {field}."
        return
    groups = open_places(rows)
    yield _best(rows, field)
    yield from _others(groups)


def _best(rows: Sequence[RankedRow], field: str) -> str:
    first, second, *others = rows
    if first.rank_high == 1:
        if not others:
            return f"{called(first.bot)} is surely better than {called(second.bot)}."
        return f"{called(first.bot)} is surely the best of {field}."
    best = [row for row in rows if row.rank_low == 1]
    if len(best) == 1:
        return f"{called(first.bot)} leads {field}, but not surely."
    # How many games it takes is known of neighbours.
    is_next = best[1] is second
    if len(best) == 2:
        if not others:
            start = f"Which of {_named(best)} is better is open"
            return f"{start}{_remedy(first, second)}."
        start = f"{_named(best, 'or')} is the best of {field}"
        return f"{start}{_remedy(first, second, ' which') if is_next else ''}."
    pair = f" {_named(rows[:2])} apart"
    remedy = _remedy(first, second, pair) if is_next else ""
    if len(best) <= _MOST_NAMES and len(best) < len(rows):
        return f"{_named(best, 'or')} is the best of {field}{remedy}."
    who = f"Any of {field}"
    if len(best) < len(rows):
        who = f"{len(best)} of {field}"
    return f"{who} may be the best{_leaders(best)}{remedy}."


def _leaders(rows: Sequence[RankedRow]) -> str:
    """Return who stands out as the first of some rows."""
    for count in range(min(_MOST_NAMES, len(rows) - 1), 0, -1):
        if rows[count - 1].rank != rows[count].rank:
            verb = "leads" if count == 1 else "lead"
            return f"; {_named(rows[:count])} {verb}"
    return ""


def _others(groups: Sequence[tuple[RankedRow, ...]]) -> Iterator[str]:
    """Yield what is open behind the first places."""
    top, *behind = groups
    found = [group for group in behind if len(group) > 1]
    if found:
        group = found[0]
        first = 1 + sum(map(len, groups[: groups.index(group)]))
        last = first + len(group) - 1
        if len(group) == 2:
            start = f"Places {first} and {last} are open between {_named(group)}"
            yield f"{start}{_remedy(*group)}."
        else:
            yield f"Places {first} to {last} are open between {_named(group)}."
    if len(found) > 1 or len(top) > _MOST_NAMES:
        yield "The column Places has those that each bot may have."
    elif behind and not found and all(_is_sure(row) for (row,) in behind):
        yield f"All other places are sure{' too' * (len(top) == 1)}."


def _is_sure(row: RankedRow) -> bool:
    return row.rank_low == row.rank_high


def open_places(rows: Sequence[RankedRow]) -> list[tuple[RankedRow, ...]]:
    """Return rows in the smallest groups that surely hold the places they stand at.

    If each of the first p bots surely has one of the first p places, then they hold
    these places, whoever of them holds which.
    """
    groups = []
    start = 0
    worst = 0
    for end, row in enumerate(rows, 1):
        worst = max(worst, row.rank_high or len(rows))
        if worst <= end:
            groups.append(tuple(rows[start:end]))
            start = end
    return groups


def _remedy(upper: RankedRow, lower: RankedRow, what: str = "") -> str:
    """Return what it would take to tell apart two rows that are next to each other.

    `what` ends the sentence: nothing, ` which`, ` Ana and Ben apart`.
    """
    if upper.rank == lower.rank:
        who = _named([upper, lower]) if what.endswith("apart") else "they"
        return f": {who} are equal so far"
    if is_vague(upper) or is_vague(lower):
        return f": there are {TOO_FEW} to tell{what}"
    if upper.more_games is not None:
        return f": about {upper.more_games:,} more games of each should tell{what}"
    if upper.can_be_told:
        return (
            f": more than {MOST_GAMES:,} more games of each would be needed to "
            f"tell{what}"
        )
    return f": games like these can't tell{what}"


def _named(rows: Sequence[RankedRow], link: str = "and") -> str:
    """Return the names of some bots, or how many they are."""
    if len(rows) > _MOST_NAMES:
        return counted(len(rows), "bot")
    return listed((called(row.bot) for row in rows), link)
