"""A person plays against bots: what is shown, what is hidden, what is forgiven."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import trio
from click.testing import CliRunner
from commands import CAREFUL, Course
from processes import no_process_left
from sandboxes import best_level, sandbox_of
from terminals import Terminal, in_terminal

from arena.cli.play import command
from arena.cli.views.human import Person, action_rows, play_with_person
from arena.cli.views.typed_action import TypedActionError, find_action
from arena.errors import ConfigError
from arena.games import CHANCE, Replay, Table, derive_seed, get_game
from arena.records.game_record import GameRecord
from arena.referee.work_unit import EntrySpec
from arena.reports.replay.story import GameStory

KEEPS = ["keep blue", "keep blue blue", "keep blue gravestone x2", "roll", "stop"]
SWAPS = ["swap 1", "swap 2", "swap 1 shout", "swap 2 shout", "discard", "discard shout"]
CELLS = ["place a1", "place b1", "place b2"]

MEANT = [
    ("3", SWAPS, "swap 1 shout"),
    ("swap 2", SWAPS, "swap 2"),
    ("  SWAP   2 ", SWAPS, "swap 2"),
    ("s 2", SWAPS, "swap 2"),
    ("s 1", ["swap 1", "swap 10"], "swap 1"),
    ("s 2 s", SWAPS, "swap 2 shout"),
    ("discard s", SWAPS, "discard shout"),
    ("shout 2", SWAPS, "swap 2 shout"),
    ("r", KEEPS, "roll"),
    ("st", KEEPS, "stop"),
    ("keep x2 blue gravestone", KEEPS, "keep blue gravestone x2"),
    ("x2", KEEPS, "keep blue gravestone x2"),
    ("keep blue", KEEPS, "keep blue"),
    ("b2", CELLS, "place b2"),
]


@pytest.mark.parametrize(("typed", "legal", "action"), MEANT)
def test_what_is_meant(typed: str, legal: list[str], action: str) -> None:
    assert find_action(typed, legal) == action


MISTAKES = [
    ("", CELLS, "type an action, its number, or ? for help"),
    ("4", CELLS, "the numbers are 1 to 3; you typed 4"),
    ("0", CELLS, "the numbers are 1 to 3; you typed 0"),
    ("swap", SWAPS, "'swap' could be swap 1, swap 2, swap 1 shout, swap 2 shout"),
    ("s", [*KEEPS, "sing"], "'s' could be stop, sing"),
    ("plase b2", CELLS, "'plase b2' is not legal here; nearest: place b2, place b1, "),
    ("xyz", CELLS, "'xyz' is not legal here; legal: place a1, place b1, place b2"),
    ("roll\x1b[2J", ["roll", "stop"], "is not legal here"),
]


@pytest.mark.parametrize(("typed", "legal", "sentence"), MISTAKES)
def test_mistakes_get_a_sentence(typed: str, legal: list[str], sentence: str) -> None:
    with pytest.raises(TypedActionError) as caught:
        find_action(typed, legal)
    assert sentence in str(caught.value)
    assert str(caught.value).isprintable()


def test_actions_are_listed_with_numbers_in_rows() -> None:
    assert action_rows(["roll", "stop"], 80, 24) == ["  1 roll   2 stop"]
    rows = action_rows([f"keep {'blue ' * (i % 8)}x2" for i in range(60)], 80, 24)
    assert rows[-1] == "  … 60 in all; the others have numbers too"
    assert len(rows) == 13
    assert len(action_rows(SWAPS, 30, 8)) == 6
    assert max(map(len, rows)) <= 80


class Script(Person):
    """A person who types what he is told to, and is asked no more then."""

    def __init__(self, seat: int, write: Callable[[list[str]], str]) -> None:
        self.seat = seat
        self._write = write

    async def decide(self, state: Any) -> str | None:
        """Show what a person is shown, then choose."""
        print(state.text_for(self.seat))
        return find_action(self._write(state.legal_actions()), state.legal_actions())


ACT = """
from arena import Bot

class It(Bot):
    def act(self, obs):
        print("I see", obs.legal_actions[0])
        return self.rng.choice(obs.legal_actions[:8])
