"""The dice of Zombie Mania!: all throws, all keeps, and the tokens they move."""

from functools import cache
from itertools import accumulate, combinations_with_replacement, product
from math import factorial, prod
from typing import Final, NamedTuple

ZOMBIES: Final = {"blue": 1, "green": 1, "brown": 2}
"""The tokens that a pair of each zombie lets one move (ruling 61)."""
ICONS: Final = (*ZOMBIES, "gravestone", "building", "x2")
"""The faces of a die, one each (ruling 57), in the order of their naming."""
DICE: Final = 8
PAIR: Final = 2
"""The dice of an icon that count; further ones add nothing (ruling 61)."""
FACTOR: Final = 2
"""What a pair of x2 multiplies the sum by (ruling 61)."""
MOST_TO_GRAVEYARD: Final = 6
"""With gravestones, x2, brown and one pair more, which are all the dice."""
MOST_TO_SEAT: Final = 4
"""With gravestones, buildings, x2 and brown (ruling 65)."""

Counts = tuple[int, ...]
"""Dice as the number of each icon, in the order of `ICONS`."""

NO_DICE: Final[Counts] = (0,) * len(ICONS)


class IconRolls(NamedTuple):
    """All throws of a number of dice, as multisets of icons in a fixed order."""

    outcomes: tuple[tuple[str, float], ...]
    """The throws in words, with multinomial probabilities."""
    cumulative: tuple[float, ...]
    """The probability of each throw or one before it; the last is 1."""
    counts: dict[str, Counts]
    """The throws by their words."""


@cache
def rolls(dice: int) -> IconRolls:
    """Return all throws of 1 to 8 dice."""
    counts = {
        " ".join(words): to_counts(words)
        for words in combinations_with_replacement(ICONS, dice)
    }
    ways = [
        factorial(dice) // prod(map(factorial, rolled)) for rolled in counts.values()
    ]
    total = len(ICONS) ** dice
    return IconRolls(
        tuple((text, n / total) for text, n in zip(counts, ways, strict=True)),
        tuple(n / total for n in accumulate(ways)),
        counts,
    )


@cache
def keeps() -> dict[str, Counts]:
    """Return the dice of each keep, by action, in the order of the ids."""
    return {
        to_keep(counts): counts
        for dice in range(1, DICE + 1)
        for counts in rolls(dice).counts.values()
        if has_zombie(counts)
    }


@cache
def keeps_of(rolled: Counts) -> dict[str, Counts]:
    """Return the dice of each keep that a throw allows, as `keeps()` does."""
    parts = [k for k in product(*(range(n + 1) for n in rolled)) if has_zombie(k)]
    parts.sort(key=lambda keep: (sum(keep), [-n for n in keep]))
    known = keeps()
    return {action: known[action] for action in map(to_keep, parts)}


@cache
def to_keep(kept: Counts) -> str:
    """Return the action that keeps these dice."""
    return f"keep {' '.join(to_words(kept))}"


@cache
def to_counts(words: tuple[str, ...]) -> Counts:
    """Return the number of each icon among `words`."""
    return tuple(map(words.count, ICONS))


@cache
def to_words(counts: Counts) -> tuple[str, ...]:
    """Return the icons one by one, in the order of `ICONS`."""
    return tuple(icon for icon, n in zip(ICONS, counts, strict=True) for _ in range(n))


def has_zombie(counts: Counts) -> bool:
    """Return True if a blue, green or brown zombie is among the dice."""
    return any(counts[: len(ZOMBIES)])


@cache
def pairs(kept: Counts) -> Counts:
    """Return the dice of each icon that count, at most a pair (ruling 61)."""
    return tuple([min(count, PAIR) for count in kept])


@cache
def movable(kept: Counts) -> int:
    """Return the number of tokens that the kept dice let one move (60, 61)."""
    paired = {icon for icon, n in zip(ICONS, kept, strict=True) if n >= PAIR}
    if "gravestone" not in paired:
        return 0
    amount = sum(worth for icon, worth in ZOMBIES.items() if icon in paired)
    return amount * FACTOR if "x2" in paired else amount


def can_send(kept: Counts) -> bool:
    """Return True if the buildings let tokens go to another seat (ruling 62)."""
    return kept[ICONS.index("building")] >= PAIR
