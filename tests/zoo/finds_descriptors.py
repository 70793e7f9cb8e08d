"""Looks for descriptors that it was not meant to have."""

import os
import stat

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        found = []
        for number in range(1024):
            try:
                mode = os.fstat(number).st_mode
            except OSError:
                continue
            found.append(f"{number}:{oct(stat.S_IFMT(mode))}")
        # Standard input and both outputs, and the two ends of its pipes.
        return f"leaked: {' '.join(found)}" if len(found) > 5 else "stop"
