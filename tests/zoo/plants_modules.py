"""Leaves modules where other processes will import them."""

import json
import os

from arena import Bot

HERE = os.path.dirname(__file__)
LIBRARY = os.path.dirname(os.path.dirname(json.__file__))


class Culprit(Bot):
    def __init__(self, mark, home):
        self.paths = [
            os.path.join(HERE, "json.py"),
            os.path.join(HERE, "sitecustomize.py"),
            os.path.join(home, "usercustomize.py"),
            os.path.join(home, ".profile"),
            os.path.join(LIBRARY, f"{mark}.py"),
            os.path.join(LIBRARY, "json", "__pycache__", f"{mark}.pyc"),
        ]

    def act(self, obs):
        planted = []
        for path in self.paths:
            try:
                with open(path, "w"):
                    planted.append(os.path.basename(path))
            except OSError:
                pass
        return f"leaked: {' '.join(planted)}" if planted else "stop"
