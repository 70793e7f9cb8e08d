"""`arena games`"""

import click
from tabulate import tabulate

from arena.cli.views.events import print_note
from arena.cli.views.terminal import echo
from arena.games import game_class, game_paths
from arena.plugins import load_plugins


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
    headers = ["game", "title", "players", "options"]
    echo(tabulate(rows, headers, maxcolwidths=[None, None, None, 60]))
    for problem in problems:
        print_note(problem)
