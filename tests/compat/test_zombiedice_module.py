"""The stand-in for `zombiedice`: names, values, examples, and its notes."""

import os
import random
import sys
import threading
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

import example_turns
import pytest

from arena.worker.compat.zombiedice import ZombieDiceGuest
from arena.worker.imports import StandInLoader

WORDS = ("RED", "YELLOW", "GREEN", "SHOTGUN", "BRAINS", "FOOTSTEPS")
UNSET = ("MAX_TURN_TIME", "TOURNAMENT_STATE", "WEB_GUI_NUM_GAMES", "START_TIME")
VALUES = {
    **{word: word.lower() for word in WORDS},
    **dict.fromkeys(UNSET),
    **dict.fromkeys(("EXCEPTIONS_LOSE_GAME", "TOURNAMENT_RUNNING"), False),
    **{"__version__": "0.1.6", "COLOR": 0, "ICON": 1, "SCORE_BAR_MAX_WIDTH": 350},
}
"""The names of version 0.1.6."""
LEAKING = (
    *("copy", "logging", "namedtuple", "os", "platform", "random", "re", "sys"),
    *("threading", "time", "webbrowser"),
)
"""Names that it imports for itself, and that `import *` brings along."""
ATTRIBUTES: dict[str, dict[str, int]] = {
    "AlwaysRollsTwiceZombie": {},
    "CrashZombie": {},
    "HumanPlayerZombie": {},
    "MinNumShotgunsThenStopsOneMoreZombie": {"minShotguns": 2},
    "MinNumShotgunsThenStopsZombie": {"minShotguns": 2},
    "MonteCarloZombie": {"riskiness": 50, "numExperiments": 100},
    "RandomCoinFlipZombie": {},
    "RollsUntilInTheLeadZombie": {"plusLead": 0},
    "SlowZombie": {},
}
"""The examples, with what each can be made with beside its name."""
PLAYED = (
    "1-97 3-15 4-46 3-77 2-13 1-94 2-97 1-19 2-48 1-78 2-61 1-71",
    "3-49 3-17 3-7 3-30 4-30 1-79 10-73 4-41 7-29 6-59 6-73 3-57",
    "2-49 2-17 1-7 2-30 3-30 1-79 4-73 3-41 4-29 1-59 2-73 3-57",
    "3-49 4-17 3-7 5-30 6-30 2-79 11-73 8-41 8-29 8-59 7-73 5-57",
    "0-49 0-17 0-7 0-30 0-30 0-79 0-73 0-41 0-29 0-59 0-73 0-57",
    "4-49 4-17 4-7 4-30 5-30 2-79 11-73 5-41 8-29 7-59 7-73 4-57",
    "3-49 3-17 2-7 3-30 4-30 2-79 5-73 4-41 5-29 2-59 3-73 4-57",
    "4-49 5-17 4-7 6-30 7-30 3-79 12-73 9-41 9-29 9-59 8-73 6-57",
    "4-49 1-17 4-7 3-30 1-30 3-79 10-73 3-41 1-29 2-59 5-73 5-57",
    "4-49 2-17 4-7 3-30 2-30 3-79 11-73 5-41 2-29 3-59 7-73 6-57",
    "4-49 3-17 4-7 3-30 4-30 2-79 8-73 2-41 7-29 6-59 5-73 4-57",
    "3-93 3-60 3-76 3-92 4-89 1-59 10-13 4-84 7-53 6-11 6-49 3-90",
    "3-30 3-72 3-19 3-88 4-87 1-26 4-17 4-11 7-8 3-72 6-80 3-52",
    "3-82 4-29 3-9 5-35 5-48 2-49 11-42 5-78 7-20 7-41 7-56 3-17",
    "3-42 4-54 3-64 5-63 6-10 2-20 11-57 8-77 8-79 8-5 7-84 5-63",
    "2-49 2-17 2-7 2-30 2-30 2-79 2-73 2-41 2-29 2-59 2-73 2-57",
)
"""How often version 0.1.6 rolls, and what `random` gives next: `example_turns`."""


