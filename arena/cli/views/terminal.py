"""Text for a terminal, in which nothing acts on the terminal."""

import os
import sys

import click

from arena.text import printable, wrapped_page

_COLUMNS = 80
"""Where nobody says how wide the terminal is, as in a pipe."""
_MIN_COLUMNS = 20


def echo(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print lines, which may hold what a bot or a file of somebody else's says."""
    click.echo(printable(text), nl=nl, err=err)


def tell(text: str, *, err: bool = False, indent: str = "") -> None:
    """Print sentences, wrapped at the width of the terminal; no word is broken.

    All lines are indented by `indent`.  Those that are indented already stay as they
    are, such as commands to be copied.
    """
    width = terminal_width(err=err) - len(indent)
    lines = wrapped_page(printable(text), width, "  ").split("\n")
    echo("\n".join(indent + line if line else "" for line in lines), err=err)


def terminal_width(*, err: bool = False) -> int:
    """Return the columns of the terminal that is printed to; 80 where there is none.

    The variable COLUMNS says it first.
    """
    text = os.environ.get("COLUMNS", "")
    columns = int(text) if text.isdecimal() and len(text) < 6 else 0
    if not columns:
        try:
            stream = sys.stderr if err else sys.stdout
            columns = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            columns = 0
    return max(_MIN_COLUMNS, columns or _COLUMNS)
