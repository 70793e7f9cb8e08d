"""Quarantine: which games are not played, as one of their bots has failed too often.

The rule: go through the games of a plan in its order, and count for each bot the games
of a label in a row that it has forfeited.  Once they are `patience`, all its later
games of that label are quarantined: it forfeits them unplayed.  For the rows of the
others at the table such a game counts as if it were not there.

So what comes of a label depends on no other, nor on the order in which the league's
file names them.

What is decided rests on the plan and on what its games came to, never on the order in
which they were played: a game is looked at when all earlier games of its bots have
been.  Later news never changes a decision, and once all games are known, all of them
are decided.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set

Player = tuple[str, str]
"""A label and a bot, as far as it plays that one."""


class Quarantine:
    """Decides, game by game as their ends become known, which are quarantined.

    Every game is looked at a fixed number of times, however many there are.
    """

    def __init__(
        self,
        matches: Iterable[tuple[str, tuple[str, ...], int]],
        patience: int,
        exempt: Set[str],
    ) -> None:
        """Take label, bots and number of games of each match, in plan order.

        `exempt` are bots that can't be quarantined.  With a `patience` of 0 nobody is.
        """
        self.patience = patience
        self.ends: dict[Player, int] = {}
        """By who is quarantined, in the order of the news: the game that completed the
        row."""
        self.last_faults: dict[Player, str] = {}
        """By who is quarantined: the termination that completed the row."""
        self._exempt = exempt
        self._players: list[tuple[Player, ...]] = []
        """Of each match."""
        self._starts = array("Q", [0])
        """The first game of each match, and how many games there are."""
        self._own: dict[Player, array[int]] = {}
        """By player: their matches, in order."""
        shared: dict[Player, Player] = {}
        """There may be millions of matches."""
        for match, (label, bots, games) in enumerate(matches):
            pairs = [(label, bot) for bot in bots]
            players = tuple([shared.setdefault(pair, pair) for pair in pairs])
            self._players.append(players)
            self._starts.append(self._starts[-1] + games)
            for player in players:
                self._own.setdefault(player, array("L")).append(match)
        self._is_known = bytearray(self._starts[-1])
        self._is_decided = bytearray(self._starts[-1])
        self._faults: dict[int, Mapping[str, str]] = {}
        """Those of games that are known and not decided."""
        self._match = dict.fromkeys(self._own, 0)
        """By player: which of their matches has the game that is decided next,"""
        self._next = {x: self._starts[own[0]] for x, own in self._own.items()}
        """and that game."""
        self._row = dict.fromkeys(self._own, 0)

    def note(self, games: Iterable[tuple[int, Mapping[str, str]]]) -> list[range]:
        """Take in games that ended: for each, how every bot that forfeited it did so.

        Returns the games that are quarantined because of them, a range for each match.
        """
        due = []
        for game, faults in games:
            if not self.patience or self._is_decided[game]:
                continue
            self._is_known[game] = True
            if faults:
                self._faults[game] = faults
            # All others are looked at after those that they follow.
            if self._is_due(game, self._players[self._match_of(game)]):
                due.append(game)
        return self._decide(due)

    def out(self, game: int) -> tuple[str, ...]:
        """Return the bots of a game that are quarantined in it."""
        if not self.ends:
            return ()
        players = self._players[self._match_of(game)]
        return tuple(x[1] for x in players if self.ends.get(x, game) < game)

    def is_decided(self, game: int) -> bool:
        """Return True if it is decided who is quarantined in a game."""
        return bool(self._is_decided[game])

    def _match_of(self, game: int) -> int:
        return bisect_right(self._starts, game) - 1

    def _is_due(self, game: int, players: Iterable[Player]) -> bool:
        """Return True if all earlier games of some players are decided."""
        return all(self._next[player] == game for player in players)

    def _decide(self, waiting: list[int]) -> list[range]:
        """Decide these games, and later ones that waited for them.

        Returns the games that are quarantined, a range for each match.
        """
        quarantined = []
        while waiting:
            game = waiting.pop()
            if self._is_decided[game]:
                continue
            match = self._match_of(game)
            staying, is_out = self._players[match], False
            if self.ends:
                players = staying
                staying = tuple(x for x in players if self.ends.get(x, game) >= game)
                is_out = len(staying) < len(players)
            if not self._is_due(game, staying):
                continue
            if is_out:
                # Who is out of a game is out of all that are left of the match.
                end = self._starts[match + 1]
                quarantined.append(range(game, end))
            elif self._is_known[game]:
                end = self._alike(game, self._starts[match + 1])
            else:
                continue
            self._is_decided[game:end] = b"\1" * (end - game)
            faults = self._faults.pop(game, {})
            for player in staying:
                self._go_on(player, end)
                if not is_out:
                    self._count(player, game, faults)
                waiting += self._open(player)
        return sorted(quarantined, key=lambda games: games.start)

    def _alike(self, game: int, end: int) -> int:
        """Return the end of the known games from here on that nobody has forfeited.

        They are decided together: games without a forfeit count alike.
        """
        if game in self._faults:
            return game + 1
        unknown = self._is_known.find(0, game, end)
        end = end if unknown < 0 else unknown
        if not self._faults:
            return end
        return next((g for g in range(game, end) if g in self._faults), end)

    def _go_on(self, player: Player, game: int) -> None:
        """Set the next game of a player: this one, or the first of their next match."""
        own, match = self._own[player], self._match[player]
        if game == self._starts[own[match] + 1]:
            self._match[player] = match = match + 1
            game = self._starts[own[match]] if match < len(own) else self._starts[-1]
        self._next[player] = game

    def _open(self, player: Player) -> Sequence[int]:
        """Return the games that may have waited for a game of this player."""
        own, match = self._own[player], self._match[player]
        if match == len(own):
            return ()
        if player not in self.ends:
            return (self._next[player],)
        return [self._next[player], *(self._starts[m] for m in own[match + 1 :])]

    def _count(self, player: Player, game: int, faults: Mapping[str, str]) -> None:
        _, bot = player
        if bot in self._exempt:
            return
        if bot not in faults:
            self._row[player] = 0
            return
        self._row[player] += 1
        if self._row[player] == self.patience:
            self.ends[player] = game
            self.last_faults[player] = faults[bot]
