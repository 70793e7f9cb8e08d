"""The rules of Zombie Run! in words, from the deck and the options in force."""

from itertools import groupby

from arena.games.core import Game
from arena.games.rulings import MARKS, assumed, ruled
from arena.games.zombie_run.cards import HORDE, STREET
from arena.games.zombie_run.options import ZombieRunOptions
from arena.games.zombie_run.setup import ZombieRunSetup
from arena.text import counted, listed


def rules_text(game: Game, setup: ZombieRunSetup) -> str:
    """Return the rules of this game with its options, a line for each paragraph."""
    options: ZombieRunOptions = game.options
    hand = options.hand
    cards = sum(setup.deck)
    rest = cards - setup.cards_dealt - 1
    return "\n\n".join(
        (
            f"{game.title} for {game.players} seats, over "
            f"{counted(options.rounds, 'round')} {ruled(55, 'rounds')}. Fewest zombies "
            f"win; those who tie share the win {assumed(54)}.",
            f"The deck has {counted(cards, 'card')} with "
            f"{counted(_zombies(setup.deck), 'zombie')} in all: "
            f"{counted(options.streets, 'Empty Street')} with {STREET} "
            f"{ruled(46, 'streets')}, {counted(options.hordes, 'Zombie Horde')} with "
            f"{HORDE} {ruled(46, 'hordes')}, and {_numbers(options.copies)} "
            f"{assumed(46, 'copies')}. That is enough for {game.min_players} to "
            f"{min(setup.most_players, game.max_players)} seats {ruled(56)}.",
            "For each round all cards are shuffled. Each seat is dealt "
            f"{counted(hand, 'card')} face down {ruled(55, 'hand')}, one at a time. "
            f"They keep their positions, 1 to {hand}. One more card is put face up as "
            "the first of the discard pile; the draw pile has the "
            f"other {rest}. Then each seat looks at two of its cards, at positions of "
            f"its own choice, once {ruled(48)}. The last seat deals in round 1, so "
            "seat 0 has the first turn; in each further round both move on to the next "
            f"higher seat {assumed(47)}.",
            "In its turn a seat takes the top card of the draw pile, which no other "
            "seat sees, or the top card of the discard pile, which all have seen. It "
            "puts the card in place of one of its hand, which goes face up to the "
            f"discard pile, where all see it {ruled(50)}; or it puts the card itself "
            f"there. {_taken(options)} {assumed(49, 'must_swap_from_discard')}. Once "
            "the draw pile is empty and a card from it is wanted, the whole discard "
            f"pile is shuffled and becomes the draw pile {ruled(53)}.",
            "A seat may shout as it discards, in any of its turns, also in its first. "
            f"The round stops at once, without last turns for the others {ruled(51)}. "
            "Each seat scores the zombies in its hand. If another hand has fewer than "
            "that of the shouter, the shouter's score of this round is doubled; a tie "
            "for fewest changes nothing, and the scores of the others are never "
            f"changed {ruled(52)}. Nobody need ever shout: once each seat has had "
            f"{counted(options.round_cap, 'turn')} in a round, the hands are scored as "
            f"they are, without doubling {assumed(53, 'round_cap')}.",
            "A game always ends by itself. If a league allows it fewer decisions "
            "(`max_decisions`), the hands of the round in play are added as they are.",
            "Actions:\n"
            f"    peek 1 {hand}       look at the cards at these two positions\n"
            "    draw           take the top card of the draw pile\n"
            "    take           take the top card of the discard pile\n"
            "    swap 1         put the card at position 1, discard the one there\n"
            "    swap 1 shout   the same, and end the round\n"
            "    discard        discard the card itself\n"
            "    discard shout  the same, and end the round",
            MARKS,
        )
    )


def _zombies(deck: tuple[int, ...]) -> int:
    return sum(value * count for value, count in enumerate(deck))


def _numbers(copies: tuple[int, ...]) -> str:
    """Return the words for the cards of each value from 1 up."""
    runs = []
    for count, group in groupby(enumerate(copies, 1), key=lambda pair: pair[1]):
        values = [value for value, _ in group]
        if len(values) == 1:
            which = f"with {counted(values[0], 'zombie')}"
        else:
            which = f"with each number of zombies from {values[0]} to {values[-1]}"
        runs.append(f"{counted(count, 'card')} {which}")
    return listed(runs)


def _taken(options: ZombieRunOptions) -> str:
    if options.must_swap_from_discard:
        return "But a card taken from the discard pile must be kept"
    return "The latter is allowed with a card taken from the discard pile too"
