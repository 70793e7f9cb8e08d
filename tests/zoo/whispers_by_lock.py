"""Is heard by its twin because it locks a range of a file that both may only read."""

import fcntl
import os
import struct

from arena import Bot

LAYOUT = "hhqqi4x"


class Culprit(Bot):
    def __init__(self, me):
        self.file = None

    def act(self, obs):
        self.file = self.file or os.open(os.__file__, os.O_RDONLY)
        start = 2**40
        query = struct.pack(LAYOUT, fcntl.F_WRLCK, os.SEEK_SET, start, 1, 0)
        lock = struct.pack(LAYOUT, fcntl.F_RDLCK, os.SEEK_SET, start, 1, 0)
        try:
            answer = fcntl.fcntl(self.file, fcntl.F_GETLK, query)
            if struct.unpack(LAYOUT, answer)[0] != fcntl.F_UNLCK:
                return "leaked: heard its twin by a lock of a range"
            fcntl.fcntl(self.file, fcntl.F_SETLK, lock)
        except OSError:
            pass
        return "roll"
