"""What the fields of an observation mean, in the words of its own class.

A field is documented by the text below it, a property or method by its docstring.
"""

import ast
import inspect
from collections.abc import Iterator
from textwrap import dedent
from typing import Any, NamedTuple

import msgspec

from arena.games.core import Observation


class Field(NamedTuple):
    """Something that a bot can ask of an observation."""

    name: str
    """With its parameters, if it is a method: `at(cell)`."""
    text: str
    """What it means, in one line; empty if the class does not say."""
    parts: tuple[str, ...] = ()
    """What its value can be asked for in turn, as in `obs.cup.green`."""


def observation_fields(observation_type: type[Observation]) -> list[Field]:
    """Return the fields that a game's observation adds to those of all games.

    Fields come first, then properties and methods, each in the order of the class.
    """
    common = set(dir(Observation))
    texts = _texts(observation_type)
    fields = [
        Field(field.name, texts.get(field.name, ""), _parts(field.type))
        for field in msgspec.structs.fields(observation_type)
        if field.name not in common
    ]
    return [*fields, *_members(observation_type, common)]


def _members(cls: type[Observation], common: set[str]) -> Iterator[Field]:
    known = common.union(cls.__struct_fields__)
    for name, value in vars(cls).items():
        if name.startswith("_") or name in known:
            continue
        if isinstance(value, property):
            yield Field(name, _first_paragraph(value.__doc__))
        elif inspect.isfunction(value):
            parameters = list(inspect.signature(value).parameters)[1:]
            called = f"{name}({', '.join(parameters)})"
            yield Field(called, _first_paragraph(value.__doc__))


def _parts(kind: Any) -> tuple[str, ...]:
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return ()
    members = [name for name in vars(kind) if not name.startswith("_")]
    return tuple(dict.fromkeys((*kind.__struct_fields__, *members)))


def _texts(cls: type[Observation]) -> dict[str, str]:
    """Return the texts that stand below the fields of a class and its bases."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        if not issubclass(each, Observation):
            continue
        try:
            source = dedent(inspect.getsource(each))
        except (OSError, TypeError):
            continue  # It was installed without its source.
        body = ast.parse(source).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
                and isinstance(below.value.value, str)
            ):
                found[field.target.id] = _first_paragraph(below.value.value)
    return found


def _first_paragraph(text: str | None) -> str:
    return " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())
