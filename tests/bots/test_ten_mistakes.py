"""What a student reads who makes one of the ten mistakes that are made most often.

The files are as they would be written, the sentences those of the real referee.
"""

import re
from pathlib import Path
from textwrap import dedent, indent

import golden_files
import pytest
import trio
from bot_games import BOTS
from click.testing import CliRunner
from documents import GUIDE, cells, section
from sandboxes import best_level, sandbox_of

from arena.check.shared_state import shared_state
from arena.cli.bots import command as bots_command
from arena.games import derive_seed, game_paths
from arena.records.game_record import Fault, GameRecord
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import EntrySpec, GameTask, Limits, WorkUnit
from arena.worker.protocol import GameSpec

LIMITS = Limits(start=0.4, move=0.1, bank=0.0, memory=256, output=200_000)
LATENESS = r"after \d\.\d\d s of CPU time( in \d\.\d\d s)?"


def method(body: str, before: str = "", inside: str = "") -> str:
    """Return a bot whose method is in the lines from 8 on."""
    head = f"from arena import Bot\n{before}\n\n\nclass Mistake(Bot):\n{inside}\n"
    return f"{head}    def zombie_dice(self, obs):\n{indent(dedent(body), ' ' * 8)}"


HEAD = "from arena import Bot\n\n\nclass Mistake(Bot):\n"
ROLLS = "    def zombie_dice(self, obs):\n        return 'roll'\n"
MISTAKES = {
    "missing method": HEAD + ROLLS.replace("zombie_dice", "decide"),
    "misspelt method": HEAD + ROLLS.replace("zombie_dice", "zombie_dices"),
    "missing base": "class Mistake:\n" + ROLLS,
    "missing import of Bot": "class Mistake(Bot):\n" + ROLLS,
    "missing self": HEAD + ROLLS.replace("self, ", ""),
    "missing obs in start": method(
        "return 'roll'\n", inside="    def start(self):\n        pass\n"
    ),
    "missing default": method(
        "return 'roll'\n", inside="    def __init__(self, depth):\n        0\n"
    ),
    "missing self before a name": method(
        "return 'roll' if limit else 'stop'\n", inside="    limit = 3\n"
    ),
    "missing import": method("return random.choice(obs.legal_actions)\n"),
    "wrong return type: nothing": method("if obs.brains > 20:\n    return 'stop'\n"),
    "wrong return type: a list": method("return ['roll']\n"),
    "wrong return type: a number": method("return 1\n"),
    "wrong return type: a method": method("return self.start\n"),
    "wrong return type: an object": method("return object()\n"),
    "wrong return type: async": method("return 'roll'\n").replace(
        "def zombie", "async def zombie"
    ),
    "action of another game": method("return 'place b2'\n"),
    "misspelt action": method("print('rolling')\nreturn 'Roll'\n"),
    "infinite loop": method(
        "rolls = 0\nwhile rolls < 3:\n    obs.rolls + 1\nreturn 'stop'\n"
    ),
    "infinite loop in start": method(
        "return 'roll'\n",
        inside="    def start(self, obs):\n        while True: pass\n",
    ),
    "infinite loop at import": "n = 1\nwhile n:\n    n += 1\n"
    + method("return 'roll'\n"),
    "too long a loop": method("for _ in range(10**10):\n    pass\nreturn 'roll'\n"),
    "division by zero": method(
        "if obs.brains / obs.shotguns < 1:\n    return 'stop'\nreturn 'roll'\n"
    ),
    "misspelt field": method("return 'stop' if obs.shotgun > 1 else 'roll'\n"),
    "import of a missing package": method("return 'roll'\n", before="import pandas"),
    "misspelt import": method("return 'roll'\n", before="import ramdom"),
    "print flood": method("while True:\n    print('Brains!' * 100)\n"),
    "tabs and spaces": method(
        "if obs.brains:\n    return 'stop'\nreturn 'roll'\n"
    ).replace("        return 'roll'", "\treturn 'roll'"),
    "missing colon": method("if obs.brains\n    return 'stop'\nreturn 'roll'\n"),
    "else if": method(
        "if obs.brains:\n    return 'stop'\nelse if obs.feet:\n    return 1\n"
    ),
    "missing indentation": method("if obs.brains:\nreturn 'stop'\n"),
    "one = for two": method("if obs.brains = 3:\n    return 'stop'\nreturn 'roll'\n"),
    "bracket left open": method("best = max(obs.brains, 1\nreturn 'roll'\n"),
    "state kept in the file": method("games += 1\nreturn 'roll'\n", before="games = 0"),
    "state of a game that was not begun": method(
        "if obs.shotguns > 9:\n    self.turns = 1\nreturn 'roll' * self.turns\n"
    ),
    "state kept in what it sees": method("obs.brains = 0\nreturn 'roll'\n"),
}
"""Texts of files that make them."""


