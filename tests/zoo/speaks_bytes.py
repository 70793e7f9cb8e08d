"""Answers each decision with the bytes of a reply, spoilt, and then does as it likes.

It finds the descriptor and the request's number as any bot could.
"""

import os
import stat
import sys
import time

from mutations import mutated, replies

from arena import Bot


def reply_descriptor():
    """Return the pipe that can be written to and is not for printing."""
    for descriptor in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                os.write(descriptor, b"")
                return descriptor
        except OSError:
            pass
    return -1


class Culprit(Bot):
    def act(self, obs):
        request = sys._getframe(1).f_locals["request"]
        data = mutated(replies(request.serial), self.rng)
        descriptor = reply_descriptor()
        while data:
            data = data[os.write(descriptor, data) :]
        return self.go_on(self.rng.random())

    def go_on(self, chance):
        if chance < 0.02:
            while True:
                pass
        if chance < 0.022:
            time.sleep(10**6)
        if chance < 0.4:
            os._exit(0)
        if chance < 0.5:
            raise ValueError("spoke in bytes")
        if chance < 0.6:
            os.abort()
        return "roll"
