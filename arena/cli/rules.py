"""`arena rules`"""

from collections.abc import Mapping
from pathlib import Path

import click

from arena.cli._arguments import option_option, parse_game
from arena.cli.views.rules_page import page_of, rules_page
from arena.cli.views.terminal import echo, terminal_width
from arena.errors import ConfigError
from arena.games import Game
from arena.league.config.league_file import LeagueConfig
from arena.league.results.thaw import open_league
from arena.plugins import load_plugins
from arena.referee.work_unit import Limits, Restart
from arena.text import counted


@click.command()
@click.argument("game", required=False)
@click.option("--players", "-p", type=int, help="[default: the fewest]")
@option_option
@click.option(
    "--league",
    "config",
    type=click.Path(path_type=Path),
    metavar="CONFIG",
    help="Print the games, options and limits of this league instead.",
)
@click.option(
    "--rulings",
    is_flag=True,
    help="Number each point of the rules, and say at the end where it is from.",
)
def command(
    game: str | None,
    players: int | None,
    options: tuple[str, ...],
    config: Path | None,
    rulings: bool,
) -> None:
    """Print the rules of GAME with its options, and the limits on bots."""
    load_plugins()
    if config is not None:
        league = open_league(config).config
        chosen = [g for g in league.games if game in (None, g.label, g.spec.name)]
        if not chosen:
            labels = ", ".join(g.label for g in league.games)
            raise ConfigError(str(config), f"has no game {game!r}; it has {labels}")
        for item in chosen:
            _print_game(item.label, item.game, item.max_decisions, rulings)
        _print_limits(league.limits, {item.label: item.game for item in chosen})
        _print_terms(league)
        return
    if game is None:
        raise click.UsageError("expected a GAME (see arena games) or --league CONFIG")
    found = parse_game(game, players, options)
    _print_game(found.title, found, found.max_decisions, rulings)
    _print_limits(Limits(), {found.name: found})


def _print_game(heading: str, game: Game, max_decisions: int, rulings: bool) -> None:
    echo(f"{heading}\n{'=' * len(heading)}\n")
    echo(rules_page(game, terminal_width(), rulings=rulings) + "\n")
    referee = (
        f"The referee ends a game after {max_decisions} decisions and lets the "
        "standing at that point decide."
    )
    echo(page_of([referee], terminal_width()) + "\n")


def _print_limits(limits: Limits, games: Mapping[str, Game]) -> None:
    of_games = [
        f"game    {limits.in_game(game).game_seconds:g} s for all decisions of a game "
        f"of {label}"
        for label, game in games.items()
    ]
    memory = f"{limits.memory} MiB" if limits.memory else "no limit"
    lines = [
        "Limits on every bot",
        "===================",
        "",
        f"start   {limits.start:g} s to read its file, and to be ready for a game",
        f"move    {limits.move:g} s for each decision",
        f"bank    {limits.bank:g} s in reserve for each game, for longer decisions",
        *of_games,
        f"margin  {limits.margin:g} s of lateness that is never charged",
        f"memory  {memory}",
        f"output  {limits.output} bytes that it may print in a game",
        "",
        "Seconds are CPU time of the bot's own process, and the time that it sleeps.",
    ]
    echo(page_of(lines, terminal_width()))


def _print_terms(league: LeagueConfig) -> None:
    packages = ", ".join(("numpy", *league.packages))
    terms = [f"A bot may import Python's own modules and: {packages}."]
    if league.quarantine:
        where, left = " under a label", "its other games of that label"
        if league.quarantine_is_for_all:
            where, left = "", "its other games"
        terms.append(
            f"After {league.quarantine} forfeits in a row{where} {left} are forfeited "
            "unplayed."
        )
    terms.append(
        {
            Restart.MATCH: "It gets a new process for each seating of a match.",
            Restart.GAME: "It gets a new process for each game.",
            Restart.LEAGUE: "It may keep its process for the whole league.",
        }[league.restart]
    )
    if league.most_bots is not None:
        most = counted(league.most_bots, "bot")
        terms.append(f"A student may bring {most}; so may a file that is nobody's.")
    echo("\n" + page_of([" ".join(terms)], terminal_width()))
