"""What has changed since the run before, in sentences."""

from collections.abc import Iterator, Sequence
from math import hypot

from msgspec.structs import replace

from arena.league.results.past_runs import PastPlace, PastRun, PastStanding
from arena.reports.report import Report
from arena.text import called, counted, cut, listed, one_line

TITLE = "Since the run before"
_MOST_LINES = 3
"""Of bots that have changed."""
_MOST_NAMES = 4
"""In a line."""
_MOST_LABELS = 2
"""Of a bot, where there is no table of all games."""
_MAX_NAME = 120
_MAY_BE_LUCK = " (may be luck)"


def changes(report: Report) -> list[str]:
    """Return what has changed since the run before, the most important first.

    First bots that were changed, of these the ones that moved most; then new ones,
    those that are gone, and those that moved because of others.  Few lines: the rest is
    counted.  Empty if there was no run before, and under aliases.
    """
    now = report.run
    if now is None or not report.past:
        return []
    before, now = (_named_as_in(report, x) for x in (report.past[-1], now))
    tables = ("",) if report.has_overall else report.labels
    return [
        *_league(before, now),
        *_changed(before, now, tables),
        *_come_and_gone(before, now, tables),
        *_moved(before, now, tables),
    ]


def _named_as_in(report: Report, run: PastRun) -> PastRun:
    """Return a run under the names that its bots have in the report.

    What is in the run itself may be of a file that comes from anybody.
    """
    standings = (
        replace(
            x,
            name=report.names.get(x.entry) or _fit(x.name),
            labels={_fit(label): place for label, place in x.labels.items()},
        )
        for x in run.standings
    )
    return replace(run, standings=tuple(standings))


def _fit(name: str) -> str:
    return cut(one_line(name), _MAX_NAME)


def _league(before: PastRun, now: PastRun) -> Iterator[str]:
    """Yield what has changed for all bots."""
    if before.luck != now.luck:
        yield "All games were played with new luck."
    if before.anchor != now.anchor:
        yield "Elo is counted from another point now, so only places are compared."
    labels, earlier = _labels(now), _labels(before)
    new = [label for label in labels if label not in earlier]
    if new:
        yield f"New in the league: {_some([*map(called, new)])}."
    gone = [label for label in earlier if label not in labels]
    if gone:
        yield f"No longer in the league: {_some([*map(called, gone)])}."
    is_as_before = {x.entry: x.version for x in before.standings} == {
        x.entry: x.version for x in now.standings
    }
    if is_as_before and before.luck == now.luck and before.games != now.games:
        yield f"{before.games:,} games counted then, {now.games:,} do now."


def _labels(run: PastRun) -> list[str]:
    return [*dict.fromkeys(label for x in run.standings for label in x.labels)]


def _changed(before: PastRun, now: PastRun, tables: Sequence[str]) -> Iterator[str]:
    pairs = [pair for pair in _pairs(before, now) if _is_changed(*pair)]
    with_elo = before.anchor == now.anchor
    # Those that moved most; who moved alike, by place.
    order = sorted(
        pairs,
        key=lambda pair: (
            -_distance(pair[0], pair[1], tables),
            _order(pair[1], tables),
        ),
    )
    for old, new in order[:_MOST_LINES]:
        moves = [
            f"{label}: {text}" if label else text
            for label in _most_moved(old, new, tables)
            for text in [_move(_place(old, label), _place(new, label), with_elo)]
        ]
        moved = "; ".join(moves) or "it has no place"
        yield f"{called(new.name)} changed{_forfeits(old, new)}: {moved}."
    rest = len(order) - _MOST_LINES
    if rest > 0:
        yield f"{counted(rest, 'other bot')} changed."


def _come_and_gone(
    before: PastRun, now: PastRun, tables: Sequence[str]
) -> Iterator[str]:
    known = {x.entry for x in before.standings}
    new = [x for x in now.standings if x.entry not in known]
    if new:
        new.sort(key=lambda x: _order(x, tables))
        yield f"New: {_some([_named(x, tables) for x in new])}."
    there = {x.entry for x in now.standings}
    gone = [x for x in before.standings if x.entry not in there]
    if gone:
        gone.sort(key=lambda x: _order(x, tables))
        yield f"No longer there: {_some([called(x.name) for x in gone])}."


