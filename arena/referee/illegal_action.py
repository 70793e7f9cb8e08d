"""Why an action was not legal, and what was meant, in words for the bot's author."""

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from arena.games import State, game_class, game_paths, get_game
from arena.text import did_you_mean, quoted, some_of

_SHOWN_ACTIONS = 3
_MAX_ACTION_CHARS = 100
_LIKENESS = 0.75
"""Of two actions, of which one was meant for the other."""
_MAX_COMPARED = 500
_NUMBER = re.compile(r"\d")


def why_illegal(action: str, state: State) -> str:
    """Return a sentence about an action that is not legal in `state`.

    It says what was legal, and then what is wrong: the spelling, the moment or the
    game.
    """
    legal = state.legal_actions()
    some = some_of(map(repr, legal[:_SHOWN_ACTIONS]), len(legal), with_total=True)
    return (
        f"played {quoted(action[:_MAX_ACTION_CHARS])}; legal were {some} "
        f"({_reason(action[:_MAX_ACTION_CHARS], legal, state)})"
    )


def _reason(action: str, legal: Sequence[str], state: State) -> str:
    name = state.game.name
    actions = state.game.actions
    if action in actions:
        return _wrong_moment(action, legal, state)
    for other in actions:
        if _plain(other) == _plain(action):
            return f"it is spelt {other!r}"
    for other_game in game_paths():
        if other_game != name and action in _actions(other_game):
            return f"that is an action of {other_game}, and this is {name}"
    # A wrong number is no slip of spelling.
    compared = [
        other
        for other in (*legal[:_MAX_COMPARED], *actions[:_MAX_COMPARED])
        if _NUMBER.findall(other) == _NUMBER.findall(action)
    ]
    otherwise = "choose one of legal_actions"
    return did_you_mean(action, compared, otherwise, likeness=_LIKENESS)


def _wrong_moment(action: str, legal: Sequence[str], state: State) -> str:
    phase = getattr(state, "phase", "")
    kinds = {other.split()[0] for other in legal}
    if phase and action.split()[0] not in kinds:
        return f"not in the phase {phase!r}: look at phase first"
    return "not now: choose one of legal_actions"


def _plain(action: str) -> str:
    """Return an action without spaces, signs and upper case."""
    return re.sub(r"[\W_]+", "", action.casefold())


@cache
def _actions(name: str) -> frozenset[str]:
    """Return the actions of a game; none of one that can't be made as it is."""
    with suppress(Exception):
        return frozenset(get_game(name, game_class(name).min_players).actions)
    return frozenset()
