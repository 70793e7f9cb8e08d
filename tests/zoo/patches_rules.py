"""Changes the rules as far as it can reach them: in its own process."""

from arena import Bot
from arena.games.zombie_dice.state import ZombieDiceState

ZombieDiceState.is_legal = lambda self, action: True
ZombieDiceState.returns = lambda self: [1.0, 0.0]
ZombieDiceState.scores = lambda self: [99, 0]
ZombieDiceState.apply = lambda self, action: None


class Culprit(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.shotguns >= 2 else "roll"
