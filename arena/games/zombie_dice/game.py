"""The game object of Zombie Dice."""

from typing import Final

from arena.games.core import Game, State
from arena.games.zombie_dice.observation import ZombieDiceObservation
from arena.games.zombie_dice.options import ZombieDiceOptions
from arena.games.zombie_dice.rules import house_rules, rules_text
from arena.games.zombie_dice.setup import ZombieDiceSetup
from arena.games.zombie_dice.state import ZombieDiceState
from arena.games.zombie_dice.turn import ACTIONS, BASE_ACTIONS, LOSE


class ZombieDice(Game):
    """Zombie Dice for two or more seats, with any of its expansions.

    Raises:
        GameSpecError: an option contradicts the others.
    """

    name = "zombie_dice"
    title = "Zombie Dice"
    rules_version = "1"
    min_players = 2
    max_players = 99
    options_type = ZombieDiceOptions
    observation_type = ZombieDiceObservation
    score_unit = "brain"
    max_decisions = 2000

    def __init__(self, players: int, options: ZombieDiceOptions) -> None:
        super().__init__(players, options)
        self.setup: Final = ZombieDiceSetup(players, options)

    def new_state(self) -> ZombieDiceState:
        return ZombieDiceState(self, self.setup)

    def list_actions(self) -> list[str]:
        if not self.options.bus:
            return list(BASE_ACTIONS)
        kinds = [kind for kind, n in enumerate(self.setup.dice) if n]
        # With a single kind there is never a question which die is lost.
        lost = kinds if len(kinds) > 1 else ()
        return [a for a in ACTIONS if a not in LOSE or LOSE[a] in lost]

    def default_action(self, state: State) -> str:
        """Return `stop`, or the first die that can be given up if one must be."""
        return "stop" if state.is_legal("stop") else state.legal_actions()[0]

    @property
    def seat_decisions(self) -> int:
        """As in `Game`: up to 39 were seen with 13 brains as the target, 84 with 20."""
        if self.options.dice is not None:
            return super().seat_decisions  # They may have hardly a brain.
        return 60 + 6 * self.setup.target

    def rules_text(self) -> str:
        return rules_text(self, self.setup)

    def house_rules(self) -> tuple[str, ...]:
        return house_rules(self.setup)

    def unused_fields(self) -> tuple[str, ...]:
        return self.setup.unused_fields
