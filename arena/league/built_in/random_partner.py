# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201
"""Plays any game, and knows nothing."""

from arena import Bot


class Random(Bot):
    """Plays a random legal action."""

    def act(self, obs):
        return self.rng.choice(obs.legal_actions)
