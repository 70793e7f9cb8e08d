"""Mistakes for which no bot is found in a file."""

from mistake import HEAD, ROLLS, Mistake

MISTAKES = (
    Mistake(
        "missing method",
        HEAD + ROLLS.replace("zombie_dice", "decide"),
        HEAD + ROLLS,
    ),
    Mistake(
        "misspelt method",
        HEAD + ROLLS.replace("zombie_dice", "zombie_dices"),
        HEAD + ROLLS,
    ),
    Mistake("missing base", "class Mistake:\n" + ROLLS, HEAD + ROLLS),
)
