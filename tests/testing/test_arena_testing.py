"""What students test their bots with: positions, questions, matches."""

import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from documents import GUIDE, ROOT, files, indented, section
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import Bot
from arena.games import (
    TERMINAL,
    Observation,
    Table,
    derive_seed,
    get_game,
)
from arena.games.playthrough import _fields, write_playthrough
from arena.games.zombie_dice import DiceCount
from arena.testing import (
    PositionError,
    ask,
    assert_faster_than,
    assert_legal,
    load_bot,
    play_match,
    position,
)

GAMES = ("zombie_dice", "ox_blocks", "zombie_run", "zombie_mania")
FULL = {"preset": "direct_to_video_sequel", "bus": True, "horde": True}
NO_CARDS = {"streets": 0, "hordes": 0, "rounds": 2, "must_swap_from_discard": True}
VARIANTS: list[tuple[str, int, dict[str, Any]]] = [
    ("zombie_dice", 2, {}),
    ("zombie_dice", 3, {"cup": "none"}),
    ("zombie_dice", 4, FULL),
    ("zombie_dice", 2, {"preset": "all_yellow"}),
    ("ox_blocks", 2, {}),
    ("ox_blocks", 2, {"size": 4, "removal": "must"}),
    ("zombie_run", 2, {"rounds": 2}),
    ("zombie_run", 5, {"hand": 6, "rounds": 2}),
    ("zombie_run", 6, NO_CARDS),
    ("zombie_mania", 2, {"tokens": 1}),
    ("zombie_mania", 5, {"games": 3, "tokens": 1}),
]


OBS: Any = position("zombie_dice")


def fields_of(obs: Observation) -> dict[str, Any]:
    """Return all fields but the seat and the game."""
    names = obs.__struct_fields__
    return {n: getattr(obs, n) for n in names if n not in ("seat", "game")}


class ByChance(Bot):
    """Draws from both generators."""

    def act(self, obs: Any) -> str:
        return str(self.rng.choice(obs.legal_actions))


class Wants(Bot):
    """Wants so many brains."""

    def __init__(self, brains: int = 1) -> None:
        self.brains = brains

    def start(self, obs: Any) -> None:
        self.started = obs.seat, obs.rolls

    def zombie_dice(self, obs: Any) -> str:
        return "stop" if obs.brains >= self.brains else "roll"


