# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201, ANN202
"""Plays Zombie Mania! by one simple thought, legally with all of its options.

A bot that `arena new` makes begins with this method, so it is for reading.
"""

from arena import Bot


class Sensible(Bot):
    """Does what a person would do after a few games."""

    def zombie_mania(self, obs):
        if obs.phase == "keep":

            def progress(action):
                """Return how many dice make useful pairs, then how few are kept."""
                kept = [*obs.kept, *action.split()[1:]]
                wanted = ("gravestone", "blue", "green", "brown")
                return sum(min(2, kept.count(icon)) for icon in wanted), -len(kept)

            return max(obs.legal_actions, key=progress)
        if obs.phase == "continue":
            # As long as nothing may be moved there is nothing to lose.
            return "roll" if not obs.movable and "roll" in obs.legal_actions else "stop"
        return obs.legal_actions[-1]  # The last move is the largest.
