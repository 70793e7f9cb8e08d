"""Leaves word for its twin in files."""

import os

from arena import Bot


class Culprit(Bot):
    def __init__(self, mark, me):
        self.me = me
        places = ["/tmp", "/dev/shm", ".", os.path.dirname(__file__)]
        self.paths = [os.path.join(place, mark) for place in places]

    def act(self, obs):
        for path in self.paths:
            try:
                with open(path, "a+") as file:
                    file.seek(0)
                    if set(file.read()) - {self.me}:
                        return f"leaked: heard its twin in {path}"
                    file.write(self.me)
            except OSError:
                pass
        return "roll"