class FakeGuest:
    """Takes note of what it is told."""

    modules = ZombieDiceGuest.modules

    def __init__(self) -> None:
        self.game_state: dict[str, Any] = {"ROUND": 7}
        self.captured: list[Any] = []
        self.started: list[str] = []
        self.rolls: list[dict[str, Any] | None] = []
        self.game: dict[object, list[str]] = {}

    def capture(self, started: str, given: Iterable[Any]) -> None:
        self.started.append(started)
        self.captured += given

    def roll(self) -> dict[str, Any] | None:
        return self.rolls.pop(0)

    def icons(self, die: object) -> list[str]:
        return self.game.get(die, [])


class Zombie:
    """Has a turn, and a name if it is given one."""

    def __init__(self, *name: object) -> None:
        if name:
            (self.name,) = name

    def turn(self, gameState: object) -> None:
        pass


class Formal(Zombie):
    """Has a name that can't be changed."""

    name = property(lambda self: "Dr. No")


class Finder:
    """Finds the modules that stand in for others, as a contestant's process does."""

    def __init__(self, guest: FakeGuest) -> None:
        self.guest: Any = guest

    def find_spec(
        self, name: str, path: object, target: object = None
    ) -> ModuleSpec | None:
        if name not in self.guest.modules:
            return None
        source = find_spec(self.guest.modules[name])
        assert source is not None
        assert source.origin is not None
        loader = StandInLoader(name, source.origin, self.guest, {})
        return ModuleSpec(name, loader, is_package=name == "zombiedice")


@pytest.fixture
def guest(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGuest]:
    """The guest that `zombiedice` belongs to during a test."""
    guest = FakeGuest()
    monkeypatch.setattr(sys, "meta_path", [Finder(guest), *sys.meta_path])
    yield guest
    for name in guest.modules:
        sys.modules.pop(name, None)


@pytest.fixture
def zombiedice(guest: FakeGuest) -> Any:
    return __import__("zombiedice")


def test_the_constants_are_those_of_the_package(zombiedice: Any) -> None:
    assert {name: getattr(zombiedice, name) for name in VALUES} == VALUES
    assert 49152 <= zombiedice.WEB_SERVER_PORT <= 61000
    die = zombiedice.DieRoll("red", "brains")
    assert (die.color, die.icon) == tuple(die) == ("red", "brains")
    assert repr(die) == "DieRoll(color='red', icon='brains')"


def test_state_and_rolls_are_those_of_the_reading(
    zombiedice: Any, guest: FakeGuest
) -> None:
    assert zombiedice.GAME_STATE is guest.game_state
    guest.rolls = [{"brains": 3}, None]
    zombiedice.MAX_TURN_TIME = 0
    assert [zombiedice.roll(), zombiedice.roll()] == [{"brains": 3}, None]


def test_who_imports_everything_has_it(zombiedice: Any) -> None:
    names: dict[str, Any] = {}
    exec("from zombiedice import *", names)
    functions = ["roll", "rollDie", "runGame", "runTournament", "runWebGui", "demo"]
    public = [name for name in VALUES if name[0] != "_"]
    others = ["examples", "DieRoll", "GAME_STATE", "assignUniqueZombieName"]
    assert names.keys() >= {*public, *functions, *others, *LEAKING}
    assert not names.keys() & {"_guest", "Any", "Iterable", "importlib"}
    assert names["random"] is random
    assert names["os"] is os


def test_examples_are_there_by_each_way(zombiedice: Any) -> None:
    assert "zombiedice.examples" not in sys.modules
    module = zombiedice.examples
    assert sys.modules["zombiedice.examples"] is module
    names: dict[str, Any] = {}
    exec("from zombiedice.examples import *", names)
    exec("import zombiedice.examples as theirs", names)
    assert names["theirs"] is module
    found = [name for name in sorted(names) if name.endswith("Zombie")]
    assert found == list(ATTRIBUTES)
    assert {names[name].__module__ for name in found} == {"zombiedice.examples"}


