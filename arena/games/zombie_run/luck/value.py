"""The value of Zombie Run!: what the hands will come to, and how far that decides."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from arena.games import Game, State
from arena.games.luck import Value, chance_above
from arena.games.zombie_run import HORDE, ZombieRun, ZombieRunState

if TYPE_CHECKING:
    from arena.games.zombie_run.luck.games import Games

VALUES: Final = (*range(10), HORDE)
"""The zombies that a card can have."""
KNOWN: Final = (0.0, 1.3, 2.4, 3.6, 5.0, 6.0, 6.5, 7.0, 7.2, 7.2, 8.0)
"""What a card of 0, 1, … 9 and 15 zombies adds to its owner's round who has seen it.

A high card is known and soon swapped, so it costs no more than a middling one.
"""
UNKNOWN: Final = (0.0, 0.9, 1.4, 2.2, 3.0, 3.3, 4.1, 5.0, 5.3, 6.3, 10.7)
"""The same of a card that its owner has not seen.

Both by least squares, from 14,000 rounds of `swap_lower`, `card_counter` and
`rollouts`; tests/analysis/fit_zombie_run.py does the like, and says how.
"""
SHOUTS: Final = ((0.5, 0.3), (1 / 3, 0.5))
"""How likely a seat shouts with such a part of an average hand's zombies, or less.

As far as it knows its hand; a card not seen counts as an average one.
"""
ROUND: Final = 16 / 7
"""The variance of the lead that a round brings: so many times that of a hand's cards.

