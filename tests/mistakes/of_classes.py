"""Mistakes in how a class is begun, and in what it is made of."""

from mistake import HEAD, ROLLS, Mistake, method

BOT = HEAD + ROLLS


def _sets(head: str) -> str:
    """Return a bot that counts its rolls from what a method has set."""
    begins = f"    {head}\n        self.tries = 0\n"
    return method("self.tries += 1\nreturn 'roll'\n", inside=begins)


MISTAKES = (
    Mistake(
        "class inside itself",
        f"{BOT}\n    bot = Mistake()\n    print(bot.name)\n",
        f"{BOT}\nbot = Mistake()\nprint(bot.name)\n",
    ),
    Mistake(
        "class inside itself: its own value",
        method("return 'roll'\n", inside="    MOST = 3\n    FEW = Mistake.MOST - 1\n"),
        method("return 'roll'\n", inside="    MOST = 3\n    FEW = MOST - 1\n"),
    ),
    Mistake(
        "class inside itself: for a type",
        method(
            "return 'roll'\n", inside="    def beats(self, it: Mistake): return 1\n"
        ),
        method(
            "return 'roll'\n", inside='    def beats(self, it: "Mistake"): return 1\n'
        ),
    ),
    Mistake(
        "class inside itself: a guest",
        "import zombiedice\n\n\nclass Mistake:\n"
        "    def __init__(self, name='mine'):\n        self.name = name\n\n"
        "    def turn(self, gameState):\n        zombiedice.roll()\n\n"
        "    zombiedice.runTournament(zombies=(Mistake(), Mistake()), numGames=3)\n",
        "",
    ),
    Mistake(
        "no class for a base",
        BOT.replace("import Bot", "import bot").replace("(Bot)", "(bot)"),
        BOT.replace("import Bot", "import bot").replace("(Bot)", "(bot.Bot)"),
    ),
    Mistake("no class for a base: a call", BOT.replace("(Bot)", "(Bot())"), BOT),
    Mistake(
        "method that nothing calls",
        _sets("def _init_(self):"),
        _sets("def __init__(self):"),
    ),
    Mistake(
        "method that nothing calls: two _ at the beginning",
        _sets("def __init(self):"),
        _sets("def __init__(self):"),
    ),
    Mistake(
        "method that nothing calls: int",
        _sets("def __int__(self):"),
        _sets("def __init__(self):"),
    ),
    Mistake(
        "method that nothing calls: of another framework",
        _sets("def reset(self, obs):"),
        _sets("def start(self, obs):"),
    ),
    Mistake(
        "method that nothing calls: one's own",
        _sets("def prepare(self):"),
        _sets(
            "def start(self, obs):\n        self.prepare()\n\n    def prepare(self):"
        ),
    ),
    Mistake(
        "attribute of a game that was not begun: what sets it is called too late",
        method(
            "self.tries += 1\nself.prepare()\nreturn 'roll'\n",
            inside="    def prepare(self):\n        self.tries = 0\n",
        ),
        method(
            "self.tries += 1\nself.prepare()\nreturn 'roll'\n",
            inside="    def prepare(self):\n        self.tries = 0\n\n"
            "    def start(self, obs):\n        self.tries = 0\n",
        ),
    ),
    Mistake(
        "notebook that is run",
        '{\n "cells": [{"execution_count": null}],\n "nbformat": 4\n}\n',
        BOT,
    ),
)
