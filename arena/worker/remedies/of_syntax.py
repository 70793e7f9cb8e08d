"""Remedies for a file that Python can't read: errors of syntax and of encoding."""

from collections.abc import Callable
from typing import NamedTuple

from arena.worker.remedies.remedy import Remedy


class BadCode(NamedTuple):
    """A line that Python can't read."""

    message: str
    """Python's own."""
    code: str
    """The line, without blanks around it; empty if Python does not tell it."""


def _said(*parts: str, todo: str) -> Callable[[BadCode], str]:
    """Say what to do if Python's message has one of some parts."""
    return lambda bad: todo if any(part in bad.message for part in parts) else ""


def _else_if(bad: BadCode) -> str:
    return "write elif" if bad.code.startswith("else if ") else ""


def _colon(bad: BadCode) -> str:
    is_missing = bad.message == "expected ':'" and not bad.code.endswith(":")
    return "put a colon at the end of the line" if is_missing else ""


OF_SYNTAX: tuple[Remedy[BadCode], ...] = (
    Remedy("else if", _else_if),
    Remedy("missing colon", _colon),
    Remedy(
        "tabs and spaces",
        _said(
            "inconsistent use of tabs",
            todo="indent with spaces only; most editors can turn tabs into spaces",
        ),
    ),
    Remedy(
        "missing indentation",
        _said(
            "expected an indented block",
            todo="indent what belongs to it by four spaces",
        ),
    ),
    Remedy(
        "indentation for nothing",
        _said(
            "unexpected indent", todo="begin it in the same column as the line before"
        ),
    ),
    Remedy(
        "indentation of no line above",
        _said(
            "unindent does not match",
            todo="begin it in the same column as a line above that it goes on after",
        ),
    ),
    Remedy(
        "bracket left open",
        _said("was never closed", todo="add the bracket that closes it"),
    ),
    Remedy(
        "bracket never opened",
        _said("unmatched ", todo="take this bracket out, or open it before"),
    ),
    Remedy(
        "quotes left open",
        _said("unterminated", todo="add the quotes that end the text"),
    ),
    Remedy(
        "one = for two",
        _said("instead of '='", todo="== compares, = gives a value"),
    ),
    Remedy(
        "return outside of a method",
        _said("outside function", todo="indent it, so that it belongs to the method"),
    ),
    Remedy("no text", _said("null byte", todo="save the file as plain text")),
    Remedy(
        "other encoding than UTF-8",
        _said("can't decode", "codec", todo="save the file as UTF-8"),
    ),
)
