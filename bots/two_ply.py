"""OX Blocks by expectimax: my action, the throw, the other's best answer."""

from line_counter import worth

from arena import Bot

WIN = 100
"""More than any board without a full line can be worth."""


class TwoPly(Bot):
    """Takes the action that is best on average, over all throws of the other."""

    name = "two_ply"

    def ox_blocks(self, obs):
        state = obs.sample_state(self.rng)
        return max(
            state.legal_actions(),
            key=lambda action: self.expected(state, action, obs.seat, plies=2),
        )

    def expected(self, state, action, seat, plies):
        """Return what `state` is worth to `seat` after `action`.

        `plies` is the number of actions to look ahead, this one included.
        """
        after = state.clone()
        after.apply(action)
        if after.is_terminal():
            return WIN * (2 * after.returns()[seat] - 1)  # A draw is worth 0.
        if plies == 1:
            return self.judge(after, seat)
        # A chance node: nobody chooses the throw, so it counts by its probability.
        total = 0.0
        for outcome, probability in after.chance_outcomes():
            thrown = after.clone()
            thrown.apply(outcome)
            total += probability * self.best(thrown, seat, plies - 1)
        return total

    def best(self, state, seat, plies):
        """Return what `state` is worth to `seat` if the one to act plays well."""
        if not state.legal_actions():  # Open on an empty board: nothing to decide.
            return self.judge(state, seat)
        values = [
            self.expected(state, action, seat, plies)
            for action in state.legal_actions()
        ]
        return max(values) if state.current_player() == seat else min(values)

    def judge(self, state, seat):
        """Return what the board is worth, as far as it can be seen without search."""
        obs = state.observation(seat)
        board = dict(zip(obs.game.cells, obs.board, strict=True))
        return worth(board, obs.symbol, obs.game)
