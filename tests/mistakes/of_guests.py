"""Mistakes in bots that were written for `zombiedice`."""

from textwrap import dedent, indent

from mistake import Mistake

CALM = 'zombiedice.roll()\nif len(gameState["SCORES"]) > 9:\n    return\n'
START = "zombiedice.runTournament([Mistake()], 10)\n"


def guest(
    body: str = CALM,
    head: str = "turn(self, gameState)",
    inside: str = "",
    above: str = "import zombiedice",
    after: str = "",
) -> str:
    """Return a guest whose method has a body; `inside` are lines above the method."""
    method = f"    def {head}:\n{indent(dedent(body), ' ' * 8)}"
    return f"{above}\n\n\nclass Mistake:\n{inside}{method}\n{after}"


def in_turn(name: str, wrong: str, right: str) -> Mistake:
    """Return a mistake in the body of a turn."""
    return Mistake(name, guest(wrong), guest(right))


NEW_GAME = "    def newGame(self{}):\n        self.games = 1\n\n"
IMPORT = "import zombiedice\n"
PLAYS = guest()

METHODS = (
    Mistake(
        "method of a guest with other parameters",
        guest("zombiedice.roll()\n", "turn(self)"),
        guest("zombiedice.roll()\n"),
    ),
    Mistake(
        "method of a guest with other parameters: no self",
        guest("zombiedice.roll()\n", "turn(gameState)"),
        guest("zombiedice.roll()\n"),
    ),
    Mistake(
        "method of a guest with other parameters: newGame",
        guest(inside=NEW_GAME.format(", gameState")),
        guest(inside=NEW_GAME.format("")),
    ),
    Mistake(
        "turn that does not run",
        guest().replace("def turn", "async def turn"),
        PLAYS,
    ),
    Mistake(
        "turn that does not run: yield",
        guest("yield zombiedice.roll()\n"),
        guest("zombiedice.roll()\n"),
    ),
    *(
        Mistake(f"misspelt turn: {name}", guest(head=f"{name}(self, gameState)"), PLAYS)
        for name in ("turns", "Turn", "TURN", "_turn_")
    ),
    Mistake("class without a turn", guest(head="play(self, gameState)"), PLAYS),
    Mistake(
        "class without a turn: nothing in it",
        IMPORT + "\n\nclass Mistake:\n    pass\n\n\n" + START,
        PLAYS,
    ),
    Mistake(
        "turn outside of a class",
        IMPORT + "\n\ndef turn(gameState):\n    zombiedice.roll()\n",
        PLAYS,
    ),
)
STARTS = (
    Mistake("file that only imports zombiedice", IMPORT, PLAYS),
    Mistake("demo for a tournament", IMPORT + "zombiedice.demo()\n", PLAYS + START),
    Mistake(
        "tournament without objects",
        IMPORT + "zombiedice.runTournament()\n",
        PLAYS + START,
    ),
    Mistake(
        "tournament without objects: names",
        IMPORT + "zombiedice.runWebGui(['Mistake', 'Other'], 10)\n",
        PLAYS + START,
    ),
    Mistake(
        "objects that are in no list",
        PLAYS + "zombiedice.runTournament(Mistake(), Mistake(), 10)\n",
        PLAYS + "zombiedice.runTournament([Mistake(), Mistake()], 1000)\n",
    ),
    Mistake(
        "roll outside of a turn",
        IMPORT + "dice = zombiedice.roll()\n" + PLAYS,
        PLAYS,
    ),
    Mistake(
        "roll outside of a turn: in newGame",
        guest(inside=NEW_GAME.format("").replace("1", "zombiedice.roll()")),
        PLAYS,
    ),
    Mistake(
        "game state before the game",
        guest(
            inside="    def __init__(self):\n"
            "        self.scores = zombiedice.GAME_STATE['SCORES']\n\n",
        ),
        guest(
            inside="    def newGame(self):\n"
            "        self.scores = zombiedice.GAME_STATE['SCORES']\n\n",
        ),
    ),
    Mistake(
        "game state before the game: the cup",
        guest(
            inside="    def newGame(self):\n"
            "        self.dice = len(zombiedice.GAME_STATE['CURRENT_CUP'])\n\n",
        ),
        guest("self.dice = len(zombiedice.GAME_STATE['CURRENT_CUP'])\n"),
    ),
    Mistake(
        "name that zombiedice lacks",
        guest("Roll()\n", above="from zombiedice import Roll"),
        guest("roll()\n", above="from zombiedice import roll"),
    ),
    Mistake(
        "name that zombiedice lacks: nothing like it",
        guest("roll()\n", above="from zombiedice import ZombieBase"),
        guest("zombiedice.roll()\n"),
    ),
)
ROLLS = (
    in_turn(
        "missing zombiedice before a name",
        "roll()\n",
        "zombiedice.roll()\n",
    ),
    Mistake(
        "missing zombiedice before a name: nor an import of it",
        guest(
            "zombiedice.rollDie('red')\nroll()\n", above="from zombiedice import roll"
        ),
        guest(
            "zombiedice.rollDie('red')\nroll()\n",
            above="import zombiedice\nfrom zombiedice import roll",
        ),
    ),
    in_turn("roll of self", "self.roll()\n", "zombiedice.roll()\n"),
    in_turn(
        "roll that is not called",
        "brains = zombiedice.roll['brains']\n",
        "brains = zombiedice.roll()['brains']\n",
    ),
    in_turn(
        "roll that is not called: an attribute",
        "brains = zombiedice.roll.brains\n",
        "brains = zombiedice.roll()['brains']\n",
    ),
    in_turn("roll with arguments", "zombiedice.roll(3)\n", "zombiedice.roll()\n"),
    in_turn(
        "roll after the end of a turn",
        "shotguns = 0\nwhile True:\n    shotguns += zombiedice.roll()['shotgun']\n",
        "while True:\n    dice = zombiedice.roll()\n    if dice is None:\n"
        "        break\n",
    ),
    in_turn(
        "misspelt key",
        "brains = zombiedice.roll()['brain']\n",
        "brains = zombiedice.roll()['brains']\n",
    ),
    in_turn(
        "misspelt key: in small letters",
        "scores = gameState['scores']\n",
        "scores = gameState['SCORES']\n",
    ),
    in_turn(
        "misspelt key: nothing like it",
        "dice = zombiedice.roll()\nscore = dice['points']\n",
        "dice = zombiedice.roll()\nscore = dice['brains']\n",
    ),
    in_turn(
        "attribute for a key",
        "dice = zombiedice.roll()\nbrains = dice.brains\n",
        "dice = zombiedice.roll()\nbrains = dice['brains']\n",
    ),
    in_turn(
        "attribute for a key: of the game state",
        "scores = gameState.SCORES\n",
        "scores = gameState['SCORES']\n",
    ),
    in_turn(
        "round brackets for a key",
        "scores = gameState('SCORES')\n",
        "scores = gameState['SCORES']\n",
    ),
    in_turn(
        "dict of a roll as a list",
        "for die in zombiedice.roll():\n    icon = die['icon']\n",
        "dice = zombiedice.roll()\nfor die in dice['rolls']:\n    icon = die.icon\n",
    ),
    in_turn(
        "dict of a roll as a list: by number",
        "first = zombiedice.roll()[0]\n",
        "first = zombiedice.roll()['rolls'][0]\n",
    ),
    in_turn(
        "list of dice for a die",
        "icon = zombiedice.roll()['rolls']['icon']\n",
        "icon = zombiedice.roll()['rolls'][0].icon\n",
    ),
    in_turn(
        "die as a dict",
        "for die in zombiedice.roll()['rolls']:\n    icon = die['icon']\n",
        "for die in zombiedice.roll()['rolls']:\n    icon = die.icon\n",
    ),
    in_turn(
        "score of another by his name",
        "best = gameState['SCORES']['Ana']\n",
        "best = max(gameState['SCORES'].values())\n",
    ),
    Mistake(
        "attribute that a guest never set",
        guest("self.games += 1\n"),
        guest("self.games += 1\n", inside=NEW_GAME.format("")),
    ),
    in_turn(
        "attribute that a guest never set: misspelt",
        "self.turns = 1\nprint(self.turn_s)\n",
        "self.turns = 1\nprint(self.turns)\n",
    ),
    Mistake(
        "variable of a guest's file that is changed",
        guest("turns += 1\n", above="import zombiedice\nturns = 0"),
        guest(
            "self.turns += 1\n",
            inside="    def __init__(self):\n        self.turns = 0\n\n",
        ),
    ),
)
MISTAKES = (*METHODS, *STARTS, *ROLLS)
