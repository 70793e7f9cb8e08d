"""A game being played: whose turn it is, where the dice lie, who has banked what."""

from collections.abc import Hashable
from typing import Self

from msgspec.structs import astuple

from arena.games.core import (
    CHANCE,
    TERMINAL,
    Game,
    IllegalActionError,
    State,
    rank,
)
from arena.games.zombie_dice.dice import (
    DICE,
    FATAL,
    FULL_CUP,
    NO_DICE,
    ROLLED,
    Counts,
    minus,
    plus,
)
from arena.games.zombie_dice.observation import DiceCount, ZombieDiceObservation
from arena.games.zombie_dice.rolls import roll_table


def refill(
    cup_model: str, cup: Counts, hand: Counts, brain_dice: Counts
) -> tuple[Counts, Counts, Counts]:
    """Return (cup, hand, brain dice) as they are when dice are drawn (ruling 1)."""
    left = sum(cup)
    needed = ROLLED - sum(hand)
    enough = ROLLED if cup_model == "literal" else needed
    if not needed or left >= enough or cup_model == "none":
        return cup, hand, brain_dice
    if cup_model == "rest_first":
        return brain_dice, plus(hand, cup), NO_DICE
    return plus(cup, brain_dice), hand, NO_DICE


class ZombieDiceState(State):
    """The full truth, which is public.

    Shotgun dice are not kept: they are all that lie nowhere else.
    """

    __slots__ = (
        "banked",
        "brain_dice",
        "cup",
        "hand",
        "noted",
        "player",
        "rolls",
        "round",
        "seat",
        "shotguns",
        "tiebreak_round",
        "tied",
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
    rolls: int
    """Rolls made in this turn."""
    cup: Counts
    hand: Counts
    """Feet; while they roll under `cup: rest_first`, the rest of the cup too."""
    brain_dice: Counts
    noted: int
    """Brains of this turn whose dice are back in the cup."""
    shotguns: int

    def __init__(self, game: Game) -> None:
        self.game = game
        self.banked = [0] * game.players
        self.round = 1
        self.tied = ()
        self.tiebreak_round = 0
        self._begin_turn(0)

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> list[str]:
        return ["roll", "stop"] if self.player >= 0 else []

    def is_legal(self, action: object) -> bool:
        return (
            self.player >= 0
            and isinstance(action, str)
            and (action == "roll" or action == "stop")
        )

    def chance_outcomes(self) -> list[tuple[str, float]]:
        """Return the (outcome, probability) pairs, the luckiest first."""
        if self.player != CHANCE:
            return []
        return list(roll_table(self.cup, self.hand).outcomes)

    def chance_stream(self) -> str:
        # A seat that plays has played in every round before, tiebreaker rounds
        # too, so the round is also the number of its own turn.
        return f"seat {self.seat} turn {self.round} roll {self.rolls + 1}"

    def outcome_at(self, u: float) -> str:
        return roll_table(self.cup, self.hand).outcome_at(u)

    def apply(self, x: str) -> None:
        if self.player == CHANCE:
            self._roll(x)
        elif not self.is_legal(x):
            raise IllegalActionError(self, x)
        elif x == "roll":
            out = sum(self.brain_dice)
            self.cup, self.hand, self.brain_dice = refill(
                self.game.options.cup, self.cup, self.hand, self.brain_dice
            )
            self.noted += out - sum(self.brain_dice)
            self.player = CHANCE
        else:
            self._bank()

    def clone(self) -> Self:
        copy = self.__class__.__new__(self.__class__)
        copy.game = self.game
        copy.banked = self.banked[:]
        copy.round = self.round
        copy.tied = self.tied
        copy.tiebreak_round = self.tiebreak_round
        copy.seat = self.seat
        copy.player = self.player
        copy.rolls = self.rolls
        copy.cup = self.cup
        copy.hand = self.hand
        copy.brain_dice = self.brain_dice
        copy.noted = self.noted
        copy.shotguns = self.shotguns
        return copy

    def scores(self) -> list[float]:
        """Return the banked brains in seat order."""
        return [float(brains) for brains in self.banked]

    def places(self) -> list[int]:
        return rank(self.banked)

    @property
    def brains(self) -> int:
        """Brains of this turn, the noted ones included."""
        return self.noted + sum(self.brain_dice)

    @property
    def final_round(self) -> bool:
        """Whether somebody has banked the target."""
        target: int = self.game.options.target
        return max(self.banked) >= target

    def bust_probability(self) -> float:
        """Return the exact probability that the next roll of this turn is fatal."""
        cup, hand, _ = refill(
            self.game.options.cup, self.cup, self.hand, self.brain_dice
        )
        return roll_table(cup, hand).p_shotguns[FATAL - self.shotguns]

    def observation(self, seat: int) -> ZombieDiceObservation:
        used = plus(plus(self.cup, self.hand), self.brain_dice)
        return ZombieDiceObservation(
            seat=seat,
            game=self.game,
            scores=tuple(self.banked),
            brains=self.brains,
            shotguns=self.shotguns,
            feet=sum(self.hand),
            cup=DiceCount(*self.cup),
            feet_dice=DiceCount(*self.hand),
            brain_dice=DiceCount(*self.brain_dice),
            shotgun_dice=DiceCount(*minus(FULL_CUP, used)),
            noted=self.noted,
            target=self.game.options.target,
            final_round=self.final_round,
            tied=self.tied,
            tiebreak_round=self.tiebreak_round,
            round=self.round,
            rolls=self.rolls,
            turn_seat=self.seat,
            current_player=self.player,
        )

    def restore(self, seen: ZombieDiceObservation) -> None:
        """Become the state in which `seen` was observed."""
        self.banked = list(seen.scores)
        self.round = seen.round
        self.tied = seen.tied
        self.tiebreak_round = seen.tiebreak_round
        self.seat = seen.turn_seat
        self.player = seen.current_player
        self.rolls = seen.rolls
        self.cup = astuple(seen.cup)
        self.hand = astuple(seen.feet_dice)
        self.brain_dice = astuple(seen.brain_dice)
        self.noted = seen.noted
        self.shotguns = seen.shotguns

    def key(self) -> Hashable:
        """Return what the future depends on: its chances, places and returns.

        In a tiebreaker round the level at which the tie stands does not matter, and
        of the seats that are out only their places do.  So the tie that is still not
        broken is the same position again, and a game has few keys.
        """
        if self.player == TERMINAL:
            return (TERMINAL, tuple(self.places()))
        options = self.game.options
        standing = tuple(self.banked)
        if self.tied:
            level = self.banked[self.seat]
            standing = tuple(
                brains - level if seat in self.tied else -place
                for seat, (brains, place) in enumerate(
                    zip(self.banked, self.places(), strict=True)
                )
            )
        # Dice that never return to the cup are alike once they are rolled.
        aside: Hashable = self.brain_dice
        if options.cup == "none":
            aside = self.shotguns
        return (
            self.player,
            self.seat,
            standing,
            self.tied,
            self.tiebreak_round if options.tiebreak_rounds else 0,
            self.cup,
            self.hand,
            aside,
            self.noted + sum(self.brain_dice),
        )

    def to_text(self) -> str:
        scores = ", ".join(f"seat {i}: {n}" for i, n in enumerate(self.banked))
        banked = f"banked      {scores}   (target {self.game.options.target})"
        if self.player == TERMINAL:
            return f"game over after round {self.round}\n{banked}"
        kind = "round"
        if self.tied:
            kind = "tiebreaker round"
        elif self.final_round:
            kind = "final round"
        next_is = "rolling" if self.player == CHANCE else "roll or stop?"
        return "\n".join(
            (
                f"{kind} {self.round}, seat {self.seat}, roll {self.rolls}: {next_is}",
                banked,
                f"this turn   brains: {self.brains}, shotguns: {self.shotguns}, "
                f"feet: {_dice_text(self.hand)}",
                f"cup         {_dice_text(self.cup)}",
            )
        )

    def _begin_turn(self, seat: int) -> None:
        self.seat = seat
        self.player = CHANCE
        self.rolls = 0
        self.cup = FULL_CUP
        self.hand = NO_DICE
        self.brain_dice = NO_DICE
        self.noted = 0
        self.shotguns = 0

    def _roll(self, outcome: str) -> None:
        result = roll_table(self.cup, self.hand).results.get(outcome)
        if result is None:
            raise IllegalActionError(self, outcome)
        self.cup, self.hand, brains, shotguns = result
        self.brain_dice = plus(self.brain_dice, brains)
        self.shotguns += shotguns
        self.rolls += 1
        if self.shotguns >= FATAL:
            self._end_turn()
        elif self._can_roll():
            self.player = self.seat
        else:
            self._bank()

    def _can_roll(self) -> bool:
        """Say whether there are dice enough for another roll (ruling 3)."""
        dice = sum(self.cup)
        if dice < ROLLED and self.game.options.cup != "none":
            dice += sum(self.brain_dice)
        return dice + sum(self.hand) >= ROLLED

    def _bank(self) -> None:
        self.banked[self.seat] += self.brains
        self._end_turn()

    def _end_turn(self) -> None:
        order = self.tied or range(len(self.banked))
        for seat in order:
            if seat > self.seat:
                self._begin_turn(seat)
                return
        self._end_round()

    def _end_round(self) -> None:
        """Begin another round, a tiebreaker round (ruling 6), or end the game."""
        leaders = tuple(seat for seat, place in enumerate(self.places()) if place == 1)
        self._begin_turn(0)
        if self.tied or self.final_round:
            limit = self.game.options.tiebreak_rounds
            if len(leaders) == 1 or (limit and self.tiebreak_round == limit):
                self.player = TERMINAL
                return
            self.tied = leaders
            self.tiebreak_round += 1
            self.seat = leaders[0]
        self.round += 1


def _dice_text(dice: Counts) -> str:
    parts = [f"{n} {die.name}" for n, die in zip(dice, DICE, strict=True) if n]
    return ", ".join(parts) or "none"
