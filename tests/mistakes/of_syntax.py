"""Mistakes for which Python can't read a file."""

from mistake import Mistake, method

MISTAKES = (
    Mistake(
        "tabs and spaces",
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n").replace(
            "        return 'roll'", "\treturn 'roll'"
        ),
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "missing colon",
        method("if obs.brains\n    return 'stop'\nreturn 'roll'\n"),
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "else if",
        method("if obs.brains:\n    return 'stop'\nelse if obs.feet:\n    return 1\n"),
        method(
            "if obs.brains:\n    return 'stop'\nelif obs.rolls:\n    return 'roll'\n"
        ),
    ),
    Mistake(
        "missing indentation",
        method("if obs.brains:\nreturn 'stop'\n"),
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "indentation for nothing",
        method("best = 'roll'\n    return best\n"),
        method("best = 'roll'\nreturn best\n"),
    ),
    Mistake(
        "indentation of no line above",
        method("if obs.brains:\n    return 'stop'\n  return 'roll'\n"),
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "one = for two",
        method("if obs.brains = 3:\n    return 'stop'\nreturn 'roll'\n"),
        method("if obs.brains == 3:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "bracket left open",
        method("best = max(obs.brains, 1\nreturn 'roll'\n"),
        method("best = max(obs.brains, 1)\nreturn 'roll'\n"),
    ),
    Mistake(
        "bracket never opened",
        method("best = max(obs.brains, 1))\nreturn 'roll'\n"),
        method("best = max(obs.brains, 1)\nreturn 'roll'\n"),
    ),
    Mistake(
        "quotes left open",
        method("return 'roll\n"),
        method("return 'roll'\n"),
    ),
    Mistake(
        "return outside of a method",
        "from arena import Bot\n\n\nclass Mistake(Bot):\n"
        "    def zombie_dice(self, obs):\n        print(obs.brains)\nreturn 'roll'\n",
        "from arena import Bot\n\n\nclass Mistake(Bot):\n"
        "    def zombie_dice(self, obs):\n        return 'roll'\n",
    ),
    Mistake(
        "no text",
        method("return 'roll'\n").encode("utf-16"),
        method("return 'roll'\n"),
    ),
    Mistake(
        "other encoding than UTF-8",
        method("print('öfter')\nreturn 'roll'\n").encode("latin-1"),
        method("print('öfter')\nreturn 'roll'\n"),
    ),
)
