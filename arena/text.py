"""Text for people: hints, lists, numbers with nouns, wrapping, cutting, times.

All rooms use these functions, so that all messages look alike.  A contestant's process
imports this module too, so it imports little itself.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches

LIKENESS = 0.6
"""From 0 to 1: how like each other two words must be for one to be meant."""
_LIKE_SINGLE = (
    "'\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u2018\u2019\u201a\u201b\u2032\u2035"
    "\u275b\u275c\uff07"
)
_LIKE_DOUBLE = (
    '"\u02ba\u02dd\u02ee\u05f4\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e'
    "\u301d\u301e\u301f\uff02"
)
"""Characters that look like quotes, with those themselves."""
_MOST_NAME_WORDS = 3
_NAME_WORD = re.compile(r"[\w.+-]*[\w+-]|[^\W\d_]\.")
_TURNING = frozenset(
    (
        *("all", "any", "anybody", "both", "each", "either", "everybody", "everyone"),
        *("neither", "no", "nobody", "none", "only", "surely"),
    )
)
"""Words that turn what a sentence says, if a bot is called so."""
_WORD = re.compile(r"([ \t\n\r\f\v]*)([^ \t\n\r\f\v]+)")
_COMMAND = re.compile(r"`[^`\n]+`|(?<=: )arena [a-z]+ [^;()\n]*[^;()\n. ]")
"""What is copied into a terminal."""
_NO_BREAK = "\ue001"
"""Stands for a space at which no line is broken."""


def alike(
    word: str, known: Iterable[str], most: int, likeness: float = LIKENESS
) -> list[str]:
    """Return the known words that are like a word, the most like first."""
    return get_close_matches(word, list(known), most, likeness)


def closest(word: str, known: Iterable[str], likeness: float = LIKENESS) -> str:
    """Return the known word that is most like a word; nothing if none is."""
    return "".join(alike(word, known, 1, likeness))


def did_you_mean(
    word: str,
    known: Iterable[str],
    otherwise: str = "",
    *,
    likeness: float = LIKENESS,
) -> str:
    """Return `did you mean 'target'?`, or `otherwise` if no known word is like it."""
    close = closest(word, known, likeness)
    return f"did you mean {close!r}?" if close else otherwise


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return `1 card` or `4 cards`; the plural ends in s unless it is given."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Iterable[str], link: str = "and") -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    *others, last = words
    return f"{', '.join(others)} {link} {last}" if others else last


def some_of(shown: Iterable[str], total: int, *, with_total: bool = False) -> str:
    """Return `a, b`, or `a, b, …` if there are more in total.

    With the total it is `a, b, … (9 in all)`.
    """
    shown = list(shown)
    more = f", … ({total} in all)" if with_total else ", …"
    return ", ".join(shown) + more * (total > len(shown))


def columns(text: str) -> int:
    """Return the width of a text in columns of a terminal."""
    if text.isascii():
        return len(text)
    # Imported late: no contestant needs it.
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text
    )


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Return the lines of a text, wrapped at a width; all but the first are indented.

    No word is broken, however long it is, and no command that is there to be copied:
    one of arena's behind a colon or between backquotes.  What else stands between
    these is broken only if it has no room in a line.
    """

    def joined(found: re.Match[str]) -> str:
        is_other = found[0].startswith("`") and not found[0].startswith("`arena ")
        if is_other and columns(indent + found[0]) > width:
            return found[0]
        return found[0].replace(" ", _NO_BREAK)

    lines: list[str] = []
    line, used = "", 0
    for gap, word in _WORD.findall(_COMMAND.sub(joined, text)):
        longer = len(gap) + columns(word)
        if line and used + longer > width:
            lines.append(line)
            line, used = indent + word, columns(indent + word)
        else:
            line, used = line + " " * len(gap) + word, used + longer
    return [x.replace(_NO_BREAK, " ") for x in [*lines, *filter(None, [line])]]


def wrapped_page(text: str, width: int = 80, indent: str = "") -> str:
    """Return a text with its long lines broken, and what follows a break indented.

    Lines that are indented themselves, such as a list of actions, or a command to be
    copied, stay as they are.
    """
    return "\n".join(
        line
        if line.startswith(" ") or columns(line) <= width
        else "\n".join(wrapped(line, width, indent))
        for line in text.split("\n")
    )


