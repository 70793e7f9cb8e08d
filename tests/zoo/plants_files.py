"""Leaves a file wherever it may."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, mark, canary, home):
        near, here = os.path.dirname(canary), os.path.dirname(__file__)
        places = ["/", ".", "/tmp", "/var/tmp", "/dev/shm", home, near, here]
        self.paths = [os.path.join(place, mark) for place in places]

    def act(self, obs):
        planted = []
        for path in self.paths:
            try:
                with open(path, "w"):
                    planted.append(os.path.dirname(path))
            except OSError:
                pass
        return f"leaked: {' '.join(planted)}" if planted else "stop"
