"""Zombie Mania!: dice are set aside to get rid of one's zombies.

By Reiner Knizia.  Each seat has zombie tokens and wants to have none.  There
are 12 tokens a seat with two or three players, 10 with four, 8 with five
(ruling 69).  Eight equal dice show six icons, one on each face: three kinds of
zombie (blue, green, brown), gravestone, building and x2 (57).  Seat 0 begins,
and a league rotates the seats (66).

A turn begins with a throw of all eight dice.  After each throw

1. at least one zombie of this throw must be kept, and any other dice of it may
   be.  A throw without a zombie ends the turn with nothing done, whatever was
   kept before (58);
2. the seat throws all dice that are not kept once more, or stops.  What is kept
   stays kept, and with all eight kept there is nothing left to throw (59).

When it stops, each icon counts once, if it is on two kept dice or more; further
dice of the icon add nothing (61).  Without the gravestones nothing moves (60).
With them, blue allows one token to be moved, green one, brown two, in sum; x2
doubles the sum (61), at most six.  The tokens go to the graveyard, or, with the
buildings, all of them to one other seat instead (62), doubled too (65).  Any
smaller number, also none, may be moved, and no more than one has (63).

A seat that has no tokens when its turn begins has won.  Until then others can
still send it some (64).  The tokens left are penalty points, for a series of
games too, and fewer are better (67).  A game that goes on for too long is ended
by the referee; the seats with fewest tokens share the win (68).

Notation: chance outcomes are the icons thrown, in the order blue, green, brown,
gravestone, building, x2, such as `blue blue x2`.  Actions are `keep blue x2`
(icons in the same order), `roll`, `stop`, `move 0`, `move 2 graveyard` and
`move 2 seat 1`.  Ids: the keeps by number of dice, then by icons; roll; stop;
move 0; moves to the graveyard; moves to each seat.
"""

from bisect import bisect_right
from collections.abc import Hashable
from inspect import cleandoc
from random import Random
from typing import Annotated, Any, ClassVar, Final, Self

from msgspec import Meta

from arena.games._zombie_mania_dice import (
    DICE,
    NO_DICE,
    can_send,
    has_zombie,
    keeps,
    keeps_of,
    movable,
    rolls,
    to_counts,
    to_words,
)
from arena.games.core import (
    CHANCE,
    TERMINAL,
    Game,
    IllegalActionError,
    Observation,
    Options,
    State,
    rank,
)

_TOKENS: Final = {2: 12, 3: 12, 4: 10, 5: 8}
_GRAVEYARD: Final = -1
_MOST_TO_GRAVEYARD: Final = 6
_MOST_TO_SEAT: Final = 4


class ZombieManiaOptions(Options, frozen=True):
    """The options of Zombie Mania!"""

    tokens: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="Tokens a seat; null: by the number of players (69)"),
    ] = None


class ZombieManiaObservation(Observation, frozen=True, array_like=True, kw_only=True):
    """What a seat knows: everything."""

    tokens: tuple[int, ...]
    """The zombie tokens of each seat."""
    graveyard: int
    """The tokens in the graveyard."""
    phase: str
    """What is to be decided: `keep`, `continue` (roll or stop) or `move`.

    Between decisions: `throw` while dice fall, `over` at the end.
    """
    rolled: tuple[str, ...]
    """The icons just thrown, of which some must be kept; empty in other phases."""
    kept: tuple[str, ...]
    """The icons kept in this turn."""
    turn: int
    """The number of this turn, from 1, the turns of all seats counted."""
    roll: int
    """The number of the last throw in this turn, or of the coming one; from 1."""

    @property
    def dice_left(self) -> int:
        """The number of dice that are not kept."""
        return DICE - len(self.kept)

    @property
    def movable(self) -> int:
        """The number of tokens that the kept dice would let one move."""
        return movable(to_counts(self.kept))

    @property
    def can_send(self) -> bool:
        """Whether the kept dice would let one move them to another seat."""
        return self.movable > 0 and can_send(to_counts(self.kept))

    def sample_state(self, rng: Random) -> "ZombieManiaState":
        """Return the state, exactly: nothing is hidden."""
        state: ZombieManiaState = self.game.new_state()
        state._tokens = list(self.tokens)
        state._graveyard = self.graveyard
        state._phase = self.phase
        state._rolled = to_counts(self.rolled)
        state._kept = to_counts(self.kept)
        state._turn = self.turn - 1
        state._roll = self.roll
        return state


