"""Zombie Run! in play."""

from collections.abc import Hashable
from random import Random
from typing import Self

from arena.games.core import CHANCE, TERMINAL, Game, IllegalActionError, State, rank
from arena.games.zombie_run.cards import FACE_DOWN, NAMES, SIZE, VALUE_OF, Card
from arena.games.zombie_run.observation import Phase, ZombieRunObservation
from arena.games.zombie_run.setup import ZombieRunSetup


class ZombieRunState(State):
    """The full truth, except for the order of the draw pile, which does not exist.

    A card of the draw pile gets its value when it is dealt or drawn.
    """

    __slots__ = (
        "discard",
        "draw",
        "draw_size",
        "hands",
        "held",
        "phase",
        "pool",
        "revealed",
        "round",
        "setup",
        "step",
        "taken",
        "top",
        "totals",
    )

    def __init__(self, game: Game, setup: ZombieRunSetup) -> None:
        self.game = game
        self.setup = setup
        self.round = 1
        self.totals = [0] * game.players
        """Zombies of the finished rounds."""
        self.revealed: tuple[tuple[int, ...], ...] = ()
        """All hands at the end of the round before."""
        self._shuffle_all()

    def _shuffle_all(self) -> None:
        self.phase: Phase = "deal"
        self.step = 0
        """Cards dealt, seats that have peeked, or turns finished in this phase."""
        self.hands: list[tuple[Card, ...]] = [()] * self.game.players
        self.draw = list(self.setup.deck)
        """Counts by value; so is `discard`."""
        self.draw_size = sum(self.draw)
        self.pool = 0
        """The number of the draw pile, which its cards carry into the hands."""
        self.discard = [0] * SIZE
        # What lies below the top is covered again before anybody can take it,
        # so the pile needs no order.
        self.top: int | None = None
        self.held: int | None = None
        """The card the active seat has in hand, to be placed."""
        self.taken = False

    @property
    def active(self) -> int:
        """The seat that is dealt to, peeks or has its turn (ruling 47)."""
        return (self.round - 1 + self.step) % self.game.players

    def current_player(self) -> int:
        phase = self.phase
        if phase == "pick" or phase == "place" or phase == "peek":
            return (self.round - 1 + self.step) % self.game.players
        return TERMINAL if phase == "over" else CHANCE

    def legal_actions(self) -> list[str]:
        return list(self.setup.menu(self.phase, self.taken))

    def is_legal(self, action: object) -> bool:
        menu = self.setup.menu(self.phase, self.taken)
        return isinstance(action, str) and action in menu

    def chance_outcomes(self) -> list[tuple[str, float]]:
        if self.current_player() != CHANCE:
            return []
        size = self.draw_size
        return [(NAMES[v], count / size) for v, count in enumerate(self.draw) if count]

    def outcome_at(self, u: float) -> str:
        card = int(u * self.draw_size)
        for value, count in enumerate(self.draw):
            card -= count
            if card < 0:
                return NAMES[value]
        raise ValueError(f"u is not in [0, 1), or no chance decides here: {u}")

    def chance_stream(self) -> str:
        if self.phase == "open":
            return f"round {self.round} discard"
        number = self.step // self.game.players + 1
        if self.phase == "deal":
            return f"round {self.round} deal seat {self.active} slot {number}"
        return f"round {self.round} seat {self.active} turn {number} draw"

    def apply(self, x: str) -> None:
        phase = self.phase
        if phase == "deal" or phase == "open" or phase == "draw":
            value = VALUE_OF.get(x)
            if value is None or not self.draw[value]:
                raise IllegalActionError(self, x)
            self.draw[value] -= 1
            self.draw_size -= 1
            self._turn_up(value)
            return
        move = self.setup.menu(phase, self.taken).get(x)
        if move is None:
            raise IllegalActionError(self, x)
        if phase == "place":
            self._place(*move)
        elif phase == "pick":
            self._pick(x)
        else:
            self._peek(*move)

    def _turn_up(self, value: int) -> None:
        if self.phase == "draw":
            self.held = value
            self.phase = "place"
        elif self.phase == "open":
            self.discard[value] += 1
            self.top = value
            self.phase = "peek"
        else:
            self.hands[self.active] += (FACE_DOWN[value],)
            self.step += 1
            if self.step == self.setup.cards_dealt:
                self.phase = "open"
                self.step = 0

    def _peek(self, *slots: int) -> None:
        seat = self.active
        hand = list(self.hands[seat])
        for slot in slots:
            hand[slot] = Card(hand[slot].value, 1 << seat, 0)
        self.hands[seat] = tuple(hand)
        self.step += 1
        if self.step == self.game.players:
            self.phase = "pick"
            self.step = 0

    def _pick(self, action: str) -> None:
        if action == "draw":
            if not self.draw_size:
                self._reshuffle()
            self.phase = "draw"
        else:
            # A turn starts with a card on the pile: each adds the one it discards.
            assert self.top is not None
            self.discard[self.top] -= 1
            self.held, self.top = self.top, None
            self.taken = True
            self.phase = "place"

    def _reshuffle(self) -> None:
        """Make the whole discard pile the draw pile (ruling 53)."""
        pools = sorted({card.pool for hand in self.hands for card in hand})
        self.hands = [
            tuple(Card(v, seen_by, pools.index(pool)) for v, seen_by, pool in hand)
            for hand in self.hands
        ]
        self.pool = len(pools)
        self.draw, self.discard = self.discard, [0] * SIZE
        self.draw_size = sum(self.draw)
        self.top = None

    def _place(self, slot: int, shout: int) -> None:
        seat = self.active
        out = self.held
        assert out is not None
        if slot >= 0:
            seen_by = self.setup.everybody if self.taken else 1 << seat
            hand = self.hands[seat]
            card = Card(out, seen_by, self.pool)
            out = hand[slot].value
            self.hands[seat] = (*hand[:slot], card, *hand[slot + 1 :])
        self.discard[out] += 1
        self.top = out
        self.held = None
        self.taken = False
        self.step += 1
        if shout:
            self._end_round(seat)
        elif self.step == self.setup.turns_in_round:
            self._end_round(None)
        else:
            self.phase = "pick"

    def _end_round(self, shouter: int | None) -> None:
        """Score the hands; a shouter who is not lowest counts double (ruling 52)."""
        self.revealed = tuple(
            [tuple([card.value for card in hand]) for hand in self.hands]
        )
        points = [sum(hand) for hand in self.revealed]
        if shouter is not None and points[shouter] > min(points):
            points[shouter] *= 2
        for seat, zombies in enumerate(points):
            self.totals[seat] += zombies
        self._shuffle_all()
        if self.round < self.game.options.rounds:
            self.round += 1
        else:
            self.phase = "over"

    def clone(self) -> Self:
        cls = type(self)
        copy = cls.__new__(cls)
        copy.game = self.game
        copy.setup = self.setup
        copy.phase = self.phase
        copy.round = self.round
        copy.step = self.step
        copy.totals = self.totals[:]
        copy.hands = self.hands[:]
        copy.pool = self.pool
        copy.draw = self.draw[:]
        copy.draw_size = self.draw_size
        copy.discard = self.discard[:]
        copy.top = self.top
        copy.held = self.held
        copy.taken = self.taken
        copy.revealed = self.revealed
        return copy

    def scores(self) -> list[float]:
        """Return the zombies of the finished rounds in seat order; the fewest win."""
        return [float(total) for total in self.totals]

    def places(self) -> list[int]:
        """Return the place of each seat; the hands of a round in play count as is."""
        points = [
            total + sum(card.value for card in hand)
            for total, hand in zip(self.totals, self.hands, strict=True)
        ]
        return rank(points, lowest_wins=True)

    def visible(self, x: str, seat: int) -> str | None:
        """Return `x`, or None for a card that is dealt, or drawn by another seat."""
        if self.phase == "deal" or (self.phase == "draw" and seat != self.active):
            return None
        return x

    def observation(self, seat: int) -> ZombieRunObservation:
        bit = 1 << seat
        unseen = [[0] * SIZE for _ in range(self.pool)]
        unseen.append(self.draw[:])
        hands, seen_by, pools = [], [], []
        for hand in self.hands:
            known: list[int | None] = []
            seen = []
            origins = []
            for value, seats, pool in hand:
                if seats & bit:
                    known.append(value)
                else:
                    known.append(None)
                    unseen[pool][value] += 1
                seen.append(seats)
                origins.append(pool)
            hands.append(tuple(known))
            seen_by.append(tuple(seen))
            pools.append(tuple(origins))
        drawn = self.held
        if drawn is not None and not self.taken and seat != self.active:
            unseen[-1][drawn] += 1
            drawn = None
        return ZombieRunObservation(
            seat=seat,
            game=self.game,
            phase=self.phase,
            round=self.round,
            step=self.step,
            scores=tuple(self.totals),
            hands=tuple(hands),
            seen_by=tuple(seen_by),
            pools=tuple(pools),
            unseen=tuple(map(tuple, unseen)),
            draw_size=self.draw_size,
            discard=tuple(self.discard),
            top=self.top,
            drawn=drawn,
            taken=self.taken,
            revealed=self.revealed,
        )

    def restore(self, seen: ZombieRunObservation, rng: Random) -> Self:
        """Become one of the states that `seen` leaves possible, and return it.

        Each is as likely as the others.
        """
        # What is unseen and not in the draw pile lies in a hand, or has been drawn.
        wanted = [sum(row) for row in seen.unseen]
        wanted[-1] -= seen.draw_size
        dealt = [
            rng.sample(range(SIZE), count, counts=row) if count else []
            for row, count in zip(seen.unseen, wanted, strict=True)
        ]
        draw = list(seen.unseen[-1])
        for value in dealt[-1]:
            draw[value] -= 1
        self.phase = seen.phase
        self.round = seen.round
        self.step = seen.step
        self.totals = list(seen.scores)
        self.hands = [
            tuple(
                [
                    Card(dealt[pool].pop() if value is None else value, seen_by, pool)
                    for value, seen_by, pool in zip(*rows, strict=True)
                ]
            )
            for rows in zip(seen.hands, seen.seen_by, seen.pools, strict=True)
        ]
        self.pool = len(seen.unseen) - 1
        self.draw = draw
        self.draw_size = seen.draw_size
        self.discard = list(seen.discard)
        self.top = seen.top
        hidden_draw = seen.phase == "place" and seen.drawn is None
        self.held = dealt[-1].pop() if hidden_draw else seen.drawn
        self.taken = seen.taken
        self.revealed = seen.revealed
        return self

    def key(self) -> Hashable:
        return (
            self.phase,
            self.round,
            self.step,
            tuple(self.totals),
            tuple(self.hands),
            self.pool,
            tuple(self.draw),
            tuple(self.discard),
            self.top,
            self.held,
            self.taken,
            self.revealed,
        )

    def to_text(self) -> str:
        """Return all hands, with a star at the cards their owner knows."""
        return self._text(None)

    def text_for(self, seat: int) -> str:
        """Return the position as a seat knows it: `?` for each card it has not seen.

        Between rounds also the hands that were shown.
        """
        text = self._text(seat)
        if self.revealed and self.phase in ("peek", "over"):
            for other, hand in enumerate(self.revealed):
                cards = " ".join(map(str, hand))
                text += f"\nshown by seat {other}: {cards}, in sum {sum(hand)}"
        return text

    def _text(self, reader: int | None) -> str:
        """Return the position as a seat knows it; all of it for None."""
        is_open = reader is None or self.taken or reader == self.active
        doing = self._doing(str(self.held) if is_open else "a card")
        lines = [f"round {self.round} of {self.game.options.rounds}, {doing}"]
        top = "none" if self.top is None else self.top
        lines.append(
            f"draw pile {self.draw_size} cards, "
            f"discard pile {sum(self.discard)} cards, top {top}"
        )
        for seat, hand in enumerate(self.hands):
            cards = "".join(
                f" {value if reader is None or seen_by >> reader & 1 else '?'}"
                f"{'*' if seen_by >> seat & 1 else ''}"
                for value, seen_by, _ in hand
            )
            lines.append(f"seat {seat}, score {self.totals[seat]}:{cards}")
        return "\n".join(lines)

    def _doing(self, held: str) -> str:
        turn = f"seat {self.active} turn {self.step // self.game.players + 1}"
        where = "taken" if self.taken else "drawn"
        return {
            "deal": f"dealing to seat {self.active}",
            "open": "turning up the first discard",
            "peek": f"seat {self.active} looks at two cards",
            "pick": turn,
            "draw": f"{turn} draws",
            "place": f"{turn} has {where} {held}",
            "over": "game over",
        }[self.phase]
