"""Sends a well-formed reply that nobody has asked for."""

import os

from arena import Bot
from arena.worker.protocol import Answer, frame


class Culprit(Bot):
    def act(self, obs):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, frame(Answer(0, "stop")))
            except OSError:
                pass
        return "stop"
