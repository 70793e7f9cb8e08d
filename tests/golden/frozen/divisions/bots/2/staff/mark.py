from arena import Bot


class Mark(Bot):
    def __init__(self, brains):
        self.brains = brains

    def zombie_dice(self, obs):
        return "stop" if obs.brains >= self.brains else "roll"

    def zombie_run(self, obs):
        return obs.legal_actions[0]
