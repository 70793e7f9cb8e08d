"""What can be seen from the text of a bot, without running or parsing a line of it.

Its author may have written the text to keep us busy, so no more is looked at than there
is in an honest one, and the process that does it has a limit of its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from arena.registry import load
from arena.text import did_you_mean
from arena.worker.compat import Guest, meant_method

_IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*(?:from[ \t]+\.*(\w+)|import[ \t]+(\w[\w., \t]*))", re.M
)
_CLASS = re.compile(r"^class[ \t]+([^\W\d_]\w*)", re.M)
_PARAMETERS = re.compile(r"\((\w+(?:[ \t]*,[ \t]*\w+)*)\)[ \t]*:")
"""Those of a method without defaults and stars, in one line."""
_QUOTED = re.compile(
    r"""#.*|('{3}|"{3})(?:[\s\S]*?\1)?|'(?:\\.|[^'\\\n])*+'?|"(?:\\.|[^"\\\n])*+"?"""
)
"""What is in quotes, in group 1 those of a text in three; or a comment."""
_DEFINITION = re.compile(r"(?:class|def|async)\b|@")
_WORD = re.compile(r"[^\W\d]\w*")
_METHOD = re.compile(r"^[ \t]+(?:async[ \t]+)?def[ \t]+(\w+)", re.M)
_LIKENESS = 0.85
"""From 0 to 1: how like the name of a game that of a method is that was meant so."""
_MAX_OUTLINE_BYTES = 1_000_000
_MAX_CLASSES = 100
_MAX_NAME_CHARS = 200
_MAX_SLIPS = 3


def imported(text: bytes) -> Iterator[str]:
    """Yield the top-level modules that a text seems to import, some more than once."""
    for match in _IMPORT.finditer(text.decode(errors="replace")):
        for name in (match[1] or match[2]).split(","):
            yield name.split(".")[0].split(" as ")[0].strip()


def outline(
    text: bytes, games: Sequence[str], guests: Iterable[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Guess which classes of a text play which games.

    `guests` are the import paths of those whose modules the bot seems to import.
    """
    methods = {game: {game, "act"} for game in games}
    for path in guests:
        guest: type[Guest] = load(path)
        if guest.game in methods:
            methods[guest.game].add(guest.method)
    code = _beginning(text)
    starts = list(islice(_CLASS.finditer(code), _MAX_CLASSES + 1))
    found = {}
    for match, after in zip(starts, [*starts, None][1:], strict=True):
        body = code[match.end() : after.start() if after else len(code)]
        defined = set(_METHOD.findall(body))
        playable = tuple(game for game in games if defined & methods[game])
        if playable and len(match[1]) <= _MAX_NAME_CHARS:
            found[match[1]] = playable
    return found


def slips(
    text: bytes, games: Sequence[str], guests: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Return a sentence on each likely mistake of a bot's author, but not on many.

    These are classes that are hidden by later ones of their name, and methods that are
    almost named after one of `games` that the file does not play, or after one that
    guests have.  Of `guests`, the import paths by the modules that it imports.
    """
    code = _QUOTED.sub(_line_ends, _beginning(text))
    found = list(_slips(code, games, guests))
    more = len(found) - _MAX_SLIPS
    return found if more < 2 else [*found[:_MAX_SLIPS], f"and {more} more like these"]


def _slips(code: str, games: Sequence[str], guests: Mapping[str, str]) -> Iterator[str]:
    methods = set(_METHOD.findall(code))
    missing = [game for game in games if game not in methods and "act" not in methods]
    heads: dict[str, str] = {}
    called: dict[str, str] = {}
    for module, path in guests.items():
        guest: type[Guest] = load(path)
        heads.update(guest.calls)
        names = {guest.method, *guest.calls} - methods
        called.update(dict.fromkeys(sorted(names), module))
    meant: dict[str, str] = {}
    lines: dict[str, int] = {}
    is_defining = False
    for number, line in enumerate(code.splitlines(), 1):
        if line[:1].strip(" \t#)]}"):
            is_defining = _DEFINITION.match(line) is not None
        match = _METHOD.match(line)
        if match and match[1] not in games and len(match[1]) <= _MAX_NAME_CHARS:
            name = match[1]
            if name not in meant:
                meant[name] = _meant(name, missing, called)
            if meant[name]:
                yield f"line {number}: {meant[name]}"
            elif name in heads and not _is_like(line, heads[name]):
                yield f"line {number}: it is called otherwise; write {heads[name]}"
        match = _CLASS.match(line)
        if match and len(match[1]) <= _MAX_NAME_CHARS:
            if match[1] in lines:
                yield (
                    f"line {number}: a second class {match[1]} takes the place of that "
                    f"of line {lines[match[1]]}; give it another name"
                )
            lines[match[1]] = number
        elif guests and not is_defining:
            # What is made of a class before the next one takes its name is a bot too.
            for name in _WORD.findall(line):
                lines.pop(name, None)


def _line_ends(match: re.Match[str]) -> str:
    """Leave only the line ends of what is in three quotes, where many keep old code."""
    return "\n" * match[0].count("\n") if match[1] else match[0]


def _is_like(line: str, head: str) -> bool:
    """Say whether two plain heads of methods have as many parameters."""
    found, wanted = _PARAMETERS.search(line), _PARAMETERS.search(head)
    return not found or not wanted or found[1].count(",") == wanted[1].count(",")


def _meant(name: str, games: Iterable[str], called: Mapping[str, str]) -> str:
    hint = did_you_mean(name, games, likeness=_LIKENESS)
    if hint:
        return f"no game is called {name!r}; {hint}"
    other = meant_method(name, called)
    if other:
        return f"{called[other]} calls no {name}(); did you mean {other}()?"
    return ""


def _beginning(text: bytes) -> str:
    """Return a text, not all of it if it is very long."""
    return text[:_MAX_OUTLINE_BYTES].decode(errors="replace")
