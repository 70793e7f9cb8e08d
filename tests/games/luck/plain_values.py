"""Values of positions, as plainly as they can be said.

What `arena` has of them works luck out for whole games.  These are what it is compared
with: their `luck` is the fast one, and `luck_of` asks them position by position.
"""

from collections.abc import Sequence

from arena.games import Game, State
from arena.games.luck import Value, chance_above, find_value
from arena.games.zombie_mania import ZombieManiaState
from arena.games.zombie_mania.dice import DICE
from arena.games.zombie_mania.luck.turn_points import (
    MOST_WANTED,
    Outlook,
    certain,
    turn_points,
    useful_pairs,
)
from arena.games.zombie_mania.luck.value import ZombieManiaValue
from arena.games.zombie_mania.luck.whole_games import weighed
from arena.games.zombie_run import ZombieRunState
from arena.games.zombie_run.cards import Card
from arena.games.zombie_run.luck.value import ZombieRunValue


class PlainZombieRun(ZombieRunValue, Value):
    """The value of Zombie Run! of a position."""

    def ahead(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieRunState)
        if state.phase == "over":
            return self._compare(state.places())
        costs = self._hands(state)
        if state.held is not None:
            return self._placed(state, costs, state.held)
        return self._guess(state, costs)

    def expected(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieRunState)
        costs = self._hands(state)
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
                after[seat] += self.costs.unseen[slot][value] - self.costs.undealt[slot]
                values = self._guess(state, after, dealt=1)
            share = count / state.draw_size
            for i, x in enumerate(values):
                means[i] += share * x
        return means

    def _hands(self, state: ZombieRunState) -> list[float]:
        """Return what each hand is likely to cost in this round."""
        costs = []
        for seat, hand in enumerate(state.hands):
            bit = 1 << seat
            cost = 0.0
            if state.phase in ("deal", "open", "peek") and not any(
                card.seen_by & bit for card in hand
            ):
                for slot, card in enumerate(hand):
                    cost += self.costs.unseen[slot][card.value]
                for undealt in self.costs.undealt[len(hand) :]:
                    cost += undealt
            else:
                for value, seen_by, _ in hand:
                    cost += (self.costs.known if seen_by & bit else self.costs.unknown)[
                        value
                    ]
            costs.append(cost)
        return costs

    def _cost(self, card: Card, seat: int) -> float:
        costs = self.costs.known if card.seen_by >> seat & 1 else self.costs.unknown
        return costs[card.value]

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
            zombies = value if seen_by & bit else self.costs.average
            believed += zombies
            if zombies > most:
                worst, most = slot, zombies
        out = held
        after = costs[:]
        if held < most:
            out, seen_by, _ = hand[worst]
            believed += held - most
            after[seat] += (
                self.costs.known[held]
                - (self.costs.known if seen_by & bit else self.costs.unknown)[out]
            )
        going_on = self._guess(state, after)
        shout = 0.0
        for low, chance in self.costs.shouts:
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
        if state.round == self.game.options.rounds:
            return self._compare(totals)
        variance = self.costs.variance_after(state.round)
        return [chance_above(totals[b] - totals[a], variance) for a, b in self.pairs]

    def _guess(
        self, state: ZombieRunState, costs: list[float], dealt: int = 0
    ) -> Sequence[float]:
        """Return the values if hands cost so much, with so many cards more dealt."""
        part = 0.0
        if state.phase == "deal":
            in_hands = self.game.setup.cards_dealt
            part = (in_hands - state.step - dealt) / in_hands
        variance = self.costs.variance(state.round, part)
        totals = [a + b for a, b in zip(state.totals, costs, strict=True)]
        return [chance_above(totals[b] - totals[a], variance) for a, b in self.pairs]

    def _compare(self, points: Sequence[int]) -> Sequence[float]:
        """Return the values at the end, where fewer points or a lower place win."""
        return [
            1.0 if points[a] < points[b] else 0.5 if points[a] == points[b] else 0.0
            for a, b in self.pairs
        ]


class PlainZombieMania(ZombieManiaValue, Value):
    """The value of Zombie Mania! of a position."""

    def ahead(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieManiaState)
        phase = state.phase
        if phase == "over" or (phase == "throw" and state.roll == 1):
            return self._before_turn(state)
        return weighed(self._outlook(state, phase), self._ends_of(state))

    def expected(self, state: State) -> Sequence[float]:
        assert isinstance(state, ZombieManiaState)
        return weighed(self._outlook(state, "throw"), self._ends_of(state))

    def _outlook(self, state: ZombieManiaState, phase: str) -> Outlook:
        pairs, useful = useful_pairs(state.kept, state.rolled)
        if phase == "move":
            return certain(pairs)
        tokens = state.tokens[state.active]
        point = turn_points(min(tokens, MOST_WANTED)).at(pairs, DICE - sum(state.kept))
        if phase == "throw":
            return point.rolling
        return point.keeping[useful] if phase == "keep" else point.deciding


def plain_value(game: Game) -> Value:
    """Return the value of a game that can be asked about positions."""
    if game.name == "zombie_run":
        return PlainZombieRun(game)
    if game.name == "zombie_mania":
        return PlainZombieMania(game)
    value = find_value(game)
    assert isinstance(value, Value)
    return value
