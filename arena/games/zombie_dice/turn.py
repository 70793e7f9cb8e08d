"""One turn: where the dice lie, what may be done, and what a roll does to them."""

from collections.abc import Hashable
from typing import Final, NamedTuple

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
from arena.games.zombie_dice.observation import Bus
from arena.games.zombie_dice.options import ZombieDiceOptions
from arena.games.zombie_dice.rolls import RollTable, roll_table
from arena.games.zombie_dice.throws import Thrown, Throws

BASE_ACTIONS: Final = ("roll", "stop")
"""All that can be done without the bus."""

LOSE: Final = {f"lose {name}": kind for name, kind in KIND.items()}
"""The actions that name the die run over, with its kind (ruling 31)."""

ACTIONS: Final = (*BASE_ACTIONS, "roll bus", "leave bus", *LOSE)
"""All that can be done with it, in the order of the ids."""

_RETURNING: Final = tuple(kind not in (SANTA, HORDE) for kind in range(len(DICE)))
"""Which brain dice go back to a cup that has become too empty (rulings 22, 35)."""


class TurnRules(NamedTuple):
    """What is the same in all turns of a game."""

    options: ZombieDiceOptions
    throws: Throws
    """What the dice can show."""
    has_heroes: bool
    """True if the Hunk, the Hottie or Santa is in the cup."""
    can_lose_dice: bool
    """True if it matters which dice lie as brains."""
    is_uniform: bool
    """True if all dice are of one kind and three can always be rolled."""


