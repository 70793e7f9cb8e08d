"""The value of Zombie Dice: by scores and stage, by brains and shotguns of the turn.

Each pair of seats is looked at as if it were alone (`arena.analysis.zombie_dice_race`).
Where the dice lie decides what a roll can bring, but not what a position is worth.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

from arena.analysis.value import Value
from arena.analysis.zombie_dice_race import BEGIN, Race, Stage, place, result
from arena.analysis.zombie_dice_reference import reference
from arena.games import CHANCE, TERMINAL, Game, State
from arena.games.zombie_dice import ZombieDice, ZombieDiceState
from arena.games.zombie_dice.dice import GREEN, HOTTIE, HUNK, SANTA
from arena.games.zombie_dice.rolls import RollTable
from arena.games.zombie_dice.throws import Thrown
from arena.games.zombie_dice.turn import Turn

_KEPT: Final = 4096
"""Rolls that are kept, and ends of turns; the base game has fewer rolls."""

_HEROES: Final = (HUNK, HOTTIE, SANTA)
"""The dice that rescue each other."""

_NEVER_SHORT: Final = 10
"""So many dice do for another roll whatever has come, if brain dice return to the cup:
three may lie as shotguns, and Santa and the horde die to one side."""


class Effect(NamedTuple):
    """What a roll has done, as far as the value looks."""

    is_over: bool
    """Whether the turn is over."""
    brains: int
    """Of the turn; those that were banked if it is over."""
    lives: int
    """Shotguns that still lead to the end of the turn."""
    is_lost: bool
    """Whether what was banked before is lost (ruling 34)."""


class Brought(NamedTuple):
    """What a roll can bring."""

    rest: tuple[tuple[int, int, float], ...]
    """Brains added, lives left and how likely, where the turn just goes on."""
    p_rest: float
    others: tuple[tuple[Effect, str, float], ...]
    """Every other effect, an outcome that has it, and how likely the effect is."""


class ZombieDiceValue(Value):
    """The value of Zombie Dice with any dice, for any number of seats.

    Raises:
        ValueError: the target is too high.
    """

    version = "1"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        if not isinstance(game, ZombieDice):
            raise ValueError(f"expected Zombie Dice; found {game.title}")
        self._race: Final = Race(reference(game), game.target)
        self._may_be_short: Final = (
            sum(game.dice) < _NEVER_SHORT or game.options.cup == "none"
        )
        self._is_plain: Final = not (self._may_be_short or game.has_special_dice)
        self._brought: dict[Hashable, Brought] = {}
        self._ends: dict[Hashable, Sequence[float]] = {}
        self._kinds: dict[Hashable, int] = {}
        self._kind_of: tuple[dict[str, int], dict[str, int]] = ({}, {})
        """The number of the kind of an outcome, without and with an energy drink."""

    @property
    def digest(self) -> str:
        return self._race.digest

    def ahead(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieDiceState)
        if state.player == TERMINAL:
            places = state.places()
            return [result(places[b] - places[a]) for a, b in self.pairs]
        turn = state.turn
        if not turn.rolls:
            at = BEGIN
        elif state.player == CHANCE:
            return [min(mean, 1.0) for mean in self.expected(state)]
        else:
            at = place(_brains(turn), turn.limit - turn.shotguns)
        return [
            found if isinstance(found, float) else found[at]
            for found in self._look(state)
        ]

    def expected(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieDiceState)
        turn = state.turn
        cup, hand, shotguns = turn.cup, turn.hand, turn.shotguns
        key = (cup, hand, shotguns) if self._is_plain else turn.key()
        brought = self._brought.get(key) or self._bring(state, key)
        brains = _brains(turn)
        means = []
        for found in self._look(state):
            if isinstance(found, float):
                means.append(brought.p_rest * found)
                continue
            mean = 0.0
            for added, lives, p in brought.rest:
                mean += p * found[place(brains + added, lives)]
            means.append(mean)
        for effect, outcome, p in brought.others:
            for i, value in enumerate(self._after(state, effect, outcome)):
                means[i] += p * value
        return means

    def _look(self, state: ZombieDiceState) -> list[list[float] | float]:
        """Return a row for each pair in which the seat on turn is, else its value."""
        seat, banked, tied = state.seat, state.banked, state.tied
        is_last = bool(tied) or state.final_round
        now = Stage.LAST_BUT_ONE if is_last else Stage.FIRST
        then = Stage.LAST if is_last else Stage.SECOND
        found: list[list[float] | float] = []
        for a, b in self.pairs:
            first, second = banked[a], banked[b]
            if tied and not (a in tied and b in tied):
                places = state.places()
                found.append(result(places[b] - places[a]))
            elif seat == a:
                found.append(self._race.row(now, first, second))
            elif seat == b:
                found.append(self._race.row(then, first, second))
            elif seat < a:
                found.append(self._race.begin(now, first, second))
            elif seat < b:
                found.append(self._race.begin(then, first, second))
            elif is_last:
                found.append(result(first - second))
            else:
                found.append(self._race.begin(Stage.FIRST, first, second))
        return found

    def _after(
        self, state: ZombieDiceState, effect: Effect, outcome: str
    ) -> Sequence[float]:
        """Return the value after an outcome that has this effect."""
        standing = (tuple(state.banked), state.seat, state.tied, state.tiebreak_round)
        key = (effect, standing)
        found = self._ends.get(key)
        if found is None:
            after = state.clone()
            after.apply(outcome)
            if len(self._ends) >= _KEPT:
                self._ends.clear()
            found = self._ends[key] = self.ahead(after)
        return found

    def _bring(self, state: ZombieDiceState, key: Hashable) -> Brought:
        """Find out what the roll that is under way can bring, and keep it."""
        before = _brains(state.turn)
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
        if len(self._brought) >= _KEPT:
            self._brought.clear()
        found = self._brought[key] = Brought(
            tuple((added, lives, p) for (added, lives), p in rest.items()),
            p_rest,
            tuple((effect, example, p) for effect, (example, p) in others.items()),
        )
        return found

    def _outcomes(self, turn: Turn) -> list[tuple[str, float]]:
        """Return the outcomes, of those that are of a kind only one for all."""
        outcomes = turn.table.outcomes()
        if self._may_be_short or self._is_plain:
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


def _brains(turn: Turn) -> int:
    """Return the brains of the turn, without one that is going to be lost."""
    return turn.brains - turn.is_run_over


def _effect(state: ZombieDiceState, outcome: str) -> Effect:
    is_lost = _thrown(state.turn.table, outcome).horde
    after = state.clone()
    after.apply(outcome)
    turn = after.turn
    if turn.rolls:
        return Effect(False, _brains(turn), turn.limit - turn.shotguns, is_lost)
    before = 0 if is_lost else state.banked[state.seat]
    return Effect(True, after.banked[state.seat] - before, 0, is_lost)


def _thrown(table: RollTable, outcome: str) -> Thrown:
    found = table.find(outcome)
    assert found is not None
    return found[0]


def _kind(thrown: Thrown, is_drunk: bool) -> Hashable:
    """Return what the effect depends on, if the dice do for another roll after it.

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
