"""One turn: where the dice lie, what may be done, and what a roll does to them."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, Literal, Self

import msgspec

from arena.games.zombie_dice.dice import (
    DICE,
    FATAL,
    FATAL_IN_HELMET,
    GREEN,
    HORDE,
    HUNK,
    KIND,
    NO_DICE,
    RESCUES,
    ROLLED,
    SANTA,
    Counts,
    minus,
    one,
    only,
    plus,
)
from arena.games.zombie_dice.rolls import RollTable, roll_table
from arena.games.zombie_dice.throws import Thrown

if TYPE_CHECKING:
    from arena.games.zombie_dice.game import ZombieDice

Bus = Literal["none", "waiting", "boarded", "gone"]
"""Where the School Bus is: not in the game, to be boarded, with the seat on it, or away
until the turn ends."""

BASE_ACTIONS: Final = ("roll", "stop")
"""All that can be done without the bus."""

LOSE: Final = {f"lose {name}": kind for name, kind in KIND.items()}
"""The actions that name the die run over, with its kind (ruling 31)."""

ACTIONS: Final = (*BASE_ACTIONS, "roll bus", "leave bus", *LOSE)
"""All that can be done with it, in the order of the ids."""

_RETURNING: Final = tuple(kind not in (SANTA, HORDE) for kind in range(len(DICE)))
"""Which brain dice go back to a cup that has become too empty (rulings 22, 35)."""


class Turn(msgspec.Struct, eq=False):
    """The dice of a seat from its first roll on.

    Shotgun dice are not kept: they are all that lie nowhere else.
    """

    game: "ZombieDice"
    cup: Counts
    bus: Bus
    table: RollTable
    """What the roll that is under way can bring; of no meaning between rolls."""
    hand: Counts = NO_DICE
    """Feet; while they roll under `cup: rest_first`, the rest of the cup too."""
    brain_dice: Counts = NO_DICE
    extra: Counts = NO_DICE
    """Brains beyond the first on the brain dice of each kind."""
    aside: Counts = NO_DICE
    """Dice out of play that show no shotgun: gifts, the horde."""
    noted: int = 0
    """Brains without a die: it is back in the cup, or they came from the bus."""
    shotguns: int = 0
    helmet: bool = False
    energy_drink: bool = False
    is_run_over: bool = False
    """Whether the seat must say which brain it has lost."""
    rolls: int = 0
    """Rolls made."""

    @classmethod
    def begin(cls, game: "ZombieDice") -> Self:
        """Return the turn of a seat that has not rolled yet."""
        bus: Bus = "waiting" if game.options.bus else "none"
        return cls(game, game.dice, bus, game.first_roll)

    @property
    def brains(self) -> int:
        """Brains of this turn, the noted ones included."""
        return self.noted + sum(self.brain_dice) + sum(self.extra)

    @property
    def limit(self) -> int:
        """So many shotguns end the turn (ruling 20)."""
        return FATAL_IN_HELMET if self.helmet else FATAL

    @property
    def shotgun_dice(self) -> Counts:
        """Dice that lie as shotguns."""
        used = plus(plus(self.cup, self.hand), plus(self.brain_dice, self.aside))
        return minus(self.game.dice, used)

    def look_up(self) -> None:
        """Find out what the roll that is under way can bring."""
        is_on_bus = self.bus == "boarded"
        self.table = roll_table(self.game.throws, self.cup, self.hand, is_on_bus)

    def rolling_actions(self) -> list[str]:
        """Return the legal ways to roll: those for which there are dice enough."""
        if self.is_run_over:
            return []
        if self.bus == "boarded":
            thrown_back = self._without_feet()
            found = ["roll bus"] if self._is_enough(*thrown_back, ROLLED - 1) else []
            if self._is_enough(self.cup, self.hand, ROLLED):
                found.append("leave bus")
            return found
        found = ["roll"] if self._is_enough(self.cup, self.hand, ROLLED) else []
        # The bus takes the place of a die that would be drawn (ruling 25).
        may_board = self.bus == "waiting" and self.rolls and sum(self.hand) < ROLLED
        if may_board and self._is_enough(self.cup, self.hand, ROLLED - 1):
            found.append("roll bus")
        return found

    def losses(self) -> list[int]:
        """Return the kinds of die of which one may be given up (ruling 31)."""
        single = [k for k, n in enumerate(self.brain_dice) if n and not self.extra[k]]
        return single or [k for k, n in enumerate(self.brain_dice) if n]

    def start_roll(self, action: str) -> None:
        """Take up the dice for a roll, in one of the `rolling_actions`."""
        if action == "roll bus":
            if self.bus == "boarded":
                away = only(self.hand, one(HORDE))
                self.cup, self.hand = self._without_feet()
                self.aside = plus(self.aside, away)
            self.bus = "boarded"
            self._refill(ROLLED - 1 - sum(self.hand))
        else:
            if action == "leave bus":
                self.bus = "waiting" if self.game.options.reboard else "gone"
            self._refill(ROLLED - sum(self.hand))
        self.look_up()

    def finish_roll(self, thrown: Thrown, cup: Counts) -> None:
        """Lay the dice of a roll out and let them have their effects, in order.

        The turn is over if the shotguns have reached the `limit`.
        """
        self.rolls += 1
        self.cup = cup
        self.shotguns += thrown.shotguns
        if thrown.brain_dice != NO_DICE:
            self.brain_dice = plus(self.brain_dice, thrown.brain_dice)
        self.hand = thrown.feet
        if thrown.is_plain and not self.energy_drink:
            # No bus, no gift, no double: the only effect left is a rescue.
            if thrown.shotguns and self.game.has_heroes:
                self._rescue(thrown.shotgun_dice)
            return
        self.extra = plus(self.extra, thrown.extra)
        self.aside = plus(self.aside, thrown.aside)
        self.noted += thrown.counters
        self.helmet = self.helmet or thrown.helmet
        is_drunk = self._drink(thrown.energy_drink)
        self._rescue(thrown.shotgun_dice)
        if thrown.horde:
            self._lose_all()
        self._obey(thrown, is_drunk)

    def lose(self, kind: int) -> None:
        """Give up one brain of a die, which goes back to the cup (rulings 31, 35)."""
        self.is_run_over = False
        die = one(kind)
        self.noted += self.extra[kind]
        self.extra = minus(self.extra, only(self.extra, die))
        self._take_away(die)

    def key(self) -> Hashable:
        """Return what the rest of the turn depends on."""
        game = self.game
        if game.is_uniform:
            # Whichever dice lie where, the next roll is one of three such dice.
            return (self.brains, self.shotguns)
        # Dice that never return to the cup are alike once they are rolled, unless
        # they can be lost again.
        lie = (self.brain_dice, self.noted) if game.can_lose_dice else self.brains
        return (
            self.cup,
            self.hand,
            lie,
            self.extra,
            self.shotguns,
            self.helmet,
            self.energy_drink,
            self.bus,
            self.is_run_over,
        )

    def _drink(self, is_new: bool) -> bool:
        """Turn green feet into brains (ruling 21); say if the drink works already."""
        is_drunk = self.energy_drink or (
            is_new and self.game.options.energy_drink == "same_roll"
        )
        if is_drunk:
            self._eat(only(self.hand, one(GREEN)))
        self.energy_drink = self.energy_drink or is_new
        return is_drunk

    def _rescue(self, shotgun_dice: Counts) -> None:
        """Send brain dice of heroes back to the cup (rulings 14 to 19)."""
        for hero, others in RESCUES:
            if not shotgun_dice[hero]:
                continue
            for other in others:
                # Of the Hunk the double brain can be rescued, of Santa the single.
                is_double = bool(self.extra[other])
                if self.brain_dice[other] and is_double == (other == HUNK):
                    self.extra = minus(self.extra, only(self.extra, one(other)))
                    self._take_away(one(other))
                    if self.game.options.rescue == "first_only":
                        break

    def _lose_all(self) -> None:
        """Lose all brains of the turn (ruling 34)."""
        self.noted = 0
        self.extra = NO_DICE
        self._take_away(self.brain_dice)

    def _obey(self, thrown: Thrown, is_drunk: bool) -> None:
        """Do what the bus says (rulings 28 to 31)."""
        if thrown.sign == "yield":
            self.shotguns -= thrown.shotguns
            self.hand = plus(self.hand, thrown.shotgun_dice)
            if is_drunk and self.game.options.yielded_green == "brains":
                self._eat(only(thrown.shotgun_dice, one(GREEN)))
        elif thrown.sign == "dead end":
            self._eat(self.hand)
        elif thrown.sign == "run over":
            self.bus = "gone"
            choices = self.losses()
            if self.noted:
                self.noted -= 1
            elif len(choices) == 1:
                self.lose(choices[0])
            else:
                self.is_run_over = bool(choices)

    def _eat(self, feet: Counts) -> None:
        self.hand = minus(self.hand, feet)
        self.brain_dice = plus(self.brain_dice, feet)

    def _take_away(self, dice: Counts) -> None:
        """Put brain dice that are lost back into the cup; the horde stays out."""
        horde = only(dice, one(HORDE))
        self.brain_dice = minus(self.brain_dice, dice)
        self.cup = plus(self.cup, minus(dice, horde))
        self.aside = plus(self.aside, horde)

    def _without_feet(self) -> tuple[Counts, Counts]:
        """Return cup and hand once the feet are given up (rulings 27, 35)."""
        kept_out = only(self.hand, one(HORDE))
        return plus(self.cup, minus(self.hand, kept_out)), NO_DICE

    def _is_enough(self, cup: Counts, hand: Counts, size: int) -> bool:
        dice = sum(cup)
        if dice < ROLLED and self.game.options.cup != "none":
            dice += sum(only(self.brain_dice, _RETURNING))
        return dice + sum(hand) >= size

    def _refill(self, needed: int) -> None:
        """Return brain dice to the cup before so many are drawn (rulings 1, 2, 27)."""
        left = sum(self.cup)
        if left >= ROLLED or not needed:
            return
        model = self.game.options.cup
        if model == "none" or (model != "literal" and left >= needed):
            return
        returned = only(self.brain_dice, _RETURNING)
        self.noted += sum(returned) + sum(only(self.extra, returned))
        self.brain_dice = minus(self.brain_dice, returned)
        self.extra = minus(self.extra, only(self.extra, returned))
        if model == "rest_first":
            self.hand, self.cup = plus(self.hand, self.cup), returned
        else:
            self.cup = plus(self.cup, returned)
