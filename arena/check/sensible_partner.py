# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201, ANN202
"""Plays each of arena's games by one simple thought.

A bot that `arena new` makes begins with these methods, so they are for reading: each
stands by itself, and is legal with all options of its game.
"""

from arena import Bot


class Sensible(Bot):
    """Does what a person would do after a few games."""

    def zombie_dice(self, obs):
        # With two shotguns the next roll may cost all brains of this turn.
        if obs.shotguns >= 2 and obs.brains > 0:
            return "stop"
        return "roll" if "roll" in obs.legal_actions else "stop"

    def ox_blocks(self, obs):
        def value(action):
            """Return 1 for a win, 0 for a loss, and 0.5 where the game goes on."""
            state = obs.sample_state(self.rng)
            state.apply(action)
            return state.returns()[obs.seat] if state.is_terminal() else 0.5

        # Of equal ones `max` takes the first, so they are put in random order.
        actions = self.rng.sample(obs.legal_actions, len(obs.legal_actions))
        return max(actions, key=value)

    def zombie_run(self, obs):
        if obs.phase == "peek":
            return "peek 1 2"
        if obs.phase == "pick":
            return "draw"
        # An average card has 6 zombies; so much is reckoned for one not seen yet.
        hand = [6 if card is None else card for card in obs.hand]
        worst = hand.index(max(hand))
        action = "discard"
        if obs.drawn < hand[worst]:
            action = f"swap {worst + 1}"  # Positions count from 1.
            hand[worst] = obs.drawn
        return f"{action} shout" if sum(hand) <= 12 else action

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
