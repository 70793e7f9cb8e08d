"""Positions of Zombie Dice for its tests: how they come about, and what they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from msgspec.structs import astuple

from arena.games import CHANCE, get_game
from arena.games.zombie_dice import (
    BUS,
    DICE,
    FACES,
    DiceCount,
    ZombieDice,
    ZombieDiceState,
)

GREENS = "green brain, green brain, green brain"
YELLOWS = "yellow brain, yellow brain, yellow brain"
REDS = "red brain, red brain, red brain"
TWO_SHOT = "green brain, red shotgun, red shotgun"
FEET = "green feet, green feet, green feet"
DEAD = "red shotgun, red shotgun, red shotgun"
ONE_LEFT = (GREENS, GREENS, YELLOWS, "yellow brain, red feet, red feet")
"""Ten brains; one red die is in the cup."""

VICTIMS = ["green"] * 6 + ["yellow"] * 4 + ["red"] * 2
SEQUEL: dict[str, Any] = {"preset": "direct_to_video_sequel"}
SANTA: dict[str, Any] = {"preset": "santa_claus_meets_the_zombies"}


@dataclass(frozen=True, kw_only=True)
class Position:
    """All that a position consists of, as far as it is not as at first.

    Dice are given by their names, in the order of `DICE`.  Those that lie nowhere
    else are in the cup.
    """

    feet: str = ""
    brain: str = ""
    """A die for each brain that it shows, so `hunk hunk` for his double brain."""
    shotgun: str = ""
    aside: str = ""
    noted: int = 0
    brains: int = -1
    """All that are noted or lie on the table, unless told otherwise."""
    shotguns: int = -1
    """One for each die of `shotgun`, unless told otherwise."""
    limit: int = 3
    drink: bool = False
    bus: str = "none"
    scores: tuple[int, ...] = (0, 0)
    turn: int = 0
    """Whose turn it is."""
    may: str = "roll, stop"
    """The legal actions; none while dice are rolled."""

    def __post_init__(self) -> None:
        if self.brains < 0:
            brains = self.noted + len(self.brain.split())
            object.__setattr__(self, "brains", brains)
        if self.shotguns < 0:
            object.__setattr__(self, "shotguns", len(self.shotgun.split()))


def boarded(may: str = "stop, roll bus, leave bus", **other: Any) -> Position:
    return Position(bus="boarded", may=may, **other)


def gone(**other: Any) -> Position:
    """Return a position after the bus was left or ran over a brain."""
    return Position(bus="gone", **other)


def over(**other: Any) -> Position:
    """Return a position with the bus when seat 0 has had its turn."""
    return Position(bus="waiting", turn=1, may="", **other)


def make(players: int = 2, **options: Any) -> ZombieDice:
    game = get_game("zombie_dice", players, options)
    assert isinstance(game, ZombieDice)
    return game


def new(players: int = 2, **options: Any) -> ZombieDiceState:
    return make(players, **options).new_state()


def play(state: ZombieDiceState, *moves: str) -> ZombieDiceState:
    """Play these moves; a seat that is to roll, or roll the bus, is not told to."""
    for move in moves:
        if "," in move and state.current_player() != CHANCE:
            state.apply("roll bus" if ", bus " in move else "roll")
        state.apply(move)
    return state


def ride(*rolls: str, **options: Any) -> ZombieDiceState:
    return play(new(bus=True, **options), *rolls)


def rolled(*shown: str) -> str:
    """Write these dice and faces as a chance outcome."""
    dice = [die.name for die in (*DICE, BUS)]
    faces = list(FACES)

    def place(text: str) -> tuple[int, int]:
        die, _, face = text.partition(" ")
        return dice.index(die), faces.index(face)

    return ", ".join(sorted(shown, key=place))


def score(state: ZombieDiceState, brains: int) -> None:
    """Play a turn that scores so many brains, at most 12, and stop."""
    for first in range(0, max(brains, 1), 3):
        if first:
            state.apply("roll")
        faces = ["brain" if first + i < brains else "feet" for i in range(3)]
        dice = zip(VICTIMS[first : first + 3], faces, strict=True)
        state.apply(", ".join(f"{colour} {face}" for colour, face in dice))
    state.apply("stop")


def see(state: ZombieDiceState) -> Position:
    """Return the position, in which no die may be missing or too many."""
    seen = state.observation(0)
    places = (
        seen.cup,
        seen.feet_dice,
        seen.brain_dice,
        seen.shotgun_dice,
        seen.aside_dice,
    )
    counts = [astuple(dice) for dice in places]
    assert tuple(map(sum, zip(*counts, strict=True))) == state.game.setup.dice
    assert min(map(min, counts)) >= 0
    dice_and_extra = zip(
        astuple(seen.brain_dice), astuple(seen.extra_brains), strict=True
    )
    assert all(extra <= 3 * dice for dice, extra in dice_and_extra)
    return Position(
        feet=names(seen.feet_dice),
        brain=names(seen.brain_dice, seen.extra_brains),
        shotgun=names(seen.shotgun_dice),
        aside=names(seen.aside_dice),
        brains=seen.brains,
        noted=seen.noted,
        shotguns=seen.shotguns,
        limit=seen.shotgun_limit,
        drink=seen.energy_drink,
        bus=seen.bus,
        scores=seen.scores,
        turn=seen.turn_seat,
        may=", ".join(state.legal_actions()),
    )


def names(*dice: DiceCount) -> str:
    counts = map(sum, zip(*map(astuple, dice), strict=True))
    found = zip(DiceCount.__struct_fields__, counts, strict=True)
    return " ".join(name for name, n in found for _ in range(n))


def cup(state: ZombieDiceState) -> DiceCount:
    return state.observation(0).cup


def chances(state: ZombieDiceState, die: str) -> dict[str, float]:
    """Return the probability that such a die is rolled and shows each of its faces.

    There must be no more than one of it.
    """
    found: dict[str, float] = {}
    for outcome, p in state.chance_outcomes():
        for shown in outcome.split(", "):
            name, _, face = shown.partition(" ")
            if name == die:
                found[face] = found.get(face, 0.0) + p
    return found


def wander(
    state: ZombieDiceState, rng: Random, steps: int
) -> Iterator[ZombieDiceState]:
    """Yield the state again and again while it is played at random."""
    for _ in range(steps):
        yield state
        if state.is_terminal():
            return
        if state.current_player() == CHANCE:
            # Evenly, so that long turns and rare positions come up.
            outcomes = state.chance_outcomes()
            state.apply(outcomes[int(rng.random() ** 2 * len(outcomes))][0])
        else:
            legal = state.legal_actions()
            if "stop" in legal and rng.random() < 0.15:
                state.apply("stop")
            else:
                state.apply(rng.choice([x for x in legal if x != "stop"]))
