"""Mistakes for which no bot is found in a file."""

from mistake import HEAD, ROLLS, Mistake

BOT = HEAD + ROLLS
IMPORT = "from arena import Bot\n\n\n"
CLASS = f"class Mistake(Bot):\n{ROLLS}"


def _named(name: str) -> str:
    return BOT.replace("zombie_dice", name)


MISTAKES = (
    Mistake("missing method", HEAD + "    name = 'mine'\n", BOT),
    Mistake("misspelt method", _named("zombie_dices"), BOT),
    Mistake("misspelt method: in another style", _named("zombieDice"), BOT),
    Mistake("misspelt method: with more", _named("play_Zombie_Dice"), BOT),
    Mistake("misspelt method: hidden", _named("_zombie_dice"), BOT),
    Mistake("misspelt method: Act", _named("Act"), _named("act")),
    Mistake("method of another framework", _named("get_action"), BOT),
    Mistake("method of another framework: step", _named("step"), BOT),
    Mistake("method of another framework: __call__", _named("__call__"), BOT),
    Mistake(
        "method of another framework: with more parameters",
        _named("selectAction").replace("self, obs", "self, state, legal_actions"),
        BOT,
    ),
    Mistake("method of another name", _named("roll_or_stop"), BOT),
    Mistake("method of another game", _named("ox_blocks"), BOT),
    Mistake("value for a method", HEAD + "    zombie_dice = 'roll'\n", BOT),
    Mistake(
        "method outside of its class",
        HEAD + "    name = 'mine'\n\n\n" + ROLLS.replace("    ", "", 1),
        BOT,
    ),
    Mistake(
        "method inside of another",
        HEAD
        + "    def start(self, obs):\n        self.rolls = 0\n\n"
        + "".join(f"    {line}\n" for line in ROLLS.splitlines()),
        HEAD + "    def start(self, obs):\n        self.rolls = 0\n\n" + ROLLS,
    ),
    Mistake("missing base", f"class Mistake:\n{ROLLS}", BOT),
    Mistake("missing base: object", f"{IMPORT}class Mistake(object):\n{ROLLS}", BOT),
    Mistake(
        "missing base: of a base",
        f"{IMPORT}class Base:\n{ROLLS}\n\nclass Mistake(Base):\n    pass\n",
        f"{IMPORT}class Base(Bot):\n{ROLLS}\n\nclass Mistake(Base):\n    pass\n",
    ),
    Mistake(
        "missing base: import arena",
        f"import arena\n\n\nclass Mistake:\n{ROLLS}",
        f"import arena\n\n\nclass Mistake(arena.Bot):\n{ROLLS}",
    ),
    Mistake("class Bot of one's own", f"class Bot:\n{ROLLS}", BOT),
    Mistake(
        "class Bot of one's own: as a base", f"class Bot:\n    pass\n\n\n{CLASS}", BOT
    ),
    Mistake("bot whose name begins with _", BOT.replace("Mistake", "_Mistake"), BOT),
    Mistake(
        "bot inside of something else",
        f"{IMPORT}def make():\n"
        + "".join(f"    {line}\n" for line in CLASS.splitlines())
        + "    return Mistake()\n\n\nbot = make()\n",
        f"{BOT}\n\nbot = Mistake()\n",
    ),
    Mistake(
        "bot inside of something else: a main block",
        f"{IMPORT}if __name__ == '__main__':\n"
        + "".join(f"    {line}\n" for line in CLASS.splitlines()),
        BOT,
    ),
    Mistake(
        "bot of another file",
        "from brain import Brain\n\nbot = Brain()\n",
        "from brain import Brain\n\n\nclass MyBrain(Brain): pass\n",
        bot="MyBrain",
        beside={"brain.py": BOT.replace("Mistake", "Brain")},
    ),
    Mistake(
        "bot of another file: by its module",
        "import brain\n\nbot = brain.Brain()\n",
        "from brain import Brain\n\n\nclass MyBrain(Brain): pass\n",
        bot="MyBrain",
        beside={"brain.py": BOT.replace("Mistake", "Brain")},
    ),
    Mistake(
        "function for a bot",
        "def zombie_dice(obs):\n    return 'roll'\n",
        BOT.replace("Mistake", "MyBot"),
        bot="MyBot",
    ),
    Mistake(
        "class of another framework",
        "class Agent:\n    def get_action(self, state):\n        return 'roll'\n",
        BOT.replace("Mistake", "Agent"),
        bot="Agent",
    ),
    Mistake(
        "function of another framework",
        "def my_agent(obs, config):\n    return 'roll'\n",
        "from arena import Bot\n\n\ndef my_agent(obs, config):\n    return 'roll'\n\n\n"
        "class MyBot(Bot):\n"
        "    def zombie_dice(self, obs): return my_agent(obs, None)\n",
        bot="MyBot",
    ),
    Mistake(
        "function of another framework: not the first",
        "def get_values(state):\n    return [1, 0]\n\n\n"
        "def get_action(obs):\n    return 'roll'\n",
        "from arena import Bot\n\n\ndef get_action(obs):\n    return 'roll'\n\n\n"
        "class MyBot(Bot):\n"
        "    def zombie_dice(self, obs): return get_action(obs)\n",
        bot="MyBot",
    ),
    Mistake(
        "class of another framework: without self",
        "class Agent:\n    @staticmethod\n    def step(state):\n"
        "        return 'roll'\n\n    def eval_step(self, state):\n"
        "        return self.step(state), {}\n",
        BOT.replace("Mistake", "Agent"),
        bot="Agent",
    ),
    Mistake("empty file", "\n", BOT),
    Mistake(
        "bot that is no code",
        "from arena import Bot\n\n\n"
        + "".join(f"# {line}\n" for line in CLASS.splitlines()),
        BOT,
    ),
    Mistake(
        "bot that is no code: in quotes",
        f"from arena import Bot\n\n'''\n{CLASS}'''\n",
        BOT,
    ),
    Mistake(
        "notebook that Python can read",
        '{\n "cells": [],\n "metadata": {},\n "nbformat": 4\n}\n',
        BOT,
    ),
)
