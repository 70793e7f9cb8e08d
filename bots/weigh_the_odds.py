"""Zombie Dice by expected value, with an eye on the scores at the end."""

from arena import Bot


class WeighTheOdds(Bot):
    """Rolls as long as one more roll promises more brains than it risks."""

    name = "weigh_the_odds"

    def zombie_dice(self, obs):
        mine = obs.scores[obs.seat] + obs.brains
        others = [
            score
            for seat, score in enumerate(obs.scores)
            if seat != obs.seat and (not obs.tied or seat in obs.tied)
        ]
        best = max(others)

        if obs.final_round and mine < best:
            return "roll"  # To stop is to lose: any chance is better than none.
        if not obs.seats_to_come and mine > best and mine >= obs.target:
            return "stop"  # Nobody can answer any more: this wins at once.
        return "roll" if self.brains_after_roll(obs) > obs.brains else "stop"

    def brains_after_roll(self, obs):
        """Return the brains of this turn to expect if it rolls once more and stops."""
        state = obs.sample_state(self.rng)
        state.apply("roll")
        expected = 0.0
        for outcome, probability in state.chance_outcomes():
            after = state.clone()
            after.apply(outcome)
            # A third shotgun ends the turn, and then it is not this seat's move.
            if after.current_player() == obs.seat:
                expected += probability * after.brains
        return expected