class ZombieManiaState(State):
    """A position of Zombie Mania!"""

    __slots__ = (
        "_graveyard",
        "_kept",
        "_phase",
        "_roll",
        "_rolled",
        "_tokens",
        "_turn",
    )

    game: "ZombieMania"

    def __init__(self, game: "ZombieMania") -> None:
        self.game = game
        self._tokens = [game.tokens] * game.players
        self._graveyard = 0
        self._phase = "throw"
        self._rolled = NO_DICE
        self._kept = NO_DICE
        self._turn = 0
        self._roll = 1

    def current_player(self) -> int:
        """Return the seat to act, `CHANCE` or `TERMINAL`."""
        if self._phase == "throw":
            return CHANCE
        if self._phase == "over":
            return TERMINAL
        return self._turn % self.game.players

    def legal_actions(self) -> list[str]:
        """Return all legal actions in ascending order of their ids."""
        if self._phase == "keep":
            return list(keeps_of(self._rolled))
        if self._phase == "continue":
            return ["roll", "stop"]
        if self._phase == "move":
            return [x for x, move in self.game._moves.items() if self._may_move(*move)]
        return []

    def is_legal(self, action: object) -> bool:
        """Say whether `action` is among `legal_actions()`."""
        if not isinstance(action, str):
            return False
        if self._phase == "keep":
            keep = keeps().get(action)
            return keep is not None and all(map(int.__le__, keep, self._rolled))
        if self._phase == "continue":
            return action in ("roll", "stop")
        if self._phase == "move":
            move = self.game._moves.get(action)
            return move is not None and self._may_move(*move)
        return False

    def _may_move(self, amount: int, target: int) -> bool:
        seat = self._turn % self.game.players
        if amount > min(movable(self._kept), self._tokens[seat]):
            return False
        return target == _GRAVEYARD or (can_send(self._kept) and target != seat)

    def chance_outcomes(self) -> list[tuple[str, float]]:
        """Return every multiset of icons the dice not yet kept can show."""
        if self._phase != "throw":
            return []
        return list(rolls(DICE - sum(self._kept)).outcomes)

    def chance_stream(self) -> str:
        """Name the coming throw by the seat, its own turn, and the roll in it."""
        turn, seat = divmod(self._turn, self.game.players)
        return f"seat {seat} turn {turn + 1} roll {self._roll}"

    def outcome_at(self, u: float) -> str:
        """Return the outcome at `u` in [0, 1) of the cumulative distribution."""
        throws = rolls(DICE - sum(self._kept))
        return throws.outcomes[bisect_right(throws.cumulative, u)][0]

    def apply(self, x: str) -> None:
        """Play an action, or let the dice fall.

        Raises:
            IllegalActionError: `x` is not possible here; the state is unchanged.
        """
        if self._phase == "throw":
            self._throw(x)
        elif not self.is_legal(x):
            raise IllegalActionError(self, x)
        elif self._phase == "keep":
            self._kept = tuple(map(int.__add__, self._kept, keeps()[x]))
            self._rolled = NO_DICE
            if sum(self._kept) == DICE:
                self._stop()
            else:
                self._phase = "continue"
        elif x == "roll":
            self._phase = "throw"
            self._roll += 1
        elif x == "stop":
            self._stop()
        else:
            self._move(*self.game._moves[x])
            self._end_turn()

    def _throw(self, outcome: str) -> None:
        rolled = rolls(DICE - sum(self._kept)).counts.get(outcome)
        if rolled is None:
            raise IllegalActionError(self, outcome)
        if has_zombie(rolled):
            self._rolled = rolled
            self._phase = "keep"
        else:
            self._end_turn()

    def _stop(self) -> None:
        if movable(self._kept):
            self._phase = "move"
        else:
            self._end_turn()

    def _move(self, amount: int, target: int) -> None:
        self._tokens[self._turn % self.game.players] -= amount
        if target == _GRAVEYARD:
            self._graveyard += amount
        else:
            self._tokens[target] += amount

    def _end_turn(self) -> None:
        self._turn += 1
        self._roll = 1
        self._kept = NO_DICE
        has_won = self._tokens[self._turn % self.game.players] == 0
        self._phase = "over" if has_won else "throw"

    def clone(self) -> Self:
        """Return an independent copy."""
        copy = self.__class__.__new__(self.__class__)
        copy.game = self.game
        copy._tokens = self._tokens.copy()
        copy._graveyard = self._graveyard
        copy._phase = self._phase
        copy._rolled = self._rolled
        copy._kept = self._kept
        copy._turn = self._turn
        copy._roll = self._roll
        return copy

    def scores(self) -> list[float]:
        """Return the tokens of each seat: penalty points, fewest are best."""
        return [float(tokens) for tokens in self._tokens]

    def places(self) -> list[int]:
        """Return the places by tokens, fewest first; the winner alone has place 1."""
        tokens: list[float] = list(self._tokens)
        if self._phase == "over":
            tokens[self._turn % self.game.players] = -1
        return rank(tokens, lowest_wins=True)

    def observation(self, seat: int) -> ZombieManiaObservation:
        """Return what `seat` knows now."""
        return ZombieManiaObservation(
            seat=seat,
            game=self.game,
            tokens=tuple(self._tokens),
            graveyard=self._graveyard,
            phase=self._phase,
            rolled=to_words(self._rolled),
            kept=to_words(self._kept),
            turn=self._turn + 1,
            roll=self._roll,
        )

    def key(self) -> Hashable:
        """Return tokens, seat, phase and dice; a third die of an icon is any die."""
        pairs = tuple([min(count, 2) for count in self._kept])
        dice_left = DICE - sum(self._kept)
        seat = self._turn % self.game.players
        return tuple(self._tokens), seat, self._phase, self._rolled, pairs, dice_left

    def to_text(self) -> str:
        """Return the tokens, the dice, and what comes next."""
        seat = self._turn % self.game.players
        tokens = ", ".join(f"seat {i}: {n}" for i, n in enumerate(self._tokens))
        lines = [
            f"tokens  {tokens}, graveyard: {self._graveyard}",
            f"kept    {' '.join(to_words(self._kept)) or '-'}",
        ]
        if self._phase == "keep":
            lines.append(f"rolled  {' '.join(to_words(self._rolled))}")
        dice = DICE - sum(self._kept)
        coming = {
            "throw": f"throws {dice} dice",
            "keep": "must keep a zombie",
            "continue": f"may roll {dice} dice or stop",
            "move": f"may move {movable(self._kept)}",
            "over": "has won",
        }
        lines.append(f"seat {seat} {coming[self._phase]}")
        return "\n".join(lines)


