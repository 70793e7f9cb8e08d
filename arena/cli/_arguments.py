"""Arguments that several verbs take."""

from collections.abc import Iterable
from typing import Any

import click
import yaml

from arena.errors import ConfigError
from arena.games import Game, GameSpecError
from arena.league.config.league_file import make_game, plain

option_option = click.option(
    "--options",
    "-o",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the game, such as rounds=10, or several in braces as in a "
    "league's file: '{rounds: 10, hand: 6}'. May be given several times.",
)


def parse_options(texts: Iterable[str]) -> dict[str, Any]:
    """Return the options given as `KEY=VALUE` or `{KEY: VALUE, ...}`, read as YAML.

    Raises:
        ConfigError: a text is neither, or a key is given twice.
    """
    options: dict[str, Any] = {}
    for text in texts:
        for key, value in _read_options(text):
            if not isinstance(key, str):
                raise ConfigError("--options", f"expected text as a key; found {key!r}")
            if key in options:
                raise ConfigError("--options", f"the key {key!r} is given twice")
            options[key] = value
    return options


def _read_options(text: str) -> list[tuple[Any, Any]]:
    key, equals, value = text.partition("=")
    in_braces = text.lstrip().startswith("{")
    if not (equals or in_braces):
        raise ConfigError(
            "--options", f"expected KEY=VALUE or {{KEY: VALUE, ...}}; found {text!r}"
        )
    try:
        if not in_braces:
            return [(key.strip(), yaml.safe_load(value))]
        loader = yaml.SafeLoader(text)
        # As pairs: in a mapping, the second of two equal keys would replace the first.
        pairs: list[tuple[Any, Any]] = loader.construct_pairs(
            loader.get_single_node(), deep=True
        )
        return pairs
    except (yaml.YAMLError, ValueError, RecursionError):
        raise ConfigError("--options", f"expected valid YAML; found {text!r}") from None


def parse_game(name: str, players: int | None, options: tuple[str, ...]) -> Game:
    """Return a game by its name; None players are as few as it allows.

    Raises:
        ConfigError: no such game, or not with these players or options.
    """
    try:
        game = make_game(name, players, parse_options(options))
    except GameSpecError as error:
        raise ConfigError(error.key, error.problem) from None
    plain("--options", game.options_dict)
    return game