def printable(text: str, *, lines: bool = True) -> str:
    """Return `text` with `�` for characters that could change the text around it.

    These are the characters of escape sequences, and marks for the direction of
    writing; without `lines` also ends of lines and tabs.
    """
    if text.isprintable():
        return text
    # Imported late: no contestant needs it.
    from unicodedata import category

    kept = "\n\t" if lines else ""
    return "".join(
        c if c.isprintable() or c in kept or category(c) == "Zs" else "\ufffd"
        for c in text
    )


def behind(name: str, sentence: str) -> str:
    """Return a sentence to stand behind a file's name, without that name once more.

    Of `ana.py:2: no bot` that is `line 2: no bot`; of a file in a folder of this name,
    `ana/bot.py:2: no bot`, it is `bot.py:2: no bot`.
    """
    own = name.rpartition("/")[2]
    if re.match(rf"{re.escape(own)}/([^ ]+?|[^:]+\.py):", sentence):
        return sentence.removeprefix(f"{own}/")
    own += ":"
    if not sentence.startswith(own):
        return sentence
    return re.sub(r"\A(?=\d+:)", "line ", sentence.removeprefix(own)).lstrip()


def called(name: str) -> str:
    """Return a name to stand in a sentence: one word, or a person's; else in quotes.

    A name is its author's choice, and may read like a part of the sentence: so one such
    as `Nobody`, or one that is a number, is in quotes too.
    """
    words = name.split(" ")
    is_plain = len(words) == 1 or (
        len(words) <= _MOST_NAME_WORDS and all(word[:1].isupper() for word in words)
    )
    is_turning = not _TURNING.isdisjoint(name.casefold().split()) or name.isdecimal()
    if is_plain and not is_turning and all(map(_NAME_WORD.fullmatch, words)):
        return name
    return quoted(name)


def quoted(text: str) -> str:
    """Return a text between quotes, as Python writes it.

    Nothing in it looks like the end of the quotation, or could change the text around.
    """
    if text.isascii():
        return repr(text)
    mark, alike = "'", _LIKE_SINGLE
    if _has_any(text, _LIKE_SINGLE) and not _has_any(text, _LIKE_DOUBLE):
        mark, alike = '"', _LIKE_DOUBLE
    inner = "".join(
        f"\\{c}"
        if c in (mark, "\\")
        else c
        if c.isprintable() and c not in alike
        else ascii(c)[1:-1]
        for c in text
    )
    return f"{mark}{inner}{mark}"


def _has_any(text: str, characters: str) -> bool:
    return any(c in text for c in characters)


def one_line(text: str) -> str:
    """Return a printable text in one line, with single spaces."""
    return printable(" ".join(text.split()))


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` characters; `…` stands for a lost end."""
    return text if len(text) <= most else text[: most - 1] + "…"


def cut_words(text: str, most: int) -> str:
    """Return the same with whole words, unless there is only a part of one."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    if text[most - 1].isalnum():
        head = re.sub(r"[^\W_]+\Z", "", head) or head
    return re.sub(r"[\W_]+\Z", "", head) + "…"


def cut_start(text: str, most: int) -> str:
    """Return a text of at most `most` characters; `…` stands for a lost start."""
    return text if len(text) <= most else "…" + text[len(text) - most + 1 :]


def waiting_time(seconds: float) -> str:
    """Return a time for a person who waits: `40 s`, `3 min`, `2.5 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def computing_time(seconds: float) -> str:
    """Return a short time to two digits or three: `1.25 s`, `30 ms`, `4.2 µs`."""
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= 0.9995 * unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} µs"


def duration(seconds: float) -> str:
    """Return a time in its two largest units: `4 h 2 min`, `12 min 30 s`, `1.25 s`."""
    whole = round(seconds)
    if whole < 60:
        return computing_time(seconds)
    large, small, names = (
        (*divmod(whole, 60), ("min", "s"))
        if whole < 3600
        else (*divmod(round(seconds / 60), 60), ("h", "min"))
    )
    return f"{large} {names[0]}" + f" {small} {names[1]}" * bool(small)


_PLAIN_WORDS = {
    "object": "keys and values",
    "array": "a list",
    "of length >= 1": "with at least one item",
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    r" \| ": " or ",
}


def plain_words(problem: str) -> str:
    """Return an error message of msgspec in plain words, without the error's place.

    The value that was found is left out too: the caller can show it better.
    """
    problem = problem.split(" - at ")[0].replace("`", "")
    problem = re.sub(r", got .*$", "", problem, flags=re.DOTALL)
    for word, plainly in _PLAIN_WORDS.items():
        problem = re.sub(rf"\b{word}", plainly, problem)
    return problem[:1].lower() + problem[1:]
