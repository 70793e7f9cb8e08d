"""Quarantine: which games are not played, as one of their bots has failed too often.

The rule: go through the games of a plan in its order, and count for each bot the games
in a row that it has forfeited.  Once they are `patience`, all its later games are
quarantined: it forfeits them unplayed.  For the rows of the others at the table such a
game counts as if it were not there.

What is decided rests on the plan and on what its games came to, never on the order in
which they were played: a game is looked at when all earlier games of its bots have
been.  Later news never changes a decision, and once all games are known, all of them
are decided.
"""

from collections.abc import Mapping, Sequence, Set


class Quarantine:
    """Decides, game by game as their ends become known, which are quarantined.

    Every game is looked at a fixed number of times, however many there are.
    """

    def __init__(
        self, games: Sequence[tuple[str, ...]], patience: int, exempt: Set[str]
    ) -> None:
        """Take the bots of each game, in the order of the plan.

        `exempt` are bots that can't be quarantined.  With a `patience` of 0 nobody is.
        """
        self.patience = patience
        self.ends: dict[str, int] = {}
        """By bot that is quarantined: the game that completed its row."""
        self._games = games
        self._exempt = exempt
        self._faults: dict[int, Mapping[str, str]] = {}
        self._is_known = bytearray(len(games))
        self._is_decided = bytearray(len(games))
        self._own: dict[str, list[int]] = {}
        """By bot: its games, in order."""
        for position, bots in enumerate(games):
            for bot in bots:
                self._own.setdefault(bot, []).append(position)
        self._next = dict.fromkeys(self._own, 0)
        """By bot: which of its own games is to be decided next."""
        self._row = dict.fromkeys(self._own, 0)

    def note(self, position: int, faults: Mapping[str, str]) -> list[int]:
        """Take in what a game came to: how each bot that forfeited it did so.

        Returns the games that are quarantined as can be said now, in order.
        """
        if not self.patience:
            return []
        self._is_known[position] = True
        if faults:
            self._faults[position] = faults
        return self._decide(position)

    def out(self, position: int) -> tuple[str, ...]:
        """Return the bots of a game that are quarantined in it, in their order."""
        return tuple(
            bot
            for bot in self._games[position]
            if self.ends.get(bot, position) < position
        )

    def is_decided(self, position: int) -> bool:
        """Say whether it is known who is quarantined in a game."""
        return bool(self._is_decided[position])

    def last_fault(self, bot: str) -> str:
        """Return the termination that completed a quarantined bot's row."""
        return self._faults[self.ends[bot]][bot]

    def _decide(self, position: int) -> list[int]:
        """Decide what a game allows to decide; return what is quarantined of it."""
        quarantined = []
        waiting = [position]
        while waiting:
            position = waiting.pop()
            if self._is_decided[position] or not self._is_due(position):
                continue
            out = self.out(position)
            if out:
                quarantined.append(position)
            elif not self._is_known[position]:
                continue
            self._is_decided[position] = True
            for bot in self._games[position]:
                if bot in out:
                    continue
                if not out:
                    self._count(bot, position)
                later = self._own[bot]
                self._next[bot] += 1
                if bot in self.ends:
                    waiting += later[self._next[bot] :]
                else:
                    waiting += later[self._next[bot] : self._next[bot] + 1]
        return sorted(quarantined)

    def _is_due(self, position: int) -> bool:
        """Say whether all earlier games of a game's bots have been decided.

        Those of a quarantined bot don't matter: it stays out whatever they come to.
        """
        return all(
            self.ends.get(bot, position) < position
            or self._own[bot][self._next[bot]] == position
            for bot in self._games[position]
        )

    def _count(self, bot: str, position: int) -> None:
        if bot in self._exempt:
            return
        if bot not in self._faults.get(position, ()):
            self._row[bot] = 0
            return
        self._row[bot] += 1
        if self._row[bot] == self.patience:
            self.ends[bot] = position
