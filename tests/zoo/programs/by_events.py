"""Plays by the legal actions alone, in any game, as programs/misbehaves.py does."""

from arena import Bot


class ByEvents(Bot):
    def act(self, obs):
        legal = obs.legal_actions
        return legal[(3 * len(obs.events) + 1) % len(legal)]
