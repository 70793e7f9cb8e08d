"""Where the rules of Zombie Run! are from, ruling by ruling.

The leaflet is that of the game (The Haywire Group, 2014, item 235).
"""

RULINGS = {
    46: "The leaflet has the numbers of streets, hordes and other cards; reviews have "
    "the values. How many cards there are of each value 1 to 9 is printed nowhere: "
    "five of each is the only even split.",
    47: "The leaflet says who deals first, and not who has the first turn: by custom "
    "the seat behind the dealer. A league rotates the seats, so there is no option.",
    48: "The leaflet: two cards, once, at the start. It leaves the positions open.",
    49: "The leaflet lets a seat choose whether to exchange, from either pile, and "
    "also says that nobody passes. In golf, a game like it, the card must be kept.",
    50: "The leaflet. A seat knows what it has looked at or drawn, all know where a "
    "card taken from the discard pile lies, and what is known stays known while the "
    "card stays.",
    51: "The leaflet: the shout comes with the discard, and the round stops.",
    52: "The leaflet, for a shouter who is not lowest. It does not speak of a tie.",
    53: "The leaflet, for the piles; each turn leaves a card on the discard pile, so "
    "none is ever stopped. The end of a round without a shout has no source.",
    54: "The leaflet does not say what becomes of a tie.",
    55: "The leaflet: 5 rounds or 10, and 4, 5 or 6 cards.",
    56: "The deck must hold every hand and the first discard: with hands of 4 that is "
    "18 seats, with 5 it is 14, with 6 it is 12. Reviews say 2 to 7.",
}