def test_what_is_not_there_is_said_to_be_missing(zombiedice: Any) -> None:
    with pytest.raises(AttributeError, match="'zombiedice' has no attribute 'rol'"):
        zombiedice.rol()
    with pytest.raises(ImportError, match="cannot import name 'rolls'"):
        exec("from zombiedice import rolls")


def test_nothing_starts_by_an_import(guest: FakeGuest) -> None:
    before = (os.getcwd(), threading.active_count(), random.getstate())
    module = __import__("zombiedice")
    assert module.demo() is None
    assert (os.getcwd(), threading.active_count(), random.getstate()) == before
    assert module.here == os.getcwd()
    assert (guest.captured, guest.started) == ([], ["demo"])


# Who is to play


@pytest.mark.parametrize("function", ["runGame", "runTournament", "runWebGui"])
@pytest.mark.parametrize("collect", [list, tuple, iter, set, dict.fromkeys])
def test_who_is_started_is_taken_note_of(
    function: str, collect: Any, zombiedice: Any, guest: FakeGuest
) -> None:
    ana, ben = Zombie("Ana"), Zombie("Ben")
    run = getattr(zombiedice, function)
    numbers = () if function == "runGame" else (1000,)
    assert run(collect([ana, ben]), *numbers) is None
    assert guest.captured == [ana, ben]
    # More is taken than the package takes; whether it can play is not asked here.
    odd = ["Ana", None, Zombie, ben]
    run(zombies=collect(odd), numGames="many", browser=False)
    assert sorted(map(str, guest.captured[2:])) == sorted(map(str, odd))
    assert not hasattr(Zombie, "name")
    guest.captured.clear()
    run(ana)
    run("Ana")
    run()
    assert guest.captured == [ana, "Ana"]
    assert guest.started == [function] * 5


def test_a_set_has_the_same_order_each_time(zombiedice: Any, guest: FakeGuest) -> None:
    names = [f"zombie {number:03}" for number in range(100)]
    zombiedice.runTournament({Zombie(name) for name in names}, 1)
    assert [zombie.name for zombie in guest.captured] == names


def test_a_tournament_leaves_its_state(zombiedice: Any) -> None:
    zombiedice.runTournament([Zombie("Ana"), Zombie("Ben")], 1000)
    none = {"Ana": 0, "Ben": 0}
    state = {"GAME_NUMBER": 0, "WINS": none, "TIES": none}
    assert state == zombiedice.TOURNAMENT_STATE


@pytest.mark.parametrize(
    ("names", "unique"),
    [
        ([], []),
        (["a"], ["a"]),
        (["a", "b"], ["a", "b"]),
        (["a", "a"], ["a2", "a"]),
        (["a", "a", "a"], ["a2", "a3", "a"]),
        (["a", "a2", "a"], ["a3", "a2", "a"]),
        ([None, "b"], ["Zombie", "b"]),
        ([3, "3"], ["32", "3"]),
        ([None, None, "Zombie2"], ["Zombie3", "Zombie", "Zombie2"]),
    ],
)
def test_names_become_unique(
    names: list[object], unique: list[str], zombiedice: Any, guest: FakeGuest
) -> None:
    zombies = [Zombie(name) for name in names]
    zombiedice.assignUniqueZombieName(zombies)
    assert [zombie.name for zombie in zombies] == unique
    zombiedice.runWebGui([Zombie(name) for name in names], 10)
    assert [zombie.name for zombie in guest.captured] == unique


def test_names_are_given_only_to_who_takes_one(
    zombiedice: Any, guest: FakeGuest
) -> None:
    ana = Zombie("Ana")
    zombies = [Zombie(), Zombie(), Formal(), Formal(), Zombie("Dr. No"), ana, ana]
    zombiedice.runTournament(zombies, 10)
    assert guest.captured == zombies
    names = ["Zombie2", "Zombie", "Dr. No", "Dr. No", "Dr. No2", "Ana", "Ana"]
    assert [zombie.name for zombie in zombies] == names


