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
_NO_TEXTS = ("None", "True", "False")
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
    number = re.fullmatch(r"[0-9]{1,4}", action)
    if number and int(action) < len(legal):
        found = f"which was {legal[int(action)]!r}"
        return f"for an index write obs.legal_actions[{int(action)}], {found}"
    if action in _NO_TEXTS:
        return f"it is the text of {action}: the action had no text"
    for other_game in game_paths():
        if other_game != name and action in _actions(other_game):
            return f"that is an action of {other_game}, and this is {name}"
    words = _words(action)
    with_them = [
        other
        for other in legal[:_MAX_COMPARED]
        if words and (words <= _words(other) or _words(other) <= words)
    ]
    if len(with_them) == 1:
        return f"did you mean {with_them[0]!r}?"
    if action[:1] in ("[", "(", "{"):
        return "it is the text of several values: return one of them, without str()"
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


def _words(action: str) -> set[str]:
    return set(re.findall(r"\w+", action.casefold()))


def _plain(action: str) -> str:
    """Return an action without spaces, signs and upper case."""
    return re.sub(r"[\W_]+", "", action.casefold())


@cache
def _actions(name: str) -> frozenset[str]:
    """Return the actions of a game; none of one that can't be made as it is."""
    with suppress(Exception):
        return frozenset(get_game(name, game_class(name).min_players).actions)
    return frozenset()
