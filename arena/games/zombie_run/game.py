"""The game object of Zombie Run!"""

from typing import Any, Final

from arena.games.core import Game, State
from arena.games.options import GameSpecError
from arena.games.zombie_run.observation import ZombieRunObservation
from arena.games.zombie_run.options import ZombieRunOptions
from arena.games.zombie_run.rules import rules_text
from arena.games.zombie_run.setup import ZombieRunSetup
from arena.games.zombie_run.state import ZombieRunState

_FEW_CARDS: Final = 24
_LONG_TURNS_A_CARD: Final = 5
"""Turns of a seat in a long round, for each card in its hand."""


class ZombieRun(Game):
    """Zombie Run! for a number of players, with its options."""

    name = "zombie_run"
    title = "Zombie Run!"
    rules_version = "1"
    scores_better = "fewer"
    min_players = 2
    max_players = 18
    options_type = ZombieRunOptions
    observation_type = ZombieRunObservation
    score_unit = "zombie"
    max_decisions = 20_000

    def __init__(self, players: int, options: Any) -> None:
        super().__init__(players, options)
        self.setup: Final = ZombieRunSetup(players, options)
        deck, most_players = self.setup.deck, self.setup.most_players
        if players > most_players:
            raise GameSpecError(
                "players",
                f"expected at most {most_players} with a deck of {sum(deck)} cards "
                f"and {options.hand} in each hand; found {players}",
            )
        # A seat looks once and makes two decisions a turn, for as many turns as the
        # rules allow: the referee must not end a game that would end by itself.
        longest = options.rounds * players * (1 + 2 * options.round_cap)
        self.max_decisions = max(type(self).max_decisions, longest)

    def new_state(self) -> ZombieRunState:
        return ZombieRunState(self, self.setup)

    def list_actions(self) -> list[str]:
        menus = (self.setup.menus[phase] for phase in ("peek", "pick", "place"))
        return [action for menu in menus for action in menu]

    def default_action(self, state: State) -> str:
        """Return the first look, `draw`, or `discard` (`swap 1` if it must swap)."""
        legal = state.legal_actions()
        return "discard" if "discard" in legal else legal[0]

    @property
    def seat_decisions(self) -> int:
        """As in `Game`: up to 115 were seen with hands of 4, 175 with hands of 6.

        Where more cards are dealt, good bots wait for each other as long as they may.
        """
        options: ZombieRunOptions = self.options
        turns = options.round_cap
        if self.setup.cards_dealt <= _FEW_CARDS:
            turns = min(turns, _LONG_TURNS_A_CARD * options.hand)
        return options.rounds * (1 + 2 * turns)

    def unused_fields(self) -> tuple[str, ...]:
        return ("round", "revealed") if self.options.rounds == 1 else ()

    def rules_text(self) -> str:
        return rules_text(self, self.setup)
