"""Sends a list in a list in a list, 200,000 times."""

import os

from arena import Bot

BODY = b"\x91" * 200_000


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
