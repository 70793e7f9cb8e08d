"""Writes 64 MB in files that no limit on their size stops, and takes them away."""

import os

from arena import Bot

PIECE = bytes(2**20)


class Culprit(Bot):
    def __init__(self, mark, home):
        self.mark, self.home = mark, home

    def act(self, obs):
        written = 0
        for place in ("/tmp", "/dev/shm", ".", self.home):
            for number in range(16):
                path = os.path.join(place, f"{self.mark}-{number}")
                try:
                    with open(path, "wb") as file:
                        written += file.write(PIECE)
                    os.unlink(path)
                except OSError:
                    break
        return f"leaked: {written} bytes" if written else "stop"
