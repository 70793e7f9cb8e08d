"""Where the rules of OX Blocks are from, ruling by ruling.

The leaflet is that of the game.  It has been printed together with that of Zombie Dice;
the two games share no rule (ruling 45).
"""

RULINGS = {
    37: "The leaflet gives neither the board nor the blocks. Three in a row on nine "
    "cells is the usual game; players who have counted the faces found two of each.",
    38: "The leaflet does not say what happens then. No block is left to be thrown.",
    39: "The leaflet: one may take a block of the other off, and must take off one of "
    "one's own if the other has none. It does not speak of an empty board.",
    40: "The leaflet's `his blocks` is read as those that show his symbol.",
    41: "Follows from ruling 40.",
    42: "The leaflet does not say it; so it is with a block that is placed.",
    43: "The leaflet knows no end but a line; a league needs one.",
    44: "The leaflet lets either begin.",
}
