"""`arena replay`: any recorded game, any decision of it, and what a bot does there."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner, Result
from commands import Course
from msgspec.structs import replace
from processes import no_process_left
from terminals import Terminal, in_terminal

from arena.cli.replay import REPRODUCES, command
from arena.errors import ConfigError, RecordError
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig, load_config
from arena.league.entries.hand_ins.depot import temporary_depot
from arena.league.play.run import draft_league, play_league
from arena.league.results.store import Store
from arena.records.game_record import GameRecord

GUIDE = (Path(__file__).parents[2] / "bots" / "testing.md").read_text()
RARELY = "if self.rng.random() < 0.03: return self.broken"
POSITION = re.compile(r"the position *\r\n  (?:final )?round (\d+), seat (\d)")
BY_CHANCE = "return self.rng.choice(obs.legal_actions)"


COMMANDS = re.findall(
    r"^    arena (replay .*)$",
    GUIDE.split("\n## Replays\n")[1].split("\n## ")[0],
    re.MULTILINE,
)


def told(number: int, **instead: str) -> list[str]:
    """Return a command of the guide, with other words in place of some of its own."""
    words = shlex.split(COMMANDS[number])
    assert words[1] == "results/classroom"
    assert set(instead) <= set(words)
    instead["results/classroom"] = "results/small"
    return [instead.get(word, word) for word in words]


@dataclass(frozen=True, slots=True)
class Played:
    """A league that has been played, and a game of it that ended with a crash."""

    course: Course
    crash: GameRecord

    @property
    def results(self) -> Path:
        return self.course.results()

    @property
    def step(self) -> int:
        """The decision that crashed."""
        return self.crash.faults[0].step


async def play(config: LeagueConfig, store: Store) -> None:
    """Play a league without its leaderboard."""
    with temporary_depot() as depot:
        draft = await draft_league(config, Keys.of_seed(0), depot)
        await play_league(draft, store, 1, lambda progress: None, print)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Play a small league of a bot that crashes now and then, by its own dice."""
    course = Course(tmp_path_factory.mktemp("replay") / "course")
    course.write_bot("ana", "print('brains', obs.brains)", BY_CHANCE)
    course.write_bot("cid", RARELY, BY_CHANCE, method="zombie_dice")
    course.write_league({"game": "zombie_dice", "fixtures": 15}, quarantine=0)
    config = load_config(course.folder / "small.yaml")
    with Store.open(course.results()) as store:
        trio.run(play, config, store)
        crashes = [r for r in store.records() if r.termination == "crash"]
        longest = max(crashes, key=lambda record: record.decisions)
    assert longest.faults[0].step > 5
    return Played(course, longest)


def invoke(*words: object) -> Result:
    """Run the verb in this process."""
    return CliRunner().invoke(command, [*map(str, words)], standalone_mode=False)


def test_a_whole_game_is_told_where_there_is_no_terminal(league: Played) -> None:
    done = league.course.arena(*told(0, GAME_ID=league.crash.game_id[:6]))
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == f"{league.crash.game_id} of small: Zombie Dice, tables of 2"
    assert lines[3] == REPRODUCES
    for move in league.crash.history:
        assert f": {move}\n" in done.out
    assert (
        'Cid forfeits: crash: cid.py:4: its process says "AttributeError: ' in done.out
    )
    assert "return self.broken" in done.out
    assert lines[-3] == f"after {league.crash.decisions} decisions (crash):"
    (again,) = (x.strip() for x in lines if x.startswith("    arena replay "))
    assert again == (
        f"arena replay results/small {league.crash.game_id} --step {league.step}"
    )


def test_what_a_bot_printed_stands_below_its_decision(league: Played) -> None:
    """In the whole story, in one decision, and of a bot that is asked."""
    record = league.crash
    with Store.read(league.results) as store:
        prints = store.prints.of(record.game_id)
    (seat,) = {x.seat for x in prints}
    told = invoke(league.results, record.game_id).output.splitlines()
    assert f"  seat {seat}: Ana" in told
    printed = [x.strip() for x in told if "printed: " in x]
    assert printed == [f"printed: {x.text.strip()}" for x in prints]
    second = prints[1]
    text = invoke(league.results, record.game_id, "--step", second.step).output
    assert f"\n\nwhat Ana printed\n  {second.text}" in text
    bot = league.course.bots / "ana.py"
    asked = ("--step", second.step, "--bot", bot)
    text = invoke(league.results, record.game_id, *asked).output
    assert f" ms of CPU time.\n  printed: {second.text}" in text
    text = invoke(league.results, record.game_id, "--bot", bot).output
    lines = text.splitlines()
    printed = [i for i, line in enumerate(lines) if "  printed: brains " in line]
    assert printed
    assert all(re.match(r" *\d+  \d ", lines[i - 1]) for i in printed)


def test_a_decision_is_told_by_its_number(league: Played) -> None:
    game_id = league.crash.game_id
    last = invoke(league.results, game_id, "--step", league.step)
    assert (last.return_value, last.exception) == (0, None)
    assert f"decision {league.step}, the last: seat " in last.output
    assert (
        'Cid forfeits: crash: cid.py:4: its process says "AttributeError' in last.output
    )
    fault = league.crash.faults[0]
    assert f"what seat {fault.seat}, Cid, sees" in last.output
    first = invoke(league.results, game_id, "--step", "0")
    assert f"decision 0 of 0 to {league.step - 1}: seat 0" in first.output
    assert "forfeits" not in first.output
    for step in (league.step + 1, -1):
        error = invoke(league.results, game_id, "--step", step).exception
        assert isinstance(error, ConfigError)
        assert f"expected a decision from 0 to {league.step}; found {step}" in str(
            error
        )


