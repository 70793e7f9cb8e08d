"""Replies in the name of its worker that it has failed, in a way that looks well."""

import os
import sys

from arena import Bot
from arena.worker.protocol import Failed, frame


class Culprit(Bot):
    def act(self, obs):
        request = sys._getframe(1).f_locals["request"]
        reply = frame(Failed(request.serial, "natural", ""))
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, reply)
            except OSError:
                pass
        return "stop"
