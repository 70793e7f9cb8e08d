"""Makes its worker answer nothing any more, and computes on."""

import arena.worker.serve
from arena import Bot


def hang(message):
    while True:
        pass


arena.worker.serve.frame = hang


class Culprit(Bot):
    def act(self, obs):
        return "stop"
