"""The game object of Zombie Mania!"""

from typing import Any, Final

from arena.games.core import Game, State
from arena.games.zombie_mania.dice import keeps
from arena.games.zombie_mania.observation import ZombieManiaObservation
from arena.games.zombie_mania.options import ZombieManiaOptions
from arena.games.zombie_mania.rules import rules_text
from arena.games.zombie_mania.setup import ZombieManiaSetup
from arena.games.zombie_mania.state import ZombieManiaState


class ZombieMania(Game):
    """Zombie Mania! for a number of players, with its options."""

    name = "zombie_mania"
    title = "Zombie Mania!"
    rules_version = "1"
    scores_better = "fewer"
    min_players = 2
    max_players = 5
    options_type = ZombieManiaOptions
    observation_type = ZombieManiaObservation
    score_unit = "penalty point"
    max_decisions = 3000

    def __init__(self, players: int, options: Any) -> None:
        super().__init__(players, options)
        self.max_decisions = type(self).max_decisions * options.games
        self.setup: Final = ZombieManiaSetup(players, options)

    def new_state(self) -> ZombieManiaState:
        """Return the state before the first throw of seat 0."""
        return ZombieManiaState(self, self.setup)

    def list_actions(self) -> list[str]:
        """List the actions: every keep, roll, stop, every move."""
        return [*keeps(), "roll", "stop", *self.setup.moves]

    def default_action(self, state: State) -> str:
        """Return the keep of lowest id (one zombie die), `stop`, or `move 0`."""
        return "stop" if state.is_legal("stop") else state.legal_actions()[0]

    @property
    def seat_decisions(self) -> int:
        """As in `Game`: up to 131 were seen in a game with 12 tokens."""
        return self.setup.games * (100 + 12 * self.setup.tokens)

    def unused_fields(self) -> tuple[str, ...]:
        return ("game_number", "penalties") if self.options.games == 1 else ()

    def rules_text(self) -> str:
        return rules_text(self, self.setup)
