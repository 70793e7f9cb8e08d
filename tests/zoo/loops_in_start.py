"""Never gets ready for a game."""

from arena import Bot


class Culprit(Bot):
    def start(self, obs):
        while True:
            pass

    def act(self, obs):
        return "stop"
