"""The bot that everyone must beat: it plays any game, and knows nothing."""

from arena import Bot


class Random(Bot):
    """Plays a random legal action."""

    name = "random"

    def act(self, obs):
        # self.rng is this game's own dice: the same game gives the same numbers.
        return self.rng.choice(obs.legal_actions)
