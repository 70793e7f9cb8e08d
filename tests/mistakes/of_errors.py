"""Mistakes that raise an exception, or never come to an end."""

from mistake import HEAD, ROLLS, Mistake, method

RETURN = "return 'roll'\n"
CHOOSE = "    def choose(self, obs):\n        return 'roll'\n"
FOLDER = {"tables/odds.json": "[1]", "names.txt": "ana", "risk.py": "SAFE = 1\n"}
PICKLE = r"pickle.loads(b'c__main__\nMove\n.')"
ON = """\
    luck = [outcome for outcome, _ in state.chance_outcomes()]
    state.apply(self.rng.choice(luck) if luck else "stop")
"""
STATE = "state = obs.sample_state(self.rng)\n"


def line(
    name: str,
    wrong: str,
    right: str,
    before: str = "",
    inside: str = "",
    start: str = "",
) -> Mistake:
    """Return a mistake in a line before the return.

    `start` are the lines before it, in the method.
    """
    return Mistake(
        name,
        method(f"{start}{wrong}\n{RETURN}", before, inside),
        method(f"{start}{right}\n{RETURN}", before, inside),
    )


def top(name: str, wrong: str, right: str) -> Mistake:
    """Return a mistake in the second line of the file."""
    return Mistake(name, method(RETURN, wrong), method(RETURN, right))


