"""Divides a matrix: some of its cases prove the mechanism, all of them its breadth."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def divided(cases: Iterable[Any], is_quick: Callable[[Any], object]) -> list[Any]:
    """Return the cases of a `parametrize`; those not quick are marked `exhaustive`.

    A case that is a tuple holds the values of several arguments.
    """
    found = []
    for case in cases:
        values = case if isinstance(case, tuple) else (case,)
        marks = () if is_quick(case) else (pytest.mark.exhaustive,)
        found.append(pytest.param(*values, marks=marks))
    assert any(not param.marks for param in found), "no case is quick"
    return found
