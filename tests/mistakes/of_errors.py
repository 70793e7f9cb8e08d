"""Mistakes that raise an exception, or never come to an end."""

from mistake import HEAD, ROLLS, Mistake, method

MISTAKES = (
    Mistake(
        "missing import of Bot",
        "class Mistake(Bot):\n" + ROLLS,
        "from arena import Bot\n\nclass Mistake(Bot):\n" + ROLLS,
    ),
    Mistake(
        "missing obs: and self",
        HEAD + ROLLS.replace("self, ", ""),
        HEAD + ROLLS,
    ),
    Mistake(
        "missing obs: in start",
        method("return 'roll'\n", inside="    def start(self):\n        pass\n"),
        method("return 'roll'\n", inside="    def start(self, obs):\n        pass\n"),
    ),
    Mistake(
        "argument that __init__ needs",
        method("return 'roll'\n", inside="    def __init__(self, depth):\n        0\n"),
        method(
            "return 'roll'\n", inside="    def __init__(self, depth=1):\n        1\n"
        ),
    ),
    Mistake(
        "missing self before a name",
        method("return 'roll' if limit else 'stop'\n", inside="    limit = 3\n"),
        method("return 'roll' if self.limit else 'stop'\n", inside="    limit = 3\n"),
    ),
    Mistake(
        "misspelt name",
        method("brains = obs.brains\nreturn 'stop' if brain > 2 else 'roll'\n"),
        method("brains = obs.brains\nreturn 'stop' if brains > 2 else 'roll'\n"),
    ),
    Mistake(
        "missing import",
        method("return random.choice(obs.legal_actions)\n"),
        method("return random.choice(obs.legal_actions)\n", before="import random"),
    ),
    Mistake(
        "import of a missing package",
        method("return 'roll'\n", before="import pandas"),
        method("return 'roll'\n"),
    ),
    Mistake(
        "misspelt import",
        method("return 'roll'\n", before="import ramdom"),
        method("return 'roll'\n", before="import random"),
    ),
    Mistake(
        "relative import outside of a package",
        method("return 'roll'\n", before="from .tables import ODDS"),
        method("return 'roll'\n", before="from tables import ODDS"),
        beside={"tables.py": "ODDS = 1\n"},
    ),
    Mistake(
        "division by zero",
        method("if obs.brains / obs.shotguns < 1:\n    return 'stop'\nreturn 'roll'\n"),
        method(
            "if obs.shotguns and obs.brains / obs.shotguns < 1:\n    return 'stop'\n"
            "return 'roll'\n"
        ),
    ),
    Mistake(
        "misspelt attribute",
        method("return 'stop' if obs.shotgun > 1 else 'roll'\n"),
        method("return 'stop' if obs.shotguns > 1 else 'roll'\n"),
    ),
    Mistake(
        "observation that is changed",
        method("obs.brains = 0\nreturn 'roll'\n"),
        method("self.brains = 0\nreturn 'roll'\n"),
    ),
    Mistake(
        "variable of the file that is changed",
        method("games += 1\nreturn 'roll'\n", before="games = 0"),
        method(
            "self.games += 1\nreturn 'roll'\n",
            inside="    def start(self, obs):\n        self.games = 0\n",
        ),
    ),
    Mistake(
        "attribute of a game that was not begun",
        method(
            "if obs.shotguns > 9:\n    self.turns = 1\nreturn 'roll' * self.turns\n"
        ),
        method(
            "return 'roll' * self.turns\n",
            inside="    def start(self, obs):\n        self.turns = 1\n",
        ),
    ),
    Mistake(
        "endless loop",
        method(
            "rolls = 0\nwhile rolls < 3:\n    obs.rolls + 1\nreturn 'stop'\n",
        ),
        method("rolls = 0\nwhile rolls < 3:\n    rolls += 1\nreturn 'stop'\n"),
    ),
    Mistake(
        "endless loop: in start",
        method(
            "return 'roll'\n",
            inside="    def start(self, obs):\n        while True: pass\n",
        ),
        method("return 'roll'\n"),
    ),
    Mistake(
        "endless loop: at the top",
        "n = 1\nwhile n:\n    n += 1\n" + method("return 'roll'\n"),
        "n = 1\n" + method("return 'roll'\n"),
    ),
    Mistake(
        "too long a loop",
        method("for _ in range(10**10):\n    pass\nreturn 'roll'\n"),
        method("for _ in range(10**2):\n    pass\nreturn 'roll'\n"),
    ),
    Mistake(
        "too many prints",
        method("while True:\n    print('Brains!' * 100)\n"),
        method("print('Brains!')\nreturn 'roll'\n"),
    ),
)
