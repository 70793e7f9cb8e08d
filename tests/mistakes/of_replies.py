"""Mistakes in what a method returns."""

from mistake import Mistake, method

ROLLS = method("return 'roll'\n")

MISTAKES = (
    Mistake(
        "no return on a path",
        method("if obs.brains > 20:\n    return 'stop'\n"),
        method("if obs.brains > 20:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake("list for an action", method("return ['roll']\n"), ROLLS),
    Mistake("number for an action", method("return 1\n"), ROLLS),
    Mistake("object for an action", method("return object()\n"), ROLLS),
    Mistake(
        "method that is not called",
        method(
            "return self.choose\n",
            inside="    def choose(self):\n        return 'roll'\n",
        ),
        method(
            "return self.choose()\n",
            inside="    def choose(self):\n        return 'roll'\n",
        ),
    ),
    Mistake("async method", ROLLS.replace("def zombie", "async def zombie"), ROLLS),
    Mistake("yield for return", method("yield 'roll'\n"), ROLLS),
    Mistake("action of another game", method("return 'place b2'\n"), ROLLS),
    Mistake("misspelt action", method("print('rolling')\nreturn 'Roll'\n"), ROLLS),
)
