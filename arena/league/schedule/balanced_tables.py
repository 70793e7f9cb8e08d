"""Balanced groups: who sits with whom at tables of three or more.

The groups come from a few bases that hold every distance equally often; a local
search finds them.  It draws from a generator of its own and counts its moves, so the
same numbers give the same groups on any machine.
"""

from collections.abc import Iterable
from functools import cache
from itertools import count, islice
from random import Random

from arena.league.schedule.difference_families import (
    FEW_ENTRIES,
    Search,
    mixtures,
    rings,
)

Group = tuple[int, ...]

_SEARCHES = ((500, 0.05), (1000, 0.4), (1000, 0.3), (2000, 0.3))
"""Searches one after another: the moves of each, and the chance to make a move by which
a distance gets worse by one."""
_SEARCHES_OF_MANY = ((1000, 0.05), (1000, 0.05))
"""The same for many entries: there are many answers then, and chance only leads away
from them."""
_MAX_PLANS = 4
"""Mixtures of bases that are searched for one number of groups, if meetings need not be
equal."""
_MAX_EFFORT = 800_000
"""Moves times seats for one number of groups, and for all of them before the meetings
of two pairs may differ by one more."""
_MAX_TRIED_MEETINGS = 4
"""Numbers of equal meetings for which groups are searched."""


def balanced_groups(entries: int, table: int, meetings: int) -> list[Group]:
    """Return groups of `table` out of the entries 0, 1, ... that meet evenly.

    Every two entries share at least `meetings` groups.  How many they share differs
    by at most one between any two pairs, and in how many groups an entry is differs
    by at most one too.  Where the numbers divide (equal meetings would take whole
    numbers of groups, of each entry and in all), every two share just `meetings` of
    them, if such groups exist and the search finds them.

    The groups are about the fewest that do this.  A table that takes many of the
    entries makes more meetings than were asked for: seven entries at tables of six
    make seven groups, of which every two share five, even for a single meeting.

    Up to forty entries at tables of up to five, up to 27 at tables of up to eight,
    and up to twelve meetings, the search finds equal meetings wherever the numbers
    divide, save for these (entries, table, meetings):

    * (15, 5, 2), (16, 6, 1), (21, 6, 1), (21, 6, 2), (22, 7, 2) and (22, 8, 4), which
      do not exist (C. J. Colbourn and J. H. Dinitz, "Handbook of Combinatorial
      Designs", 2nd edition, II.1);
    * (16, 6, 3), (21, 6, 4) and (21, 7, 3).

    With more than 26 entries, tables of nine or more may leave the meetings of two
    pairs further apart than by one: the search then gives up before the groups become
    several times the fewest.

    The groups are sorted, and so is each of them; one may be there several times.
    """
    if table == entries:
        return [tuple(range(entries))] * meetings
    unit, often = _unit(entries, table, meetings)
    if not unit:
        return list(_fewest(entries, table, meetings))
    rest = meetings % often
    if _divides(entries, table, meetings):
        for part in range(rest, meetings + 1, often)[:_MAX_TRIED_MEETINGS]:
            found = _equal(entries, table, part)
            if found or not part:
                return sorted(unit * ((meetings - part) // often) + found)
    if rest:
        # More meetings come closer to the fewest groups than few do.
        rest += often
    times = (meetings - rest) // often
    return sorted(unit * times + _fewest(entries, table, rest))


def _unit(entries: int, table: int, meetings: int) -> tuple[tuple[Group, ...], int]:
    """Return groups of equal meetings and how many these are, or () and 0."""
    step = next(m for m in count(1) if _divides(entries, table, m))
    for often in range(step, meetings + 1, step)[:_MAX_TRIED_MEETINGS]:
        if found := _equal(entries, table, often):
            return found, often
    return (), 0


def _divides(entries: int, table: int, meetings: int) -> bool:
    """Return True if equal meetings take whole numbers of groups."""
    of_each, left = divmod(meetings * (entries - 1), table - 1)
    return left == 0 and of_each * entries % table == 0


def _least(entries: int, table: int, meetings: int) -> int:
    """Return the number of groups that hold as many pairs as have to meet."""
    return -(-meetings * entries * (entries - 1) // (table * (table - 1)))


def _equal(entries: int, table: int, meetings: int) -> tuple[Group, ...]:
    """Return groups of equal meetings, or () if none are found."""
    return _find(entries, table, _least(entries, table, meetings), 0)[0]


def _fewest(entries: int, table: int, meetings: int) -> tuple[Group, ...]:
    """Return groups of at least so many meetings, as even as the search gets them."""
    least = _least(entries, table, meetings)
    spread = 0
    while True:
        spread += 1
        left = _MAX_EFFORT
        number = least
        while left > 0 and number <= (2 + spread) * least + 2 * entries:
            if _window(entries, table, number, spread)[0] >= meetings:
                found, effort = _find(entries, table, number, spread)
                if found:
                    return found
                left -= effort
                number += number // 100 if effort else 0
            number += 1


def _window(entries: int, table: int, number: int, spread: int) -> tuple[int, int]:
    """Return the fewest and most meetings of two that are even in so many groups."""
    pairs = entries * (entries - 1)
    twice = 2 * number * table * (table - 1)
    slack = (spread - 1) * pairs
    return (twice - slack) // (2 * pairs), -((-twice - slack) // (2 * pairs))


@cache
def _find(
    entries: int, table: int, number: int, spread: int
) -> tuple[tuple[Group, ...], int]:
    """Return so many groups, or () if none are found, and the effort this took.

    Meetings may differ by `spread`; 0 is for a number that makes equal meetings, and
    for a search that is worth more effort.
    """
    low, high = _window(entries, table, number, spread)
    is_whole = number * table % entries == 0
    # Equal meetings need equally many groups of each, and no fewer than entries
    # (R. A. Fisher, "An examination of the different possible solutions of a problem
    # in incomplete blocks", Annals of Eugenics 10, 1940).
    if low == high and (not is_whole or number < entries):
        return (), 0
    seated = table
    if table > entries // 2:
        # Those away are fewer.  If all are away equally often, two of them sit
        # together as often as they are away together, plus a constant.
        if not is_whole:
            return (), 0
        seated = entries - table
        constant = number - 2 * number * seated // entries
        low, high = max(0, low - constant), high - constant
    ways = (
        (ring, shapes)
        for ring in rings(entries)
        for shapes in mixtures(ring, seated, number)
    )
    searches = _SEARCHES if spread == 0 else _SEARCHES[:2]
    most = None if low == high else _MAX_PLANS
    if entries > FEW_ENTRIES:
        searches, most = _SEARCHES_OF_MANY, 1
    plans = list(islice(ways, most))
    effort = 0
    for attempt, (moves, worse) in enumerate(searches):
        for ring, shapes in plans:
            if effort >= _MAX_EFFORT:
                return (), effort
            random = Random(f"groups {entries} {table} {number} {attempt}")
            search = Search(ring, shapes, low, high, random)
            allowed = moves + 5 * len(shapes)
            if search.run(allowed, worse):
                return _in_order(search.groups(), entries, away=seated < table), effort
            effort += allowed * seated
    return (), effort


def _in_order(
    groups: Iterable[Group], entries: int, *, away: bool
) -> tuple[Group, ...]:
    if away:
        groups = (tuple(set(range(entries)).difference(group)) for group in groups)
    return tuple(sorted(tuple(sorted(group)) for group in groups))
