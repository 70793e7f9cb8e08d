"""Luck in whole games of Zombie Dice with plain dice, in few steps.

A roll of plain dice shows only brains, shotguns and feet, and dice never run out.  So a
turn need not be played: counting is enough.  The game's state is only asked what
follows a turn, once for each standing.

Dice are packed into one number, with bits for each kind and for their sum, so that one
subtraction takes them all away.  The highest bit of a kind shows if there were too few.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Final, NamedTuple

from arena.games import TERMINAL
from arena.games.luck import NotFollowedError
from arena.games.zombie_dice import ZombieDice, ZombieDiceState
from arena.games.zombie_dice.dice import FATAL, NO_DICE, ROLLED, Counts
from arena.games.zombie_dice.luck.race import BEGIN, MOST_BRAINS, place
from arena.games.zombie_dice.luck.roll_effects import RollEffects

_BITS_PER_KIND: Final = 8
"""There are up to 99 dice of a kind."""

_CACHED_ENTRIES: Final = 4096
"""Rolls and standings that are kept; games of two seats have fewer."""

_NO_BRAINS: Final = [place(0, FATAL - shotguns) for shotguns in range(FATAL)]
"""Where a row has the value of a turn without brains, by shotguns."""

Look = Callable[[ZombieDiceState], list[list[float] | float]]
"""Returns a row for each pair in which the seat on turn is, else its value."""


class _Roll(NamedTuple):
    """The effects of a roll."""

    rest: list[tuple[int, float]]
    """Where the turn goes on: how much further a row has its value than at so many
    brains, and how likely it is."""
    p_rest: float
    p_bust: float


class _Standing:
    """The standing of a game before a turn, or at the end."""

    __slots__ = ("after", "begin", "is_over", "rows", "state", "values")

    def __init__(self, state: ZombieDiceState, look: list[list[float] | float]) -> None:
        self.state: Final = state
        self.is_over: Final = state.player == TERMINAL
        self.begin: Final = [x if isinstance(x, float) else x[BEGIN] for x in look]
        """The values of all pairs."""
        self.rows: Final = [
            (i, x) for i, x in enumerate(look) if not isinstance(x, float)
        ]
        """The pairs in which the seat on turn is."""
        self.values: Final = [
            (i, x) for i, x in enumerate(look) if isinstance(x, float)
        ]
        """The others, whose values stay as they are until the turn is over."""
        self.after: Final[dict[int, _Standing]] = {}
        """How things stand once so many brains are banked, where it is known."""


class PlainGames:
    """Works out luck in the games of a value; all `rolls` must be plain."""

    def __init__(self, game: ZombieDice, rolls: RollEffects, look: Look) -> None:
        self._game: Final = game
        self._rolls: Final = rolls
        self._look: Final = look
        self._kinds: Final = [kind for kind, n in enumerate(game.setup.dice) if n]
        self._width: Final = _BITS_PER_KIND * (len(self._kinds) + 1)
        self._cup: Final = self._packed(game.setup.dice)
        self._short: Final = ROLLED << self._width - _BITS_PER_KIND
        """Less than that is a cup with too few dice for any roll."""
        self._too_few: Final = sum(
            1 << _BITS_PER_KIND * (i + 1) - 1 for i in range(len(self._kinds))
        )
        self._known: dict[int, _Roll] = {}
        self._shown: dict[str, tuple[int, int, int, int]] = {}
        """Dice of an outcome, feet among them, brains and shotguns."""
        self._standings: dict[Hashable, _Standing] = {}

    def luck(self, history: Sequence[str]) -> tuple[float, ...]:
        """Return the luck of each pair.

        Raises:
            NotFollowedError: the game must be played to know it.
        """
        if max(len(self._known), len(self._standings)) > _CACHED_ENTRIES:
            self._known, self._standings = {}, {}
        standing = self._standing(self._game.new_state())
        luck = [0.0] * len(standing.begin)
        begun = 0
        while begun < len(history):
            if standing.is_over:
                raise NotFollowedError
            begun, standing = self._turn(history, begun, standing, luck)
        return tuple(luck)

    def _turn(
        self, history: Sequence[str], begun: int, standing: _Standing, luck: list[float]
    ) -> tuple[int, _Standing]:
        """Add the luck of a turn; return where the next begins, and the standing.

        In the midst of a turn that comes to no end these do not matter.
        """
        known, shown, width = self._known, self._shown, self._width
        too_few, short = self._too_few, self._short
        bust = standing.after.get(0) or self._bank(standing, 0)
        at_bust = bust.begin
        cup, hand, brains, shotguns = self._cup, 0, 0, 0
        is_rolling = True
        for number in range(begun, len(history)):
            x = history[number]
            if is_rolling:
                lie = (cup << width | hand) << 2 | shotguns
                rest, p_rest, p_bust = known.get(lie) or self._roll(lie)
                dice, feet, added, fatal = shown.get(x) or self._show(x)
                drawn = dice - hand
                cup -= drawn
                if (cup | drawn) & too_few:
                    raise NotFollowedError
                hand = feet
                shotguns += fatal
                is_bust = shotguns >= FATAL
                at = 0 if is_bust else _NO_BRAINS[shotguns] + brains + added
                for i, row in standing.rows:
                    mean = 0.0
                    for further, p in rest:
                        mean += p * row[brains + further]
                    mean += p_bust * at_bust[i]
                    luck[i] += (at_bust[i] if is_bust else row[at]) - mean
                for i, value in standing.values:
                    mean = p_rest * value + p_bust * at_bust[i]
                    luck[i] += (at_bust[i] if is_bust else value) - mean
                if is_bust:
                    return number + 1, bust
                brains += added
                is_rolling = False
            elif x == "stop":
                after = standing.after.get(brains) or self._bank(standing, brains)
                return number + 1, after
            elif x != "roll" or brains > MOST_BRAINS - ROLLED:
                raise NotFollowedError
            else:
                is_rolling = True
                if cup < short:
                    cup, hand = self._fill(history[begun : number + 1])
        return len(history), standing

    def _standing(self, state: ZombieDiceState) -> _Standing:
        is_over = state.player == TERMINAL
        key = tuple(state.banked), state.seat, state.tied, state.tiebreak_round, is_over
        found = self._standings.get(key)
        if found is None:
            found = self._standings[key] = _Standing(state, self._look(state))
        return found

    def _bank(self, standing: _Standing, brains: int) -> _Standing:
        """Return the standing after a turn; a bust banks nothing."""
        state = standing.state.clone()
        state.banked[state.seat] += brains
        state.player = state.seat
        state.apply("stop")
        found = standing.after[brains] = self._standing(state)
        return found

    def _roll(self, lie: int) -> _Roll:
        """Return the effects of a roll, by cup, hand and shotguns."""
        state = self._game.new_state()
        turn = state.turn
        turn.cup = self._unpacked(lie >> self._width + 2)
        turn.hand = self._unpacked(lie >> 2)
        turn.shotguns = lie & 3
        turn.look_up()
        brought = self._rolls.bring(state)
        found = self._known[lie] = _Roll(
            [(place(added, lives), p) for added, lives, p in brought.rest],
            brought.p_rest,
            brought.others[0][2] if brought.others else 0.0,
        )
        return found

    def _show(self, outcome: str) -> tuple[int, int, int, int]:
        thrown = self._rolls.fallen.get(outcome)
        if thrown is None:
            raise NotFollowedError
        found = self._shown[outcome] = (
            self._packed(thrown.dice),
            self._packed(thrown.feet),
            thrown.brains,
            thrown.shotguns,
        )
        return found

    def _fill(self, turn: Sequence[str]) -> tuple[int, int]:
        """Return cup and hand where the cup was short.

        Which brain dice return to it is not counted: the turn is played.
        """
        state = self._game.new_state()
        for x in turn:
            state.apply(x)
        return self._packed(state.turn.cup), self._packed(state.turn.hand)

    def _packed(self, dice: Counts) -> int:
        packed = sum(dice)
        for kind in self._kinds:
            packed = packed << _BITS_PER_KIND | dice[kind]
        return packed

    def _unpacked(self, packed: int) -> Counts:
        """Return the dice in the lowest bits."""
        dice = list(NO_DICE)
        for kind in reversed(self._kinds):
            dice[kind] = packed & (1 << _BITS_PER_KIND) - 1
            packed >>= _BITS_PER_KIND
        return tuple(dice)
