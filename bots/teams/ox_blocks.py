"""OX Blocks: by counting lines, and by expectimax on top of that.

Expectimax asks: my action, the throw, the other's best answer.
"""

from arena import Bot

WIN = 100
"""More than any board without a full line can be worth."""


def worth(board, symbol, game):
    """Return how good a board is for `symbol`: its own lines less the other's.

    `board` says what stands on each cell of `game.cells`.  A line with only one
    symbol on it counts for its player, and as much as it has blocks.
    """
    total = 0
    for line in game.lines:
        blocks = {board[cell] for cell in line} - {"."}
        if len(blocks) == 1:
            count = sum(board[cell] != "." for cell in line)
            total += count if symbol in blocks else -count
    return total


class LineCounter(Bot):
    """Tries every action on the board and takes the one that looks best after it."""

    name = "line_counter"

    def ox_blocks(self, obs):
        return max(obs.legal_actions, key=lambda action: self.worth_of(action, obs))

    def worth_of(self, action, obs):
        """Return what the board is worth once `action` is done."""
        board = dict(zip(obs.game.cells, obs.board, strict=True))
        # A thrown symbol counts for its owner, so it may be the other's block that
        # must be placed: the same sum then looks for where it does least harm.
        verb, _, cell = action.partition(" ")
        if verb == "place":
            board[cell] = obs.thrown
        elif verb == "remove":
            board[cell] = "."
        return worth(board, obs.symbol, obs.game)


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
