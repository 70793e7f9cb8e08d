"""Never decides: computes for ever."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        while True:
            pass
