"""Zombie Mania!: dice are set aside to get rid of one's zombies.

By Reiner Knizia.  Each seat has zombie tokens and wants to have none.  There
are 12 tokens a seat with two or three players, 10 with four, 8 with five,
unless the option `tokens` says otherwise (ruling 69).  Eight equal dice show six
icons, one on each face: three kinds of zombie (blue, green, brown), gravestone,
building and x2 (57).  Seat 0 begins, without an option, as a league rotates the
seats (66).

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
still send it some (64).

A series: with the option `games`, so many games are played one after another,
1 by default (67).  At the end of each, every seat has its tokens left as penalty
points, and all tokens are set up anew.  The first turn of each game is that of the
next seat: seat 0 begins the first game, seat 1 the second (66).  Fewest penalty
points over all games win, and ties share the win (67).  A single game is won by the
seat that ended it, alone, even if others have no tokens.

A game or series that goes on for too long is ended by the referee; fewest penalty
points, the tokens on the mats among them, share the win; a league's `max_decisions`
sets when (68).

Notation: chance outcomes are the icons thrown, in the order blue, green, brown,
gravestone, building, x2, such as `blue blue x2`.  Actions are `keep blue x2`
(icons in the same order), `roll`, `stop`, `move 0`, `move 2 graveyard` and
`move 2 seat 1`.  Ids: the keeps by number of dice, then by icons; roll; stop;
move 0; moves to the graveyard; moves to each seat.
"""

from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta

from arena.games.core import Game, Observation, State
from arena.games.options import Options
from arena.games.zombie_mania.dice import MOST_TO_GRAVEYARD, MOST_TO_SEAT, keeps
from arena.games.zombie_mania.observation import Phase, ZombieManiaObservation
from arena.games.zombie_mania.rules import rules_in_force
from arena.games.zombie_mania.state import GRAVEYARD, ZombieManiaState

__all__ = [
    "Phase",
    "ZombieMania",
    "ZombieManiaObservation",
    "ZombieManiaOptions",
    "ZombieManiaState",
]

_TOKENS: Final = {2: 12, 3: 12, 4: 10, 5: 8}


class ZombieManiaOptions(Options, frozen=True):
    """The options of Zombie Mania!"""

    tokens: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="Tokens a seat; null: by the number of players (69)"),
    ] = None
    games: Annotated[
        int,
        Meta(ge=1, le=1000, description="Games in a row that make a series (67)"),
    ] = 1


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
        self.max_decisions = type(self).max_decisions * options.games
        self.tokens: Final[int] = options.tokens or _TOKENS[players]
        """The tokens of each seat at the start."""
        self.moves = {"move 0": (0, GRAVEYARD)}
        """The number of tokens and the target, a seat or -1, of each move."""
        for amount in range(1, MOST_TO_GRAVEYARD + 1):
            self.moves[f"move {amount} graveyard"] = (amount, GRAVEYARD)
        for seat in range(players):
            for amount in range(1, MOST_TO_SEAT + 1):
                self.moves[f"move {amount} seat {seat}"] = (amount, seat)

    def new_state(self) -> ZombieManiaState:
        """Return the state before the first throw of seat 0."""
        return ZombieManiaState(self)

    def list_actions(self) -> list[str]:
        """List the actions: every keep, roll, stop, every move."""
        return [*keeps(), "roll", "stop", *self.moves]

    def default_action(self, state: State) -> str:
        """Return the keep of lowest id (one zombie die), `stop`, or `move 0`."""
        return "stop" if state.is_legal("stop") else state.legal_actions()[0]

    def rules_text(self) -> str:
        """Return the rules in force, a line for each paragraph."""
        return rules_in_force(self)
