"""Forgets to inherit from Bot."""


class Culprit:
    def act(self, obs):
        return "stop"


def play(obs):
    return "stop"
