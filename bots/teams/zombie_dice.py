"""Zombie Dice: by a rule of thumb, and by expected value."""

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


class WeighTheOdds(Bot):
    """Takes the action after which it can expect most brains, banked ones included."""

    name = "weigh_the_odds"

    def zombie_dice(self, obs):
        state = obs.sample_state(self.rng)
        actions = obs.legal_actions
        if "stop" in actions:
            mine = obs.scores[obs.seat] + obs.brains
            best = max(
                score
                for seat, score in enumerate(obs.scores)
                if seat != obs.seat and (not obs.tied or seat in obs.tied)
            )
            if not obs.seats_to_come and mine > best and mine >= obs.target:
                return "stop"  # Nobody can answer any more: this wins at once.
            if obs.final_round and mine < best:
                actions.remove("stop")  # It loses: any chance is better than none.
        return max(actions, key=lambda action: self.worth(state, action, obs.seat))

    def worth(self, state, action, seat):
        """Return the brains to expect after `action`, and a stop as soon as it can."""
        after = state.clone()
        after.apply(action)
        if after.is_terminal() or after.observation(seat).turn_seat != seat:
            return after.scores()[seat]  # The turn is over.
        if after.current_player() == seat:  # A die is given up: then comes the choice.
            return max(self.worth(after, a, seat) for a in after.legal_actions())
        expected = 0.0
        for outcome, probability in after.chance_outcomes():
            rolled = after.clone()
            rolled.apply(outcome)
            brains = rolled.scores()[seat]  # The horde can take these too.
            if rolled.current_player() == seat:  # Else the roll has ended the turn.
                seen = rolled.observation(seat)
                # Of a brain that is run over only the die is still to be named.
                brains += seen.brains - seen.is_run_over
            expected += probability * brains
        return expected
