"""A recorded game as plain data that can be drawn: every position, seat by seat.

A viewer needs these data only, and no rules.  A position is the observation of each
seat, and, in a drawn game where something is hidden, one more that holds the whole
truth.  Only changes are written: from one position to the next for seat 0, and for the
others those that differ from seat 0's.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import astuple

from arena.games import (
    CHANCE,
    TERMINAL,
    Game,
    Observation,
    Replay,
    State,
    as_objects,
)
from arena.reports.replay.drawings import Drawing

ACTIONS_SHOWN = 12
"""Legal actions that a frame names."""

Way = tuple[str | int, ...]
"""Where in an observation something is: a field, then indices or further fields."""
Changes = dict[Way, Any]
"""The new value at each place that has changed, no place within another."""

_NOTHING: Changes = {}
_APART = ("events", "time_left")
"""Fields of an observation that a log shows already, or that no record has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """All positions of a replay: one more than there are events."""

    actors: tuple[int, ...]
    """Who did what happened from each position, as `Event.seat`."""
    events: tuple[str, ...]
    """What happened from each position."""
    views: tuple[tuple[Changes, ...], ...]
    """Of each seat, then of the truth if something is hidden: what an event changes.

    Those of seat 0 hold for all; the others' come on top of them.
    """
    legal: tuple[tuple[int, tuple[str, ...], int], ...]
    """Each position where a seat decides: the first legal actions, and how many."""
    turns: tuple[tuple[int, int], ...]
    """The position where each turn begins, and whose it is; -1 for nobody's."""
    rounds: tuple[int, ...]
    """The position where each round begins."""
    outcomes: tuple[tuple[int, str], ...]
    """The position after an event that has come to something, and what, as in
    `Drawing.outcome`."""
    texts: tuple[str, ...]
    """Each position in words, for a game without a drawing; else empty."""


def first_views(game: Game, drawing: Drawing | None) -> list[dict[str, Any]]:
    """Return the observation of each seat before anything has happened.

    Then the truth, where something is hidden, as in `Frames.views`.

    Raises:
        DrawingError: the drawing can't be used.
    """
    looks = _Looks(game, drawing).at(game.new_state())
    return [_without(as_objects(view)) for view in looks]


def frames(replay: Replay, drawing: Drawing | None) -> Frames:
    """Return all positions of a replay.

    Raises:
        DrawingError: the drawing can't be used.
    """
    looks = _Looks(replay.game, drawing)
    views: list[list[Changes]] = []
    before: list[Observation] = []
    legal: list[tuple[int, tuple[str, ...], int]] = []
    turns: list[tuple[int, int]] = []
    rounds: list[int] = []
    outcomes: list[tuple[int, str]] = []
    texts: list[str] = []
    last: tuple[int, Hashable] | None = None
    for position, table in enumerate(replay.walk()):
        state = table.state
        player = state.current_player()
        after = looks.at(state)
        if position:
            told = changes(before[0], after[0])
            views[0].append(told)
            for i in range(1, len(after)):
                views[i].append(_otherwise(told, before[i], after[i]))
            event = replay.history[position - 1]
            if drawing and (outcome := drawing.outcome(before[0], event, after[0])):
                outcomes.append((position, outcome))
        else:
            views = [[] for _ in after]
        before = after
        if player >= 0:
            actions = state.legal_actions()
            legal.append((position, tuple(actions[:ACTIONS_SHOWN]), len(actions)))
        if drawing is None:
            texts.append(state.to_text())
        elif player != TERMINAL:
            now = drawing.turn(after[0])
            if now != last:
                turns.append((position, now[0]))
                if last is None or now[1] != last[1]:
                    rounds.append(position)
                last = now
    if drawing is None:
        turns, rounds = _by_decisions([event.seat for event in replay.events])
    return Frames(
        actors=tuple([event.seat for event in replay.events]),
        events=tuple([event.text for event in replay.events]),
        views=tuple(map(tuple, views)),
        legal=tuple(legal),
        turns=tuple(turns),
        rounds=tuple(rounds),
        outcomes=tuple(outcomes),
        texts=tuple(texts),
    )


class _Looks:
    """Takes the observations of each position of a game."""

    def __init__(self, game: Game, drawing: Drawing | None) -> None:
        self._drawing = drawing
        self._is_open = drawing is not None and drawing.is_open
        self._seats = range(game.players)
        self._started = False

    def at(self, state: State) -> list[Observation]:
        """Return those of all seats at first, then of those that can differ."""
        if self._is_open and self._started:
            return [state.observation(0)]
        self._started = True
        seen = [state.observation(seat) for seat in self._seats]
        if self._drawing is not None and not self._is_open:
            seen.append(self._drawing.truth(state, seen[0]))
        return seen


def changes(before: Any, after: Any) -> Changes:
    """Return the new value at each place where `after` differs from `before`."""
    found: Changes = {}
    _note(found, (), before, after)
    return found


def _note(found: Changes, way: Way, before: Any, after: Any) -> None:
    parts: Iterable[tuple[str | int, Any, Any]]
    if isinstance(after, msgspec.Struct) and type(before) is type(after):
        names = after.__struct_fields__
        parts = zip(names, astuple(before), astuple(after), strict=True)
    elif (
        isinstance(after, tuple)
        and isinstance(before, tuple)
        and len(before) == len(after)
    ):
        parts = zip(range(len(after)), before, after, strict=True)
    else:
        found[way] = after
        return
    for part, old, new in parts:
        if old is not new and old != new:
            _note(found, (*way, part), old, new)


def _otherwise(told: Changes, before: Observation, after: Observation) -> Changes:
    """Return the changes from `before` to `after` that come on top of those `told`."""
    changed = changes(before, after)
    if changed == told:
        return _NOTHING
    ways = {*changed, *told}
    # Where a list has another length for one seat only, its parts can't be told apart.
    parents = (way[:n] for way in ways for n in range(1, len(way)))
    within = {str(way[0]) for way in parents if way in ways}
    found = {way: new for way, new in changed.items() if told.get(way, way) != new}
    for way in told:
        if way not in changed:
            try:
                found[way] = _at(after, way)
            except (AttributeError, IndexError, TypeError):
                within.add(str(way[0]))
    if not within:
        return found
    found = {way: new for way, new in found.items() if way[0] not in within}
    for field in sorted(within):
        found[(field,)] = getattr(after, field)
    return found


def _at(value: Any, way: Way) -> Any:
    for part in way:
        value = getattr(value, part) if isinstance(part, str) else value[part]
    return value


def _by_decisions(actors: Sequence[int]) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the turns and rounds of a game that is known by its events only.

    A turn goes on until another seat decides, and a round until a seat has another
    turn.
    """
    turns: list[tuple[int, int]] = []
    rounds: list[int] = []
    had: set[int] = set()
    free = 0
    for position, seat in enumerate(actors):
        if seat == CHANCE:
            continue
        if not turns or turns[-1][1] != seat:
            turns.append((free, seat))
            if not rounds or seat in had:
                rounds.append(free)
                had = set()
            had.add(seat)
        free = position + 1
    return turns, rounds


def _without(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in _APART}


def plain(value: Any) -> Any:
    """Return a changed value as JSON has it."""
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return value
