"""Any game by simulation: try each action, play on at random, count the results."""

from arena import Bot

SIMULATIONS = 96
"""Games played out for one decision.  A number of seconds would make the same
bot stronger on a faster machine, and no game could be repeated."""
HORIZON = 6
"""Decisions after which a simulation is judged as it stands: so many make a turn or
two, and what random players do after that says little about the action tried."""
MOST_ACTIONS = 16
"""Where more actions are legal, a random choice of so many is tried."""


class Rollouts(Bot):
    """Searches with nothing but the forward model, so it plays any game at all.

    The simulations are shared out by sequential halving: all actions get a few,
    the better half gets a few more, and so on until one is left.
    """

    name = "rollouts"

    def act(self, obs):
        actions = obs.legal_actions
        if len(actions) > MOST_ACTIONS:
            actions = self.rng.sample(actions, MOST_ACTIONS)
        rounds = max(1, (len(actions) - 1).bit_length())
        totals = dict.fromkeys(actions, 0.0)
        while len(actions) > 1:
            for _ in range(max(1, SIMULATIONS // (rounds * len(actions)))):
                # What is hidden is guessed anew each time, but all actions are
                # tried with the same guess and the same luck: a fair comparison.
                guess = obs.sample_state(self.rng)
                luck = {}
                for action in actions:
                    state = guess.clone()
                    state.apply(action)
                    totals[action] += self.play_out(state, obs.seat, luck)
            actions = sorted(actions, key=totals.get, reverse=True)
            actions = actions[: (len(actions) + 1) // 2]
        return actions[0]

    def play_out(self, state, seat, luck):
        """Play at random for a while; return how `seat` stands then, 0 to 1."""
        decisions = 0
        while decisions < HORIZON and not state.is_terminal():
            if state.current_player() >= 0:
                state.apply(self.rng.choice(state.legal_actions()))
                decisions += 1
            else:
                # A stream names what the chance is for, such as my second roll.
                stream = state.chance_stream()
                if stream not in luck:
                    luck[stream] = self.rng.random()
                state.apply(state.outcome_at(luck[stream]))
        return standing(state, seat)


def standing(state, seat):
    """Return 1 for a win, 0 for a loss, in between how far `seat` is ahead.

    Low scores win some games and high scores others; the places know.
    """
    if state.is_terminal():
        return state.returns()[seat]
    places, scores = state.places(), state.scores()
    rivals = [i for i in range(len(scores)) if i != seat]
    rival = min(rivals, key=lambda i: places[i])
    lead = abs(scores[seat] - scores[rival])
    if places[seat] > places[rival]:
        lead = -lead
    return 0.5 + 0.5 * lead / (abs(lead) + 10)
