"""Asks for more memory than there is."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return bytearray(2**44)