def test_the_tests_of_the_guide_pass_as_it_says(tmp_path: Path) -> None:
    code = files(GUIDE)
    write(tmp_path / "bots", "my_bot.py", code["my_bot.py"])
    shutil.copy(ROOT / "bots" / "random_bot.py", tmp_path / "bots")
    tests = [name for name in code if name.startswith("test_")]
    assert len(tests) == 2
    for name in tests:
        write(tmp_path / "bots" / "_tests", name, code[name])
    text = section(GUIDE, "Testing your bot")
    (words,) = (x for x in indented(text) if x.startswith("python -m pytest"))
    done = subprocess.run(
        [sys.executable, *words.split()[1:], "-p", "no:cacheprovider"],
        cwd=tmp_path,
        # Whoever installs pytest does not get what arena's own tests need.
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout


@settings(max_examples=60, derandomize=True)
@given(st.sampled_from(VARIANTS), st.integers(0, 2**32), st.integers(0, 200))
def test_the_fields_of_what_a_seat_sees_give_it_back(
    variant: tuple[str, int, dict[str, Any]], seed: int, decisions: int
) -> None:
    name, players, options = variant
    table = Table(get_game(name, players, options), derive_seed(seed))
    rng = Random(seed)
    obs: Any = None
    while table.advance() != TERMINAL and table.decisions <= decisions:
        obs = table.observe(1.5)
        table.act(rng.choice(obs.legal_actions))
    again = position(
        name, seat=obs.seat, players=players, options=options, **fields_of(obs)
    )
    assert fields_of(again) == fields_of(obs)
    assert again.legal_actions == obs.legal_actions
    ours, theirs = (x.sample_state(Random(1)) for x in (again, obs))
    assert ours.key() == theirs.key()


@pytest.mark.parametrize(("name", "players", "options"), VARIANTS)
def test_a_position_without_fields_is_a_decision_of_the_seat(
    name: str, players: int, options: dict[str, Any]
) -> None:
    for seat in range(players):
        obs = position(name, seat=seat, players=players, options=options, seed=seat)
        state = obs.sample_state(Random(0))
        assert state.current_player() == obs.seat == seat
        assert state.legal_actions() == obs.legal_actions
        seen = fields_of(state.observation(seat)) | {"time_left": 2.5}
        assert fields_of(obs) == seen
        action = obs.legal_actions[0]
        state.apply(action)


Fields = dict[str, Any]
HELMET: Fields = {"options": FULL, "helmet": True, "brains": 1}
SEEN = ((1, 0, 1, 1), (3, 2, 0, 0))
FITTING: dict[str, list[tuple[Fields, Fields]]] = {
    "zombie_dice": [
        ({"brains": 2, "shotguns": 2}, {"feet": 0, "rolls": 2}),
        # The first roll shows three dice.
        ({"brains": 1}, {"feet": 2, "shotguns": 0, "rolls": 1}),
        ({"brains": 15, "shotguns": 1}, {"noted": 3}),
        ({"scores": (13, 2), "seat": 1}, {"final_round": True, "round": 2}),
        ({"scores": (5, 0), "seat": 1}, {"final_round": False, "round": 1}),
        ({"shotgun_dice": {"red": 2}}, {"shotguns": 2, "feet": 1}),
        # A helmet is a die too, and takes a shot.
        (HELMET, {"shotgun_limit": 4, "feet": 1, "aside_dice": DiceCount(santa=1)}),
        ({"tied": (0, 1), "scores": (14, 14)}, {"tiebreak_round": 1, "round": 2}),
    ],
    "ox_blocks": [
        ({"board": "X.. .O. ..."}, {"throws": 3, "thrown": "X", "symbol": "X"}),
        ({"board": "X../.O./...", "seat": 1}, {"throws": 4, "thrown": "O"}),
        ({"board": "X.. ... ..."}, {"throws": 3}),
    ],
    "zombie_run": [
        ({"hand": (0, None, 3, None)}, {"phase": "pick", "draw_size": 66}),
        ({"drawn": 7, "seat": 1}, {"phase": "place", "step": 1}),
        ({"drawn": 7, "taken": True}, {"top": None}),
        ({"round": 2, "seat": 1}, {"step": 0}),
        ({}, {"seen_by": ((0, 0, 0, 0), (2, 2, 0, 0))}),
        # What one has of another's cards was taken from the pile: all know it.
        ({"hands": ((1, None, 2, 3), (4, None, None, None))}, {"seen_by": SEEN}),
    ],
    "zombie_mania": [
        ({"kept": "x2 blue"}, {"phase": "continue", "kept": ("blue", "x2")}),
        ({"tokens": (3, 12)}, {"graveyard": 9, "phase": "keep", "turn": 1}),
        ({"seat": 1}, {"turn": 2, "penalties": (0, 0)}),
        ({"seat": 1, "game_number": 2, "options": {"games": 2}}, {"turn": 1}),
        ({"kept": "blue", "rolled": "blue " * 7}, {"phase": "keep", "roll": 2}),
    ],
}


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [(name, *case) for name, cases in FITTING.items() for case in cases],
)
def test_fields_that_are_left_out_fit(
    name: str, fields: Fields, expected: Fields
) -> None:
    obs = position(name, **fields)
    assert {key: getattr(obs, key) for key in expected} == expected


