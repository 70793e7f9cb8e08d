"""Remedies for how a bot reads what it sees, and for the states it tries things in."""

import ast
import re
from collections.abc import Iterable

from arena.bot import Bot
from arena.games import (
    IllegalActionError,
    Observation,
    State,
    game_class,
    game_paths,
)
from arena.text import alike, listed, some_of
from arena.worker.remedies.raised import (
    UNKNOWN,
    Raised,
    is_ours,
    observation_in,
    said,
    shown,
)
from arena.worker.remedies.remedy import Remedy, name_hint

_SHOWN_FIELDS = 5
_LIKENESS = 0.85
_OTHER_WORDS = {
    "legal_actions": "legal_moves actions moves legal_action legal_move valid_actions "
    "valid_moves possible_actions possible_moves available_actions legal options",
    "seat": "player me my_seat player_id my_id player_index player_number",
    "scores[{}.seat]": "my_score score my_points points",
    "game.players": "num_players n_players players number_of_players player_count",
    "brains": "turn_brains my_brains current_brains num_brains brain_count",
    "shotguns": "turn_shotguns my_shotguns num_shotguns shotgun_count",
    "events": "history log last_events",
    "sample_state(self.rng)": "state game_state board_state",
    "round": "round_number turn_number",
}
"""What else a field may be called, by what to write."""
_STATE_WORDS = {
    "clone": "copy deepcopy",
    "legal_actions": "legal_moves get_legal_actions get_legal_moves get_actions",
    "apply": "apply_action step play push move do_move make_move do_action",
    "is_terminal": "is_over is_game_over game_over done terminal",
    "current_player": "player turn to_play get_current_player",
}
"""What else a method of a state may be called, by what to write."""
_OF_NO_LIST = (
    r"'(\w+)' object is not iterable",
    r"object of type '(\w+)' has no len",
    r"argument of type '(\w+)' is not",
    r"argument after \*+ must be an? \w+, not (?:\w+\.)*(\w+)",
)


def _subscript(raised: Raised) -> str:
    code = raised.code
    if not isinstance(code, ast.Subscript) or not is_ours(raised.value(code.value)):
        return ""
    owner, key = raised.value(code.value), raised.value(code.slice)
    name = shown(code.value)
    if isinstance(key, str) and hasattr(owner, key) and key.isidentifier():
        if isinstance(code.slice, ast.Constant):
            return f"write {name}.{key}"
        return f"write getattr({name}, {shown(code.slice)})"
    names = _fields(owner)
    if isinstance(key, str) and (hint := name_hint(key, names)):
        return f"{hint} write {name}.NAME"
    return f"its parts have names: write {name}.NAME, such as {name}.{names[-1]}"


