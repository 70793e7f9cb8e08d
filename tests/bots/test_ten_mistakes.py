"""What a student reads who makes one of the ten mistakes that are made most often.

The files are as they would be written, the sentences those of the real referee.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

import pytest
import trio
from bot_games import BOTS
from click.testing import CliRunner
from sandboxes import best_level, sandbox_of

from arena.cli.bots import command as bots_command
from arena.games import derive_seed, game_paths
from arena.league.kept_state import kept_state
from arena.referee.matches import Matches
from arena.referee.record import (
    EntrySpec,
    Fault,
    GameRecord,
    GameTask,
    Limits,
    Unit,
)
from arena.worker.protocol import GameSpec

LIMITS = Limits(start=0.4, move=0.1, bank=0.0, memory=256, output=200_000)
MODULES = "bots of this league may import Python's own modules and numpy"
OWN_FILES = (
    "(a file of your own must lie beside the bot; ask for others with packages: in the "
    "league's file)"
)
LATENESS = r"after \d\.\d\d s of CPU time( in \d\.\d\d s)?"


@dataclass(frozen=True)
class Mistake:
    """One way of making it, and what is said of it."""

    text: str
    """Of the file; `mistake.py` is its name."""
    termination: str
    message: str
    """All of it, `TIME` in place of the seconds."""
    code: str = ""
    """The student's own lines that are shown, without Python's marks below them."""
    output: str = ""


def method(body: str, before: str = "", inside: str = "") -> str:
    """Return a bot whose method is in the lines from 8 on."""
    head = f"from arena import Bot\n{before}\n\n\nclass Mistake(Bot):\n{inside}\n"
    return f"{head}    def zombie_dice(self, obs):\n{indent(dedent(body), ' ' * 8)}"


MISTAKES = {
    "missing method": Mistake(
        "from arena import Bot\n\n\nclass Mistake(Bot):\n"
        "    def decide(self, obs):\n        return 'roll'\n",
        "start_failure",
        "mistake.py:4: Mistake has no method named after a game; define one of "
        "zombie_dice, or act for all",
    ),
    "misspelt method": Mistake(
        "from arena import Bot\n\n\nclass Mistake(Bot):\n"
        "    def zombie_dices(self, obs):\n        return 'roll'\n",
        "start_failure",
        "mistake.py:5: Mistake has no method named after a game; it has "
        "'zombie_dices', did you mean 'zombie_dice'?",
    ),
    "missing base": Mistake(
        "class Mistake:\n    def zombie_dice(self, obs):\n        return 'roll'\n",
        "start_failure",
        "mistake.py:1: no bot found; Mistake does not inherit from Bot: write class "
        "Mistake(Bot):",
    ),
    "missing import of Bot": Mistake(
        "class Mistake(Bot):\n    def zombie_dice(self, obs):\n        return 'roll'\n",
        "start_failure",
        "mistake.py:1: NameError: name 'Bot' is not defined (put this at the top of "
        "the file: from arena import Bot)",
        "class Mistake(Bot):",
    ),
    "missing self": Mistake(
        "from arena import Bot\n\n\nclass Mistake(Bot):\n"
        "    def zombie_dice(obs):\n        return 'roll'\n",
        "crash",
        "mistake.py:5: TypeError: Mistake.zombie_dice() takes 1 positional argument "
        "but 2 were given (write def zombie_dice(self, obs):)",
    ),
    "missing obs in start": Mistake(
        method("return 'roll'\n", inside="    def start(self):\n        pass\n"),
        "crash",
        "mistake.py:6: TypeError: Mistake.start() takes 1 positional argument but 2 "
        "were given (write def start(self, obs):)",
    ),
    "missing default": Mistake(
        method("return 'roll'\n", inside="    def __init__(self, depth):\n        0\n"),
        "crash",
        "mistake.py:6: TypeError: Mistake.__init__() missing 1 required positional "
        "argument: 'depth' (give what it needs a default, or params in the league's "
        "file)",
    ),
    "missing self before a name": Mistake(
        method("return 'roll' if limit else 'stop'\n", inside="    limit = 3\n"),
        "crash",
        "mistake.py:9: NameError: name 'limit' is not defined (did you mean "
        "self.limit?)",
        "return 'roll' if limit else 'stop'",
    ),
    "missing import": Mistake(
        method("return random.choice(obs.legal_actions)\n"),
        "crash",
        "mistake.py:8: NameError: name 'random' is not defined (put this at the top of "
        "the file: import random)",
        "return random.choice(obs.legal_actions)",
    ),
    "wrong return type: nothing": Mistake(
        method("if obs.brains > 20:\n    return 'stop'\n"),
        "invalid_reply",
        "mistake.py:7: zombie_dice() returned None: a path through it has no return, "
        "or one without a value; each must end with one of obs.legal_actions, such as "
        "return 'roll'",
    ),
    "wrong return type: a list": Mistake(
        method("return ['roll']\n"),
        "invalid_reply",
        "mistake.py:7: zombie_dice() returned ['roll'] (list); expected one of "
        "obs.legal_actions, a str, such as return 'roll'",
    ),
    "wrong return type: a number": Mistake(
        method("return 1\n"),
        "invalid_reply",
        "mistake.py:7: zombie_dice() returned 1 (int); expected one of "
        "obs.legal_actions, a str, such as return 'roll'",
    ),
    "wrong return type: a method": Mistake(
        method("return self.start\n"),
        "invalid_reply",
        "mistake.py:7: zombie_dice() returned start itself: call it, with () behind "
        "its name",
    ),
    "wrong return type: an object": Mistake(
        method("return object()\n"),
        "invalid_reply",
        "mistake.py:7: zombie_dice() returned <object object> (object); expected one "
        "of obs.legal_actions, a str, such as return 'roll'",
    ),
    "wrong return type: async": Mistake(
        method("return 'roll'\n").replace("def zombie", "async def zombie"),
        "invalid_reply",
        "mistake.py:7: zombie_dice() returned a coroutine: write def, without async",
    ),
    "action of another game": Mistake(
        method("return 'place b2'\n"),
        "illegal_action",
        "mistake.py:7: zombie_dice() played 'place b2'; legal were 'roll', 'stop' "
        "(that is an action of ox_blocks, and this is zombie_dice)",
    ),
    "misspelt action": Mistake(
        method("print('rolling')\nreturn 'Roll'\n"),
        "illegal_action",
        "mistake.py:7: zombie_dice() played 'Roll'; legal were 'roll', 'stop' "
        "(it is spelt 'roll')",
        output="rolling\n",
    ),
    "infinite loop": Mistake(
        method("rolls = 0\nwhile rolls < 3:\n    obs.rolls + 1\nreturn 'stop'\n"),
        "timeout",
        "mistake.py:9: it had not decided TIME (does this while loop ever end?)",
    ),
    "infinite loop in start": Mistake(
        method(
            "return 'roll'\n",
            inside="    def start(self, obs):\n        while True: pass\n",
        ),
        "timeout",
        "mistake.py:7: it was not ready for the game TIME (does this while loop ever "
        "end?)",
    ),
    "infinite loop at import": Mistake(
        "n = 1\nwhile n:\n    n += 1\n" + method("return 'roll'\n"),
        "start_failure",
        "mistake.py:2: its file was not read TIME (does this while loop ever end?)",
    ),
    "too long a loop": Mistake(
        method("for _ in range(10**10):\n    pass\nreturn 'roll'\n"),
        "timeout",
        "mistake.py:8: it had not decided TIME (is this for loop too long?)",
    ),
    "division by zero": Mistake(
        method("if obs.brains / obs.shotguns < 1:\n    return 'stop'\nreturn 'roll'\n"),
        "crash",
        "mistake.py:8: ZeroDivisionError: division by zero (ask first whether it is 0, "
        "as many things are at the beginning)",
        "if obs.brains / obs.shotguns < 1:",
    ),
    "misspelt field": Mistake(
        method("return 'stop' if obs.shotgun > 1 else 'roll'\n"),
        "crash",
        "mistake.py:8: AttributeError: 'ZombieDiceObservation' object has no attribute "
        "'shotgun' (did you mean 'shotguns'?)",
        "return 'stop' if obs.shotgun > 1 else 'roll'",
    ),
    "import of a missing package": Mistake(
        method("return 'roll'\n", before="import pandas"),
        "start_failure",
        f"mistake.py:2: ModuleNotFoundError: No module named 'pandas': {MODULES} "
        f"{OWN_FILES}",
        "import pandas",
    ),
    "misspelt import": Mistake(
        method("return 'roll'\n", before="import ramdom"),
        "start_failure",
        "mistake.py:2: ModuleNotFoundError: No module named 'ramdom': did you mean "
        f"'random'? B{MODULES[1:]} {OWN_FILES}",
        "import ramdom",
    ),
    "print flood": Mistake(
        method("while True:\n    print('Brains!' * 100)\n"),
        "output_flood",
        "mistake.py:9: printed more than 200000 bytes in one game (print less there)",
        "print('Brains!' * 100)",
    ),
    "tabs and spaces": Mistake(
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n").replace(
            "        return 'roll'", "\treturn 'roll'"
        ),
        "start_failure",
        "mistake.py:10: TabError: inconsistent use of tabs and spaces in indentation, "
        "in \"return 'roll'\" (indent with spaces only; most editors can turn tabs "
        "into spaces)",
        "return 'roll'",
    ),
    "missing colon": Mistake(
        method("if obs.brains\n    return 'stop'\nreturn 'roll'\n"),
        "start_failure",
        "mistake.py:8: SyntaxError: expected ':', in \"if obs.brains\" (put a colon at "
        "the end of the line)",
        "if obs.brains",
    ),
    "else if": Mistake(
        method("if obs.brains:\n    return 'stop'\nelse if obs.feet:\n    return 1\n"),
        "start_failure",
        "mistake.py:10: SyntaxError: expected ':', in \"else if obs.feet:\" (write "
        "elif)",
        "else if obs.feet:",
    ),
    "missing indentation": Mistake(
        method("if obs.brains:\nreturn 'stop'\n"),
        "start_failure",
        "mistake.py:9: IndentationError: expected an indented block after 'if' "
        "statement on line 8, in \"return 'stop'\" (indent what belongs to it by four "
        "spaces)",
        "return 'stop'",
    ),
    "one = for two": Mistake(
        method("if obs.brains = 3:\n    return 'stop'\nreturn 'roll'\n"),
        "start_failure",
        "mistake.py:8: SyntaxError: cannot assign to attribute here. Maybe you meant "
        "'==' instead of '='? in \"if obs.brains = 3:\" (== compares, = gives a value)",
        "if obs.brains = 3:",
    ),
    "bracket left open": Mistake(
        method("best = max(obs.brains, 1\nreturn 'roll'\n"),
        "start_failure",
        "mistake.py:8: SyntaxError: '(' was never closed, in \"best = max(obs.brains, "
        '1" (add the bracket that closes it)',
        "best = max(obs.brains, 1",
    ),
    "state kept in the file": Mistake(
        method("games += 1\nreturn 'roll'\n", before="games = 0"),
        "crash",
        "mistake.py:8: UnboundLocalError: cannot access local variable 'games' where "
        "it is not associated with a value (in this function it is not the games of "
        "the file; keep it in self, made in start())",
        "games += 1",
    ),
    "state of a game that was not begun": Mistake(
        method(
            "if obs.shotguns > 9:\n    self.turns = 1\nreturn 'roll' * self.turns\n"
        ),
        "crash",
        "mistake.py:10: AttributeError: 'Mistake' object has no attribute 'turns' (set "
        "self.turns in start(): each game has a new object)",
        "return 'roll' * self.turns",
    ),
    "state kept in what it sees": Mistake(
        method("obs.brains = 0\nreturn 'roll'\n"),
        "crash",
        "mistake.py:8: AttributeError: immutable type: 'ZombieDiceObservation' (what "
        "you see can't be changed; keep what is yours in self)",
        "obs.brains = 0",
    ),
}


def entry(path: Path, cls: str, name: str = "") -> EntrySpec:
    return EntrySpec(name or cls, str(path), cls, files=(str(path),))


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Fault]:
    """What each of them is told after its game; all play in one unit."""
    folder = tmp_path_factory.mktemp("mistakes")
    entries = [entry(BOTS / "stop_at_two.py", "StopAtTwo")]
    for number, (name, mistake) in enumerate(MISTAKES.items()):
        path = folder / str(number) / "mistake.py"
        path.parent.mkdir()
        path.write_text(mistake.text)
        entries.append(entry(path, "Mistake", name))
    unit = Unit(
        label="label",
        game=GameSpec("zombie_dice", game_paths()["zombie_dice"], 2, {}),
        entries=tuple(entries),
        games=tuple(
            GameTask(e.id, e.id, "match", derive_seed("test", 0), (number, 0))
            for number, e in enumerate(entries)
            if number
        ),
        limits=LIMITS,
        max_decisions=500,
        in_flight=4,
    )
    records: list[GameRecord] = []
    level = best_level()

    async def play() -> None:
        with sandbox_of(level) as sandbox:
            await Matches(unit, sandbox, records.append, busy=2).play()

    trio.run(play)
    return {r.game_id: fault for r in records for fault in r.faults}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_with_its_line_and_the_remedy(
    name: str, faults: dict[str, Fault]
) -> None:
    fault, mistake = faults[name], MISTAKES[name]
    message = re.sub(LATENESS, "TIME", fault.message)
    assert (fault.termination, message) == (mistake.termination, mistake.message)
    if mistake.code:
        assert mistake.code in [x.strip() for x in fault.traceback.splitlines()]
    assert fault.output.endswith(mistake.output)
    assert fault.output or not mistake.output


TWICE = (
    "line 11: a second class MyBot takes the place of that of line 5; give it another "
    "name"
)


def test_two_bots_of_one_name_are_both_entered_and_told(tmp_path: Path) -> None:
    """What `arena bots` says; `arena league` notes the same."""
    text = "from arena import Bot\n\n\n" + 2 * dedent("""
        class MyBot(Bot):
            name = "my_bot"

            def zombie_dice(self, obs):
                return "stop"
        """)
    folders = tmp_path / "ana", tmp_path / "ben"
    for folder in folders:
        folder.mkdir()
        (folder / "my_bot.py").write_text(text)
    file = tmp_path / "league.yaml"
    file.write_text("name: x\ngames: [zombie_dice]\nbots: [ana, ben]\n")
    result = CliRunner().invoke(bots_command, [str(file)])
    shown, _, notes = result.output.partition("note: my_bot")
    assert re.findall(r"^(.*?)  ", shown, re.M)[2:] == [
        "my_bot (ben/my_bot)",
        "my_bot (my_bot)",
    ]
    assert [line.removeprefix("note: ") for line in f"my_bot{notes}".splitlines()] == [
        f"my_bot.py: {TWICE}",
        f"my_bot.py: {folders[1]}/my_bot.py is called like {folders[0]}/my_bot.py; its "
        "bots are entered as ben/my_bot:CLASS; rename one of the files",
        f"my_bot.py: {TWICE}",
        "my_bot.py: the name 'my_bot' is taken more than once; the tables say my_bot "
        "(ben/my_bot), my_bot (my_bot); give each bot a name of its own",
    ]


KEPT = """\
from collections import defaultdict

