"""Computes for ever within one instruction, which no signal handler interrupts."""

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return 10**10**8
