"""Zombie Dice by a rule of thumb."""

from arena import Bot


class StopAtTwo(Bot):
    """Rolls until it has two shotguns, for the third costs everything."""

    name = "stop_at_two"

    def zombie_dice(self, obs):
        # Without a brain there is nothing to lose, whatever the shotguns.
        if obs.shotguns >= 2 and obs.brains > 0:
            return "stop"
        # It never boards the bus, without which the dice may not do for a roll.
        return "roll" if "roll" in obs.legal_actions else "stop"
