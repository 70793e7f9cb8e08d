"""Bots to try another one against: a random one, and the partner of each game.

Their files are run by path in processes of their own, as all bots' are; nothing
imports them.
"""

import ast
from pathlib import Path
from textwrap import dedent

from arena.games.registry import game_file

RANDOM = Path(__file__).parent / "random_partner.py"
"""Plays all games."""
_UNKNOWN = """\
def {game}(self, obs):
    # What comes of an action can be tried out: obs.sample_state(self.rng) is a copy
    # of the position.
    return self.rng.choice(obs.legal_actions)
"""


def sensible_partner(game: str) -> str | None:
    """Return the text of the sensible bot of a game; None if the game brings none."""
    file = game_file(game, "partner.py")
    try:
        return None if file is None else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def method_of(game: str) -> str:
    """Return the method with which its sensible bot plays a game, as its source.

    Of a game that has none, one that plays it at random.
    """
    text = sensible_partner(game) or ""
    try:
        nodes = ast.walk(ast.parse(text))
    except (ValueError, SyntaxError):
        return _UNKNOWN.format(game=game)  # `arena check` says what is wrong with it.
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name == game:
            lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
            return dedent("\n".join(lines)) + "\n"
    return _UNKNOWN.format(game=game)
