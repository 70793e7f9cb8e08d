"""The output of `arena league`: text for people, and with `--json` events for programs.

An event is a JSON object on a line of stdout; `configs/README.md` has the fields.  The
league goes on even if the reader of the events is gone, or its disk is full.
"""

import json
import os
import sys
from dataclasses import dataclass

from arena.cli.views.terminal import echo, tell

VERSION = 1
"""Of the events: it rises if the meaning of a field changes, not if one is added."""


def are_events_wanted() -> bool:
    """True if the command line asks for events, even if the rest of it is wrong."""
    return sys.argv[1:2] == ["league"] and "--json" in sys.argv


def write_event(event: str, **fields: object) -> None:
    """Write an event, unless nobody reads it any more."""
    try:
        print(json.dumps({"event": event, **fields}), flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_note(text: str) -> None:
    """Print a sentence that people should know; nothing if it is empty."""
    if text:
        tell(f"note: {text}", err=True)


@dataclass(frozen=True, slots=True)
class Output:
    """Prints to people and, with `as_json`, events to other programs on stdout."""

    as_json: bool

    def say(self, text: str) -> None:
        """Print sentences for people."""
        tell(text, err=self.as_json)

    def show(self, text: str) -> None:
        """Print a table, as wide as it is."""
        echo(text, err=self.as_json)

    def note(self, text: str) -> None:
        """Print a sentence that the instructor should know, as an event too."""
        print_note(text)
        self.event("note", text=text)

    def event(self, event: str, **fields: object) -> None:
        """Write an event, if events are wanted."""
        if self.as_json:
            write_event(event, **fields)
