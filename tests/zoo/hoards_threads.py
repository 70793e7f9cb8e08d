"""Takes all threads that there are, beside one that uses a few."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from arena import Bot


def stop(obs):
    return "stop" if obs.shotguns >= 2 else "roll"


class Hoarder(Bot):
    def __init__(self, gives_up):
        self.gives_up = gives_up

    def start(self, obs):
        threading.stack_size(65_536)
        try:
            while True:
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError:
            if self.gives_up:
                raise

    def zombie_dice(self, obs):
        return stop(obs)


class Pooled(Bot):
    def zombie_dice(self, obs):
        with ThreadPoolExecutor(32) as pool:
            (decision, *_) = pool.map(stop, [obs] * 32)
        return decision
