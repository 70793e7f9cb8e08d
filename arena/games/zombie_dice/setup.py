"""The dice of Zombie Dice and how a game begins, as players and options make them."""

from functools import cached_property
from typing import Final

from arena.games.zombie_dice.dice import (
    BUS,
    DICE,
    FACES,
    HORDE,
    HOTTIE,
    HUNK,
    NO_DICE,
    SANTA,
    Counts,
    as_in_manual,
    counts_of,
    with_faces,
)
from arena.games.zombie_dice.observation import Bus, DiceCount, ZombieDiceObservation
from arena.games.zombie_dice.options import ZombieDiceOptions, check, dice_in_cup
from arena.games.zombie_dice.rolls import RollTable, roll_table
from arena.games.zombie_dice.throws import throws_of
from arena.games.zombie_dice.turn import Turn, TurnRules

_TARGET = 13
_TARGET_WITH_HORDE = 20
_DICE_NEVER_SHORT = 5
"""Two shotguns lie out at the most while a turn goes on, and three dice are rolled."""


class ZombieDiceSetup:
    """The tables that all states of a game share.

    Raises:
        GameSpecError: an option contradicts the others.
    """

    def __init__(self, players: int, options: ZombieDiceOptions) -> None:
        check(options)
        self.options: Final = options
        is_manual = options.faces == "manual"
        kinds = [as_in_manual(die) if is_manual else die for die in DICE]
        kinds[HORDE] = with_faces(DICE[HORDE], options.horde_faces)
        self.kinds: Final = tuple(kinds)
        """Every kind of die with the faces in force."""
        self.dice: Final[Counts] = counts_of(dice_in_cup(options))
        """The dice in the cup when a turn begins."""
        self.target: Final[int] = options.target or (
            _TARGET_WITH_HORDE if options.horde else _TARGET
        )
        """Banked brains that make a round the last one."""
        has_heroes = any(self.dice[k] for k in (HUNK, HOTTIE, SANTA))
        self.has_special_dice: Final = has_heroes or options.horde or options.bus
        """True if there are any dice of the expansions."""
        self.rules: Final = TurnRules(
            options=options,
            throws=throws_of(self.kinds, BUS),
            has_heroes=has_heroes,
            can_lose_dice=self.has_special_dice or options.cup != "none",
            is_uniform=not self.has_special_dice
            and options.cup != "none"
            and max(self.dice) == sum(self.dice) >= _DICE_NEVER_SHORT,
        )
        """Those of a turn."""
        self._players: Final = players

    @cached_property
    def unused_fields(self) -> tuple[str, ...]:
        """The fields of observations that belong to dice that are not there."""
        options = self.options
        has_santa, has_horde = bool(self.dice[SANTA]), bool(self.dice[HORDE])
        faces = (
            face
            for die, count in zip(self.kinds, self.dice, strict=True)
            for face in die.faces
            if count
        )
        used = {
            "shotgun_limit": has_santa,
            "helmet": has_santa,
            "energy_drink": has_santa,
            "aside_dice": has_santa or has_horde,
            "extra_brains": any(FACES[face].brains > 1 for face in faces),
            "noted": options.bus or options.cup != "none",
            "bus": options.bus,
            "is_run_over": options.bus,
        }
        return tuple(name for name, is_used in used.items() if not is_used)

    @cached_property
    def first_roll(self) -> RollTable:
        """What the first roll of a turn can bring."""
        return roll_table(self.rules.throws, self.dice, NO_DICE, with_bus=False)

    @cached_property
    def first_turn(self) -> Turn:
        """The turn of a seat that has not rolled yet."""
        bus: Bus = "waiting" if self.options.bus else "none"
        return Turn(self.rules, self.dice, bus, self.first_roll)

    @cached_property
    def first_sight(self) -> ZombieDiceObservation:
        """What is seen before anything has happened; its `game` is not filled in."""
        return ZombieDiceObservation(
            seat=0,
            scores=(0,) * self._players,
            cup=DiceCount(*self.dice),
            bus=self.first_turn.bus,
            target=self.target,
        )
