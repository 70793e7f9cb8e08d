"""Where the rules of Zombie Dice are from, ruling by ruling.

The leaflet is that of the game (version 1.0, March 2010), the manual that with the
expansions.  Where these give no faces, they are those of the published dice.  Rulings
16, 21 and 33, 29 as far as green dice go, and of 34 where the dice of lost brains go
and what the horde comes before or after, rest on inference only.
"""

RULINGS = {
    1: "The leaflet: when fewer than three dice are left. The other values of `cup` "
    "are for comparison with others' figures.",
    2: "The leaflet: the brains are noted, all of them go back, and the turn goes on.",
    3: "The manual has a turn end so. With the dice of the boxes it happens under "
    "`cup: none` only.",
    4: "The leaflet counts what is banked; the manual says that brains in hand may be "
    "lost.",
    5: "The leaflet; the manual has an example.",
    6: "The leaflet has one tiebreaker round. That it is repeated is custom; to add up "
    "its brains gives the same order as to compare each round by itself.",
    7: "The leaflet has a joke for it. A league rotates the seats.",
    8: "The leaflet: the first roll is compulsory, and after each one may stop.",
    9: "The leaflet. The manual's `first to reach 13` is short for it.",
    10: "A copy of the leaflet stands on that of OX Blocks; they share no rule.",
    11: "The leaflet: three shotguns or more.",
    12: "The manual gives no counts of faces, and contradicts itself on the Hottie and "
    "on Santa. Reviews agree on the published dice; `faces: manual` is what it says.",
    13: "The scenarios of the published expansion; `direct_to_video_sequel` is the "
    "manual's setup. `all_yellow` is for study, as exact results are published for it.",
    14: "The manual. Its `only` is read so that its other lines hold too.",
    15: "The manual says `can`; the published summary has it happen by itself.",
    16: "The manual says `or`; that both go back is inferred.",
    17: "The manual: in the same roll or an earlier one.",
    18: "Follows from ruling 2: what is noted is no die on the table.",
    19: "The manual and the published summary.",
    20: "The manual: four shotguns instead of three. When it helps is inferred from "
    "the roll being one event.",
    21: "The manual says both `all green feet` and `from this point on`.",
    22: "The manual: Santa does not go back to a cup that is too empty.",
    23: "Follows from ruling 2.",
    24: "The manual lists six effects; the published die has twelve faces.",
    25: "The published summary: the bus takes the place of a die that would be drawn.",
    26: "The published summary: off the bus for the rest of the turn.",
    27: "The published summary has the feet go back to the cup. The cup's own rule is "
    "ruling 1.",
    28: "The manual: unless the roll was fatal.",
    29: "The manual: shotguns of this roll become feet, and what came before has "
    "happened. Whether the energy drink holds for these feet is inferred.",
    30: "The manual: all feet of this roll become brains.",
    31: "The manual: a brain is lost, and the bus. Which one is left open.",
    32: "The published box has counters for them.",
    33: "No publisher's list of its faces exists.",
    34: "The manual: all brains are lost, banked ones too, and the turn goes on. In "
    "which order, and where the dice go, is inferred.",
    35: "The manual: it does not go back to the cup before the turn ends.",
    36: "The manual: 20 brains with the horde. What becomes of a bank that is lost in "
    "the last round follows from ruling 4.",
}
