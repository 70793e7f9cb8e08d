"""The effects of a roll of Zombie Dice, as far as the value of the game looks."""

from collections import defaultdict
from collections.abc import Hashable
from typing import Final, NamedTuple

from arena.games.zombie_dice import ZombieDice, ZombieDiceState
from arena.games.zombie_dice.dice import FATAL, GREEN, HOTTIE, HUNK, SANTA
from arena.games.zombie_dice.rolls import RollTable
from arena.games.zombie_dice.throws import Thrown
from arena.games.zombie_dice.turn import Turn

_CACHED_ROLLS: Final = 4096
"""Rolls that are kept; the base game has fewer."""

_HEROES: Final = (HUNK, HOTTIE, SANTA)
"""The dice that rescue each other."""

_DICE_NEVER_SHORT: Final = 10
"""So many dice do for another roll whatever has come, if brain dice return to the cup:
three may lie as shotguns, and Santa and the horde die to one side."""


class Effect(NamedTuple):
    """An effect of a roll, as far as the value looks."""

    is_over: bool
    """True if the turn is over."""
    brains: int
    """Of the turn; those that were banked if it is over."""
    lives: int
    """Shotguns that still lead to the end of the turn."""
    is_lost: bool
    """True if what was banked before is lost (ruling 34)."""


_BUST: Final = Effect(True, 0, 0, False)


class Brought(NamedTuple):
    """All effects that a roll can have."""

    rest: tuple[tuple[int, int, float], ...]
    """Brains added, lives left and how likely, where the turn just goes on."""
    p_rest: float
    others: tuple[tuple[Effect, str, float], ...]
    """Every other effect, an outcome that has it, and how likely the effect is."""


class RollEffects:
    """All rolls with the dice of a game, each worked out once."""

    def __init__(self, game: ZombieDice) -> None:
        self._may_be_short: Final = (
            sum(game.setup.dice) < _DICE_NEVER_SHORT or game.options.cup == "none"
        )
        self.is_plain: Final = not (self._may_be_short or game.setup.has_special_dice)
        """True if there are brains, shotguns and feet alone, and always dice enough."""
        self._brought: dict[Hashable, Brought] = {}
        self._kinds: dict[Hashable, int] = {}
        self._kind_of: tuple[dict[str, int], dict[str, int]] = ({}, {})
        """The number of the kind of an outcome, without and with an energy drink."""
        self.fallen: Final[dict[str, Thrown]] = {}
        """Outcomes of the rolls so far, where `is_plain`."""

    def bring(self, state: ZombieDiceState) -> Brought:
        """Return all effects of the roll that is under way."""
        turn = state.turn
        lie = turn.cup, turn.hand, turn.shotguns
        key = lie if self.is_plain else turn.key()
        found = self._brought.get(key)
        if found is None:
            if len(self._brought) >= _CACHED_ROLLS:
                self._brought.clear()
            found = self._plain(turn) if self.is_plain else self._any(state)
            self._brought[key] = found
        return found

    def _plain(self, turn: Turn) -> Brought:
        lives = FATAL - turn.shotguns
        rest: defaultdict[tuple[int, int], float] = defaultdict(float)
        p_rest = p_bust = 0.0
        bust = ""
        fallen = self.fallen
        for outcome, p in turn.table.outcomes():
            thrown = fallen.get(outcome)
            if thrown is None:
                thrown = fallen[outcome] = _thrown(turn.table, outcome)
            left = lives - thrown.shotguns
            if left > 0:
                rest[thrown.brains, left] += p
                p_rest += p
            else:
                bust = bust or outcome
                p_bust += p
        return Brought(
            tuple((added, left, p) for (added, left), p in rest.items()),
            p_rest,
            ((_BUST, bust, p_bust),) if bust else (),
        )

    def _any(self, state: ZombieDiceState) -> Brought:
        before = brains_of(state.turn)
        rest: defaultdict[tuple[int, int], float] = defaultdict(float)
        others: dict[Effect, tuple[str, float]] = {}
        p_rest = 0.0
        for outcome, p in self._outcomes(state.turn):
            effect = _effect(state, outcome)
            if effect.is_over or effect.is_lost:
                example, so_far = others.get(effect, (outcome, 0.0))
                others[effect] = example, so_far + p
            else:
                rest[effect.brains - before, effect.lives] += p
                p_rest += p
        return Brought(
            tuple((added, lives, p) for (added, lives), p in rest.items()),
            p_rest,
            tuple((effect, example, p) for effect, (example, p) in others.items()),
        )

    def _outcomes(self, turn: Turn) -> list[tuple[str, float]]:
        """Return the outcomes, of those that are of a kind only one for all."""
        outcomes = turn.table.outcomes()
        if self._may_be_short:
            return outcomes
        kind_of = self._kind_of[turn.energy_drink]
        alike: dict[int, tuple[str, float]] = {}
        for outcome, p in outcomes:
            kind = kind_of.get(outcome)
            if kind is None:
                found = _kind(_thrown(turn.table, outcome), turn.energy_drink)
                kind = self._kinds.setdefault(found, len(self._kinds))
                kind_of[outcome] = kind
            example, so_far = alike.get(kind, (outcome, 0.0))
            alike[kind] = example, so_far + p
        return list(alike.values())


def brains_of(turn: Turn) -> int:
    """Return the brains of the turn, without one that is going to be lost."""
    return turn.brains - turn.is_run_over


def _effect(state: ZombieDiceState, outcome: str) -> Effect:
    is_lost = _thrown(state.turn.table, outcome).horde
    after = state.clone()
    after.apply(outcome)
    turn = after.turn
    if turn.rolls:
        return Effect(False, brains_of(turn), turn.limit - turn.shotguns, is_lost)
    before = 0 if is_lost else state.banked[state.seat]
    return Effect(True, after.banked[state.seat] - before, 0, is_lost)


def _thrown(table: RollTable, outcome: str) -> Thrown:
    found = table.find(outcome)
    assert found is not None
    return found[0]


def _kind(thrown: Thrown, is_drunk: bool) -> Hashable:
    """Return all that decides the effect, if the dice do for another roll after it.

    Brain dice, shotguns and feet count alike, but for the dice that rescue and are
    rescued, and for green ones under an energy drink.
    """
    has_drink = is_drunk or thrown.energy_drink
    return (
        sum(thrown.brain_dice) + sum(thrown.extra) + thrown.counters,
        thrown.shotguns,
        thrown.feet[GREEN] if has_drink else 0,
        thrown.shotgun_dice[GREEN] if has_drink and thrown.sign == "yield" else 0,
        sum(thrown.feet) if thrown.sign == "dead end" else 0,
        *(
            (thrown.brain_dice[k], thrown.extra[k], thrown.shotgun_dice[k])
            for k in _HEROES
        ),
        thrown.helmet,
        thrown.energy_drink,
        thrown.horde,
        thrown.sign,
    )