def _no_dict(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or not is_ours(error.obj):
        return ""
    if error.name not in {"get", "keys", "values", "items", "has_key", "update"}:
        return ""
    key = re.match(r"""\(['"](\w+)['"]""", raised.rest)
    if key and hasattr(error.obj, key[1]):
        return f"it is not a dict: write .{key[1]}"
    return f"it is not a dict: its parts have names, such as .{_fields(error.obj)[0]}"


def _no_list(raised: Raised) -> str:
    if not isinstance(raised.error, TypeError):
        return ""
    names = {cls.__name__ for cls in _subclasses(Observation)}
    found = (re.search(pattern, raised.message) for pattern in _OF_NO_LIST)
    if not any(match is not None and match[1] in names for match in found):
        return ""
    return "what you see is not a list: the actions are in obs.legal_actions"


def _called(raised: Raised) -> str:
    code = raised.code
    if not isinstance(raised.error, TypeError) or not isinstance(code, ast.Call):
        return ""
    if "object is not callable" not in raised.message:
        return ""
    value, name = raised.value(code.func), shown(code.func)
    if isinstance(value, Observation):
        return f"leave out the brackets behind {name}: it is not a function"
    owner = code.func.value if isinstance(code.func, ast.Attribute) else None
    if value is UNKNOWN or callable(value) or not is_ours(raised.value(owner)):
        return ""
    return f"leave out the brackets: {name} is a field, not a method"


def _tuple_for_number(raised: Raised) -> str:
    pattern = "not supported between|unsupported operand|can only concatenate tuple"
    if not isinstance(raised.error, TypeError) or "tuple" not in raised.message:
        return ""
    if re.search(pattern, raised.message) is None:
        return ""
    for node in ast.iter_child_nodes(raised.code or ast.Pass()):
        if not isinstance(node, ast.Attribute) or raised.value(node) is UNKNOWN:
            continue
        owner, value = raised.value(node.value), raised.value(node)
        if type(value) is tuple and is_ours(owner):
            name, seat = shown(node), f"{shown(node.value)}.seat"
            if node.attr == "scores":
                return f"{name} has one for each seat: write {name}[{seat}]"
            return f"{name} is a tuple of {len(value)}: take a part of it, or its len"
    return ""


def _changed_observation(raised: Raised) -> str:
    code = raised.code
    is_one = isinstance(raised.error, AttributeError | TypeError) and (
        raised.message.startswith("immutable")
        or "does not support item" in raised.message
    )
    if not is_one or not isinstance(code, ast.Attribute | ast.Subscript):
        return ""
    is_seen = is_ours(raised.value(code.value))
    return "what you see can't be changed; keep what is yours in self" * is_seen


def _other_word(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or not isinstance(error.obj, Observation):
        return ""
    meant = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", error.name or "").lower()
    code = raised.code
    name = shown(code.value) if isinstance(code, ast.Attribute) else "obs"
    for write, words in _OTHER_WORDS.items():
        first = re.split(r"\W", write)[0]
        if meant in words.split() and hasattr(error.obj, first):
            return f"did you mean {name}.{write.format(name)}?"
    return ""


def _method_of_state(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or not isinstance(error.obj, State):
        return ""
    words = _STATE_WORDS.items()
    meant = (write for write, names in words if error.name in names.split())
    return "".join(f"did you mean {write}()?" for write in meant)


def _of_self(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or not isinstance(error.obj, Bot):
        return ""
    name = error.name or ""
    seen = observation_in(raised.frame)
    if name in {"random", "rand", "rnd"}:
        return "did you mean self.rng?"
    if seen is None or hasattr(type(error.obj), name):
        return ""
    if name == seen[0]:
        return f"write {name}, without self"
    is_field = not name.startswith("_") and hasattr(seen[1], name)
    return f"did you mean {seen[0]}.{name}?" if is_field else ""


def _of_other_game(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or not isinstance(error.obj, Observation):
        return ""
    name, seen = error.name or "", error.obj
    fields = {game: _own_fields(_observation_type(game)) for game in game_paths()}
    games = [game for game, names in fields.items() if name in names]
    start = f"that is a field of {listed(games)}" if games else ""
    if not games and not name_hint(name, dir(seen)):
        for game, names in fields.items():
            for near in alike(name, names, 1, _LIKENESS):
                start = f"{game} has {near}"
    own = fields.get(seen.game.name, [])
    has = some_of(own[:_SHOWN_FIELDS], len(own))
    return f"{start}; {seen.game.name} has {has}" if start and own else ""


def _observation_type(game: str) -> type:
    try:
        return game_class(game).observation_type
    except Exception:  # The game of a package may not be there for bots.
        return Observation


def _own_fields(kind: type) -> list[str]:
    own: Iterable[str] = getattr(kind, "__struct_fields__", ())
    return [name for name in own if name not in Observation.__struct_fields__]


def _fields(value: object) -> list[str]:
    if isinstance(value, Observation):
        return ["legal_actions", *type(value).__struct_fields__[::-1], "seat"]
    return list(getattr(type(value), "__struct_fields__", ()))


def _subclasses(kind: type) -> Iterable[type]:
    found: list[type] = type.__subclasses__(kind)
    for cls in found:
        yield cls
        yield from _subclasses(cls)


def _no_rng(raised: Raised) -> str:
    pattern = r"sample_state\(\) missing 1 required positional argument: 'rng'"
    code = raised.code
    if not isinstance(raised.error, TypeError) or not isinstance(code, ast.Call):
        return ""
    if re.search(pattern, raised.message) is None:
        return ""
    return f"write {shown(code.func)}(self.rng)"


OF_OBSERVATIONS: tuple[Remedy[Raised], ...] = (
    Remedy("observation that is changed", _changed_observation),
    Remedy("observation like a dict", _subscript),
    Remedy("methods of a dict for an observation", _no_dict),
    Remedy("observation like a list", _no_list),
    Remedy("field that is called", _called),
    Remedy("tuple for a number", _tuple_for_number),
    Remedy("field by another word", _other_word),
    Remedy("method of a state by another word", _method_of_state),
    Remedy("self for obs", _of_self),
    Remedy("field of another game", _of_other_game),
    Remedy("sample_state without random numbers", _no_rng),
    Remedy(
        "action after the end",
        said(
            IllegalActionError,
            "expected nothing, the game is over",
            "ask first whether is_terminal() of the state says so",
        ),
    ),
    Remedy(
        "action where dice or cards decide",
        said(
            IllegalActionError,
            "expected one of the chance outcomes",
            "where current_player() is -1, apply one of its chance_outcomes()",
        ),
    ),
    Remedy(
        "action that the state does not allow",
        said(
            IllegalActionError,
            "expected '",
            "take one of its legal_actions(), as it is now; clone() it for each try",
        ),
    ),
)
