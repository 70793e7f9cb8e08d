"""Where the rules of Zombie Mania! are from, ruling by ruling.

The leaflet is that of the game, by Reiner Knizia.
"""

RULINGS = {
    57: "The leaflet's icons; reviews say that each die has one of each.",
    58: "The leaflet, and reviews: nothing is scored, whatever was kept.",
    59: "The leaflet: what is kept is not thrown again. It knows no further throw of "
    "all dice.",
    60: "The leaflet.",
    61: "The leaflet; its own example has the most that a turn can move, 6.",
    62: "The leaflet: the tokens may go to one other player.",
    63: "The leaflet: tokens `may` be moved.",
    64: "The leaflet: who has no tokens when his turn begins has won.",
    65: "Follows from ruling 61: x2 doubles the sum, wherever the tokens go.",
    66: "The leaflet has a joke for it. A league rotates the seats, so there is no "
    "option.",
    67: "The leaflet: a series of games, with the tokens that are left as penalty "
    "points. It does not speak of ties.",
    68: "The leaflet knows no other end; a league needs one.",
    69: "The leaflet: 12 tokens each for two or three, 10 for four, 8 for five.",
}
