"""Arguments that several verbs take."""

import os
from pathlib import Path
from typing import Any

import click
import yaml

from arena.errors import ConfigError
from arena.games import Game, GameSpecError
from arena.league.config import make_game, plain
from arena.league.sources import is_package

option_option = click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the game, such as target=20; may be given several times.",
)


def parse_options(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Return the options given as `KEY=VALUE`; values are read as YAML."""
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError("--option", f"expected KEY=VALUE; found {pair!r}")
        try:
            options[key.strip()] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise ConfigError(f"--option {key}", f"can't read {value!r}") from None
    return options


def parse_game(name: str, players: int | None, options: tuple[str, ...]) -> Game:
    """Return a game named on the command line; None is the fewest players.

    Raises:
        ConfigError: no such game, or not with these players or options.
    """
    try:
        game = make_game(name, players, parse_options(options))
    except GameSpecError as error:
        raise ConfigError(error.key, error.problem) from None
    plain("--option", game.options_dict)
    return game


def parse_bot(text: str) -> tuple[Path, str | None]:
    """Return the file and, if given, the class of `FILE[:CLASS]`.

    A bare name stands for a file or package in `bots/`.

    Raises:
        ConfigError: there is no such file.
    """
    for file, bot in ((text, ""), text.rpartition(":")[::2]):
        for path in (Path(file), Path("bots") / f"{file}.py", Path("bots") / file):
            if file and (os.path.isfile(path) or is_package(path)):
                return path.resolve(), bot or None
    raise ConfigError(text, "no such bot file; expected FILE or FILE:CLASS")
