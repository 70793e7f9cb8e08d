"""Makes 1,000 empty files in each place, and takes them away."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, mark, home):
        self.mark, self.home = mark, home

    def act(self, obs):
        made = 0
        for place in ("/tmp", "/dev/shm", ".", self.home):
            for number in range(1000):
                path = os.path.join(place, f"{self.mark}-{number}")
                try:
                    open(path, "x").close()
                    os.unlink(path)
                except OSError:
                    break
                made += 1
        return f"leaked: {made} files" if made else "stop"
