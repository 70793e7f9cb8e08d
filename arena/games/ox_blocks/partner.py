# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201, ANN202
"""Plays OX Blocks by one simple thought, legally with all of its options.

A bot that `arena new` makes begins with this method, so it is for reading.
"""

from arena import Bot


class Sensible(Bot):
    """Does what a person would do after a few games."""

    def ox_blocks(self, obs):
        def value(action):
            """Return 1 for a win, 0 for a loss, and 0.5 where the game goes on."""
            state = obs.sample_state(self.rng)
            state.apply(action)
            return state.returns()[obs.seat] if state.is_terminal() else 0.5

        # Of equal ones `max` takes the first, so they are put in random order.
        actions = self.rng.sample(obs.legal_actions, len(obs.legal_actions))
        return max(actions, key=value)
