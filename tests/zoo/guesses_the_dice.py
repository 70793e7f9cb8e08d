"""Tries to work out the seed of the table from all that it was told."""

import random

from arena import Bot
from arena.games import Table, derive_seed


class Culprit(Bot):
    def start(self, obs):
        self.events = []

    def act(self, obs):
        self.events += obs.events
        seen = [event.text for event in obs.events]
        known = [str(obs.seat), self._arena_seed, 0, 1, 42, b"", bytes(32)]
        random.seed(self._arena_seed)
        known += [random.randbytes(32), self._arena_seed.to_bytes(8, "little")]
        for guess in known:
            for seed in (derive_seed(guess), derive_seed(guess, "bot", obs.seat)):
                table = Table(obs.game, seed)
                table.advance()
                if len(table.history) > 1 and table.history == seen:
                    return "leaked: knows the dice"
        return "stop"
