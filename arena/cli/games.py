"""`arena games`"""

import click

from arena.cli.views.events import print_note
from arena.cli.views.fitted_table import Heading, Kind, fitted_table
from arena.cli.views.terminal import echo, terminal_width
from arena.games import game_class, game_paths
from arena.plugins import load_plugins

_HEADINGS = (
    Heading("game", Kind.TEXT),
    Heading("title", Kind.TEXT),
    Heading("players"),
    Heading("options", Kind.TEXT),
)


@click.command()
def command() -> None:
    """List the games that can be played, with their players and options."""
    problems = load_plugins()
    rows = []
    for name in game_paths():
        try:
            cls = game_class(name)
        except Exception as error:
            problems.append(f"{name}: can't be loaded: {type(error).__name__}: {error}")
            continue
        players = f"{cls.min_players}-{cls.max_players}"
        if cls.min_players == cls.max_players:
            players = str(cls.min_players)
        options = ", ".join(cls.options_type.__struct_fields__) or "-"
        rows.append([name, cls.title, players, options])
    echo(fitted_table(_HEADINGS, rows, terminal_width()))
    for problem in problems:
        print_note(problem)
