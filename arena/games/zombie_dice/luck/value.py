"""The value of Zombie Dice: by scores and stage, by brains and shotguns of the turn.

Each pair of seats is looked at as if it were alone (`race.py`).  Where the dice lie
decides what a roll can bring, but not what a position is worth.
"""

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Final

from arena.games import CHANCE, TERMINAL, Game, State
from arena.games.luck import NotFollowedError, Value
from arena.games.zombie_dice import ZombieDice, ZombieDiceState
from arena.games.zombie_dice.luck.race import BEGIN, Race, RaceStage, place, result
from arena.games.zombie_dice.luck.reference import reference
from arena.games.zombie_dice.luck.roll_effects import Effect, RollEffects, brains_of
from arena.games.zombie_dice.luck.whole_games import PlainGames

_CACHED_ENDS: Final = 4096
"""Ends of turns that are kept."""


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
        self._race: Final = Race(reference(game), game.setup.target)
        self._rolls: Final = RollEffects(game)
        self._games: Final = PlainGames(game, self._rolls, self._look)
        self._ends: dict[Hashable, Sequence[float]] = {}

    @property
    def digest(self) -> str:
        return self._race.digest

    def ahead(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieDiceState)
        turn = state.turn
        if not turn.rolls:
            at = BEGIN
        elif state.player == CHANCE:
            return [min(mean, 1.0) for mean in self.expected(state)]
        else:
            at = place(brains_of(turn), turn.limit - turn.shotguns)
        return [
            found if isinstance(found, float) else found[at]
            for found in self._look(state)
        ]

    def expected(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieDiceState)
        brought = self._rolls.bring(state)
        brains = brains_of(state.turn)
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

    def luck(self, history: Iterable[str]) -> tuple[float, ...]:
        history = tuple(history)
        if self._rolls.is_plain:
            with suppress(NotFollowedError):
                return self._games.luck(history)
        return super().luck(history)

    def _look(self, state: ZombieDiceState) -> list[list[float] | float]:
        """Return a row for each pair in which the seat on turn is, else its value.

        At the end of the game these are all values.
        """
        if state.player == TERMINAL:
            places = state.places()
            return [result(places[b] - places[a]) for a, b in self.pairs]
        seat, banked, tied = state.seat, state.banked, state.tied
        is_last = bool(tied) or state.final_round
        now = RaceStage.LAST_BUT_ONE if is_last else RaceStage.FIRST
        then = RaceStage.LAST if is_last else RaceStage.SECOND
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
                found.append(self._race.begin(RaceStage.FIRST, first, second))
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
            if len(self._ends) >= _CACHED_ENDS:
                self._ends.clear()
            found = self._ends[key] = self.ahead(after)
        return found
