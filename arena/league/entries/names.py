"""Names of bots as the tables show them: fit to print, and no two that look alike.

A bot says itself what it is called, and may want to be taken for another one.  Names
count as the same if they differ in nothing but capitals, or if they look alike: there
is an `a` in Cyrillic too, and `I`, `l` and `1` are one in many a font.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from arena.league.config.settings import MAX_NAME_CHARS, NEWEST_FORM
from arena.league.entries.entry import Entry
from arena.text import listed, some_of

_MAX_RAW_CHARS = 4 * MAX_NAME_CHARS
"""Of a name as a bot says it; some of them show nothing."""
_SHOWN = 5
"""Names in a sentence."""
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Characters that count as printable and show nothing."""
_ACCENTS = re.compile(r"([\u0300-\u036f\u0483-\u0489\u20d0-\u20f0]){2,}")
"""More than one accent on a letter, in scripts that need but one at the most."""
_LOOKS_LIKE = {
    "abekmhopctyxsijqwyvl": "АВЕКМНОРСТУХЅІЈԚԜҮѴӀ",
    "aeopcyxsijhdqwlrnktmhbbvyu": "аеорсухѕіјһԁԛԝӏгпктмнвьѵүи",
    "abezhikmnoptyx": "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "abeikoptuvxynow": "αβεικορτυνχγησω",
    "ouhngjq": "օսհոցյզ",
    "aaolll": "ɑⱭ01I|",
}
"""Letters, and others of Cyrillic, Greek, Armenian and our own that look like them."""
_TO_LATIN = {
    ord(other): letter
    for letters, others in _LOOKS_LIKE.items()
    for letter, other in zip(letters, others, strict=True)
}
_LATIN = re.compile(r"LATIN (?:SMALL |CAPITAL )?LETTER (?:[A-Z]+ )*?([A-Z])\b")
"""Of the name of a character: the letter that it is a variant of."""
_MIXABLE = frozenset(
    ("ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "DESERET", "GREEK", "LISU", "OSAGE")
)
"""Alphabets that have letters like the Latin ones."""


def fit_to_print(name: str) -> str:
    """Return a name in one line, in plain forms of its letters; it may be empty."""
    # To put very many accents in order takes minutes.
    text = unicodedata.normalize("NFKC", name[:_MAX_RAW_CHARS])
    text = "".join(c if c.isprintable() else " " for c in _INVISIBLE.sub("", text))
    text = _ACCENTS.sub(r"\1", text)
    return re.sub(r"\s+", " ", text).strip()[:MAX_NAME_CHARS].strip()


def looks_of(name: str) -> frozenset[str]:
    """Return two texts; names that share one of them can't be told apart."""
    # The second is marked, as it is compared with no first.
    return frozenset((name.casefold(), f"={shape_of(name)}"))


def shape_of(name: str) -> str:
    """Return what is left of a name for who reads it in passing."""
    seen = _INVISIBLE.sub("", name).translate(_TO_LATIN)
    plain = unicodedata.normalize("NFD", seen)
    letters = "".join(map(_plain_letter, plain)).translate(_TO_LATIN)
    return letters.casefold().replace("rn", "m").replace("vv", "w")


def _plain_letter(letter: str) -> str:
    """Return the Latin letter that one is a variant of; nothing for an accent."""
    if letter.isascii():
        return letter
    if unicodedata.combining(letter):
        return ""
    found = _LATIN.match(unicodedata.name(letter, ""))
    return found[1].lower() if found else letter


def is_mixed(name: str) -> bool:
    """Return True if a word of a name has Latin letters and others like them."""
    for word in re.findall(r"[^\W\d_]+", name):
        scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
        if "LATIN" in scripts and scripts & _MIXABLE:
            return True
    return False


def name_apart(
    entries: Sequence[Entry], staff: Collection[str] = (), *, form: int = NEWEST_FORM
) -> tuple[Entry, ...]:
    """Return entries with the file, and if need be the class, in names that look alike.

    Who has a name from the league's file keeps it, and so do the bots of the `staff`,
    by their ids.  In leagues of form 1 only those names count that are alike but for
    capitals.
    """
    find_looks = looks_of if form > 1 else _spelling
    looks = {name: find_looks(name) for name in {entry.name for entry in entries}}
    taken = Counter(look for entry in entries for look in looks[entry.name])
    in_file = Counter(
        (entry.path, look) for entry in entries for look in looks[entry.name]
    )
    found = []
    for entry in entries:
        own = looks[entry.name]
        is_alone = all(taken[look] == 1 for look in own)
        is_clear = is_alone and not (form > 1 and is_mixed(entry.name))
        if is_clear or entry.is_named or entry.id in staff:
            found.append(entry)
            continue
        file = entry.file_in_brackets
        if form < 5:
            file = entry.stem or entry.path.stem
        longest = f"{entry.name} ({file}:{entry.bot})"
        names = [longest, *(f"{longest} {i}" for i in range(2, len(entries) + 2))]
        if all(in_file[entry.path, look] == 1 for look in own):
            names.insert(0, f"{entry.name} ({file})")
        name = next(n for n in names if not any(taken[x] for x in find_looks(n)))
        taken.update(find_looks(name))
        found.append(replace(entry, name=name))
    return tuple(found)


def _spelling(name: str) -> frozenset[str]:
    return frozenset((name.casefold(),))


def renamed(
    entries: Sequence[Entry], named: Sequence[Entry]
) -> Iterator[tuple[tuple[Entry, ...], str]]:
    """Yield bots whose names have been made longer, with the reason in a sentence."""
    groups: list[tuple[set[str], list[tuple[Entry, Entry]]]] = []
    for old, new in zip(entries, named, strict=True):
        if old.name != new.name:
            own = looks_of(old.name)
            for looks, pairs in groups:
                if own & looks:
                    looks |= own
                    pairs.append((old, new))
                    break
            else:
                groups.append((set(own), [(old, new)]))
    for _, pairs in groups:
        olds, news = zip(*pairs, strict=True)
        shown = some_of((new.name for new in news[:_SHOWN]), len(news), with_total=True)
        why = f"{_why(olds, entries)}; the tables say {shown}"
        yield olds, f"{why}; give each bot a name of its own"


def _why(renamed: Sequence[Entry], entries: Sequence[Entry]) -> str:
    looks = frozenset[str]().union(*(looks_of(entry.name) for entry in renamed))
    alike = [entry.name for entry in entries if looks & looks_of(entry.name)]
    names = sorted(set(alike), key=str.casefold)
    if len(alike) == 1:
        return f"the name {names[0]!a} mixes letters of several alphabets"
    if len({name.casefold() for name in names}) == 1:
        return f"the name {renamed[0].name!r} is taken more than once"
    # Letter by letter: who reads them as they are sees no difference.
    if len(names) > _SHOWN:
        some = some_of((f"{name!a}" for name in names[:_SHOWN]), len(names))
        return f"the names {some} look alike ({len(names)} in all)"
    return f"the names {listed(f'{name!a}' for name in names)} look alike"
