"""Mistakes in what a method returns."""

from mistake import Mistake, method

ROLLS = method("return 'roll'\n")
CHOOSE = "    def choose(self):\n        return 'roll'\n"
MOVE = "class Move:\n    def __init__(self, text):\n        self.text = text\n"


def _reply(
    name: str, wrong: str, right: str, before: str = "", inside: str = ""
) -> Mistake:
    """Return a mistake in the expression that is returned."""
    return Mistake(
        name,
        method(f"return {wrong}\n", before, inside),
        method(f"return {right}\n", before, inside),
    )


MISTAKES = (
    Mistake(
        "no return on a path",
        method("if obs.brains > 20:\n    return 'stop'\n"),
        method("if obs.brains > 20:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "no return on a path: of a method that it calls",
        method(
            "return self.choose(obs)\n",
            inside="    def choose(self, obs):\n        obs.brains > 3\n",
        ),
        method(
            "return self.choose(obs)\n",
            inside="    def choose(self, obs):\n        return 'roll'\n",
        ),
    ),
    Mistake(
        "no return on a path: print",
        method("return print('roll')\n"),
        method("print('roll')\nreturn 'roll'\n"),
    ),
    _reply("list for an action", "['roll']", "['roll'][0]"),
    _reply(
        "list for an action: of choices",
        "random.choices(['roll'], [1])",
        "random.choices(['roll'], [1])[0]",
        "import random",
    ),
    _reply("list for an action: a comma", "'roll',", "'roll'"),
    _reply(
        "list for an action: with its score",
        "max((len(a), a) for a in ['roll'])",
        "max((len(a), a) for a in ['roll'])[1]",
    ),
    _reply("all actions", "obs.legal_actions", "obs.legal_actions[0]"),
    _reply("several actions", "{'roll'}", "'roll'"),
    _reply("several actions: reversed", "obs.legal_actions[::-1]", "'roll'"),
    _reply("several actions: none", "[a for a in 'x' if a > 'y']", "'roll'"),
    _reply("dict for an action", "{'action': 'roll'}", "{'action': 'roll'}['action']"),
    Mistake(
        "dict for an action: with scores",
        method("d = {'roll': 2, 'stop': 1}\nreturn d\n"),
        method("d = {'roll': 2, 'stop': 1}\nreturn max(d, key=d.get)\n"),
    ),
    _reply(
        "array for an action",
        "np.array(['roll'])",
        "np.array(['roll']).item()",
        "import numpy as np",
    ),
    _reply("number for an action", "1", "obs.legal_actions[1]"),
    _reply(
        "number for an action: of numpy",
        "np.argmax([2, 1])",
        "obs.legal_actions[np.argmax([2, 1])]",
        "import numpy as np",
    ),
    _reply("number for an action: a float", "2 / 2", "obs.legal_actions[int(2 / 2)]"),
    _reply("number that is no index", "7", "'roll'"),
    _reply("number that is no index: a score", "0.5", "'roll'"),
    _reply("truth for an action", "True", "'roll' if True else 'stop'"),
    _reply(
        "Enum for an action",
        "Move.ROLL",
        "Move.ROLL.value",
        "from enum import Enum; Move = Enum('Move', {'ROLL': 'roll'})",
    ),
    _reply(
        "Enum for an action: by its name",
        "Move.ROLL",
        "Move.ROLL.name.lower()",
        "from enum import Enum; Move = Enum('Move', ['ROLL'])",
    ),
    _reply("bytes for an action", "b'roll'", "b'roll'.decode()"),
    _reply("observation for an action", "obs", "'roll'"),
    _reply("text that can't be sent", "'roll' * 1000", "'roll'"),
    _reply("object for an action", "Move('roll')", "Move('roll').text", MOVE),
    _reply("object that holds nothing", "object()", "'roll'"),
    _reply("method that is not called", "self.choose", "self.choose()", inside=CHOOSE),
    _reply(
        "method that is not called: a lambda", "lambda: 'roll'", "(lambda: 'roll')()"
    ),
    Mistake("async method", ROLLS.replace("def zombie", "async def zombie"), ROLLS),
    _reply("yield for return", "(yield 'roll')", "'roll'"),
    _reply(
        "yield for return: in brackets",
        "(a for a in obs.legal_actions)",
        "next(a for a in obs.legal_actions)",
    ),
    _reply("action of another game", "'place b2'", "'roll'"),
    Mistake("misspelt action", method("print('rolling')\nreturn 'Roll'\n"), ROLLS),
    _reply("misspelt action: blanks around it", "' roll\\n'", "'roll'"),
    _reply("misspelt action: words around it", "'roll the dice'", "'roll'"),
    _reply("misspelt action: an index", "'1'", "obs.legal_actions[1]"),
    _reply("misspelt action: None", "str(None)", "'roll'"),
    _reply("misspelt action: a list", "str(obs.legal_actions)", "'roll'"),
)
