"""Bots that forfeit at a certain point of a larger table."""

from arena import Bot


class Quitter(Bot):
    """Plays an illegal action once it has banked something."""

    def zombie_dice(self, obs):
        if obs.scores[obs.seat]:
            return "give up"
        return "stop" if obs.brains else "roll"


class Stillborn(Bot):
    def start(self, obs):
        raise RuntimeError("never")

    def act(self, obs):
        return "stop"


class Roller(Bot):
    """Never banks anything of its own accord."""

    def act(self, obs):
        return "roll"


class Talker(Bot):
    """Prints, then fails within a helper."""

    def act(self, obs):
        print("brains:", obs.brains)
        return self.helper(obs)

    def helper(self, obs):
        return max([])