OF_NAMES = (
    Mistake(
        "missing import of Bot",
        "class Mistake(Bot):\n" + ROLLS,
        "from arena import Bot\n\nclass Mistake(Bot):\n" + ROLLS,
    ),
    Mistake(
        "missing self before a name",
        method("return 'roll' if limit else 'stop'\n", inside="    limit = 3\n"),
        method("return 'roll' if self.limit else 'stop'\n", inside="    limit = 3\n"),
    ),
    Mistake(
        "missing self before a name: of a method",
        method("return choose(obs)\n", inside=CHOOSE),
        method("return self.choose(obs)\n", inside=CHOOSE),
    ),
    line("missing obs before a name", "shotguns > 1", "obs.shotguns > 1"),
    Mistake(
        "name that is defined later",
        f"BOT = make()\n{HEAD}{ROLLS}\ndef make():\n    return Mistake()\n",
        f"{HEAD}{ROLLS}\ndef make():\n    return Mistake()\nBOT = make()\n",
    ),
    Mistake(
        "class that is defined nowhere",
        f"{HEAD}{ROLLS}\nBOTS = [Mistake(), Bold()]\n",
        f"{HEAD}{ROLLS}\nBOTS = [Mistake()]\n",
    ),
    Mistake(
        "misspelt name",
        method("brains = obs.brains\nreturn 'stop' if brain > 2 else 'roll'\n"),
        method("brains = obs.brains\nreturn 'stop' if brains > 2 else 'roll'\n"),
    ),
    Mistake("missing quotes", method("return roll\n"), method("return 'roll'\n")),
    Mistake(
        "missing quotes: called", method("return roll()\n"), method("return 'roll'\n")
    ),
    line("name of another language: a notebook", "display(obs)", "print(obs)"),
    line("misspelt name of Python's", "lenn([])", "len([])"),
    line("name of another language", "x = null", "x = None"),
    line("name of another language: a truth", "x = true", "x = True"),
    line("name of another language: this", "this.games = 1", "self.games = 1"),
    line("name of another language: Python 2", "unicode('x')", "str('x')"),
    line("name of another language: range", "list(xrange(3))", "list(range(3))"),
    Mistake(
        "missing import",
        method("return random.choice(obs.legal_actions)\n"),
        method("return random.choice(obs.legal_actions)\n", before="import random"),
    ),
    Mistake(
        "missing import: of a function",
        method("return choice(obs.legal_actions)\n"),
        method("return choice(obs.legal_actions)\n", "from random import choice"),
    ),
    Mistake(
        "missing import: of numpy",
        method("np.ones(2)\nreturn 'roll'\n"),
        method("np.ones(2)\nreturn 'roll'\n", "import numpy as np"),
    ),
    Mistake(
        "missing import: moved in Python 3",
        method("reduce(max, [1])\nreturn 'roll'\n"),
        method("reduce(max, [1])\nreturn 'roll'\n", "from functools import reduce"),
    ),
    Mistake(
        "variable of the file that is changed",
        method("games += 1\nreturn 'roll'\n", before="games = 0"),
        method(
            "self.games += 1\nreturn 'roll'\n",
            inside="    def start(self, obs):\n        self.games = 0\n",
        ),
    ),
    line(
        "variable of the file that is changed: a module",
        "random = random.random()",
        "luck = random.random()",
        "import random",
    ),
    line(
        "variable of the file that is changed: Python's",
        "max = max(1, 2)",
        "m = max(1, 2)",
    ),
    Mistake(
        "variable without a value",
        method("if obs.brains > 90:\n    action = 'stop'\nreturn action\n"),
        method(
            "action = 'roll'\nif obs.brains > 90:\n    action = 'stop'\nreturn action\n"
        ),
    ),
    top("import of a missing package", "import pandas", ""),
    top("import of a missing package: pip", "import pip", ""),
    top("import of a missing package: no network", "import requests", ""),
    top("import of a missing package: another bot", "import random_bot", ""),
    Mistake(
        "import of a missing package: a file of almost that name",
        method(RETURN, "import pandas"),
        method(RETURN),
        beside={"pandas_tools.py": "ODDS = 1\n"},
    ),
    top("misspelt import", "import ramdom", "import random"),
    top("misspelt import: Python 2", "import cPickle", "import pickle"),
    Mistake(
        "misspelt import: in a folder",
        method(RETURN, "import odds"),
        method(RETURN, "import tables.odds"),
        beside={"tables/odds.py": "ODDS = 1\n"},
    ),
    top(
        "misspelt import from a module",
        "from random import randit",
        "from random import randint",
    ),
    top(
        "misspelt import from a module: of Bot",
        "from arena.bot import bot",
        "from arena.bot import Bot",
    ),
    Mistake(
        "relative import outside of a package",
        method("return 'roll'\n", before="from .tables import ODDS"),
        method("return 'roll'\n", before="from tables import ODDS"),
        beside={"tables.py": "ODDS = 1\n"},
    ),
)
OF_OBSERVATIONS = (
    line("observation like a dict", "obs['shotguns']", "obs.shotguns"),
    line("observation like a dict: misspelt", "obs['shotgun']", "obs.shotguns"),
    line("observation like a dict: by a number", "obs[0]", "obs.seat"),
    line(
        "observation like a dict: by a variable",
        "obs[key]",
        "getattr(obs, key)",
        start="key = 'feet'\n",
    ),
    line("observation like a dict: of dice", "obs.cup['red']", "obs.cup.red"),
    line("methods of a dict for an observation", "obs.get('feet')", "obs.feet"),
    line(
        "methods of a dict for an observation: keys", "obs.keys()", "obs.legal_actions"
    ),
    line("observation like a list", "len(obs)", "len(obs.legal_actions)"),
    line(
        "observation like a list: in a loop",
        "for action in obs: pass",
        "for action in obs.legal_actions: pass",
    ),
    Mistake(
        "observation like a list: to choose from",
        method("return random.choice(obs)\n", "import random"),
        method("return random.choice(obs.legal_actions)\n", "import random"),
    ),
    line("field that is called", "obs.legal_actions()", "obs.legal_actions"),
    line("field that is called: a number", "obs.brains() > 3", "obs.brains > 3"),
    line("field that is called: the observation", "obs().feet", "obs.feet"),
    line("tuple for a number", "obs.scores > 5", "obs.scores[obs.seat] > 5"),
    line("tuple for a number: a sum", "obs.scores + 1", "obs.scores[obs.seat] + 1"),
    Mistake(
        "observation that is changed",
        method("obs.brains = 0\nreturn 'roll'\n"),
        method("self.brains = 0\nreturn 'roll'\n"),
    ),
    line("field by another word", "obs.legal_moves", "obs.legal_actions"),
    line("field by another word: a score", "obs.myScore", "obs.scores[obs.seat]"),
    line("field by another word: a seat", "obs.player_id", "obs.seat"),
    line("field by another word: brains", "obs.turn_brains", "obs.brains"),
    line(
        "method of a state by another word",
        "state.copy()",
        "state.clone()",
        start=STATE,
    ),
    line("self for obs", "self.legal_actions", "obs.legal_actions"),
    line("self for obs: of obs itself", "self.obs.feet", "obs.feet"),
    line("self for obs: random", "self.random.random()", "self.rng.random()"),
    line("field of another game", "obs.hands", "obs.feet"),
    line("field of another game: nearly", "obs.hand", "obs.feet"),
    line(
        "sample_state without random numbers",
        "obs.sample_state()",
        "obs.sample_state(self.rng)",
    ),
    Mistake(
        "action after the end",
        method(f"{STATE}while True:\n{ON}{RETURN}"),
        method(f"{STATE}while not state.is_terminal():\n{ON}{RETURN}"),
    ),
    line(
        "action where dice or cards decide",
        "state.apply('roll')",
        "state.apply(state.chance_outcomes()[0][0])",
        start=f"{STATE}state.apply('roll')\n",
    ),
    line(
        "action that the state does not allow",
        "state.apply('place b2')",
        "state.apply(state.legal_actions()[0])",
        start=STATE,
    ),
)
OF_VALUES = (
    Mistake(
        "division by zero",
        method("if obs.brains / obs.shotguns < 1:\n    return 'stop'\nreturn 'roll'\n"),
        method(
            "if obs.shotguns and obs.brains / obs.shotguns < 1:\n    return 'stop'\n"
            "return 'roll'\n"
        ),
    ),
    line(
        "None for a value",
        "best > 3",
        "if best is not None: best > 3",
        start="best = None\n",
    ),
    Mistake(
        "None for a value: of a method",
        method(
            "return self.choose(obs).lower()\n", inside=CHOOSE.replace("return ", "")
        ),
        method("return self.choose(obs).lower()\n", inside=CHOOSE),
    ),
    line(
        "None for a value: kept",
        "best[0]",
        "values[0]",
        start="values = [2, 1]; best = values.sort()\n",
    ),
    line(
        "None for a value: of sort",
        "for x in [2, 1].sort(): pass",
        "xs = [2, 1]; xs.sort()",
    ),
    line(
        "call of what is no function",
        "turns(2)",
        "turns * (2)",
        start="turns = 3\n",
    ),
    line(
        "call of what is no function: a list",
        "turns(0)",
        "turns[0]",
        start="turns = [3]\n",
    ),
    line(
        "call of what is no function: a name of Python's",
        "list = [1]; list('ab')",
        "turns = [1]; list('ab')",
    ),
    line(
        "call of what is no function: a module",
        "math(2)",
        "math.sqrt(2)",
        "import math",
    ),
    line("call of what is no function: rng", "self.rng() < 1", "self.rng.random() < 1"),
    line(
        "method without brackets",
        "state.legal_actions[0]",
        "state.legal_actions()[0]",
        start=STATE,
    ),
    line(
        "method without brackets: compared",
        "obs.bust_probability > 0.3",
        "obs.bust_probability() > 0.3",
    ),
    line(
        "self in the wrong place",
        "self.choose(self, obs)",
        "self.choose(obs)",
        inside=CHOOSE,
    ),
    Mistake(
        "self in the wrong place: missing",
        method("return self.choose(obs)\n", inside=CHOOSE.replace("self, ", "")),
        method("return self.choose(obs)\n", inside=CHOOSE),
    ),
    line(
        "self in the wrong place: the class",
        "Mistake.choose(obs)",
        "self.choose(obs)",
        inside=CHOOSE,
    ),
    Mistake(
        "argument for object",
        method(
            RETURN,
            inside="    def __init__(self):\n        super().__init__('roller')\n",
        ),
        method(RETURN, inside="    def __init__(self):\n        super().__init__()\n"),
    ),
    Mistake(
        "decision that is left to the class above",
        method("return super().zombie_dice(obs)\n"),
        method(RETURN),
    ),
    line("index out of range", "obs.scores[2]", "obs.scores[1]"),
    line(
        "index out of range: empty",
        "rolls[-1]",
        "if rolls: rolls[-1]",
        start="rolls = []\n",
    ),
    line(
        "missing key",
        "values[obs.feet]",
        "if obs.feet in values: values[obs.feet]",
        start="values = {9: 1}\n",
    ),
    line(
        "missing key: misspelt",
        "values['feets']",
        "values['feet']",
        start="values = {'feet': 1}\n",
    ),
    Mistake(
        "endless recursion",
        method(
            "return self.best(obs, 0)\n",
            inside="    def best(self, obs, depth):\n"
            "        return self.best(obs, depth + 1)\n",
        ),
        method(
            "return self.best(obs, 0)\n",
            inside="    def best(self, obs, depth):\n"
            "        return 'roll' if depth > 3 else self.best(obs, depth + 1)\n",
        ),
    ),
    line("attribute of another language", "obs.scores.length", "len(obs.scores)"),
    line(
        "attribute of another language: Java", "'Roll'.toLowerCase()", "'Roll'.lower()"
    ),
    line("attribute of another language: Python 2", "{}.iteritems()", "{}.items()"),
    line("attribute of another language: of a set", "[].add(1)", "[].append(1)"),
    line(
        "attribute of another language: of a tuple",
        "obs.scores.append(1)",
        "list(obs.scores).append(1)",
    ),
    line(
        "name that a module has no more",
        "string.letters",
        "string.ascii_letters",
        "import string",
    ),
    line(
        "name that a module has no more: numpy",
        "np.int(3)",
        "int(3)",
        "import numpy as np",
    ),
    line(
        "nothing to choose from",
        "rolls.pop()",
        "if rolls: rolls.pop()",
        start="rolls = []\n",
    ),
    line(
        "nothing to choose from: at random",
        "self.rng.choice(rolls)",
        "if rolls: self.rng.choice(rolls)",
        start="rolls = []\n",
    ),
    line("text and number", "'feet: ' + obs.feet", "'feet: ' + str(obs.feet)"),
    line("text and number: compared", "'3' > obs.feet", "int('3') > obs.feet"),
    line(
        "values without an order",
        "max([(1, print), (1, max)])",
        "max([(1, print), (1, max)], key=lambda pair: pair[0])",
    ),
    line(
        "index out of range: a list that is too short",
        "rolls[0] = 1",
        "rolls.append(1)",
        start="rolls = []\n",
    ),
    line("text for an index", "obs.legal_actions['roll']", "obs.legal_actions[0]"),
    line("float for a whole number", "range(obs.target / 2)", "range(obs.target // 2)"),
    line(
        "float for a whole number: an index",
        "obs.scores[obs.seat / 1]",
        "obs.scores[int(obs.seat / 1)]",
    ),
    line(
        "tuple that is changed",
        "scores[0] = 1",
        "scores = list(scores); scores[0] = 1",
        start="scores = obs.scores\n",
    ),
    line(
        "text that is changed",
        "name[0] = 'R'",
        "name = 'Roll'",
        start="name = 'roll'\n",
    ),
    line("what has no order", "{1: 2}.keys()[0]", "list({1: 2}.keys())[0]"),
    line("list for a key", "{[1]}", "{tuple([1])}"),
    line(
        "change inside a loop",
        "for x in values: del values[x]",
        "for x in list(values): del values[x]",
        start="values = {1: 2}\n",
    ),
    line(
        "what is not in a list",
        "[].remove('roll')",
        "if 'roll' in []: [].remove('roll')",
    ),
    Mistake(
        "coroutine for a value",
        method(
            "return self.choose(obs)[:9]\n", inside=CHOOSE.replace("def", "async def")
        ),
        method("return self.choose(obs)[:9]\n", inside=CHOOSE),
    ),
    line("end of a sequence", "next(iter([]))", "next(iter([]), None)"),
    Mistake(
        "class of another program in a pickle",
        method(f"{PICKLE}\n{RETURN}", "import pickle"),
        method(f"{PICKLE}\n{RETURN}", "import pickle\nclass Move: pass"),
    ),
    line("misspelt attribute", "obs.shotgun > 1", "obs.shotguns > 1"),
    line("misspelt attribute: upper case", "obs.legalActions", "obs.legal_actions"),
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
        "missing method of its own",
        method("return self.choose(obs)\n"),
        method("return self.choose(obs)\n", inside=CHOOSE),
    ),
)
OF_CALLS = (
    Mistake(
        "missing obs: and one too many",
        HEAD + ROLLS.replace("obs", "obs, config"),
        HEAD + ROLLS,
    ),
    Mistake(
        "missing self",
        method("return obs.legal_actions[0]\n").replace("self, obs", "obs, config"),
        method("return obs.legal_actions[0]\n"),
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
        "argument that __init__ needs: obs",
        method(
            RETURN, inside="    def __init__(self, obs):\n        self.t = obs.target\n"
        ),
        method(
            RETURN, inside="    def start(self, obs):\n        self.t = obs.target\n"
        ),
    ),
)
OF_SYSTEM = (
    Mistake(
        "data beside a single file",
        method(RETURN, "import json; ODDS = json.load(open('odds.json'))"),
        method(RETURN, "import json; ODDS = json.load(open('odds.json'))"),
        remedied_beside={"odds.json": "[1]"},
    ),
    Mistake(
        "data beside a single file: on a computer of Windows",
        method(RETURN, r"TEXT = open(r'C:\Users\ana\odds.json').read()"),
        method(RETURN, "TEXT = open('odds.json').read()"),
        remedied_beside={"odds.json": "[1]"},
    ),
    Mistake(
        "data beside a single file: of numpy",
        method(RETURN, "import numpy as np; ODDS = np.loadtxt('odds.txt')"),
        method(RETURN, "import numpy as np; ODDS = np.loadtxt('odds.txt')"),
        remedied_beside={"odds.txt": "1 2"},
    ),
    top("file of the machine", "open('/etc/hostname').read()", ""),
    Mistake(
        "data that is not in the folder",
        method(RETURN, "TEXT = open('weights.json').read()"),
        method(RETURN, "TEXT = open('names.txt').read()"),
        beside=FOLDER,
    ),
    Mistake(
        "data that is not in the folder: misspelt",
        method(RETURN, "TEXT = open('name.txt').read()"),
        method(RETURN, "TEXT = open('names.txt').read()"),
        beside=FOLDER,
    ),
    Mistake(
        "data that is not in the folder: deeper",
        method(RETURN, "TEXT = open('odds.json').read()"),
        method(RETURN, "TEXT = open('tables/odds.json').read()"),
        beside=FOLDER,
    ),
    top("its own file", "TEXT = open(__file__).read()", ""),
    line("file that is written", "open('log.txt', 'w')", "print('log')"),
    line(
        "file that is written: by a path",
        "Path('log.txt').write_text('x')",
        "print('x')",
        "from pathlib import Path",
    ),
    line("file that is written: a folder", "os.mkdir('logs')", "", "import os"),
    line(
        "file that is written: of numpy",
        "np.save('q', np.ones(2))",
        "self.q = np.ones(2)",
        "import numpy as np",
    ),
    line(
        "log file",
        "logging.basicConfig(filename='bot.log')",
        "logging.basicConfig()",
        "import logging",
    ),
    line(
        "temporary files",
        "tempfile.TemporaryFile()",
        "io.BytesIO()",
        "import io, tempfile",
    ),
    line(
        "database file",
        "sqlite3.connect('games.db')",
        "sqlite3.connect(':memory:')",
        "import sqlite3",
    ),
    line("other programs", "subprocess.run(['ls'])", "", "import subprocess"),
    line("other programs: fork", "os.fork()", "", "import os"),
    line("several processes", "Pool(2)", "", "from multiprocessing import Pool"),
    line("network", "socket.socket()", "", "import socket"),
    line(
        "network: a page",
        "urllib.request.urlopen('http://127.0.0.1:9')",
        "",
        "import urllib.request",
    ),
    line("input", "int(input('How many? '))", ""),
    Mistake("exit", method("exit()\n"), method(RETURN)),
    top(
        "exit: of argparse",
        "from argparse import ArgumentParser as P; p = P(); p.add_argument('n'); "
        "p.parse_args()",
        "from argparse import ArgumentParser as P; p = P(); "
        "p.add_argument('--n', default=1); p.parse_args()",
    ),
    top("exit: at the top", "import sys; sys.exit()", ""),
    line(
        "too many threads",
        "for _ in range(200): Thread(target=sleep, args=(1,), daemon=True).start()",
        "Thread(target=sleep, args=(0,)).start()",
        "from threading import Thread; from time import sleep",
    ),
    line("too much in memory", "x = bytearray(2**30)", "x = bytearray(2**10)"),
)
ENDLESS = (
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
MISTAKES = (
    *OF_CALLS,
    *OF_NAMES,
    *OF_OBSERVATIONS,
    *OF_VALUES,
    *OF_SYSTEM,
    *ENDLESS,
)