def entry(path: Path, cls: str, name: str = "") -> EntrySpec:
    return EntrySpec(name or cls, str(path), cls, files=(str(path),))


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Fault]:
    """What each of them is told after its game; all play in one unit."""
    folder = tmp_path_factory.mktemp("mistakes")
    entries = [entry(BOTS / "teams" / "zombie_dice.py", "StopAtTwo")]
    for number, (name, text) in enumerate(MISTAKES.items()):
        path = folder / str(number) / "mistake.py"
        path.parent.mkdir()
        path.write_text(text)
        entries.append(entry(path, "Mistake", name))
    unit = WorkUnit(
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
            await UnitPlayer(unit, sandbox, records.append, busy=2).play()

    trio.run(play)
    return {r.game_id: fault for r in records for fault in r.faults}


def sentence(fault: Fault) -> str:
    """Return what is told, whatever the time it took."""
    return re.sub(LATENESS, "TIME", fault.message)


def test_a_mistake_is_named_with_its_line_and_the_remedy(
    faults: dict[str, Fault],
) -> None:
    told = ""
    for name, text in MISTAKES.items():
        fault = faults[name]
        parts = [name, fault.termination, sentence(fault)]
        if "TIME" not in parts[2]:
            # The student's own lines, without Python's marks below them.
            theirs = {line.strip() for line in text.splitlines() if line}
            shown = [line.strip() for line in fault.traceback.splitlines()]
            parts += [line for line in shown if line in theirs]
        told += " | ".join(parts) + "\n"
    golden_files.check(told, "bots/ten_mistakes.txt")
    assert faults["misspelt action"].output == "rolling\n"
    assert "Brains!" in faults["print flood"].output


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
        f"my_bot.py: {TWICE}",
        f"my_bot.py: {folders[1]}/my_bot.py is called like {folders[0]}/my_bot.py; its "
        "bots are entered as ben/my_bot:CLASS; rename one of the files",
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
    assert shared_state(file) == [
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
    assert shared_state(tmp_path / "it.py") == []
    assert shared_state(tmp_path / "missing.py") == []


def test_bots_to_learn_from_keep_nothing() -> None:
    assert not any(shared_state(file) for file in BOTS.rglob("*.py"))


def test_the_guide_shows_the_sentences_as_they_are(
    faults: dict[str, Fault], tmp_path: Path
) -> None:
    shown = {row[1].strip("`") for row in cells(section(GUIDE, "Common mistakes"))}
    told = {
        sentence(fault).replace("mistake.py", "my_bot.py").replace("Mistake", "MyBot")
        for fault in faults.values()
    }
    file = tmp_path / "my_bot.py"
    file.write_text(KEPT)
    told |= {sentence for _, sentence in shared_state(file)}
    told.add(f"my_bot.py: {TWICE}")
    assert len(shown) > 20
    assert {re.sub(LATENESS, "TIME", sentence) for sentence in shown} <= told
