"""The verdict on a league in a few sentences: who is best, how sure, and what is open.

What is called sure follows from the claims of a table, of which at most one table in
twenty holds any wrong one (`arena.ratings.claims`).  Only what is known of the order
counts: no number of this is made from Elo and ranges.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil

from arena.ratings.claims import MOST_GAMES
from arena.reports.forfeits import Forfeit, by_bot, count_reasons, reasons_text
from arena.reports.report import Board, RankedRow, Report
from arena.reports.tables.precision import TOO_FEW, is_vague
from arena.text import behind, called, counted, cut, listed, one_line

SEE_PLACES = "The column Places has those that each bot may have."
_MOST_NAMES = 3
"""Of more bots a sentence only says how many they are."""
_MAX_NAMES_CHARS = 75
"""Of three bots whose names are longer it does so too."""
_MOST_TABLES = 4
"""Of more games, or groups of bots, there is no sentence each."""
_MOST_FAULTY = 3
"""Bots that have a line of their own on their forfeits."""
_MAX_MESSAGE_CHARS = 100


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
        *table_verdict(
            ranked,
            _field(report, len(ranked)),
            is_final=is_final,
            is_adaptive=any(board.is_adaptive for board in report.boards),
        ),
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
        line = f"{called(bot)} forfeits {share} games: {why(own)}"
        if examples and bot not in unread:
            message = behind(own[0].file, one_line(own[0].fault.message))
            line += f"; first: {cut(message, _MAX_MESSAGE_CHARS)}"
        lines.append(line)
    if left := len(found) - len(lines):
        lines.append(
            f"{counted(left, 'other bot')} {'forfeits' if left == 1 else 'forfeit'} "
            f"games too: {all_in} has all."
        )
    return lines


def why(forfeits: Sequence[Forfeit]) -> str:
    """Return the reasons, with their numbers if there are several."""
    reasons = count_reasons(forfeits)
    if len(reasons) == 1 and not forfeits[0].is_quarantine:
        return "".join(reasons).replace("_", " ")
    return reasons_text(forfeits)


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
    without = f" Without any games: {_few(idle)}." if idle else ""
    return f"There is no overall table, as {why}.{without}"


def _by_game(report: Report, *, is_final: bool) -> Iterator[str]:
    """Yield a sentence for each of the first games that have any results."""
    boards = [board for board in report.boards if board.rows]
    for board in boards[:_MOST_TABLES]:
        best = f"no games link its {len(board.pools)} groups of bots."
        if len(board.pools) == 1:
            field = f"its {len(board.rows)} bots"
            best, *_ = table_verdict(
                board.rows, field, is_final=is_final, is_adaptive=board.is_adaptive
            )
        yield f"{board.label.label}: {best}"
    if len(boards) > _MOST_TABLES:
        yield f"{counted(len(boards) - _MOST_TABLES, 'other game')}: see the tables."


def _by_group(board: Board, *, is_final: bool) -> Iterator[str]:
    """Yield a sentence for each of the first groups of bots that games link."""
    yield (
        f"No games link the {len(board.pools)} groups of bots, so nobody can be called "
        "the best of all."
    )
    if len(board.pools) <= _MOST_TABLES:
        for i, rows in enumerate(board.pools, 1):
            field = f"its {len(rows)} bots"
            best, *_ = table_verdict(
                rows, field, is_final=is_final, is_adaptive=board.is_adaptive
            )
            yield f"Group {i}: {best}"


def table_verdict(
    rows: Sequence[RankedRow], field: str, *, is_final: bool, is_adaptive: bool
) -> Iterator[str]:
    """Yield the sentences on the ranked rows of a table, on its first place first.

    `field` says who they are: `the 4 bots`.  Without an adaptive schedule the games of
    all grow with the `fixtures` of the league's file.
    """
    if len(rows) < 2:
        yield from (f"Only {_called(row)} plays all games." for row in rows)
    elif all(row.rank == 1 for row in rows):
        who = _listed(rows) if len(rows) == 2 else f"All of {field}"
        yield f"{who} are equal so far."
    elif not is_final:
        first = sum(row.rank == 1 for row in rows)
        yield f"So far {_leaders(rows) or f'{first} bots share the first place'}."
    else:
        yield _best(rows, field, is_adaptive=is_adaptive)
        if len(rows) > 2:
            yield from _behind(open_places(rows), is_adaptive=is_adaptive)


def _best(rows: Sequence[RankedRow], field: str, *, is_adaptive: bool) -> str:
    first, second, *others = rows
    if first.rank_high == 1:
        if not others:
            return f"{_called(first)} is surely better than {_called(second)}."
        return f"{_called(first)} is surely the best of {field}."
    best = [row for row in rows if row.rank_low == 1]
    if len(best) == 1:
        return f"{_called(first)} leads {field}, but not surely."
    # What it takes to tell rows apart is known of neighbours.
    is_known = best[1] is second
    if len(best) == 2:
        which = _remedy(best, " which", is_adaptive=is_adaptive) if is_known else ""
        if not others:
            return f"{_listed(best, 'or')} is better{which}."
        return f"{_listed(best, 'or')} is the best of {field}{which}."
    remedy = ""
    if is_known:
        remedy = _remedy(best, " the first two apart", is_adaptive=is_adaptive)
    equals = sum(row.rank == 1 for row in rows)
    if equals > 1:
        remedy = f": the first {'two' if equals == 2 else equals} are equal so far"
    if len(best) < len(rows) and _is_short(best):
        return f"{_listed(best, 'or')} is the best of {field}{remedy}."
    who = f"{len(best)} of {field}" if len(best) < len(rows) else f"Any of {field}"
    leaders = _leaders(best)
    return f"{who} may be the best{'; ' * bool(leaders)}{leaders}{remedy}."


def _leaders(rows: Sequence[RankedRow]) -> str:
    """Return who stands out as the first of some rows: `Ana and Ben lead`."""
    for count in range(min(_MOST_NAMES, len(rows) - 1), 0, -1):
        if rows[count - 1].rank != rows[count].rank and _is_short(rows[:count]):
            return f"{_listed(rows[:count])} lead{'s' * (count == 1)}"
    return ""


def _behind(
    groups: Sequence[tuple[RankedRow, ...]], *, is_adaptive: bool
) -> Iterator[str]:
    """Yield what is open behind the first places."""
    top, *behind = groups
    best = [row for row in top if row.rank_low == 1]
    found = [group for group in behind if len(group) > 1]
    is_told = len(best) == len(top) <= _MOST_NAMES
    if found:
        group = found[0]
        first = 1 + sum(map(len, groups[: groups.index(group)]))
        last = first + len(group) - 1
        # Nobody asks first who is the last, or which of two that fail fails more.
        is_named = 2 * first <= sum(map(len, groups)) + 1 and any(
            2 * row.forfeits < row.games for row in group
        )
        if is_named:
            link = "and" if len(group) == 2 else "to"
            what = _remedy(group, is_adaptive=is_adaptive) if len(group) == 2 else ""
            who = f"{_few(group)}{what}"
            yield f"Places {first} {link} {last} are open between {who}."
        is_told = is_told and is_named and len(found) == 1 and _is_short(group)
    if not is_told:
        yield SEE_PLACES
    elif behind and not found:
        yield f"All other places are sure{' too' * (len(top) == 1)}."


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


def _remedy(rows: Sequence[RankedRow], what: str = "", *, is_adaptive: bool) -> str:
    """Return what it would take to tell the first two of some rows apart.

    `what` ends the sentence: nothing, ` which`, ` the first two apart`.
    """
    upper, lower, *others = rows
    they = "the first two" if others else "they"
    if upper.rank == lower.rank:
        return f": {they} are equal so far"
    if is_vague(upper) or is_vague(lower):
        return f": there are {TOO_FEW} to tell{what}"
    if upper.more_games is not None:
        now = max(upper.games, lower.games)
        more = f"{upper.more_games:,} more games of each"
        if is_adaptive:
            return f": about {more} (now {now:,}) should tell{what}"
        times = _rounded_up(1 + upper.more_games / now)
        return f": about {times} times the fixtures ({more}) should tell{what}"
    if upper.can_be_told:
        needed = f"more than {MOST_GAMES:,} more games of each would be needed"
        return f": so far {they} are as good as equal ({needed})"
    return f": these games can't tell{what}"


def _rounded_up(times: float) -> str:
    return f"{ceil(times):,}" if times > 10 else f"{ceil(10 * times) / 10:g}"


def _is_short(rows: Sequence[RankedRow]) -> bool:
    """Return True if a sentence has room for the names of some bots."""
    if len(rows) > _MOST_NAMES:
        return False
    return len(rows) < _MOST_NAMES or len(_listed(rows)) <= _MAX_NAMES_CHARS


def _few(rows: Sequence[RankedRow]) -> str:
    """Return the names of some bots, or how many they are."""
    return _listed(rows) if _is_short(rows) else f"{len(rows)} bots"


def _listed(rows: Iterable[RankedRow], link: str = "and") -> str:
    return listed(map(_called, rows), link)


def _called(row: RankedRow) -> str:
    return called(row.bot) + " (a reference)" * row.is_reference
