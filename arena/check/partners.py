"""Bots to try another one against.

Their files are run by path in processes of their own, as all bots' are; nothing
imports them.
"""

import ast
from pathlib import Path
from textwrap import dedent

_HERE = Path(__file__).parent
RANDOM = _HERE / "random_partner.py"
"""Plays all games."""
SENSIBLE = _HERE / "sensible_partner.py"
"""Plays arena's own games."""
_UNKNOWN = """\
def {game}(self, obs):
    # What comes of an action can be tried out: obs.sample_state(self.rng) is a copy
    # of the position.
    return self.rng.choice(obs.legal_actions)
"""


def method_of(game: str) -> str:
    """Return the method with which the sensible bot plays a game, as its source.

    Of a game that it does not play, one that plays it at random.
    """
    text = SENSIBLE.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == game:
            lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
            return dedent("\n".join(lines)) + "\n"
    return _UNKNOWN.format(game=game)
