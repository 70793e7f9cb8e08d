"""Luck in games of Zombie Run!, worked out for all cards of a game at once.

The numbers are, to the last bit, those of a value that is asked position by position,
which the tests have: so the order of all sums is fixed.  Axes of arrays are what
happened, by draw or by round and card dealt, and then seats, or the cards that could
have come: `VALUES`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from arena.games.zombie_run import ZombieRun, ZombieRunState
from arena.games.zombie_run.luck.costs import VALUES, Costs

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

_CARDS: Final = np.array(VALUES)
_PLACE: Final = {value: place for place, value in enumerate(VALUES)}


class _Hand(NamedTuple):
    """A hand whose owner has looked at it."""

    cost: float
    points: int
    believed: float
    """Zombies in it as far as the owner knows, a card not seen being an average one."""
    most: float
    """Zombies on its worst card, as far as the owner knows."""
    out: int
    """Zombies that are on that card."""
    cost_out: float
    """What that card costs."""


class _Played:
    """The cards that came in a game, and when they came."""

    def __init__(self) -> None:
        self.deals: Final[list[list[int]]] = []
        """The cards dealt in each round."""
        self.totals: Final[list[list[int]]] = []
        """Zombies of the rounds before, by round and seat."""
        self.draws: Final[list[tuple[int, int, int, int]]] = []
        """Round from 0, seat, size of the pile, and the card by its place."""
        self.piles: Final[list[int]] = []
        """The draw pile at each draw, as counts by value, one after another."""
        self.hands: Final[list[float]] = []
        """All hands at each draw, one after another."""


class RunGames:
    """Works out luck in games of the same players and options."""

    def __init__(
        self, game: ZombieRun, pairs: Sequence[tuple[int, int]], costs: Costs
    ) -> None:
        self._game: Final = game
        self._pairs: Final = pairs
        self._costs: Final = costs
        self._players: Final = game.players
        dealt, rounds = game.setup.cards_dealt, game.options.rounds
        self._slots: Final = np.arange(dealt) // game.players
        self._unseen: Final = np.array(
            [[by_card[card] for card in VALUES] for by_card in costs.unseen]
        )
        """What a card costs whose owner has not looked yet, by slot and card."""
        self._undealt: Final = np.array(costs.undealt)
        self._known: Final = np.array([costs.known[card] for card in VALUES])
        self._deck: Final = np.array(game.setup.deck)[_CARDS]
        self._sizes: Final = sum(game.setup.deck) - np.arange(dealt)
        self._to_come: Final = rounds - 1 - np.arange(rounds)
        """Rounds to come, by round."""
        numbers = range(1, rounds + 1)
        self._while_dealt: Final = np.array(
            [
                [costs.variance(n, (dealt - k - 1) / dealt) for k in range(dealt)]
                for n in numbers
            ]
        )
        """The variance of a lead, by round and card dealt."""
        self._then: Final = np.array([costs.variance(n) for n in numbers])
        self._ended: Final = np.array([costs.variance_after(n) for n in numbers])

    def luck(self, history: Iterable[str]) -> tuple[float, ...]:
        """Return the luck of each pair.

        Raises:
            IllegalActionError: it is no history of this game.
        """
        played = self._play(history)
        deals = self._of_deals(played) if played.deals else np.zeros((0, 0, 0))
        draws = self._of_draws(played) if played.draws else np.zeros((0, 0))
        luck = [0.0] * len(self._pairs)
        dealt, drawn = deals.tolist(), draws.tolist()
        rounds: list[list[list[float]]] = [
            found[: len(cards)]
            for found, cards in zip(dealt, played.deals, strict=True)
        ]
        for (number, *_), found in zip(played.draws, drawn, strict=True):
            rounds[number].append(found)
        for surprises in rounds:
            for surprise in surprises:
                for i, x in enumerate(surprise):
                    luck[i] += x
        return tuple(luck)

    def _play(self, history: Iterable[str]) -> _Played:
        """Go through a game, and note its cards."""
        played = _Played()
        state = self._game.new_state()
        hands: list[_Hand] = []
        for x in history:
            phase = state.phase
            if phase == "deal":
                if not state.step:
                    played.deals.append([])
                    played.totals.append(state.totals[:])
                state.apply(x)
                played.deals[-1].append(_PLACE[int(x)])
            elif phase == "draw":
                played.piles.extend(state.draw)
                seat, size = state.active, state.draw_size
                state.apply(x)
                played.draws.append((state.round - 1, seat, size, _PLACE[int(x)]))
                for hand in hands:
                    played.hands.extend(hand)
            else:
                seat = state.active
                state.apply(x)
                if phase == "open":
                    hands = []
                elif phase == "peek":
                    if state.phase == "pick":
                        hands = [self._hand(state, i) for i in range(self._players)]
                elif phase == "place" and state.phase == "pick":
                    hands[seat] = self._hand(state, seat)
        return played

    def _hand(self, state: ZombieRunState, seat: int) -> _Hand:
        costs, bit = self._costs, 1 << seat
        cost = believed = 0.0
        points = out = 0
        most, cost_out = -1.0, 0.0
        for zombies, seen_by, _ in state.hands[seat]:
            is_known = seen_by & bit
            of_card = (costs.known if is_known else costs.unknown)[zombies]
            known: float = zombies if is_known else costs.average
            cost += of_card
            believed += known
            points += zombies
            if known > most:
                most, out, cost_out = known, zombies, of_card
        return _Hand(cost, points, believed, most, out, cost_out)

    def _of_deals(self, played: _Played) -> Floats:
        """Return the luck of each card dealt: by round, card and pair."""
        players, slots = self._players, self._slots
        dealt = len(slots)
        last = played.deals[-1]
        cards = np.array([*played.deals[:-1], [*last, *[0] * (dealt - len(last))]])
        count = len(cards)
        first = np.arange(count)[:, None]
        seats = (first + np.arange(dealt)) % players
        """Who is dealt each card."""
        costs = self._unseen[slots, cards]
        # How many cards each seat has been dealt, before each card and after the last.
        step = np.arange(dealt + 1)[None, :, None]
        behind = ((np.arange(players) - first) % players)[:, None, :]
        hidden = np.zeros((count, dealt + 1, players))
        rows = np.arange(count)[:, None, None]
        for slot, undealt in enumerate(self._undealt):
            place = behind + slot * players
            hidden = hidden + np.where(step > place, costs[rows, place], undealt)
        so_far = np.array(played.totals)
        totals = so_far[:, None, :] + hidden
        its = np.arange(count)[:, None], np.arange(dealt)[None, :], seats
        more = (self._unseen - self._undealt[:, None])[slots]
        own = so_far[its[0], seats][:, :, None] + (hidden[its][:, :, None] + more)
        came = cards[:, :, None] == np.arange(len(VALUES))
        shares = (self._deck - (came.cumsum(axis=1) - came)) / self._sizes[:, None]
        variance = self._while_dealt[:count]
        surprises = np.empty((count, dealt, len(self._pairs)))
        for i, (a, b) in enumerate(self._pairs):
            lead = _lead(totals[:, :-1], own, seats, a, b)
            mean = _mean(shares, _chances(lead, variance[:, :, None]))
            lead = totals[:, 1:, b] - totals[:, 1:, a]
            surprises[:, :, i] = _chances(lead, variance) - mean
        return surprises

    def _of_draws(self, played: _Played) -> Floats:
        """Return the luck of each card drawn: by draw and pair."""
        number, seat, size, drawn = np.array(played.draws).T
        each = np.arange(len(number))
        so_far = np.array(played.totals)[number]
        hands = np.array(played.hands).reshape(len(each), self._players, -1)
        totals = so_far + hands[:, :, 0]
        cost, _, believed, most, out, cost_out = hands[each, seat].T[:, :, None]
        before = so_far[each, seat][:, None]
        swaps = most > _CARDS
        own = before + np.where(swaps, cost + (self._known - cost_out), cost)
        left = np.where(swaps, believed + (_CARDS - most), believed)
        shout = np.zeros(left.shape)
        for low, chance in self._costs.shouts:
            shout[left <= low] = chance
        may_end = np.flatnonzero(shout.any(axis=1))
        points = hands[may_end, :, 1]
        theirs = np.where(
            np.arange(self._players) == seat[may_end, None], np.inf, points
        )
        mine = points[np.arange(len(may_end)), seat[may_end]][:, None] + np.where(
            swaps[may_end], _CARDS - out[may_end], 0.0
        )
        mine = np.where(mine > theirs.min(axis=1)[:, None], 2.0 * mine, mine)
        shares = (
            np.array(played.piles).reshape(len(each), -1)[:, _CARDS] / size[:, None]
        )
        surprises = np.empty((len(each), len(self._pairs)))
        is_last = (self._to_come[number[may_end]] == 0)[:, None]
        for i, (a, b) in enumerate(self._pairs):
            lead = _lead(totals, own, seat, a, b)
            values = _chances(lead, self._then[number][:, None])
            if len(may_end):
                lead = _lead(
                    so_far[may_end] + points,
                    before[may_end] + mine,
                    seat[may_end],
                    a,
                    b,
                )
                ended = np.where(
                    is_last,
                    0.5 + 0.5 * np.sign(lead),
                    _chances(lead, self._ended[number[may_end]][:, None]),
                )
                part = shout[may_end]
                values[may_end] = part * ended + (1.0 - part) * values[may_end]
            surprises[:, i] = values[each, drawn] - _mean(shares, values)
        return surprises


def _lead(totals: Floats, own: Floats, seats: Ints, a: int, b: int) -> Floats:
    """Return the lead of seat `a` over `b`, where `seats` come to `own`."""
    mine = np.where((seats == a)[..., None], own, totals[..., a, None])
    theirs = np.where((seats == b)[..., None], own, totals[..., b, None])
    return theirs - mine


def _chances(lead: Floats, variance: Floats) -> Floats:
    """Return `chance_above` for arrays."""
    x = lead / np.sqrt(4.0 * variance + lead * lead)
    found: Floats = 0.5 + x * (0.75 - 0.25 * x * x)
    return found


def _mean(shares: Floats, values: Floats) -> Floats:
    """Return the mean over cards, summed one by one: `sum` would go in pairs."""
    found: Floats = (shares * values).cumsum(axis=-1)[..., -1]
    return found
