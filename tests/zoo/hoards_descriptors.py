"""Opens the same file until it is stopped; 500 times is what it calls a success."""

import os

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        hoard = []
        try:
            while len(hoard) < 500:
                hoard.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            pass
        opened = len(hoard)
        for file in hoard:
            os.close(file)
        return f"leaked: {opened} descriptors" if opened >= 200 else "stop"
