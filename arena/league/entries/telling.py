"""What tells files apart: the words of a file's name that others do not have.

Learning platforms write the student in front of what the student has called the file,
with numbers between them: `alderana_12345_678_my_bot`.  `alderana` tells it all.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from arena.league.entries.looks import shape_of

_WORD = re.compile(r"[^\W_]+(?:['\u2019.+@]+[^\W_]+)*")
_MOST_WORDS = 8
"""Of a part."""
_GOOD_CHARS = 24
"""Up to this, a longer part says more."""

K = TypeVar("K")


class _FileName(NamedTuple):
    """A file's name and the words in it."""

    text: str
    spans: tuple[tuple[int, int], ...]
    """Where each word starts and stops."""
    shapes: tuple[str, ...]
    """What each word looks like (`shape_of`)."""

    def part(self, start: int, stop: int) -> str:
        """Return the text from one word up to another, which is no part of it."""
        return self.text[self.spans[start][0] : self.spans[stop - 1][1]]

    def has_letter(self, i: int) -> bool:
        """Return True if a word has a letter: numbers are the platforms'."""
        return any(c.isalpha() for c in self.part(i, i + 1))

    def goes_on(self, i: int) -> bool:
        """Return True if a word and the one before may be one person's name."""
        return self.text[self.spans[i - 1][1] : self.spans[i][0]] in (" ", "-")


def telling_parts(files: Mapping[K, str]) -> dict[K, str]:
    """Return the words of each file's name that tell it apart from all others.

    The names are without what they end in, maybe with folders, and all differ.  A part
    is of whole words.  It begins at the first one that at most two of three files have,
    and goes on until no other file has the same words.
    """
    names = {key: _words(text) for key, text in files.items()}
    files_with = Counter(x for name in names.values() for x in {*runs_of(name.shapes)})
    most = 2 * len(files) // 3
    return {key: _telling(name, files_with, most) for key, name in names.items()}


def _telling(
    name: _FileName, files_with: Mapping[tuple[str, ...], int], most: int
) -> str:
    """Return a file's part, where words that more than `most` files have are common."""
    count = len(name.shapes)
    rare = [files_with[shape,] <= most for shape in name.shapes]
    words = [is_rare and name.has_letter(i) for i, is_rare in enumerate(rare)]
    if not any(rare) or (all(words) and len(name.text) <= _GOOD_CHARS):
        return name.text
    if any(words):
        start = words.index(True)
        stop = start + 1
    else:
        # A number alone is no name.
        stop = rare.index(True) + 1
        start = max((i for i in range(stop) if name.has_letter(i)), default=0)
        if len(name.part(0, stop)) <= _GOOD_CHARS:
            start = 0
    while files_with.get(name.shapes[start:stop], 0) > 1 and stop < count:
        stop += 1
    while (
        stop < count
        and rare[stop]
        and name.goes_on(stop)
        and len(name.part(start, stop + 1)) <= _GOOD_CHARS
    ):
        stop += 1
    is_alone = files_with.get(name.shapes[start:stop]) == 1
    return name.part(start, stop) if is_alone else name.text


def _words(text: str) -> _FileName:
    spans = tuple(found.span() for found in _WORD.finditer(text))
    return _FileName(text, spans, tuple(shape_of(text[a:b]) for a, b in spans))


def words_in(text: str) -> tuple[str, ...]:
    """Return what each word of a text looks like."""
    return _words(text).shapes


def runs_of(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return all that follow each other in a text, up to eight words."""
    return [
        tuple(words[i:j])
        for i in range(len(words))
        for j in range(i + 1, min(len(words), i + _MOST_WORDS) + 1)
    ]
