"""Names in less room than they need, each still told apart from the others."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import count

from rich.cells import cell_len, set_cell_size

_WORD = re.compile(r"[^\W_]+")
_LOST = "…"


def shortened(names: Sequence[str], room: int) -> list[str]:
    """Return names of a table in `room` columns of a terminal, at least 4.

    A longer one loses whole words, for which `…` stands: those at its end, unless
    another name would then look the same.  A word is cut where nothing else will do.
    """
    found: dict[str, str] = {}
    taken = {name for name in names if cell_len(name) <= room}
    for name in dict.fromkeys(names):
        if name in taken:
            continue
        others = [other for other in names if other != name]
        forms = (x for x in _forms(name, room) if cell_len(x) <= room)
        fitting = (x for x in forms if x not in taken and not _is_any(x, others))
        found[name] = next(fitting, "") or _numbered(name, room, taken)
        taken.add(found[name])
    return [found.get(name, name) for name in names]


def _is_any(form: str, names: Sequence[str]) -> bool:
    """Return True if a short form may also be that of another name."""
    pattern = re.compile(".+".join(map(re.escape, form.split(_LOST))), re.DOTALL)
    return any(pattern.fullmatch(name) for name in names)


def _forms(name: str, room: int) -> Iterator[str]:
    """Yield shorter forms of a name that have room, the best first."""
    spans = [found.span() for found in _WORD.finditer(name)]
    left = room - cell_len(_LOST)
    heads = [name[:stop] for _, stop in spans[:-1] if cell_len(name[:stop]) <= left]
    tails = [name[start:] for start, _ in spans[1:] if cell_len(name[start:]) <= left]
    heads.reverse()
    tails.reverse()
    # What stands in brackets behind a name is there to tell it apart.
    bracket = name[name.rfind("(") :] if name.endswith(")") else ""
    if not bracket:
        yield from (head + _LOST for head in heads)
    elif cell_len(bracket) <= left:
        tails.insert(0, bracket)
    for tail in tails:
        fitting = (x for x in heads if cell_len(x) + cell_len(tail) <= left)
        yield f"{next(fitting, '')}{_LOST}{tail}"
    for i, (start, _) in enumerate(spans[1:-1], 1):
        parts = [name[start:stop] for _, stop in spans[i:-1]]
        fitting = (x for x in reversed(parts) if cell_len(x) < left)
        yield from (f"{_LOST}{part}{_LOST}" for part in fitting)
    if cell_len(bracket) > left:
        yield _LOST + set_cell_size(bracket[1:], max(0, left - 1)).rstrip() + _LOST
    for tail in ("", name[-(room // 4) :], name[-(room // 2) :]):
        head = set_cell_size(name, max(0, left - cell_len(tail))).rstrip()
        yield f"{head}{_LOST}{tail}"


def _numbered(name: str, room: int, taken: Collection[str]) -> str:
    """Return a form that none of those taken is, where all others are."""
    for number in count(2):
        end = f"{_LOST}{number}"
        form = set_cell_size(name, max(0, room - cell_len(end))).rstrip() + end
        if form not in taken:
            return form
    raise AssertionError
