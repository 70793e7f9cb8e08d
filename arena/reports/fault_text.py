"""A fault as a good compiler shows an error: where, what, and how to see it again."""

import json
from collections.abc import Iterable, Iterator

from arena.games.observation_text import WIDTH, field_lines
from arena.records.game_record import MAX_LEGAL_ACTIONS, Fault
from arena.reports.printed_text import broken
from arena.text import cut, one_line, printable, quoted, wrapped

_MAX_OUTPUT_LINES = 30
"""The last ones that were printed: an observation takes 20."""
_MAX_OUTPUT_CHARS = 200
"""Of a line: the last ones."""
_MAX_ACTION_LINES = 3
"""Of legal actions."""


def fault_text(
    fault: Fault, bot: str, *, head: str = "", replay: str = "", width: int = 80
) -> str:
    """Return all details of a fault, in lines without an end of line.

    First a sentence, which begins with `head` or else says that it forfeits; then, as
    far as there are any, the lines of the bot's own code that led there, what it saw,
    what it played, what was legal, and the end of what it printed.  `replay` is the
    command that shows this decision again.  Text is wrapped at `width` columns; code
    and what was printed are broken there, wherever that is: a terminal would begin the
    rest in its first column, as if it were our own words.
    """
    head = head or f"{bot} forfeits: {fault.termination}"
    blocks = [
        ("", wrapped(f"{head}: {one_line(fault.message)}", width, "  ")),
        ("where, in its own code", [*broken(_code(fault), width - 4)]),
        ("what it saw", observation_lines(fault.observation, width - 4)),
        ("what it played", [quoted(fault.action)] if fault.action else []),
        ("what was legal", _legal(fault.legal_actions, width - 4)),
        ("what it printed last", [*broken(_printed(fault.output), width - 4)]),
        ("to see this decision again", [replay] if replay else []),
    ]
    lines: list[str] = []
    for title, block in blocks:
        if title and block:
            lines += ["", f"  {title}:", *(f"    {x}".rstrip() for x in block)]
        else:
            lines += block
    return "\n".join(lines)


def observation_lines(observation: str, width: int = WIDTH) -> list[str]:
    """Return an observation, as a `Fault` has it, with a line for each field."""
    try:
        return field_lines(json.loads(observation) if observation else {}, width)
    except (AttributeError, RecursionError, TypeError, ValueError):
        # No referee has written it.
        return [cut(one_line(observation), width)]


def _code(fault: Fault) -> list[str]:
    lines = printable(fault.traceback).rstrip().splitlines()
    indented = [line for line in lines if line.strip()]
    extra = min((len(x) - len(x.lstrip()) for x in indented), default=0)
    return [line[extra:] for line in lines]


def _printed(output: str) -> list[str]:
    lines = printable(output).rstrip().splitlines()
    cut = [
        x if len(x) <= _MAX_OUTPUT_CHARS else f"…{x[-_MAX_OUTPUT_CHARS:]}"
        for x in lines
    ]
    return ["…"] * (len(cut) > _MAX_OUTPUT_LINES) + cut[-_MAX_OUTPUT_LINES:]


def _legal(actions: Iterable[str], width: int) -> list[str]:
    texts = [repr(action) for action in actions]
    rows = list(_rows(texts, width))
    if len(rows) <= _MAX_ACTION_LINES and len(texts) < MAX_LEGAL_ACTIONS:
        return rows
    more = " or more" if len(texts) >= MAX_LEGAL_ACTIONS else ""
    return [*rows[:_MAX_ACTION_LINES], f"… ({len(texts)}{more} in all)"]


def _rows(texts: list[str], width: int) -> Iterator[str]:
    """Yield texts with commas between them, in rows that are as full as can be."""
    row = ""
    for i, text in enumerate(texts):
        item = text + "," * (i < len(texts) - 1)
        if row and len(row) + 1 + len(item) > width:
            yield row
            row = ""
        row = f"{row} {item}" if row else item
    if row:
        yield row
