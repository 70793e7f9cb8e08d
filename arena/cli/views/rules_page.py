"""The rules of a game on a page, with or without the numbers of their rulings."""

import re
from collections.abc import Iterator

from arena.games import Game
from arena.games.registry import game_part
from arena.games.rulings import numbers_in, without_numbers
from arena.text import wrapped

_MAX_COLUMNS = 80
"""Wider lines are hard to read."""
_ITEM = re.compile(r" *\S.*?\S  +(?=\S)| +")
"""What stands before the words of a line in a list."""


def rules_page(game: Game, width: int, *, rulings: bool = False) -> str:
    """Return the rules of a game with its options, in lines of at most `width`.

    With `rulings` each point has its number, and a list of these at the end says where
    they are from, if the game's folder says so.
    """
    text = game.rules_text().strip()
    if not rulings:
        text = without_numbers(text)
    lines = text.split("\n")
    if rulings and (sources := [*_sources(game, text)]):
        lines += ["", "Where the rulings are from:", *sources]
    return page_of(lines, width)


def page_of(lines: list[str], width: int) -> str:
    """Return lines of text, wrapped; what goes on stands below the words above it."""
    width = min(_MAX_COLUMNS, width)
    return "\n".join(part for line in lines for part in _wrapped(line, width))


def _wrapped(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    item = _ITEM.match(line) if line.startswith(" ") else None
    return wrapped(line, width, " " * len(item[0]) if item else "")


def _sources(game: Game, text: str) -> Iterator[str]:
    """Yield a line for each ruling that a text names."""
    part = game_part(game.name, "rulings")
    told: dict[int, str] = {} if part is None else part.RULINGS
    for number in numbers_in(text):
        if number in told:
            yield f"    {number:2}  {told[number]}"
