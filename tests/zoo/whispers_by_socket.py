"""Is heard by its twin because it takes an abstract name."""

import errno
import socket

from arena import Bot


class Culprit(Bot):
    def __init__(self, mark, me):
        self.name, self.socket = f"\0{mark}-twin", None

    def act(self, obs):
        if self.socket is None:
            try:
                self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                self.socket.bind(self.name)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    return "leaked: heard its twin by an abstract name"
                self.socket = None
        return "roll"