WRONG: dict[str, list[tuple[Fields, str]]] = {
    "zombie_dise": [({}, "game: no game is called 'zombie_dise'; did you mean 'zom")],
    "zombie_dice": [
        ({"seat": 2}, "seat: expected 0 to 1; found 2"),
        ({"brain": 2}, "such field to set; did you mean 'brains'?"),
        ({"brains": "2"}, "brains: expected a whole number; found '2'"),
        ({"cup": {"grey": 1}}, "cup: expected such as {'green': 1}, of green"),
        ({"cup": {"red": -1}}, "cup: expected numbers from 0"),
        ({"shotguns": 3}, "shotguns: 3 of them have ended the turn"),
        ({"feet": 4}, "feet: expected at most 3 dice in hand; found 4"),
        ({"target": 20}, "target: expected 13 with the other fields; found"),
        ({"scores": (1,)}, "scores: expected one for each of 2 seats"),
        ({"scores": (-1, 0)}, "scores: expected numbers from 0"),
        ({"scores": (0, 13)}, "scores: the game is over: nobody who plays"),
        ({"tied": (1,), "scores": (14, 14)}, "tied: expected seat 0, which decides"),
        ({"tied": (2,), "scores": (14, 14)}, "tied: expected seats; found (2,)"),
        ({"turn_seat": 1}, "turn_seat: expected seat 0, which looks, to decide"),
        ({"brain_dice": {"green": 7}}, "brain_dice: there are not so many"),
        ({"brains": 2, "brain_dice": {"red": 1}}, "brains: expected 1, those of the"),
        ({"brains": 9, "rolls": 2}, "rolls: 3 dice a roll can't show 9 brains, 0 sho"),
    ],
    "ox_blocks": [
        ({"board": "XX"}, "board: expected 9 of X, O and .; found 'XX'"),
        ({"board": "X..X..X.."}, "board: X has won already, on a1 a2 a3"),
        ({"board": "XOX XOX OXO"}, "board: it is full: the game is over"),
        ({"thrown": "open"}, "'open' has no effect on an empty board"),
        ({"thrown": "Z"}, "thrown: expected 'O' or 'X' or 'open'; found 'Z'"),
        ({"throws": 2}, "throws: expected an odd number, as seat 0 has"),
        ({"throws": 1, "board": "XO. ... ..."}, "throws: 1 can't have brought 2 bl"),
        ({"symbol": "O"}, "symbol: expected 'X' with the other fields; found"),
    ],
    "zombie_run": [
        ({"hand": (0, 0)}, "hands: expected 4 cards in each"),
        ({"hand": (10, 0, 0, 0)}, "hands: the deck has 0 cards of 10"),
        ({"hand": (9,) * 4, "drawn": 9, "top": 9}, "5 cards of 9; 6 are seen"),
        ({"phase": "over"}, "phase: nobody decides in 'over'"),
        ({"phase": "peek", "hand": (1, 2, 3, 4)}, "hands: nobody knows a card before"),
        ({"phase": "place", "drawn": None}, "drawn: expected the card that is to be"),
        ({"phase": "pick", "drawn": 4}, "drawn: expected no card and not taken"),
        ({"step": 1}, "step: step 1 is that of seat 1, not of seat 0"),
        ({"round": 9}, "round: expected 1 to"),
        ({"draw_size": 3}, "draw_size: expected as many cards as are unseen"),
    ],
    "zombie_mania": [
        ({"kept": "x2"}, "kept: expected a zombie from each of 1 rolls"),
        ({"rolled": "cat"}, "rolled: expected icons of blue, green, brown"),
        ({"rolled": "x2 " * 8}, "without a zombie the turn is over"),
        ({"rolled": "blue"}, "rolled: expected the 8 dice that are not kept; found 1"),
        ({"tokens": (0, 12)}, "tokens: seat 0 has none: it has won"),
        ({"tokens": (99, 1)}, "tokens: expected 24 with those in the graveyard"),
        ({"kept": "blue " * 8}, "kept: all dice are kept: there is nothing to roll"),
        ({"kept": "blue", "phase": "move"}, "kept: blue let no token be moved"),
        ({"turn": 2}, "turn: turn 2 is that of seat 1, not of seat 0"),
        ({"game_number": 2}, "game_number: expected 1 to 1; found 2"),
    ],
}


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [(name, *case) for name, cases in WRONG.items() for case in cases],
)
def test_what_can_not_be_is_refused_in_a_sentence(
    name: str, fields: Fields, sentence: str
) -> None:
    with pytest.raises(PositionError) as caught:
        position(name, **fields)
    assert str(caught.value).startswith("position: ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_gives_the_position_it_tells(name: str) -> None:
    text = write_playthrough(get_game(name, 2), seed=5)
    parts = text.split("\n# ")
    number, place = next(
        (i, part)
        for i, part in enumerate(parts)
        if i > 12 and re.search(r"^seat \d may:", part, re.M)
    )
    obs = position(
        name, "\n# ".join(parts[:number]) + f"\n# {place.split('action')[0]}"
    )
    assert f"seat {obs.seat} may: {', '.join(obs.legal_actions)}\n" in place
    (shown,) = re.findall(rf"^seat {obs.seat} observes: (.*)$", place, re.M)
    assert _fields(obs) == shown


def test_luck_that_a_history_leaves_out_falls_by_the_seed() -> None:
    told = ["peek 1 2", "peek 3 4", "draw"]
    first, again = (position("zombie_run", told, seed=1) for _ in range(2))
    assert fields_of(first) == fields_of(again)
    assert first.phase == "place"
    assert first.hand[:2] != (None, None)
    others = [position("zombie_run", told, seed=seed).drawn for seed in range(20)]
    assert len(set(others)) > 3
    # What seat 1 sees then is not what seat 0 has drawn.
    theirs = position("zombie_run", told, seed=1, seat=1)
    assert (theirs.seat, theirs.drawn) == (1, None)


@pytest.mark.parametrize(
    ("history", "sentence"),
    [
        (["X", "place b2", "O", "place b2"], "'place b2' (item 4): expected an action"),
        (["X", "place b9"], "'place b9' (item 2): expected an action of seat 0, such "),
        (["X", "place b2", "Z"], "'Z' (item 3): expected dice or cards, such as 'X', "),
    ],
)
def test_a_history_that_can_not_be(history: list[str], sentence: str) -> None:
    with pytest.raises(PositionError) as caught:
        position("ox_blocks", history)
    assert f"position: history: {sentence}" in str(caught.value)


def test_a_history_and_fields_are_too_much() -> None:
    with pytest.raises(PositionError, match="throws: expected a history or fields"):
        position("ox_blocks", ["X"], throws=3)
    for seat in (0, 1):
        obs = position("ox_blocks", ["X"], time_left=0.25, seat=seat)
        assert (obs.time_left, len(obs.events)) == (0.25, 1)


def write(folder: Path, name: str, text: str) -> str:
    """Write a file and return where it is."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


BOT = """
from arena import Bot
{above}

class {name}(Bot):
    def __init__(self, word="{word}"):
        self.word = word

    def act(self, obs):
        return {value}
"""


def bot(name: str, value: str, above: str = "", word: str = "roll") -> str:
    """Return the text of a bot."""
    return BOT.format(name=name, value=value, above=above, word=word)


@pytest.fixture(autouse=True)
def _imports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back what loading bots changes."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("_dice", "bot", "mine", "pack", "risk", "bot_random"):
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, name)


def test_a_bot_finds_its_helper_whatever_others_have(tmp_path: Path) -> None:
    for folder, word in (("a", "roll"), ("b", "stop")):
        write(tmp_path / folder, "_dice.py", f"WORD = '{word}'")
        path = write(
            tmp_path / folder, "bot.py", bot("Mine", "_dice.WORD", "import _dice")
        )
        assert ask(load_bot(path), OBS) == word
        assert ask(load_bot(tmp_path / folder), OBS) == word


def test_the_bot_of_a_folder_is_found_as_a_league_finds_it(tmp_path: Path) -> None:
    folder = tmp_path / "team"
    write(folder, "_dice.py", "WORD = 'roll'")
    write(folder, "risk.py", "LIMIT = 0.3")
    write(folder, "mine.py", bot("Mine", "_dice.WORD", "import _dice, risk"))
    assert ask(load_bot(folder), OBS) == "roll"
    write(folder, "other.py", bot("Other", "'stop'"))
    with pytest.raises(AssertionError, match=r"team has several files with bots \("):
        load_bot(folder)


def test_what_a_league_would_not_find_is_a_warning(tmp_path: Path) -> None:
    write(tmp_path, "_dice.py", "WORD = 'roll'")
    above = "import random, _dice, arena"
    path = write(tmp_path, "mine.py", bot("Mine", "_dice.WORD", above))
    why = r"mine\.py: imports _dice from beside it; in a league it finds only its own"
    for _ in range(2):
        with pytest.warns(UserWarning, match=why) as told:
            assert ask(load_bot(path), OBS) == "roll"
        assert [warning.filename for warning in told] == [__file__]


def test_a_bot_is_run_anew_each_time(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", bot("Mine", "'roll'"))
    first = load_bot(path)
    write(tmp_path, "mine.py", bot("Mine", "'stop'  # other"))
    assert (ask(first, OBS), ask(load_bot(path), OBS)) == ("roll", "stop")


def test_packages_parameters_and_names_of_python(tmp_path: Path) -> None:
    write(tmp_path, "pack/inner.py", bot("Inner", "self.word"))
    write(tmp_path, "pack/__init__.py", "from .inner import Inner")
    assert ask(load_bot(tmp_path / "pack", word="stop"), OBS) == "stop"
    path = write(tmp_path, "random.py", bot("Mine", "'roll'"))
    before = sys.modules["random"]
    assert ask(load_bot(path), OBS) == "roll"
    assert sys.modules["random"] is before


def test_files_that_are_no_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    two = bot("One", "'roll'") + bot("Two", "'stop'")
    write(tmp_path, "bots/two.py", two)
    write(tmp_path, "bots/none.py", "class Mine:\n    pass\n")
    write(tmp_path, "bots/guest.py", "import zombiedice\n")
    for path, cls, sentence in (
        ("bots/tow.py", None, "no such bot file; did you mean bots/two.py?"),
        ("bot/two.py", None, "there is no folder bot; paths begin where the tests"),
        ("bots/two.py", None, r"has several bots \(One, Two\); say which by cls="),
        ("bots/two.py", "Six", "has no bot 'Six'; it has One, Two"),
        ("bots/guest.py", None, "it is written for zombiedice; try it with arena"),
        ("bots/none.py", None, "no bot found; define a class that inherits arena.Bot"),
    ):
        with pytest.raises(AssertionError, match=sentence):
            load_bot(path, cls=cls)
    assert type(load_bot("bots/two.py", cls="Two")).__name__ == "Two"


@pytest.mark.parametrize(
    ("data", "remedy"),
    [
        (b"from arena import Bot\nretrun 3\n", "did you mean return for retrun?"),
        ("import arena".encode("utf-16"), "save the file as UTF-8"),
    ],
)
def test_what_python_cannot_read_comes_out_with_what_to_do(
    tmp_path: Path, data: bytes, remedy: str
) -> None:
    (tmp_path / "mine.py").write_bytes(data)
    with pytest.raises(SyntaxError) as raised:
        load_bot(tmp_path / "mine.py")
    assert remedy in raised.value.__notes__[0]


def test_what_the_file_raises_comes_out_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", "1 / 0\n")
    with pytest.raises(ZeroDivisionError):
        load_bot(path)
    path = write(tmp_path, "mine.py", bot("Mine", "{}['x']"))
    with pytest.raises(KeyError):
        ask(load_bot(path), OBS)


def test_a_bot_is_started_once() -> None:
    wants = Wants()
    assert [ask(wants, OBS), ask(wants, OBS)] == ["stop", "stop"]
    assert wants.started == (0, 0)


class Answers(Bot):
    """Returns whatever it was made with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def zombie_dice(self, obs: Any) -> Any:
        return self.answer


NO_BOT: Any = 7
REFUSED: list[tuple[Callable[[], Any], str]] = [
    # As the referee tells it.
    (lambda: assert_legal(Answers(None), OBS), "Answers.zombie_dice returned None: a "),
    (lambda: assert_legal(Answers(7), OBS), "Answers.zombie_dice returned 7 (int): a"),
    (lambda: assert_legal(Answers("Roll"), OBS), "played 'Roll'; legal were 'roll', "),
    (lambda: ask(Wants(), position("ox_blocks")), "has no method ox_blocks, nor act"),
    (lambda: ask(NO_BOT, OBS), "expected a bot, as from load_bot"),
    (lambda: ask(Wants(), {"brains": 2}), "expected an observation, as from position"),
    (
        lambda: play_match(Wants, Wants, "zombie_dise"),
        "no game is called 'zombie_dise'",
    ),
    (
        lambda: play_match(Wants, Wants, "zombie_dice", 3),
        "games: expected an even num",
    ),
    (
        lambda: play_match(Wants, Wants, "zombie_dice", 0),
        "games: expected an even num",
    ),
    (lambda: play_match(NO_BOT, Wants, "zombie_dice"), "expected a bot, as from load"),
    (
        lambda: play_match(Answers("stop"), Wants, "zombie_dice"),
        "takes parameters (answer), and a match needs a new bot for each game",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_is_no_bot_or_no_answer_is_refused_in_a_sentence(
    call: Callable[[], Any], sentence: str
) -> None:
    with pytest.raises(AssertionError) as caught:
        call()
    assert sentence in str(caught.value)


def test_the_slowest_answer_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = iter([0.0, 0.1, 1.0, 1.4, 2.0, 2.1])
    monkeypatch.setattr(time, "process_time", lambda: next(spent))
    sentence = r"took 0.4 s of CPU time in the slowest of 3 decisions; expected less th"
    with pytest.raises(AssertionError, match=sentence):
        assert_faster_than(Wants(), OBS, seconds=0.3, times=3)
    spent = iter([0.0, 0.2])
    assert_faster_than(Wants(), OBS, seconds=0.3, times=1)


def test_a_match_comes_out_the_same_for_a_seed(tmp_path: Path) -> None:
    by_module = "random.choice(obs.legal_actions)"
    path = write(tmp_path, "mine.py", bot("Mine", by_module, "import random"))
    results = []
    for others, seed in enumerate((1, 1, 2)):
        random.seed(others)
        expected = Random(others).random()
        results.append(play_match(path, ByChance, "zombie_dice", games=6, seed=seed))
        # Whoever else draws is not disturbed.
        assert random.random() == expected
    assert results[0] == results[1] != results[2]
    result = results[0]
    assert result.wins + result.draws + result.losses == result.games == 6
    assert (result.faults, result.opponent_faults) == ((), ())
    assert str(result).endswith("losses in 6 games")


@pytest.mark.parametrize("name", GAMES)
def test_a_match_has_the_same_dice_from_both_seats(name: str) -> None:
    result = play_match(ByChance, ByChance, name, games=2)
    # The bots draw by their seats, so the second game is the first with others' names.
    assert result.scores[0] == result.scores[1][::-1]
    assert result.score == 0.5


def test_every_game_has_a_new_bot_with_the_same_parameters(tmp_path: Path) -> None:
    above = "MADE = []"
    value = "MADE.append(self) or self.word"
    path = write(tmp_path, "mine.py", bot("Mine", value, above))
    mine = load_bot(path, word="stop")
    result = play_match(mine, Wants, "zombie_dice", games=4)
    made = sys.modules["mine"].MADE
    assert len({id(one) for one in made}) == 4
    assert mine not in made
    assert {one.word for one in made} == {"stop"}
    assert result.faults == ()


def test_forfeits_of_a_match_are_told(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", bot("Mine", "{}['x']"))
    result = play_match(path, Wants, "zombie_dice", games=2)
    assert (result.wins, result.losses, result.score) == (0, 2, 0.0)
    assert len(result.faults) == 2
    assert "game 0, seat 0, decision 0: mine.py:10: KeyError: 'x'" in result.faults[0]
    other = play_match(Wants, path, "zombie_dice", games=2)
    assert (other.wins, len(other.opponent_faults)) == (2, 2)
    assert str(other).count("forfeit of the opponent: game") == 2


class Talks(Bot):
    """Prints, then does what its answer says."""

    def __init__(self, answer: str = "stop") -> None:
        self.answer = answer

    def start(self, obs: Any) -> None:
        print("hello")

    def zombie_dice(self, obs: Any) -> Any:
        print("x" * 5000)
        print("it is", obs.brains, file=sys.stderr)
        return {"raise": {}}[self.answer][0] if self.answer == "raise" else self.answer


def test_what_fails_says_what_was_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """And it is shown as ever; what does not fail prints as ever."""
    streams = sys.stdout, sys.stderr
    assert ask(Talks(), OBS) == "stop"
    words = f" (it printed '…{'x' * 191}\\nit is 1')"
    with pytest.raises(AssertionError, match=re.escape(words) + "$"):
        assert_legal(Talks("bite"), OBS)
    with pytest.raises(KeyError) as caught:
        ask(Talks("raise"), OBS)
    assert caught.value.__notes__ == [words[2:-1]]
    assert (sys.stdout, sys.stderr) == streams
    out, err = capsys.readouterr()
    assert out == ("hello\n" + "x" * 5000 + "\n") * 3
    assert err == "it is 1\n" * 3


def test_a_forfeit_of_a_match_says_what_was_printed() -> None:
    class Raises(Talks):
        def __init__(self) -> None:
            super().__init__("raise")

    for fault in play_match(Raises, Wants, "zombie_dice", games=2).faults:
        assert re.search(r"KeyError: 0 \(it printed '…x+\\nit is \d'\)$", fault)


def test_it_is_light() -> None:
    code = "import sys, arena.testing; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    heavy = {
        "trio",
        "pluggy",
        "numpy",
        "scipy",
        "rich",
        "click",
        "arena.referee.contestant.request_pipe",
    }
    assert not heavy & set(done.stdout.split())
