"""Zombie Mania! by a rule of thumb: collect pairs, take what they give."""

from arena import Bot

WANTED = ("gravestone", "blue", "green", "brown")
"""Nothing moves without gravestones and zombies; the rest is luck."""


class PairCollector(Bot):
    """Keeps up to two of each wanted icon, and stops as soon as it may move."""

    name = "pair_collector"

    def zombie_mania(self, obs):
        if obs.phase == "keep":
            return max(obs.legal_actions, key=lambda action: self.progress(obs, action))
        if obs.phase == "continue":
            # As long as nothing may be moved there is nothing to lose.
            return "stop" if obs.movable else "roll"
        return self.move(obs)

    def progress(self, obs, action):
        """Return how many wanted dice a keep adds; of equal ones, fewer dice first.

        The dice that are not kept are thrown again, and more dice are safer.
        """
        icons = action.split()[1:]
        added = 0
        for icon in WANTED:
            missing = 2 - min(2, obs.kept.count(icon))
            added += min(missing, icons.count(icon))
        return added, -len(icons)

    def move(self, obs):
        """Return the largest move, to another seat if the buildings allow it."""
        amount = min(obs.movable, obs.tokens[obs.seat])
        if amount == 0:
            return "move 0"
        rivals = [seat for seat in range(len(obs.tokens)) if seat != obs.seat]
        # In a series the tokens are added to the penalty points of the games before.
        leader = min(rivals, key=lambda seat: obs.penalties[seat] + obs.tokens[seat])
        to_leader = f"move {amount} seat {leader}"
        return (
            to_leader if to_leader in obs.legal_actions else f"move {amount} graveyard"
        )