class Turn(msgspec.Struct, eq=False):
    """The dice of a seat from its first roll on."""

    rules: TurnRules
    cup: Counts
    bus: Bus
    table: RollTable
    """What the roll that is under way can bring; of no meaning between rolls."""
    hand: Counts = NO_DICE
    """Feet; while they roll under `cup: rest_first`, the rest of the cup too."""
    brain_dice: Counts = NO_DICE
    shotgun_dice: Counts = NO_DICE
    extra: Counts = NO_DICE
    """Brains beyond the first on the brain dice of each kind."""
    aside: Counts = NO_DICE
    """Dice out of play that show no shotgun: gifts, the horde."""
    brains: int = 0
    """Brains of this turn, the noted ones included."""
    noted: int = 0
    """Brains without a die: it is back in the cup, or they came from the bus."""
    shotguns: int = 0
    helmet: bool = False
    energy_drink: bool = False
    is_run_over: bool = False
    """True if the seat must say which brain it has lost."""
    rolls: int = 0
    """Rolls made."""

    def clone(self) -> "Turn":
        """Return an independent copy."""
        found: Turn = self.__copy__()  # type: ignore[attr-defined]  # Not in its stub.
        return found

    @property
    def limit(self) -> int:
        """So many shotguns end the turn (ruling 20)."""
        return FATAL_IN_HELMET if self.helmet else FATAL

    @property
    def is_bust(self) -> bool:
        """True if the shotguns have ended the turn, which then scores nothing."""
        return self.shotguns >= FATAL and self.shotguns >= self.limit

    def look_up(self) -> None:
        """Set `table` for the roll that is under way."""
        is_on_bus = self.bus == "boarded"
        self.table = roll_table(self.rules.throws, self.cup, self.hand, is_on_bus)

    def rolling_actions(self) -> list[str]:
        """Return the legal ways to roll: those for which there are dice enough."""
        if self.is_run_over:
            return []
        is_plenty = sum(self.cup) >= ROLLED
        if self.bus == "boarded":
            if is_plenty:
                return ["roll bus", "leave bus"]
            thrown_back = self._without_feet()
            found = ["roll bus"] if self._is_enough(*thrown_back, ROLLED - 1) else []
            if self._is_enough(self.cup, self.hand, ROLLED):
                found.append("leave bus")
            return found
        is_enough = is_plenty or self._is_enough(self.cup, self.hand, ROLLED)
        found = ["roll"] if is_enough else []
        # The bus takes the place of a die that would be drawn (ruling 25).
        may_board = self.bus == "waiting" and self.rolls and sum(self.hand) < ROLLED
        if may_board and (
            is_enough or self._is_enough(self.cup, self.hand, ROLLED - 1)
        ):
            found.append("roll bus")
        return found

    def losses(self) -> list[int]:
        """Return the kinds of die of which one may be given up (ruling 31)."""
        single = [k for k, n in enumerate(self.brain_dice) if n and not self.extra[k]]
        return single or [k for k, n in enumerate(self.brain_dice) if n]

    def start_roll(self, action: str) -> None:
        """Take up the dice for a roll, in one of the `rolling_actions`."""
        size = ROLLED
        if action == "roll bus":
            size -= 1
            if self.bus == "boarded":
                away = only(self.hand, one(HORDE))
                self.cup, self.hand = self._without_feet()
                self.aside = plus(self.aside, away)
            self.bus = "boarded"
        elif action == "leave bus":
            self.bus = "waiting" if self.rules.options.reboard else "gone"
        if sum(self.cup) < ROLLED:
            self._refill(size - sum(self.hand))
        self.look_up()

    def finish_roll(self, thrown: Thrown, cup: Counts) -> None:
        """Lay the dice of a roll out and let them have their effects, in order.

        The turn is over if the shotguns have reached the `limit`.
        """
        self.rolls += 1
        self.cup = cup
        self.hand = thrown.feet
        if thrown.brains:
            self.brains += thrown.brains
            self.brain_dice = plus(self.brain_dice, thrown.brain_dice)
        if thrown.shotguns:
            self.shotguns += thrown.shotguns
            self.shotgun_dice = plus(self.shotgun_dice, thrown.shotgun_dice)
        if thrown.is_plain and not self.energy_drink:
            # No bus, no gift, no double: the only effect left is a rescue.
            if thrown.shotguns and self.rules.has_heroes:
                self._rescue(thrown.shotgun_dice)
            return
        self.extra = plus(self.extra, thrown.extra)
        self.aside = plus(self.aside, thrown.aside)
        self.noted += thrown.counters
        self.helmet = self.helmet or thrown.helmet
        is_drunk = self._drink(thrown.energy_drink)
        if thrown.shotguns:
            self._rescue(thrown.shotgun_dice)
        if thrown.horde:
            self._lose_all()
        if thrown.sign:
            self._obey(thrown, is_drunk)

    def lose(self, kind: int) -> None:
        """Give up one brain of a die, which goes back to the cup (rulings 31, 35)."""
        self.is_run_over = False
        die = one(kind)
        self.brains -= 1
        self.noted += self.extra[kind]
        self.extra = minus(self.extra, only(self.extra, die))
        self._take_away(die)

    def key(self) -> Hashable:
        """Return all that decides the rest of the turn."""
        rules = self.rules
        if rules.is_uniform:
            # Whichever dice lie where, the next roll is one of three such dice.
            return (self.brains, self.shotguns)
        # Dice that never return to the cup are alike once they are rolled, unless
        # they can be lost again.
        lie = (self.brain_dice, self.noted) if rules.can_lose_dice else self.brains
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
        """Turn green feet into brains (21); return True if the drink works already."""
        is_drunk = self.energy_drink or (
            is_new and self.rules.options.energy_drink == "same_roll"
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
                    self.brains -= 1 + self.extra[other]
                    self.extra = minus(self.extra, only(self.extra, one(other)))
                    self._take_away(one(other))
                    if self.rules.options.rescue == "first_only":
                        break

    def _lose_all(self) -> None:
        """Lose all brains of the turn (ruling 34)."""
        self.brains = self.noted = 0
        self.extra = NO_DICE
        self._take_away(self.brain_dice)

    def _obey(self, thrown: Thrown, is_drunk: bool) -> None:
        """Obey the sign of the bus (rulings 28 to 31)."""
        if thrown.sign == "yield":
            self.shotguns -= thrown.shotguns
            self.shotgun_dice = minus(self.shotgun_dice, thrown.shotgun_dice)
            self.hand = plus(self.hand, thrown.shotgun_dice)
            if is_drunk and self.rules.options.yielded_green == "brains":
                self._eat(only(thrown.shotgun_dice, one(GREEN)))
        elif thrown.sign == "dead end":
            self._eat(self.hand)
        elif thrown.sign == "run over":
            self.bus = "gone"
            choices = self.losses()
            if self.noted:
                self.brains -= 1
                self.noted -= 1
            elif len(choices) == 1:
                self.lose(choices[0])
            else:
                self.is_run_over = bool(choices)

    def _eat(self, feet: Counts) -> None:
        self.brains += sum(feet)
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
        if dice < ROLLED and self.rules.options.cup != "none":
            dice += sum(only(self.brain_dice, _RETURNING))
        return dice + sum(hand) >= size

    def _refill(self, needed: int) -> None:
        """Return brain dice to a cup with too few to draw so many (rulings 1, 2, 27).

        To be asked where it holds fewer than `ROLLED`.
        """
        model = self.rules.options.cup
        if model == "none" or not needed:
            return
        if model != "literal" and sum(self.cup) >= needed:
            return
        returned = only(self.brain_dice, _RETURNING)
        self.noted += sum(returned) + sum(only(self.extra, returned))
        self.brain_dice = minus(self.brain_dice, returned)
        self.extra = minus(self.extra, only(self.extra, returned))
        if model == "rest_first":
            self.hand, self.cup = plus(self.hand, self.cup), returned
        else:
            self.cup = plus(self.cup, returned)
