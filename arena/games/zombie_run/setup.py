"""The deck and the legal actions of Zombie Run!, as players and options make them."""

from itertools import combinations
from typing import Final

from arena.games.zombie_run.cards import HORDE, SIZE, STREET
from arena.games.zombie_run.options import ZombieRunOptions

Menu = dict[str, tuple[int, int]]
"""Actions in the order of their ids, with what each means.

The two slots of a peek; the slot of a swap, or -1 for none, and whether there is a
shout.  Slots are 0-based.
"""


class ZombieRunSetup:
    """The tables that all states of a game share."""

    def __init__(self, players: int, options: ZombieRunOptions) -> None:
        self.deck: Final = _deck(options)
        """Counts of all cards, indexed by value."""
        self.most_players: Final = max(0, (sum(self.deck) - 1) // options.hand)
        """Seats that the deck has cards for."""
        self.cards_dealt: Final = players * options.hand
        """Cards in all hands."""
        self.turns_in_round: Final = players * options.round_cap
        """Turns of all seats after which a round ends without a shout."""
        self.everybody: Final = (1 << players) - 1
        """The `seen_by` of a card that all know."""
        self.menus: Final = _menus(options.hand, options.must_swap_from_discard)
        """The legal actions of each phase."""

    def menu(self, phase: str, taken: bool) -> Menu:
        """Return the legal actions of a phase.

        Args:
            phase: the `Phase`.
            taken: whether a card from the discard pile is to be placed.
        """
        return self.menus["taken" if taken else phase]


def _deck(options: ZombieRunOptions) -> tuple[int, ...]:
    """Return the whole deck as counts, indexed by value."""
    counts = [0] * SIZE
    counts[STREET] = options.streets
    counts[1:10] = options.copies
    counts[HORDE] = options.hordes
    return tuple(counts)


def _menus(hand: int, must_swap: bool) -> dict[str, Menu]:
    peeks = {f"peek {i + 1} {j + 1}": (i, j) for i, j in combinations(range(hand), 2)}
    swaps = {f"swap {i + 1}": (i, 0) for i in range(hand)}
    swaps |= {f"swap {i + 1} shout": (i, 1) for i in range(hand)}
    places = {**swaps, "discard": (-1, 0), "discard shout": (-1, 1)}
    nothing: Menu = {}
    return {
        "deal": nothing,
        "open": nothing,
        "peek": peeks,
        "pick": {"draw": (-1, 0), "take": (-1, 0)},
        "draw": nothing,
        "place": places,
        "taken": swaps if must_swap else places,
        "over": nothing,
    }