def _moved(before: PastRun, now: PastRun, tables: Sequence[str]) -> Iterator[str]:
    """Yield who has another place without a change of his own, best first.

    Only those whose places, as far as the games left them open, have nothing in common,
    and that stand elsewhere among the unchanged as well: whom a changed bot, or one
    that has come or gone, has let past has not moved himself.
    """
    for label in tables:
        unchanged = [
            (was, is_, called(new.name))
            for old, new in _pairs(before, now)
            for was, is_ in [(_place(old, label), _place(new, label))]
            if not _is_changed(old, new) and was is not None and is_ is not None
        ]
        earlier = sorted(was.place for was, _, _ in unchanged)
        later = sorted(is_.place for _, is_, _ in unchanged)
        moved = sorted(
            # Right behind a name in Hebrew or Arabic, `→` would read backwards.
            (is_.place, name, f"{name} (place {was.place} → {is_.place})")
            for was, is_, name in unchanged
            if _is_apart(was, is_)
            and earlier.index(was.place) != later.index(is_.place)
        )
        if moved:
            where = f"{label}: " if label else ""
            shown = _some([text for _, _, text in moved])
            yield f"{where}Moved without a change of their own: {shown}."


def _is_apart(old: PastPlace, new: PastPlace) -> bool:
    if not (old.best and old.worst and new.best and new.worst):
        return False
    return old.worst < new.best or new.worst < old.best


def _pairs(
    before: PastRun, now: PastRun
) -> Iterator[tuple[PastStanding, PastStanding]]:
    """Yield the standings of each entry that took part in both runs."""
    earlier = {x.entry: x for x in before.standings}
    yield from ((earlier[x.entry], x) for x in now.standings if x.entry in earlier)


def _is_changed(old: PastStanding, new: PastStanding) -> bool:
    # A run of before versions were noted says nothing of them.
    return bool(old.version and new.version) and old.version != new.version


def _forfeits(old: PastStanding, new: PastStanding) -> str:
    """Return what the change did to a bot that forfeited, or forfeits now."""
    if old.forfeits and not new.forfeits:
        return ", and forfeits no more"
    if new.forfeits and not old.forfeits:
        return f", and forfeits {new.forfeits:,} of its {new.games:,} games now"
    return ""


def _place(standing: PastStanding, label: str) -> PastPlace | None:
    return standing.labels.get(label) if label else standing.overall


def _distance(old: PastStanding, new: PastStanding, tables: Sequence[str]) -> int:
    """Return by how many places it moved, where it moved most."""
    return max((_steps(_place(old, x), _place(new, x)) for x in tables), default=0)


def _steps(old: PastPlace | None, new: PastPlace | None) -> int:
    return abs(old.place - new.place) if old and new else 0


def _most_moved(
    old: PastStanding, new: PastStanding, tables: Sequence[str]
) -> list[str]:
    """Return the tables where it has a place now, that where it moved most first."""
    there = [x for x in tables if _place(new, x) is not None]
    there.sort(key=lambda x: -_steps(_place(old, x), _place(new, x)))
    return there[:_MOST_LABELS]


def _order(standing: PastStanding, tables: Sequence[str]) -> tuple[int, str]:
    places = [p.place for x in tables if (p := _place(standing, x)) is not None]
    return min(places, default=10**9), standing.name


def _named(standing: PastStanding, tables: Sequence[str]) -> str:
    """Return the name with its place in the table of all games."""
    place = _place(standing, "") if tables == ("",) else None
    name = called(standing.name)
    return name if place is None else f"{name} (place {place.place})"


def _move(old: PastPlace | None, new: PastPlace | None, with_elo: bool) -> str:
    """Return how a bot moved in one table, where it has a place now."""
    assert new is not None
    if old is None:
        return f"place {new.place}; it had none"
    place = _step("place", old.place, new.place)
    if not with_elo or old.error is None or new.error is None:
        return place
    before, now = round(old.elo), round(new.elo)
    # Within what the 95 % ranges leave open.
    is_luck = abs(new.elo - old.elo) <= hypot(old.error, new.error)
    luck = _MAY_BE_LUCK if is_luck and before != now else ""
    return f"{_step('Elo', before, now)}{luck}, {place}"


def _step(what: str, old: int, new: int) -> str:
    return f"{what} {old} → {new}" if old != new else f"{what} {new} as before"


def _some(words: Sequence[str]) -> str:
    """Return the first words, and how many others there are."""
    rest = len(words) - _MOST_NAMES
    if rest < 2:
        return listed(words)
    return listed([*words[:_MOST_NAMES], f"{rest} others"])
