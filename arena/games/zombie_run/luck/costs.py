"""What cards in a hand of Zombie Run! cost, and how far that decides the game."""

from collections.abc import Sequence
from typing import Any, Final

from arena.games.zombie_run import HORDE, ZombieRun

VALUES: Final = (*range(10), HORDE)
"""The zombies that a card can have."""
KNOWN_COSTS: Final = (0.0, 1.3, 2.4, 3.6, 5.0, 6.0, 6.5, 7.0, 7.2, 7.2, 8.0)
"""Zombies that a card of 0, 1, … 9 and 15 adds to the round of an owner who knows it.

A high card is known and soon swapped, so it costs no more than a middling one.
"""
UNKNOWN_COSTS: Final = (0.0, 0.9, 1.4, 2.2, 3.0, 3.3, 4.1, 5.0, 5.3, 6.3, 10.7)
"""The same of a card that its owner has not seen.

Both by least squares, from 14,000 rounds of `swap_lower`, `card_counter` and
`rollouts`; tests/games/luck/fit_zombie_run.py fits them again, and says how.
"""
SHOUT_CHANCES: Final = ((0.5, 0.3), (1 / 3, 0.5))
"""How likely a seat shouts with such a part of an average hand's zombies, or less.

As far as it knows its hand; a card not seen counts as an average one.
"""
ROUND_VARIANCE: Final = 16 / 7
"""The variance of the lead that a round brings: so many times that of a hand's cards.

That of a hand is the variance of a card in the deck times the cards of a hand; 256 of
112 as the game is played by default.
"""
DEALT_PART: Final = 0.47
"""What is left of it once all cards are dealt."""
END_VARIANCE: Final = 4.0
"""What is left of it at the end of a round, so that no lead is safe in a round."""


class Costs:
    """The numbers of the value, for a game with its deck and options."""

    def __init__(self, game: ZombieRun) -> None:
        options: Any = game.options
        deck = game.setup.deck
        cards = sum(deck)
        zombies = sum(value * count for value, count in enumerate(deck))
        squares = sum(value**2 * count for value, count in enumerate(deck))
        self._rounds: int = options.rounds
        self._round: float = (
            ROUND_VARIANCE
            * options.hand
            * ((squares * cards - zombies * zombies) / cards**2)
        )
        self.average: Final = zombies / cards
        """Zombies on a card."""
        self.known: Final[dict[int, float]] = dict(
            zip(VALUES, KNOWN_COSTS, strict=True)
        )
        """What a card costs that its owner has seen, by its zombies."""
        self.unknown: Final[dict[int, float]] = dict(
            zip(VALUES, UNKNOWN_COSTS, strict=True)
        )
        """The same of a card that its owner has not seen."""
        self.unseen: Final = [
            self.known if slot < 2 else self.unknown for slot in range(options.hand)
        ]
        """What cards cost, by their slots, whose owner has not looked yet."""
        self.undealt: Final = [_mean(costs, deck) for costs in self.unseen]
        """What cards cost that are not dealt yet, by their slots."""
        self.shouts: Final = [
            (part * options.hand * self.average, chance)
            for part, chance in SHOUT_CHANCES
        ]
        """How likely a seat shouts with so many zombies, or fewer."""

    @property
    def numbers(self) -> list[float]:
        """All numbers on which luck depends."""
        numbers = [
            *KNOWN_COSTS,
            *UNKNOWN_COSTS,
            self.average,
            self._round,
            DEALT_PART,
            END_VARIANCE,
        ]
        numbers += self.undealt
        for shout in self.shouts:
            numbers += shout
        return numbers

    def variance(self, number: int, part: float = 0.0) -> float:
        """Return the variance of a lead in a round of which this part is undealt."""
        left = DEALT_PART + (1.0 - DEALT_PART) * part
        return END_VARIANCE + (self._rounds - number + left) * self._round

    def variance_after(self, number: int) -> float:
        """Return the variance of a lead after a round."""
        return END_VARIANCE + (self._rounds - number) * self._round


def _mean(costs: dict[int, float], deck: Sequence[int]) -> float:
    total = 0.0
    for value, cost in costs.items():
        total += cost * deck[value]
    return total / sum(deck)
