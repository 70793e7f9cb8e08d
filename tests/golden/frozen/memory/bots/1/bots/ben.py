from arena import Bot
from helper import last


class Ben(Bot):
    def zombie_dice(self, obs):
        return "stop" if obs.shotguns else "roll"

    def zombie_run(self, obs):
        return last(obs.legal_actions)
