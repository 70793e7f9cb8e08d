"""What names look like: fit to print, and the same for all that look alike.

A bot says itself what it is called, and may want to be taken for another one.  Names
count as the same if they differ in nothing but capitals, or if they look alike: there
is an `a` in Cyrillic too, and `I`, `l` and `1` are one in many a font.
"""

import re
import unicodedata

from arena.league.config.settings import MAX_NAME_CHARS

_MAX_RAW_CHARS = 4 * MAX_NAME_CHARS
"""Of a name as a bot says it; some of them show nothing."""
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
