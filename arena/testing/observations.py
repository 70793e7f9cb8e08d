"""Observations for tests: after a history, or with some given fields."""

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import force_setattr

from arena.games import (
    CHANCE,
    TERMINAL,
    Game,
    GameSpecError,
    Observation,
    Table,
    derive_seed,
    get_game,
)
from arena.games.position_fields import Given, PositionError, wrong
from arena.games.registry import game_part
from arena.referee.work_unit import Limits
from arena.text import alike, some_of

TIME_LEFT_S = Limits().move + Limits().bank
"""Seconds, as at the first decision of a game."""
_TOLD = re.compile(r"(?:outcome: (.*?) \(probability .*\)|action: (.*?) \(id \d+\))$")
"""The lines of a playthrough that say what has happened."""
_NAMED = 5
"""Moves that an error names."""
_LIKENESS = 0.4
"""Of what was given and a move that may be meant."""


def position(
    game: str,
    history: str | Sequence[str] | None = None,
    *,
    seat: int | None = None,
    players: int = 2,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    **fields: Any,
) -> Any:
    """Return the observation of a seat that must decide.

    Args:
        history: actions, and dice or cards, in order: a list, or a text with one a
            line, or a playthrough.  Dice or cards that are left out fall by the seed.
        seat: who looks: whoever must decide after a history, else seat 0.
        options: of the game, as a league sets them.
        seed: of all luck that is not given.
        fields: of the observation; all others fit to them.  With a history only
            `time_left`, for that says all the rest.

    Raises:
        PositionError: an `AssertionError`; there is no such position.
    """
    try:
        rules = get_game(game, players, options)
    except GameSpecError as error:
        raise PositionError(f"position: {error}") from None
    if seat is not None and not (type(seat) is int and 0 <= seat < players):
        wrong("seat", f"expected 0 to {players - 1}; found {seat!r}")
    luck = derive_seed("position", seed)
    if history is not None:
        time_left = fields.pop("time_left", TIME_LEFT_S)
        if fields:
            name = next(iter(fields))
            wrong(name, "expected a history or fields; found both")
        return _after(rules, _items(history), seat, luck, time_left)
    return _from_fields(rules, seat or 0, fields, luck)


def _from_fields(
    game: Game, seat: int, fields: dict[str, Any], luck: bytes
) -> Observation:
    try:
        positions: Any = game_part(game.name, "positions")
    except Exception as error:
        wrong(
            game.name, f"its positions can't be used: {type(error).__name__}: {error}"
        )
    if positions is None:
        wrong(game.name, "positions of this game are made from a history only")
    if hasattr(positions, "read"):
        fields = positions.read(game, seat, fields)
    given = Given(game.observation_type, fields, luck)
    given.default("events", ())
    given.default("time_left", TIME_LEFT_S)
    positions.complete(game, seat, given)
    seen = game.observation_type(seat=seat, game=game, **given.values)
    _check(seen, given)
    return seen


def _check(seen: Observation, given: Given) -> None:
    """Raise unless the position that fields describe is seen in just these fields."""
    names = [n for n in seen.__struct_fields__ if n not in ("events", "time_left")]
    state = seen.sample_state(Random(0))
    again = state.observation(seen.seat)
    for name in sorted(names, key=lambda name: name not in given):
        found, expected = getattr(seen, name), getattr(again, name)
        if found != expected:
            wrong(name, f"expected {expected!r} with the other fields; found {found!r}")
    if state.current_player() != seen.seat or not state.legal_actions():
        wrong("seat", f"seat {seen.seat} has nothing to decide there")


def _items(history: str | Sequence[str]) -> list[str]:
    if not isinstance(history, str):
        return list(history)
    lines = [line.strip() for line in history.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    told = [found[1] or found[2] for line in lines if (found := _TOLD.match(line))]
    return told or lines


def _after(
    game: Game,
    items: Iterable[str],
    seat: int | None,
    luck: bytes,
    time_left: float,
) -> Observation:
    table = Table(game, luck)
    for number, x in enumerate(items, 1):
        _happen(table, number, x)
    if table.advance() == TERMINAL:
        wrong("history", "the game is over after it: nobody decides")
    if seat is None or seat == table.state.current_player():
        return table.observe(time_left)
    observation = table.state.observation(seat)
    force_setattr(observation, "events", table.unseen(seat))
    force_setattr(observation, "time_left", time_left)
    return observation


def _happen(table: Table, number: int, x: str) -> None:
    """Let one item of a history happen, and before it dice or cards that it omits."""
    state = table.state
    if state.current_player() == CHANCE:
        outcomes = dict(state.chance_outcomes())
        if x in outcomes:
            table.happen(x)
            return
        if x not in table.game.actions:
            _refuse(number, x, "dice or cards", list(outcomes))
        table.advance()
    player = state.current_player()
    if player == TERMINAL:
        wrong("history", f"{x!r} (item {number}): the game is over before it")
    if not state.is_legal(x):
        _refuse(number, x, f"an action of seat {player}", state.legal_actions())
    # Whoever decides is told what has happened, as in a game.
    table.unseen(player)
    table.act(x)


def _refuse(number: int, x: object, what: str, possible: Sequence[str]) -> None:
    near = alike(str(x), possible, _NAMED, _LIKENESS) or possible[:_NAMED]
    some = some_of(map(repr, near), len(possible))
    wrong("history", f"{x!r} (item {number}): expected {what}, such as {some}")
