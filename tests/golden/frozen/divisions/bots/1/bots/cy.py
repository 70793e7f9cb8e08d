import random

from arena import Bot


class Cy(Bot):
    decisions = 0

    def act(self, obs):
        self.decisions += 1
        if self.decisions == 5:
            return "fly"
        return random.choice(list(obs.legal_actions))
