"""A game's options: what a league may set, and what is said of a wrong one."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from arena.text import did_you_mean, plain_words


class GameSpecError(ValueError):
    """A game was asked for that does not exist, or not with these options.

    `key` is the path of the offending key below the game's own block, such as
    `options.target` or `players`; `problem` says what was expected and found.
    """

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of a game's options: one field each, with its default and its bounds.

    Declare a field as `Annotated[int, msgspec.Meta(ge=1, description="…")]`;
    the description ends with the number of the ruling it belongs to.
    """


def parse(options_type: type[Options], options: Mapping[str, Any] | None) -> Any:
    """Return the options with these values, and the defaults for all others.

    Raises:
        GameSpecError: an unknown key, or a value of the wrong type or size.
    """
    if options is not None and not isinstance(options, Mapping):
        raise GameSpecError("options", f"expected keys and values; found {options!r}")
    options = dict(options or {})
    fields = options_type.__struct_fields__
    for key in options:
        if key not in fields:
            raise GameSpecError(f"options.{key}", _unknown(key, fields))
    for key, value in options.items():
        try:
            msgspec.convert({key: value}, options_type)
        except msgspec.ValidationError as error:
            hint = get_type_hints(options_type)[key]
            problem = plain_words(str(error))
            choices = _choices(hint)
            if get_origin(hint) is Literal or "enum" in problem:
                problem = f"expected one of {', '.join(map(repr, choices))}"
            raise GameSpecError(
                f"options.{key}", f"{problem}; found {value!r}"
            ) from None
    return msgspec.convert(options, options_type)


def changed(options: Options) -> tuple[str, ...]:
    """Return the names of the options that are not the defaults, in their order."""
    defaults = parse(type(options), None)
    return tuple(
        name
        for name in options.__struct_fields__
        if getattr(options, name) != getattr(defaults, name)
    )


def _choices(hint: Any) -> tuple[Any, ...]:
    """Return the choices of the first `Literal` in a type, or nothing."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return next(filter(None, map(_choices, get_args(hint))), ())


def _unknown(key: object, known: Sequence[str]) -> str:
    hint = did_you_mean(str(key), known, f"known are {', '.join(known)}")
    return f"unknown key; {hint}" if known else "unknown key; this game has no options"
