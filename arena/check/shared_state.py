"""Shared state: what the source of a bot seems to keep between its games.

Many games run in one process at the same time.  State outside of `self` is shared by
them, so results would depend on which games run together.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from arena.worker.remedies import IN_SELF

_MUTABLE = {"Counter", "OrderedDict", "defaultdict", "deque", "dict", "list", "set"}
_CHANGING_METHODS = {
    "add",
    "append",
    "appendleft",
    "clear",
    "difference_update",
    "discard",
    "extend",
    "extendleft",
    "insert",
    "intersection_update",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "subtract",
    "symmetric_difference_update",
    "update",
}
N = TypeVar("N", bound=ast.AST)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def shared_state(path: Path) -> list[tuple[int, str]]:
    """Return the shared state of a Python file: line, from 1, and a sentence each.

    No code of the file is run.  For a file that can't be read or parsed it is empty:
    other checks say what is wrong with it.
    """
    try:
        tree = ast.parse(path.read_bytes())
        return sorted(set(_found(tree)))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _found(tree: ast.Module) -> Iterator[tuple[int, str]]:
    shared = _mutable(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from _of_class(node)
        elif isinstance(node, _Function):
            yield from _globals(node)
            yield from _defaults(node)
            own = _bound(node)
            for name, line in _changed(node, ast.Name):
                if name.id in shared and name.id not in own:
                    yield (
                        line,
                        f"{name.id} belongs to the file and is changed here for all "
                        f"games that run at the same time; {IN_SELF}",
                    )


def _globals(function: _Function) -> Iterator[tuple[int, str]]:
    for node in _inside(function, ast.Global):
        for name in _stored(function).intersection(node.names):
            yield (
                node.lineno,
                f"global {name} is one for all games that run at the same time; "
                f"{IN_SELF}",
            )


def _defaults(function: _Function) -> Iterator[tuple[int, str]]:
    arguments = function.args
    # The last arguments have defaults, those by keyword each one or None.
    places = reversed([*arguments.posonlyargs, *arguments.args])
    pairs = zip(places, reversed(arguments.defaults), strict=False)
    by_keyword = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    used = {name.id for name, _ in _changed(function, ast.Name)} | _handed_on(function)
    for place, value in (*pairs, *by_keyword):
        if value is not None and _is_mutable(value) and place.arg in used:
            yield (
                value.lineno,
                f"the default of {place.arg} is made once and shared by all calls; "
                f"write {place.arg}=None and make it inside {function.name}()",
            )


def _of_class(cls: ast.ClassDef) -> Iterator[tuple[int, str]]:
    shared = _mutable(cls.body)
    methods = [node for node in cls.body if isinstance(node, _Function)]
    own = {
        node.attr
        for method in methods
        if method.name in ("__init__", "start")
        for node in _inside(method, ast.Attribute)
        if isinstance(node.ctx, ast.Store) and _is_named(node.value, "self")
    }
    for method in methods:
        for attribute, line in _changed(method, ast.Attribute):
            of_class = _is_class(attribute.value, cls.name)
            mine = _is_named(attribute.value, "self") and attribute.attr not in own
            name = attribute.attr
            if (of_class or mine) and name in shared:
                yield (
                    line,
                    f"{name} belongs to the class {cls.name} and is changed here for "
                    f"all games that run at the same time; {IN_SELF}",
                )
        for node in _inside(method, ast.Attribute):
            is_read = isinstance(node.ctx, ast.Load)
            if not is_read and _is_class(node.value, cls.name):
                yield (
                    node.lineno,
                    f"{node.attr} is kept in the class {cls.name}, one for all games "
                    f"that run at the same time; {IN_SELF}",
                )


def _inside(function: _Function, kind: type[N]) -> Iterator[N]:
    """Yield the nodes of a kind in the body of a function."""
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, kind):
                yield node


def _mutable(body: list[ast.stmt]) -> set[str]:
    """Return the names that are assigned a list, a dictionary or the like."""
    found = set()
    for node in body:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        for target in targets:
            if isinstance(target, ast.Name) and _is_mutable(value):
                found.add(target.id)
    return found


def _is_mutable(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        maker = value.func
        name = maker.attr if isinstance(maker, ast.Attribute) else ""
        return (maker.id if isinstance(maker, ast.Name) else name) in _MUTABLE
    displays = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
    if isinstance(value, ast.BinOp):  # Such as [0] * 10.
        return _is_mutable(value.left) or _is_mutable(value.right)
    return isinstance(value, displays)


def _changed(function: _Function, kind: type[N]) -> list[tuple[N, int]]:
    """Return the nodes of a kind that a function changes in place, and the line."""
    found: list[tuple[ast.expr, int]] = [
        (sum_.target, sum_.lineno) for sum_ in _inside(function, ast.AugAssign)
    ]
    for call in _inside(function, ast.Call):
        method = call.func
        if isinstance(method, ast.Attribute) and method.attr in _CHANGING_METHODS:
            found.append((method.value, call.lineno))
    for item in _inside(function, ast.Subscript):
        if not isinstance(item.ctx, ast.Load):
            inner = item.value
            while isinstance(inner, ast.Subscript):
                inner = inner.value
            found.append((inner, item.lineno))
    return [(node, line) for node, line in found if isinstance(node, kind)]


def _stored(function: _Function) -> set[str]:
    names = _inside(function, ast.Name)
    return {name.id for name in names if not isinstance(name.ctx, ast.Load)}


def _bound(function: _Function) -> set[str]:
    """Return the local names of a function."""
    arguments = function.args
    names = {a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)}
    return names | _stored(function)


def _handed_on(function: _Function) -> set[str]:
    """Return the names that are assigned to an attribute."""
    return {
        node.value.id
        for node in _inside(function, ast.Assign)
        if isinstance(node.value, ast.Name)
        and any(isinstance(target, ast.Attribute) for target in node.targets)
    }


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_class(node: ast.expr, name: str) -> bool:
    """Return True if an expression is the class itself: `Mine`, `type(self)`, ..."""
    if isinstance(node, ast.Call):
        return _is_named(node.func, "type")
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__"
    return _is_named(node, name) or _is_named(node, "cls")
