"""Text for a terminal, in which nothing acts on the terminal."""

import click

from arena.text import printable


def echo(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print lines, which may hold what a bot or a file of somebody else's says."""
    click.echo(printable(text), nl=nl, err=err)
