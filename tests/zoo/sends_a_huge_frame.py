"""Sends a megabyte in one frame, as it was announced."""

import os

from arena import Bot

BODY = bytes(2**20)


class Culprit(Bot):
    def act(self, obs):
        reply = len(BODY).to_bytes(4, "little") + BODY
        for descriptor in range(3, 64):
            rest = reply
            try:
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
            except OSError:
                pass
        return "stop"
