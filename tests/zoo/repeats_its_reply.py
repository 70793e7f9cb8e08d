"""Answers in the name of its worker, which then answers too."""

import os
import sys

from arena import Bot
from arena.worker.protocol import Answer, frame


class Culprit(Bot):
    def act(self, obs):
        request = sys._getframe(1).f_locals["request"]
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, frame(Answer(request.serial, "roll")))
            except OSError:
                pass
        return "roll"