class ZombieMania(Game):
    """Zombie Mania! for a number of players, with its options."""

    name: ClassVar[str] = "zombie_mania"
    title: ClassVar[str] = "Zombie Mania!"
    rules_version: ClassVar[str] = "1"
    min_players: ClassVar[int] = 2
    max_players: ClassVar[int] = 5
    options_type: ClassVar[type[Options]] = ZombieManiaOptions
    observation_type: ClassVar[type[Observation]] = ZombieManiaObservation
    max_decisions = 3000

    def __init__(self, players: int, options: Any) -> None:
        super().__init__(players, options)
        self.tokens: Final[int] = options.tokens or _TOKENS[players]
        """The tokens of each seat at the start."""
        self._moves = {"move 0": (0, _GRAVEYARD)}
        for amount in range(1, _MOST_TO_GRAVEYARD + 1):
            self._moves[f"move {amount} graveyard"] = (amount, _GRAVEYARD)
        for seat in range(players):
            for amount in range(1, _MOST_TO_SEAT + 1):
                self._moves[f"move {amount} seat {seat}"] = (amount, seat)

    def new_state(self) -> ZombieManiaState:
        """Return the state before the first throw of seat 0."""
        return ZombieManiaState(self)

    def list_actions(self) -> list[str]:
        """List the actions: every keep, roll, stop, every move."""
        return [*keeps(), "roll", "stop", *self._moves]

    def default_action(self, state: State) -> str:
        """Return the keep of lowest id (one zombie die), `stop`, or `move 0`."""
        return "stop" if state.is_legal("stop") else state.legal_actions()[0]

    def rules_text(self) -> str:
        """Return the rules in force, with their options, for a person to read."""
        return (
            f"{cleandoc(__doc__ or '')}\n\n"
            f"In force: {self.players} players with {self.tokens} tokens each "
            f"(tokens: {'null' if self.options.tokens is None else self.tokens})."
        )
