"""A game being played: whose turn it is, and who has banked what."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Self

from msgspec.structs import astuple, replace

from arena.games.core import (
    CHANCE,
    TERMINAL,
    Game,
    IllegalActionError,
    State,
    rank,
)
from arena.games.zombie_dice.dice import DICE, ROLLED, Counts
from arena.games.zombie_dice.observation import DiceCount, ZombieDiceObservation
from arena.games.zombie_dice.setup import ZombieDiceSetup
from arena.games.zombie_dice.turn import BASE_ACTIONS, LOSE, Turn

_CACHED_STREAMS = 4096
"""Names of chance streams that are kept, for they are the same in every game."""


class ZombieDiceState(State):
    """The full truth, which is public."""

    __slots__ = (
        "banked",
        "player",
        "round",
        "seat",
        "setup",
        "tiebreak_round",
        "tied",
        "turn",
    )

    banked: list[int]
    """Brains banked, in seat order."""
    seat: int
    """Whose turn it is."""
    player: int
    """`seat` where it decides, `CHANCE` or `TERMINAL`."""
    round: int
    """From 1; tiebreaker rounds are counted on."""
    tied: tuple[int, ...]
    """Who plays in this tiebreaker round; empty before any."""
    tiebreak_round: int
    """From 1; 0 before any."""
    turn: Turn

    def __init__(self, game: Game, setup: ZombieDiceSetup) -> None:
        self.game = game
        self.setup = setup
        self.banked = [0] * game.players
        self.round = 1
        self.tied = ()
        self.tiebreak_round = 0
        self._begin_turn(0)

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> list[str]:
        if self.player < 0:
            return []
        turn = self.turn
        if turn.bus == "none":
            return list(BASE_ACTIONS)
        if turn.is_run_over:
            return [action for action, kind in LOSE.items() if kind in turn.losses()]
        actions = turn.rolling_actions()
        # In the order of the ids: only `roll` comes before it.
        actions.insert(actions.count("roll"), "stop")
        return actions

    def is_legal(self, action: object) -> bool:
        if self.player < 0 or not isinstance(action, str):
            return False
        if self.turn.bus == "none":
            return action in BASE_ACTIONS
        return action in self.legal_actions()

    def chance_outcomes(self) -> list[tuple[str, float]]:
        """Return the (outcome, probability) pairs, the luckiest first."""
        return self.turn.table.outcomes() if self.player == CHANCE else []

    def chance_stream(self) -> str:
        # A seat that plays has played in every round before, tiebreaker rounds
        # too, so the round is also the number of its own turn.
        return _stream(self.seat, self.round, self.turn.rolls + 1)

    def outcome_at(self, u: float) -> str:
        return self.turn.table.outcome_at(u)

    def apply(self, x: str) -> None:
        if self.player == CHANCE:
            self._roll(x)
        elif not self.is_legal(x):
            raise IllegalActionError(self, x)
        elif x == "stop":
            self._bank()
        elif self.turn.is_run_over:
            self.turn.lose(LOSE[x])
            self._go_on()
        else:
            self.turn.start_roll(x)
            self.player = CHANCE

    def clone(self) -> Self:
        copy = self.__class__.__new__(self.__class__)
        copy.game = self.game
        copy.setup = self.setup
        copy.banked = self.banked[:]
        copy.round = self.round
        copy.tied = self.tied
        copy.tiebreak_round = self.tiebreak_round
        copy.seat = self.seat
        copy.player = self.player
        copy.turn = self.turn.clone()
        return copy

    def scores(self) -> list[float]:
        """Return the banked brains in seat order."""
        return [float(brains) for brains in self.banked]

    def places(self) -> list[int]:
        """Return the places by banked brains; who is in a tiebreaker is ahead of all.

        That makes a difference only where a bank can be lost (ruling 34).
        """
        ahead = max(self.banked) + 1
        return rank(
            [
                brains + ahead * (seat in self.tied)
                for seat, brains in enumerate(self.banked)
            ]
        )

    @property
    def brains(self) -> int:
        """Brains of this turn, the noted ones included."""
        return self.turn.brains

    @property
    def shotguns(self) -> int:
        """Shotguns of this turn."""
        return self.turn.shotguns

    @property
    def final_round(self) -> bool:
        """True if somebody has banked the target."""
        return max(self.banked) >= self.setup.target

    def bust_probability(self, action: str = "roll") -> float:
        """Return the exact probability that this way to roll is fatal.

        Raises:
            ValueError: it is no legal way to roll.
        """
        if self.player < 0 or action not in self.turn.rolling_actions():
            raise ValueError(f"{action!r} is no legal way to roll here")
        turn = self.turn.clone()
        turn.start_roll(action)
        return turn.table.bust_probability(turn.shotguns, turn.helmet)

    def observation(self, seat: int) -> ZombieDiceObservation:
        turn = self.turn
        # In steps, for Python takes far longer over a call with 15 keywords or more.
        table = replace(
            self.setup.first_sight,
            seat=seat,
            game=self.game,
            scores=tuple(self.banked),
            final_round=self.final_round,
            tied=self.tied,
            tiebreak_round=self.tiebreak_round,
            round=self.round,
            turn_seat=self.seat,
            current_player=self.player,
        )
        seen = replace(
            table,
            brains=turn.brains,
            shotguns=turn.shotguns,
            feet=sum(turn.hand),
            cup=DiceCount(*turn.cup),
            feet_dice=DiceCount(*turn.hand),
            brain_dice=DiceCount(*turn.brain_dice),
            shotgun_dice=DiceCount(*turn.shotgun_dice),
            noted=turn.noted,
            rolls=turn.rolls,
        )
        if not self.setup.has_special_dice:
            return seen
        return replace(
            seen,
            shotgun_limit=turn.limit,
            aside_dice=DiceCount(*turn.aside),
            extra_brains=DiceCount(*turn.extra),
            helmet=turn.helmet,
            energy_drink=turn.energy_drink,
            bus=turn.bus,
            is_run_over=turn.is_run_over,
        )

    def restore(self, seen: ZombieDiceObservation) -> Self:
        """Become the state in which `seen` was observed, and return it."""
        self.banked = list(seen.scores)
        self.round = seen.round
        self.tied = seen.tied
        self.tiebreak_round = seen.tiebreak_round
        self.seat = seen.turn_seat
        self.player = seen.current_player
        turn = self.turn
        turn.cup = astuple(seen.cup)
        turn.hand = astuple(seen.feet_dice)
        turn.brain_dice = astuple(seen.brain_dice)
        turn.shotgun_dice = astuple(seen.shotgun_dice)
        turn.extra = astuple(seen.extra_brains)
        turn.aside = astuple(seen.aside_dice)
        turn.brains = seen.brains
        turn.noted = seen.noted
        turn.shotguns = seen.shotguns
        turn.helmet = seen.helmet
        turn.energy_drink = seen.energy_drink
        turn.bus = seen.bus
        turn.is_run_over = seen.is_run_over
        turn.rolls = seen.rolls
        if self.player == CHANCE:
            turn.look_up()
        return self

    def key(self) -> Hashable:
        """Return all that decides the future: its chances, places and returns.

        In a tiebreaker round the level at which the tie stands does not matter, and
        of the seats that are out only their places do.  So the tie that is still not
        broken is the same position again, and a game has few keys.  With the horde
        dice a bank can be lost, and the level does matter.
        """
        if self.player == TERMINAL:
            return (TERMINAL, tuple(self.places()))
        standing = tuple(self.banked)
        if self.tied and not self.setup.options.horde:
            level = self.banked[self.seat]
            standing = tuple(
                brains - level if seat in self.tied else -place
                for seat, (brains, place) in enumerate(
                    zip(self.banked, self.places(), strict=True)
                )
            )
        return (
            self.player,
            self.seat,
            standing,
            self.tied,
            self.tiebreak_round if self.setup.options.tiebreak_rounds else 0,
            self.turn.key(),
        )

    def to_text(self) -> str:
        turn = self.turn
        scores = ", ".join(f"seat {i}: {n}" for i, n in enumerate(self.banked))
        banked = f"banked      {scores}   (target {self.setup.target})"
        if self.player == TERMINAL:
            return f"game over after round {self.round}\n{banked}"
        kind = "round"
        if self.tied:
            kind = "tiebreaker round"
        elif self.final_round:
            kind = "final round"
        if self.player == CHANCE:
            next_is = "rolling with the bus" if turn.bus == "boarded" else "rolling"
        elif turn.is_run_over:
            next_is = "which brain is lost?"
        else:
            next_is = f"{' or '.join(self.legal_actions())}?"
        lines = [
            f"{kind} {self.round}, seat {self.seat}, roll {turn.rolls}: {next_is}",
            banked,
            f"this turn   brains: {turn.brains}, shotguns: {turn.shotguns}, "
            f"feet: {_dice_text(turn.hand)}",
            f"cup         {_dice_text(turn.cup)}",
        ]
        if self.setup.has_special_dice:
            lines.append(f"table       {_table_text(turn)}")
        return "\n".join(lines)

    def _begin_turn(self, seat: int) -> None:
        self.seat = seat
        self.player = CHANCE
        self.turn = self.setup.first_turn.clone()

    def _roll(self, outcome: str) -> None:
        turn = self.turn
        found = turn.table.find(outcome)
        if found is None:
            raise IllegalActionError(self, outcome)
        thrown, left = found
        turn.finish_roll(thrown, left)
        if thrown.horde:
            self.banked[self.seat] = 0
        if turn.is_bust:
            self._end_turn()
        elif turn.is_run_over:
            self.player = self.seat
        elif thrown.sign == "stop":
            self._bank()
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Let the seat decide, or stop where it can't roll (ruling 3)."""
        if sum(self.turn.cup) >= ROLLED or self.turn.rolling_actions():
            self.player = self.seat
        else:
            self._bank()

    def _bank(self) -> None:
        self.banked[self.seat] += self.turn.brains
        self._end_turn()

    def _end_turn(self) -> None:
        order = self.tied or range(len(self.banked))
        for seat in order:
            if seat > self.seat:
                self._begin_turn(seat)
                return
        self._end_round()

    def _end_round(self) -> None:
        """Begin another round, a tiebreaker round (ruling 6), or end the game.

        A bank that was lost during the round does not end the game (ruling 36).
        """
        self._begin_turn(0)
        if self.tied or self.final_round:
            leaders = tuple(s for s, place in enumerate(self.places()) if place == 1)
            limit = self.setup.options.tiebreak_rounds
            if len(leaders) == 1 or (limit and self.tiebreak_round == limit):
                self.player = TERMINAL
                return
            self.tied = leaders
            self.tiebreak_round += 1
            self.seat = leaders[0]
        self.round += 1


@lru_cache(maxsize=_CACHED_STREAMS)
def _stream(seat: int, turn: int, roll: int) -> str:
    return f"seat {seat} turn {turn} roll {roll}"


def _dice_text(dice: Counts) -> str:
    parts = [f"{n} {die.name}" for n, die in zip(dice, DICE, strict=True) if n]
    return ", ".join(parts) or "none"


def _table_text(turn: Turn) -> str:
    notes = [f"brain dice: {_dice_text(turn.brain_dice)}", f"noted: {turn.noted}"]
    doubles = [die.name for die, n in zip(DICE, turn.extra, strict=True) if n]
    if doubles:
        notes.append(f"more than one brain: {', '.join(doubles)}")
    if any(turn.aside):
        notes.append(f"aside: {_dice_text(turn.aside)}")
    if turn.helmet:
        notes.append("helmet")
    if turn.energy_drink:
        notes.append("energy drink")
    if turn.bus != "none":
        notes.append(f"bus: {turn.bus}")
    return "; ".join(notes)
