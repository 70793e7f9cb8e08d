"""The action that a person means by what they have typed."""

from collections import Counter
from collections.abc import Sequence

from arena.text import alike, some_of

_NAMED_ACTIONS = 4
"""Legal actions that an error names."""
_LIKENESS = 0.4
"""Of the typed text and an action that may be meant."""


class TypedActionError(ValueError):
    """No legal action, or several, fit the typed text; one sentence for the person."""


def find_action(typed: str, legal: Sequence[str]) -> str:
    """Return the legal action that a person means.

    Capitals and small letters are alike.  The first of these that fits counts, if it
    fits one action only: the number of an action, from 1; the whole action; its words
    in any order; its beginning; the beginnings of all its words; some of its words.

    Raises:
        TypedActionError: no action fits, or several do.
    """
    words = typed.lower().split()
    if not words:
        raise TypedActionError("type an action, its number, or ? for help")
    text = " ".join(words)
    if text.isdecimal():
        number = int(text)
        if 1 <= number <= len(legal):
            return legal[number - 1]
        raise TypedActionError(f"the numbers are 1 to {len(legal)}; you typed {text}")
    by_text = {action.lower(): action for action in legal}
    if text in by_text:
        return by_text[text]
    for fits in (_same_words, _begins, _words_begin, _has_words):
        found = [action for low, action in by_text.items() if fits(low, words)]
        if len(found) == 1:
            return found[0]
        if found:
            some = some_of(found[:_NAMED_ACTIONS], len(found))
            raise TypedActionError(f"{typed.strip()!r} could be {some}")
    near = [by_text[low] for low in alike(text, by_text, _NAMED_ACTIONS, _LIKENESS)]
    kind = "nearest" if near else "legal"
    some = some_of(near or legal[:_NAMED_ACTIONS], len(legal))
    raise TypedActionError(f"{typed.strip()!r} is not legal here; {kind}: {some}")


def _same_words(action: str, words: list[str]) -> bool:
    return Counter(action.split()) == Counter(words)


def _begins(action: str, words: list[str]) -> bool:
    return action.startswith(" ".join(words))


def _words_begin(action: str, words: list[str]) -> bool:
    own = action.split()
    return len(own) == len(words) and all(map(_word_begins, own, words))


def _word_begins(own: str, word: str) -> bool:
    # 1 is not the beginning of 10.
    return own == word if word.isdecimal() else own.startswith(word)


def _has_words(action: str, words: list[str]) -> bool:
    return Counter(words) <= Counter(action.split())