from arena import Bot

rounds = 0
seen = []
FACTS = {"brain": 1}
table = defaultdict(int)


class MyBot(Bot):
    games = 0
    history = []
    plans = []
    grid: list = [0] * 3

    def start(self, obs):
        self.plans = []

    def zombie_dice(self, obs, memory=[], depth=2, *, cache={}):
        global rounds
        rounds += 1
        seen.append(obs.brains)
        table["turns"] += FACTS["brain"]
        MyBot.games += 1
        self.history.append(obs.brains)
        self.plans.append(obs.brains)
        self.grid[0] = 1
        memory.append(rounds)
        self.cache = cache
        return "stop"

    def look(self, known=()):
        seen = []
        seen.append(known)
        return self.history
"""
OF_ALL = "for all games that run at the same time; keep it in self, made in start()"
ONE = "one for all games that run at the same time; keep it in self, made in start()"


def test_what_is_kept_between_games_is_found_in_the_text(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text(KEPT)
    assert kept_state(file) == [
        (
            20,
            "the default of cache is made once and shared by all calls; write "
            "cache=None and make it inside zombie_dice()",
        ),
        (
            20,
            "the default of memory is made once and shared by all calls; write "
            "memory=None and make it inside zombie_dice()",
        ),
        (21, f"global rounds is {ONE}"),
        (23, f"seen belongs to the file and is changed here {OF_ALL}"),
        (24, f"table belongs to the file and is changed here {OF_ALL}"),
        (25, f"games is kept in the class MyBot, {ONE}"),
        (26, f"history belongs to the class MyBot and is changed here {OF_ALL}"),
        (28, f"grid belongs to the class MyBot and is changed here {OF_ALL}"),
    ]


@pytest.mark.parametrize("text", ["x = (", "a" * 100_000 + "=", "\0", "(" * 500])
def test_of_a_file_that_is_no_python_nothing_is_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / "it.py").write_text(text)
    assert kept_state(tmp_path / "it.py") == []
    assert kept_state(tmp_path / "missing.py") == []


def test_bots_to_learn_from_keep_nothing() -> None:
    assert [kept_state(file) for file in BOTS.glob("*.py")] == [[]] * len(
        list(BOTS.glob("*.py"))
    )


def test_the_guide_shows_the_sentences_as_they_are(tmp_path: Path) -> None:
    guide = (BOTS / "README.md").read_text()
    section = guide.partition("\n## Common mistakes\n")[2].partition("\n## ")[0]
    shown = re.findall(r"^\| .*? \| `(.*)` \|$", section, re.M)
    told = {
        mistake.message.replace("mistake.py", "my_bot.py").replace("Mistake", "MyBot")
        for mistake in MISTAKES.values()
    }
    file = tmp_path / "my_bot.py"
    file.write_text(KEPT)
    told |= {sentence for _, sentence in kept_state(file)}
    told.add(f"my_bot.py: {TWICE}")
    assert len(shown) > 20
    assert {re.sub(LATENESS, "TIME", sentence) for sentence in shown} <= told
