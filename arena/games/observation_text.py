"""The fields of an observation as text: a line each, as people read them."""

from collections.abc import Mapping
from typing import Any

from arena.text import wrapped

WIDTH = 76
"""Columns, where it is not known how many there are."""
_FEW_COUNTS = 4
"""So few are shown whole, such as the scores of a table."""


def field_lines(fields: Mapping[str, Any], width: int = WIDTH) -> list[str]:
    """Return fields by their names, each in a line that is wrapped at `width`.

    Structs are mappings, and tuples may be lists, as in JSON.  Values are written as in
    Python.  A long count of things leaves out those that are 0.
    """
    column = min(max(map(len, fields), default=0) + 2, width // 2)
    return [
        line
        for name, value in fields.items()
        for line in wrapped(f"{name:{column}}{_value(value)}", width, " " * column)
    ]


def _value(value: Any) -> str:
    if isinstance(value, dict):
        if all(type(x) is int for x in value.values()):
            is_short = len(value) <= _FEW_COUNTS
            counts = [f"{name} {x}" for name, x in value.items() if x or is_short]
            return ", ".join(counts) or "all 0"
        return ", ".join(f"{name} {_value(x)}" for name, x in value.items())
    if isinstance(value, list):
        items = [f"({_value(x)})" if isinstance(x, dict) else _value(x) for x in value]
        return f"({', '.join(items)}{',' * (len(items) == 1)})"
    return repr(value)
