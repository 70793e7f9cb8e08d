"""The game object: options, actions and the rules in words."""

from typing import Annotated, Literal

import msgspec

from arena.games.core import Game, Options, State
from arena.games.zombie_dice.observation import ZombieDiceObservation
from arena.games.zombie_dice.state import ZombieDiceState

_CUP_TEXT = {
    "literal": "When at least one die must be drawn and the cup holds fewer than "
    "three, all brain dice are first put back into it",
    "needed": "When the cup holds fewer dice than must be drawn, all brain dice are "
    "first put back into it",
    "rest_first": "When the cup holds fewer dice than must be drawn, those are taken, "
    "all brain dice are put back into the cup, and the remainder is drawn from them",
}


class ZombieDiceOptions(Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a league may set."""

    target: Annotated[
        int,
        msgspec.Meta(
            ge=1,
            description="Banked brains that make a round the last one; rulings 4, 5.",
        ),
    ] = 13
    cup: Annotated[
        Literal["literal", "needed", "rest_first", "none"],
        msgspec.Meta(
            description="When brain dice return to the cup: literal, if it holds "
            "fewer than three; needed, if it holds fewer than are needed; rest_first, "
            "the same, taking the rest of the cup first; none, never; ruling 1."
        ),
    ] = "literal"
    tiebreak_rounds: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            description="Tiebreaker rounds after which a win is shared; 0: they go on "
            "until the tie is broken; ruling 6.",
        ),
    ] = 0


class ZombieDice(Game):
    """Zombie Dice for two or more seats."""

    name = "zombie_dice"
    title = "Zombie Dice"
    rules_version = "1"
    min_players = 2
    max_players = 99
    options_type = ZombieDiceOptions
    observation_type = ZombieDiceObservation
    max_decisions = 2000

    def new_state(self) -> ZombieDiceState:
        return ZombieDiceState(self)

    def list_actions(self) -> list[str]:
        return ["roll", "stop"]

    def default_action(self, state: State) -> str:
        """Return `stop`: the seat banks what the compulsory first roll left it."""
        return "stop"

    def rules_text(self) -> str:
        options: ZombieDiceOptions = self.options
        if options.cup == "none":
            cup = (
                "Dice never return to the cup during a turn: when it holds fewer dice "
                "than must be drawn, the turn ends and scores (rulings 1, 3)."
            )
        else:
            cup = (
                f"{_CUP_TEXT[options.cup]}; their brains are noted and still count, "
                "and shotguns stay out (rulings 1, 2)."
            )
        limit = "until one of them is ahead"
        if options.tiebreak_rounds:
            limit = f"at most {options.tiebreak_rounds}, after which they share the win"
        return "\n\n".join(
            (
                f"{self.title} for {self.players} seats, to {options.target} brains.",
                "The cup holds 13 dice: 6 green (3 brains, 1 shotgun, 2 feet), "
                "4 yellow (2, 2, 2) and 3 red (1, 3, 2).",
                "A turn begins with a compulsory roll of three dice drawn at random "
                "(ruling 8). Brains and shotguns are set aside, feet stay in hand. "
                "With three shotguns or more in all, the turn is over and scores "
                "nothing (ruling 11). Otherwise you choose: stop, which banks one "
                "point for each brain, none if you have none (ruling 8); or roll, "
                "which rolls the feet again together with as many dice drawn from the "
                "cup as make three. With three feet nothing is drawn.",
                cup,
                f"Once a seat has banked {options.target} brains, the seats after it "
                "in that round have their turn; if it is the last, the game is over at "
                "once (rulings 4, 5). Brains in hand do not count, and you may roll on "
                "with them at your own risk. The most banked brains win (ruling 9).",
                "If several seats lead, they alone play tiebreaker rounds, each time "
                f"those who are still tied, {limit}. Their brains are added to the "
                "scores. Other ties share a place (ruling 6). Seat 0 begins "
                "(ruling 7), and play passes in the order of the seats.",
                "Actions: roll, stop.",
            )
        )
