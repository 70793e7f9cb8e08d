"""OX Blocks by counting lines, without looking ahead."""

from arena import Bot


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
