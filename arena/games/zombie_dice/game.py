"""The game object: what its options come to."""

from functools import cached_property
from typing import Final

from arena.games.core import Game, State
from arena.games.zombie_dice.dice import (
    BUS,
    DICE,
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
from arena.games.zombie_dice.observation import ZombieDiceObservation, first_sight
from arena.games.zombie_dice.options import ZombieDiceOptions, check, dice_in_cup
from arena.games.zombie_dice.rolls import RollTable, roll_table
from arena.games.zombie_dice.rules import house_rules, rules_text
from arena.games.zombie_dice.state import ZombieDiceState
from arena.games.zombie_dice.throws import throws_of
from arena.games.zombie_dice.turn import ACTIONS, BASE_ACTIONS, LOSE, Bus, Turn

_TARGET = 13
_TARGET_WITH_HORDE = 20
_DICE_NEVER_SHORT = 5
"""Two shotguns lie out at the most while a turn goes on, and three dice are rolled."""


class ZombieDice(Game):
    """Zombie Dice for two or more seats, with any of its expansions.

    Raises:
        GameSpecError: an option contradicts the others.
    """

    name = "zombie_dice"
    title = "Zombie Dice"
    rules_version = "1"
    min_players = 2
    max_players = 99
    options_type = ZombieDiceOptions
    observation_type = ZombieDiceObservation
    max_decisions = 2000

    def __init__(self, players: int, options: ZombieDiceOptions) -> None:
        super().__init__(players, options)
        check(options)
        is_manual = options.faces == "manual"
        kinds = [as_in_manual(die) if is_manual else die for die in DICE]
        kinds[HORDE] = with_faces(DICE[HORDE], options.horde_faces)
        self.kinds: Final = tuple(kinds)
        """Every kind of die with the faces in force."""
        self.dice: Final[Counts] = counts_of(dice_in_cup(options))
        """The dice in the cup when a turn begins."""
        self.throws: Final = throws_of(self.kinds, BUS)
        self.target: Final[int] = options.target or (
            _TARGET_WITH_HORDE if options.horde else _TARGET
        )
        self.has_heroes: Final = any(self.dice[k] for k in (HUNK, HOTTIE, SANTA))
        self.has_special_dice: Final = self.has_heroes or options.horde or options.bus
        self.can_lose_dice: Final = self.has_special_dice or options.cup != "none"
        """Whether it matters which dice lie as brains."""
        self.is_uniform: Final = (
            not self.has_special_dice
            and options.cup != "none"
            and max(self.dice) == sum(self.dice) >= _DICE_NEVER_SHORT
        )
        """Whether all dice are of one kind and three can always be rolled."""

    @cached_property
    def first_roll(self) -> RollTable:
        """What the first roll of a turn can bring."""
        return roll_table(self.throws, self.dice, NO_DICE, with_bus=False)

    @cached_property
    def first_turn(self) -> Turn:
        """The turn of a seat that has not rolled yet."""
        bus: Bus = "waiting" if self.options.bus else "none"
        return Turn(self, self.dice, bus, self.first_roll)

    @cached_property
    def first_sight(self) -> ZombieDiceObservation:
        """What is seen before anything has happened."""
        return first_sight(self)

    def new_state(self) -> ZombieDiceState:
        return ZombieDiceState(self)

    def list_actions(self) -> list[str]:
        if not self.options.bus:
            return list(BASE_ACTIONS)
        kinds = [kind for kind, n in enumerate(self.dice) if n]
        # With a single kind there is never a question which die is lost.
        lost = kinds if len(kinds) > 1 else ()
        return [a for a in ACTIONS if a not in LOSE or LOSE[a] in lost]

    def default_action(self, state: State) -> str:
        """Return `stop`, or the first die that can be given up if one must be."""
        return "stop" if state.is_legal("stop") else state.legal_actions()[0]

    def rules_text(self) -> str:
        return rules_text(self)

    def house_rules(self) -> tuple[str, ...]:
        return house_rules(self)
