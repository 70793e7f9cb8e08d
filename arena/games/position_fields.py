"""The fields of a position that a test gives: checked, and put in their types.

`positions.py` in a game's folder makes a position of them.  It has

- `complete(game, seat, given)`, which fills in the fields that are not given so that
  the seat must decide, and raises by `wrong` where the others contradict each other;
- if fields may be given in another form too, `read(game, seat, fields)`, which returns
  them as the observation has them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NoReturn, get_type_hints

import msgspec

from arena.games import Observation
from arena.text import did_you_mean, plain_words


class PositionError(AssertionError):
    """The position is impossible; the text names the field that is wrong."""


def wrong(field: str, problem: str) -> NoReturn:
    """Raise the error about a field."""
    raise PositionError(f"position: {field}: {problem}")


class Given:
    """The fields of a position as far as they are known.

    What a test has given stays as it is; `default` fills in the others.
    """

    def __init__(
        self,
        observation_type: type[Observation],
        fields: Mapping[str, Any],
        seed: bytes,
    ) -> None:
        self.seed = seed
        """Of all luck that is not given."""
        self._type = observation_type
        self._names = frozenset(fields)
        self.values: dict[str, Any] = {}
        for name, value in fields.items():
            self._check_name(name)
            self.values[name] = self._converted(name, value)

    def __contains__(self, name: str) -> bool:
        """Return whether the test has given a field."""
        return name in self._names

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def default(self, name: str, value: Any) -> Any:
        """Return a field; if it is not given it has this value from now on."""
        return self.values.setdefault(name, value)

    def default_by(self, name: str, make: Callable[[], Any]) -> Any:
        """Return a field; if it is not given, one that is made now."""
        if name not in self.values:
            self.values[name] = make()
        return self.values[name]

    def _check_name(self, name: str) -> None:
        known = self._type.__struct_fields__
        if name in known and name not in ("game", "seat"):
            return
        hint = did_you_mean(name, known, "see bots/README.md")
        wrong(name, f"{self._type.__name__} has no such field to set; {hint}")

    def _converted(self, name: str, value: Any) -> Any:
        kind = _types(self._type)[name]
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return _struct(name, kind, value)
        try:
            return msgspec.convert(value, kind)
        except (msgspec.ValidationError, TypeError) as error:
            wrong(name, f"{plain_words(str(error))}; found {value!r}")


@cache
def _types(observation_type: type[Observation]) -> dict[str, Any]:
    return get_type_hints(observation_type)


def _struct(name: str, kind: type[msgspec.Struct], value: Any) -> Any:
    """Return a struct, which may also be given by a mapping of its fields."""
    if isinstance(value, kind):
        return value
    known = kind.__struct_fields__
    if not isinstance(value, Mapping) or not set(value) <= set(known):
        example = f"{{'{known[0]}': 1}}"
        wrong(
            name, f"expected such as {example}, of {', '.join(known)}; found {value!r}"
        )
    if not all(type(x) is int and x >= 0 for x in value.values()):
        wrong(name, f"expected numbers from 0; found {value!r}")
    return kind(**value)


def for_each_seat(name: str, values: Sequence[Any], players: int) -> None:
    """Raise unless there is one value for each seat."""
    if len(values) != players:
        wrong(name, f"expected one for each of {players} seats; found {values!r}")