"""
CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("zombie_dice", 2, {"target": 3, "bus": True}),
    ("ox_blocks", 2, {"size": 4}),
    ("zombie_run", 3, {"rounds": 2, "round_cap": 6}),
    ("zombie_mania", 5, {"tokens": 1}),
]


def play(name: str, players: int, options: dict[str, Any], seat: int) -> GameRecord:
    """Play a game of bots and a person who always takes the last action."""
    game = get_game(name, players, options)
    sources = (("/bots/it.py", ACT.encode()),)
    bots = {
        s: EntrySpec("it:It", "/bots/it.py", "It", sources=sources)
        for s in range(players)
        if s != seat
    }
    names = ["you" if s == seat else f"bot {s}" for s in range(players)]

    level = best_level()

    async def run() -> GameRecord | None:
        person = Script(seat, lambda legal: str(len(legal)))
        with sandbox_of(level) as sandbox:
            return await play_with_person(
                game, bots, names, derive_seed("human", 1), person, sandbox
            )

    record = trio.run(run)
    assert record is not None
    return record


@pytest.mark.parametrize(("name", "players", "options"), CASES)
def test_a_person_plays_any_game_to_its_end(
    name: str, players: int, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    record = play(name, players, options, seat=1)
    assert (record.termination, record.forfeits) == ("natural", (False,) * players)
    table = Table(get_game(name, players, options), b"")
    shown = capsys.readouterr().out
    for x in record.history:
        seat = table.state.current_player()
        seen = table.state.visible(x, 1)
        stream = table.state.chance_stream() if seat == CHANCE else ""
        if seat == CHANCE:
            # No card is told that this seat does not see.
            line = f"    {stream}: {x}\n"
            assert (line in shown) == (seen is not None), line
            table.happen(x)
            continue
        assert seat == 1 or f"  bot {seat}: {x}\n" in shown
        table.act(x)
    assert table.is_over()
    names = ["you" if s == 1 else f"bot {s}" for s in range(players)]
    story = GameStory(Replay(table.game, record.history), names)
    outcomes = [f"  {line}" for _, *more in story.event_lines for line in more]
    assert outcomes
    assert [line for line in shown.splitlines() if "→" in line] == outcomes


def test_what_bots_print_is_told_at_once_unless_cards_are_hidden(
    capsys: pytest.CaptureFixture[str],
) -> None:
    play(*CASES[1], seat=1)
    lines = capsys.readouterr().out.splitlines()
    printed = [i for i, line in enumerate(lines) if "    printed: I see " in line]
    assert printed
    assert all(lines[i - 1].startswith("  bot 0: ") for i in printed)
    play(*CASES[2], seat=1)
    shown = capsys.readouterr().out
    game, told = shown.split("    printed: ", 1)
    assert re.search(r"\n  decision \d+, bot [02]:\n$", game)
    assert "  | " not in told


def test_hidden_cards_are_question_marks(capsys: pytest.CaptureFixture[str]) -> None:
    play(*CASES[2], seat=1)
    shown = capsys.readouterr().out
    assert "seat 0, score 0: ? ? ?* ?*\nseat 1, score 0: ? ? ? ?\n" in shown
    # Two of the own cards are known after the look, and never those of others.
    assert re.search(r"seat 1, score 0:( \d+\*| \?){4}\n", shown)
    assert re.search(r"shown by seat 0: \d+ \d+ \d+ \d+, in sum \d+", shown)
    assert "has drawn a card" not in shown


def test_text_for_a_seat_hides_what_it_has_not_seen() -> None:
    game = get_game("zombie_run", 2, {"rounds": 1})
    table = Table(game, derive_seed("text"))
    table.advance()
    for action in ("peek 1 2", "peek 3 4", "draw"):
        table.advance()
        table.act(action)
    table.advance()
    own, theirs = (table.state.text_for(seat) for seat in range(2))
    assert re.search(r"has drawn \d+$", own.splitlines()[0])
    assert theirs.splitlines()[0].endswith("has drawn a card")
    assert re.search(r"seat 0, score 0: \d+\* \d+\* \? \?", own)
    assert "seat 0, score 0: ?* ?* ? ?" in theirs
    full = table.state.to_text()
    assert "?" not in full
    assert get_game("ox_blocks").new_state().text_for(0).endswith("X throws")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A folder with a careful bot."""
    course = Course(tmp_path_factory.mktemp("human") / "course")
    course.write_bot("ana", CAREFUL, method="zombie_dice")
    return course


@pytest.fixture
def table(course: Course) -> Iterator[Terminal]:
    """A person at a terminal, in seat 1."""
    words = ["play", "zombie_dice", "ana", "human", "--seed", "3", "-o", "target=1"]
    with (
        no_process_left(),
        in_terminal(words, course.folder, course.environment) as terminal,
    ):
        yield terminal


def test_a_person_plays_in_a_terminal_and_leaves(table: Terminal) -> None:
    shown = table.wait_for("you: ")
    assert "Zombie Dice, seed 3\r\n  seat 0: Ana\r\n  seat 1: you\r\n" in shown
    assert "1 roll   2 stop" in shown
    for typed, text in (
        ("?\n", "A turn begins with a compulsory roll"),
        ("rol up\n", "'rol up' is not legal here; nearest: roll"),
        ("\n", "type an action, its number, or ? for help"),
    ):
        table.type(typed)
        table.wait_for(text)
        table.wait_for("you: ")
    table.type("RO\n")
    assert "  roll\r\n" in table.wait_for("turn 1 roll 2")
    table.wait_for("you: ")
    table.type("\x03")
    assert table.wait() == 130
    assert table.raw.endswith("you have left; the same game again: --seed 3\r\n")
    assert "Traceback" not in table.raw


def test_a_person_without_a_keyboard_has_left(course: Course) -> None:
    done = course.arena("play", "zombie_dice", "ana", "--human", "--seed", "3")
    assert done.code == 130
    assert "  seat 0: you\n  seat 1: Ana\n" in done.out
    assert done.err == "you have left; the same game again: --seed 3\n"


BAD: list[tuple[list[str], str]] = [
    (["zombie_dice", "human", "--human"], "human: expected one person at a table"),
    (["zombie_dice", "ana", "--human", "-q"], "--quiet: a person has to see the game"),
    (["zombie_dice", "--human", "ana"] + ["ana"] * 98, "players: expected 2 to "),
]


@pytest.mark.parametrize(("words", "sentence"), BAD)
def test_what_a_person_can_not_ask_for(words: list[str], sentence: str) -> None:
    error = CliRunner().invoke(command, words, standalone_mode=False).exception
    assert isinstance(error, ConfigError)
    assert str(error).startswith(sentence)
