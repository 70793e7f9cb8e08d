"""A recorded game, found in its league and replayed to see if it comes out alike."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.errors import RecordError
from arena.games import (
    CHANCE,
    TERMINAL,
    Game,
    GameSpecError,
    IllegalActionError,
    Replay,
    Table,
    get_game,
)
from arena.league.config.info import LabelInfo, LeagueInfo
from arena.league.results.store import Store
from arena.records.game_record import GameRecord, Termination
from arena.records.prints import Printed
from arena.referee.verdict import result
from arena.text import alike, one_line

_NOBODY: Mapping[str, str] = {}
MIN_ID_CHARS = 6
"""Characters of an id that are enough to name a game."""
_MAX_IDS_NAMED = 4
_MAX_COMPARED = 2000
"""Ids that a wrong one is compared with."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game as it was recorded, and as it comes out again."""

    info: LeagueInfo
    label: LabelInfo
    record: GameRecord
    names: tuple[str, ...]
    """Of the bots, in seat order."""
    replay: Replay
    """As far as its history is possible."""
    is_planned: bool
    """True if it counts: otherwise it is of an earlier version of something."""
    prints: tuple[Printed, ...]
    """What the bots have printed, as far as that was kept."""
    difference: str
    """The first thing that comes out otherwise, in a sentence; empty if nothing does.
    """


def find_game(store: Store, text: str, called: Mapping[str, str] = _NOBODY) -> Recorded:
    """Return the only game whose id begins with a text.

    `called` has the names of `organiser_names`, if only the organiser looks at it.

    Raises:
        RecordError: there is none, there are several, or it can't be rebuilt.
    """
    record = store.record(_find_id(store, text))
    info = store.info()
    label = next((x for x in info.labels if x.label == record.label), None)
    where = f"{store.path}: game {record.game_id}"
    if label is None:
        known = ", ".join(x.label for x in info.labels)
        raise RecordError(
            f"{where} was played under the label {record.label!r}, which the league "
            f"has no more (it has {known}); its rules are not known"
        )
    try:
        game = get_game(label.game, label.players, label.options)
    except GameSpecError as error:
        raise RecordError(f"{where} can't be rebuilt: {error}") from None
    names = {entry.id: entry.name for entry in info.entries} | {**called}
    problem = _impossible(game, record)
    length = len(record.history) if problem is None else problem[0]
    replay = Replay(game, record.history[:length])
    difference = problem[1] if problem else _difference(replay, record)
    return Recorded(
        info=info,
        label=label,
        record=record,
        names=_apart([one_line(names.get(x, x)) for x in record.seats]),
        replay=replay,
        is_planned=store.is_planned(record.game_id),
        prints=store.prints.of(record.game_id),
        difference=difference,
    )


def _find_id(store: Store, text: str) -> str:
    if len(text) < MIN_ID_CHARS:
        raise RecordError(
            f"{store.path}: expected {MIN_ID_CHARS} or more characters of a game's id; "
            f"found {text!r}"
        )
    # Not all that stands on a command line is text, and no id has other letters.
    text = text.encode("ascii", "replace").decode()
    found = store.ids_from(text, _MAX_IDS_NAMED)
    if len(found) == 1 or text in found:
        return text if text in found else found[0]
    if found:
        more = ", …" if len(found) == _MAX_IDS_NAMED else ""
        raise RecordError(
            f"{store.path}: several games begin with {text!r} "
            f"({', '.join(found)}{more}); give more of the id"
        )
    if store.is_planned(text):
        raise RecordError(
            f"{store.path}: game {text} is planned, but has not been played yet; "
            "run the league on"
        )
    some = store.ids_from(text[:2], _MAX_COMPARED) or store.ids_from("", _MAX_COMPARED)
    near = alike(text, (x[: len(text)] for x in some), 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `arena export`"
    raise RecordError(f"{store.path}: no game's id begins with {text!r}; {hint}")


def _apart(names: list[str]) -> tuple[str, ...]:
    """Return names with the seat at those that stand twice."""
    return tuple(
        f"{name} ({seat})" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    )


def _impossible(game: Game, record: GameRecord) -> tuple[int, str] | None:
    """Return the first index in a history that is not possible, and a sentence."""
    table = Table(game, b"")
    for index, x in enumerate(record.history):
        player = table.state.current_player()
        try:
            if player == TERMINAL:
                raise IllegalActionError(table.state, x)
            if player == CHANCE:
                table.happen(x)
            else:
                table.act(x)
        except IllegalActionError as error:
            return index, f"decision {table.decisions}: {error}"
    return None


def _difference(replay: Replay, record: GameRecord) -> str:
    """Return the first difference, in a sentence, or nothing."""
    if record.history and not record.seed:
        return (
            "its luck can't be checked: it was recorded by an older version of arena, "
            "which did not keep it"
        )
    unlike = replay.unlike(record.seed)
    if unlike:
        return f"the luck is another: {unlike}"
    table = replay.table_at(-1)
    state = table.state
    forfeiters = {seat for seat, gone in enumerate(record.forfeits) if gone}
    is_natural = record.termination == Termination.NATURAL
    if not forfeiters and is_natural != state.is_terminal():
        is_over = "over" if state.is_terminal() else "not over"
        return f"it ended as {record.termination}; by the rules it is {is_over}"
    places, returns = result(replay.game, state, forfeiters, record.termination)
    for what, recorded, found in (
        ("decisions", record.decisions, len(replay.decisions)),
        ("scores", record.scores, tuple(state.scores())),
        ("places", record.places, tuple(places)),
        ("returns", record.returns, tuple(returns)),
    ):
        if recorded != found:
            return f"the {what} recorded are {recorded}; by the rules they are {found}"
    return ""