# Dice for trials


@pytest.mark.parametrize(
    ("color", "brains", "shotgun"), [("green", 3, 1), ("yellow", 2, 2), ("red", 1, 3)]
)
def test_each_face_falls_as_often_as_it_is_there(
    color: str,
    brains: int,
    shotgun: int,
    zombiedice: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faces = iter(range(1, 7))
    monkeypatch.setattr(random, "randint", lambda low, high: next(faces))
    dice = [zombiedice.rollDie(color) for _ in range(6)]
    assert {die.color for die in dice} == {color}
    assert [die.icon for die in dice] == (
        ["shotgun"] * shotgun + ["footsteps"] * 2 + ["brains"] * brains
    )


def test_dice_of_expansions_roll_as_in_the_game(
    zombiedice: Any, guest: FakeGuest, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest.game = {"santa": ["brains", "helmet"], "red": ["brains"] * 6}
    monkeypatch.setattr(random, "randint", lambda low, high: 2)
    assert zombiedice.rollDie("santa") == ("santa", "helmet")
    assert zombiedice.rollDie("red") == ("red", "shotgun")


@pytest.mark.parametrize("die", ["green", "blue", None, ["red"]])
def test_each_die_draws_one_number(die: object, zombiedice: Any) -> None:
    random.seed(3)
    random.randint(1, 6)
    expected = random.random()
    random.seed(3)
    assert (zombiedice.rollDie(die) is None) == (die != "green")
    assert random.random() == expected


# Examples


@pytest.mark.parametrize(
    ("name", "arguments", "played"),
    [(*e, p) for e, p in zip(example_turns.EXAMPLES, PLAYED, strict=True)],
)
def test_examples_play_as_those_of_the_package(
    name: str, arguments: dict[str, Any], played: str, zombiedice: Any
) -> None:
    found = example_turns.turns(zombiedice.examples, name, arguments)
    assert " ".join(f"{rolls}-{number}" for rolls, number in found) == played


@pytest.mark.parametrize(("name", "attributes"), ATTRIBUTES.items())
def test_examples_have_the_attributes_of_the_package(
    name: str, attributes: dict[str, Any], zombiedice: Any
) -> None:
    values = [value + 1 for value in attributes.values()]
    cls = getattr(zombiedice.examples, name)
    for zombie, expected in (
        (cls("Ana"), attributes),
        (cls("Ana", *values), dict(zip(attributes, values, strict=True))),
    ):
        held = {k: v for k, v in vars(zombie).items() if k != "altZombieStrategy"}
        assert held == {"name": "Ana", **expected}


@pytest.mark.parametrize("cup", [[], ["green"], ["red", "green"]])
def test_a_short_cup_does_no_harm_to_who_tries_it_out(
    cup: list[str], zombiedice: Any, guest: FakeGuest
) -> None:
    # With the package it is an IndexError.
    guest.rolls = [{"shotgun": 0}, None]
    state = {"CURRENT_CUP": cup, "ROLLED_BRAINS_DETAILS": []}
    zombiedice.examples.MonteCarloZombie("me", riskiness=101).turn(state)
    assert guest.rolls == []


def test_who_asks_a_person_or_crashes_does(zombiedice: Any) -> None:
    with pytest.raises(EOFError, match="asks somebody at a keyboard: nobody is there"):
        zombiedice.examples.HumanPlayerZombie("me").turn({"SCORES": {}})
    with pytest.raises(ZeroDivisionError):
        zombiedice.examples.CrashZombie("me").turn({})


def test_who_is_slow_waits_before_its_only_roll(
    zombiedice: Any, guest: FakeGuest, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(zombiedice.time, "sleep", slept.append)
    guest.rolls = [{"shotgun": 0}]
    zombiedice.examples.SlowZombie("me").turn({})
    assert (slept, guest.rolls) == ([2], [])