def test_the_bot_that_played_repeats_its_very_decision(
    league: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id, step = league.crash.game_id, str(league.step)
    words = told(1, GAME_ID=game_id, **{"12": step, "bots/my_bot.py": "bots/cid.py"})
    monkeypatch.chdir(league.course.folder)
    done = invoke(*words[1:])
    assert (done.return_value, done.exception) == (0, None)
    own = [x.strip() for x in done.output.splitlines()]
    (agreed,) = re.findall(r"agreed with (\d+) of (\d+) decisions", done.output)
    assert agreed[0] == agreed[1] != "0"
    assert (
        'bots/cid.py forfeits: crash: cid.py:4: its process says "AttributeError'
        in (done.output)
    )
    assert own[-1] == "Cid has done the same."


def test_another_bot_is_asked_everywhere(
    league: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = {"bots/my_bot.py": "bots/ana.py"}
    monkeypatch.chdir(league.course.folder)
    done = invoke(*told(2, GAME_ID=league.crash.game_id, **mine)[1:])
    assert (done.return_value, done.exception) == (0, None)
    (agreed, asked) = map(
        int, re.findall(r"agrees with (\d+) of (\d+) decisions", done.output)[0]
    )
    assert asked == league.step + 1
    blocks = done.output.split("\n\n")
    shown = next(x for x in blocks if x.startswith("decision ")).splitlines()
    table = [line for line in shown if not line.startswith("  printed: ")]
    assert len(table) == 2 + asked - agreed
    assert table[-1].split()[:4] == [
        str(league.step),
        str(league.crash.faults[0].seat),
        "Cid",
        "crash",
    ]
    # Where it has played itself it agrees, for it draws the same numbers.
    assert not [line for line in table[2:] if line.split()[2] == "Ana"]


def test_a_league_that_has_changed_does_not_reproduce(
    league: Played, tmp_path: Path
) -> None:
    with Store.read(league.results) as store:
        info = store.info()
    (label,) = info.labels
    shorter = label.options | {"target": 1}
    league.course.copy_results("small", "changed")
    folder = league.results.with_name("changed")
    with Store.open(folder) as store:
        store.begin(replace(info, labels=(replace(label, options=shorter),)), [])
    done = invoke(folder, league.crash.game_id)
    assert done.return_value == 1
    assert "it does not reproduce: " in done.output
    assert "it counts no more: a bot, the rules or the limits have" in done.output


def test_games_and_folders_that_are_not_there(league: Played) -> None:
    error = invoke(league.results, "zzzzzz").exception
    assert isinstance(error, RecordError)
    assert "no game's id begins with 'zzzzzz'" in str(error)
    error = invoke(league.results.parent, league.crash.game_id).exception
    assert isinstance(error, RecordError)


@pytest.fixture
def screen(league: Played) -> Iterator[Terminal]:
    """The game that crashed, in a terminal."""
    words = ["replay", "results/small", league.crash.game_id]
    with (
        no_process_left(),
        in_terminal(words, league.course.folder, league.course.environment) as terminal,
    ):
        yield terminal


def test_keys_lead_through_a_game(screen: Terminal, league: Played) -> None:
    before = screen.settings()
    last = league.step
    shown = screen.wait_for("q quit")
    assert REPRODUCES in shown
    assert f"decision 0 of 0 to {last - 1}: seat 0" in shown
    assert screen.settings() != before
    for keys, text in (
        ("n", "decision 1 of"),
        ("\x1b[C", "decision 2 of"),
        ("\x1b[D", "decision 1 of"),
        ("b", "decision 0 of"),
        ("b", "decision 0 of"),
        ("g4", "go to decision: 4_"),
        ("\x7f3\r", "decision 3 of"),
        ("e", f"decision {last}, the last: seat"),
        ("\x1b[H", "decision 0 of"),
        ("ooo", "decision 0 of"),
        ("?", "the decision before"),
        ("x", "decision 0 of"),
        ("\x1b[F", "Cid forfeits: crash"),
        ("\x1b[6~" * 5, "  1. Ana: "),
        ("g99\r", f"decision {last}, the last"),
    ):
        screen.type(keys)
        screen.wait_for(text)
        screen.wait_for("q quit" if "?" not in keys and "g4" not in keys else text)
    screen.resize(200, 60)
    screen.wait_for("─" * 200)
    first = screen.wait_for("q quit").split(", the last:")[1].split("\r\n")[0]
    assert "what seat" in first
    screen.type("q")
    assert screen.wait() == 0
    assert screen.settings() == before
    assert screen.raw.endswith(("\x1b[?1049l\x1b[?25h", "\x1b[?25h\x1b[?1049l"))


def test_turns_and_rounds(screen: Terminal, league: Played) -> None:
    screen.wait_for("q quit")
    for key, parts in (("t", 2), ("r", 1)):
        screen.type("s")
        shown = screen.wait_for("q quit")
        seen: list[tuple[str, ...]] = []
        while ", the last:" not in shown:
            seen += [found[:parts] for found in POSITION.findall(shown)]
            screen.type(key)
            shown = screen.wait_for("q quit")
        # In a round each seat has a turn, perhaps without a decision.
        assert len(seen) == len(set(seen)) >= 3
        assert seen == sorted(seen, key=lambda found: [int(part) for part in found])


def test_an_interrupted_viewer_leaves_the_terminal_as_it_was(screen: Terminal) -> None:
    before = screen.settings()
    screen.wait_for("q quit")
    screen.type("\x03")
    assert screen.wait() == 130
    assert screen.settings() == before
    assert "\x1b[?1049l" in screen.raw
    assert "Traceback" not in screen.raw