That of a hand is the variance of a card in the deck times the cards of a hand; 256 of
112 as the game is played by default.
"""
DEALT: Final = 0.47
"""What is left of it once all cards are dealt."""
END: Final = 4.0
"""What is left of it at the end of a round, so that no lead is safe in a round."""


class ZombieRunValue(Value):
    """Supposes that all swap their highest card for a lower one, and shout when low.

    It sees all hands, and which cards their owners have seen; who has not looked yet
    will look at positions 1 and 2.  The zombies of the rounds so far and what the hands
    are likely to come to make a lead of one seat over another; the rounds to come and
    what is left of this one make it uncertain.  The draw pile counts for the next
    card alone, and the discard pile for nothing.
    """

    version = "1"
    game: ZombieRun

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        options: Any = game.options
        deck = self.game.setup.deck
        cards = sum(deck)
        zombies = sum(value * count for value, count in enumerate(deck))
        squares = sum(value**2 * count for value, count in enumerate(deck))
        self._rounds: int = options.rounds
        self._hand: int = options.hand
        self.average = zombies / cards
        self.known: dict[int, float] = dict(zip(VALUES, KNOWN, strict=True))
        self.unknown: dict[int, float] = dict(zip(VALUES, UNKNOWN, strict=True))
        self._round: float = (
            ROUND * self._hand * ((squares * cards - zombies * zombies) / cards**2)
        )
        self.unseen = [
            self.known if slot < 2 else self.unknown for slot in range(self._hand)
        ]
        """What cards cost, by their slots, whose owner has not looked yet."""
        self.undealt = [_mean(costs, deck) for costs in self.unseen]
        self.shouts = [
            (part * self._hand * self.average, chance) for part, chance in SHOUTS
        ]

    @cached_property
    def digest(self) -> str:
        numbers = [*KNOWN, *UNKNOWN, self.average, self._round, DEALT, END]
        numbers += self.undealt
        for shout in self.shouts:
            numbers += shout
        text = " ".join(f"{number:.9f}" for number in numbers)
        return blake2b(text.encode(), digest_size=8).hexdigest()

    def ahead(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieRunState)
        if state.phase == "over":
            return self._compare(state.places())
        costs = self._costs(state)
        if state.held is not None:
            return self._placed(state, costs, state.held)
        return self._guess(state, costs)

    def expected(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieRunState)
        costs = self._costs(state)
        phase = state.phase
        if phase == "open":
            return self._guess(state, costs)
        seat = state.active
        slot = len(state.hands[seat])
        means = [0.0] * len(self.pairs)
        for value, count in enumerate(state.draw):
            if not count:
                continue
            if phase == "draw":
                values = self._placed(state, costs, value)
            else:
                after = costs[:]
                after[seat] += self.unseen[slot][value] - self.undealt[slot]
                values = self._guess(state, after, dealt=1)
            share = count / state.draw_size
            for i, x in enumerate(values):
                means[i] += share * x
        return means

    def luck(self, history: Iterable[str]) -> tuple[float, ...]:
        return self._games.luck(history)

    @cached_property
    def _games(self) -> "Games":
        # It takes longer to import than most commands that ask for a version take.
        from arena.games.zombie_run.luck.games import Games

        return Games(self)

    def _costs(self, state: ZombieRunState) -> list[float]:
        """Return what each hand is likely to cost in this round."""
        costs = []
        for seat, hand in enumerate(state.hands):
            bit = 1 << seat
            cost = 0.0
            if state.phase in ("deal", "open", "peek") and not any(
                card.seen_by & bit for card in hand
            ):
                for slot, card in enumerate(hand):
                    cost += self.unseen[slot][card.value]
                for undealt in self.undealt[len(hand) :]:
                    cost += undealt
            else:
                for value, seen_by, _ in hand:
                    cost += (self.known if seen_by & bit else self.unknown)[value]
            costs.append(cost)
        return costs

    def _placed(
        self, state: ZombieRunState, costs: list[float], held: int
    ) -> Sequence[float]:
        """Return the values where the active seat has a card to place."""
        seat = state.active
        bit = 1 << seat
        believed = 0.0
        worst, most = 0, -1.0
        hand = state.hands[seat]
        for slot, (value, seen_by, _) in enumerate(hand):
            zombies = value if seen_by & bit else self.average
            believed += zombies
            if zombies > most:
                worst, most = slot, zombies
        out = held
        after = costs[:]
        if held < most:
            out, seen_by, _ = hand[worst]
            believed += held - most
            after[seat] += (
                self.known[held] - (self.known if seen_by & bit else self.unknown)[out]
            )
        going_on = self._guess(state, after)
        shout = 0.0
        for low, chance in self.shouts:
            if believed <= low:
                shout = chance
        if not shout:
            return going_on
        ended = self._ended(state, seat, held - out)
        return [
            shout * end + (1.0 - shout) * on
            for end, on in zip(ended, going_on, strict=True)
        ]

    def _ended(self, state: ZombieRunState, shouter: int, more: int) -> Sequence[float]:
        """Return the values once `shouter` has swapped to so many more, and shouted."""
        points = [sum([card.value for card in hand]) for hand in state.hands]
        points[shouter] += more
        if points[shouter] > min(points):
            points[shouter] *= 2
        totals = [a + b for a, b in zip(state.totals, points, strict=True)]
        if state.round == self._rounds:
            return self._compare(totals)
        variance = self.variance_after(state.round)
        return [chance_above(totals[b] - totals[a], variance) for a, b in self.pairs]

    def _guess(
        self, state: ZombieRunState, costs: list[float], dealt: int = 0
    ) -> Sequence[float]:
        """Return the values if hands cost so much, with so many cards more dealt."""
        part = 0.0
        if state.phase == "deal":
            part = (
                self.game.setup.cards_dealt - state.step - dealt
            ) / self.game.setup.cards_dealt
        variance = self.variance(state.round, part)
        totals = [a + b for a, b in zip(state.totals, costs, strict=True)]
        return [chance_above(totals[b] - totals[a], variance) for a, b in self.pairs]

    def variance(self, number: int, part: float = 0.0) -> float:
        """Return how uncertain a lead is in a round of which such a part is undealt."""
        left = DEALT + (1.0 - DEALT) * part
        return END + (self._rounds - number + left) * self._round

    def variance_after(self, number: int) -> float:
        """Return how uncertain a lead is after a round."""
        return END + (self._rounds - number) * self._round

    def _compare(self, points: Sequence[int]) -> Sequence[float]:
        """Return the values at the end, where fewer points or a lower place win."""
        return [
            1.0 if points[a] < points[b] else 0.5 if points[a] == points[b] else 0.0
            for a, b in self.pairs
        ]


def _mean(costs: dict[int, float], deck: Sequence[int]) -> float:
    total = 0.0
    for value, cost in costs.items():
        total += cost * deck[value]
    return total / sum(deck)
