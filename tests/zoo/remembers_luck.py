"""Looks in its module for a game with the same luck, and would know how it goes on.

Whoever has played the other seating of a fixture knows its dice, or what the other
seat's hidden cards are: the same that were its own.
"""

from arena import Bot

ENOUGH = 5
"""So many throws, or cards, are not the same by chance."""
GAMES = []
"""The games of this process."""


class Culprit(Bot):
    def start(self, obs):
        self.own, self.others = [], []
        GAMES.append(self)

    def zombie_dice(self, obs):
        """Note all throws, whoever made them."""
        self.own += [event.text for event in obs.events if event.seat < 0]
        self.others = self.own
        return self.told() or ("stop" if obs.shotguns >= 2 else "roll")

    def zombie_run(self, obs):
        """Lay down the first card again and again, and note those of both seats."""
        action = obs.legal_actions[0]
        if "draw" in obs.legal_actions:
            action = "draw"
            if obs.round == 1:
                self.own.append(obs.hand[0])
                self.others.append(obs.top)
        first_is_open = obs.seat == 0
        return self.told(skip=first_is_open) or action

    def told(self, skip=0):
        """Return where the others' luck was met before; nothing if nowhere."""
        others = self.others[skip:]
        for game in GAMES:
            same = list(zip(others, game.own, strict=False))
            if (
                game is not self
                and len(same) >= ENOUGH
                and all(a == b for a, b in same)
            ):
                return f"leaked: {len(game.own)} throws or cards of another seating"


class Telltale(Culprit):
    """Finds nothing out for itself, and lets an accomplice see its moves."""

    def told(self, skip=0):
        return None
