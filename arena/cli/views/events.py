"""What `arena league` tells people, and with `--json` other programs.

These read an object a line on stdout; `configs/README.md` has the fields.  They may go
away, or the disk they write to be full: a league goes on all the same.
"""

import json
import os
import sys
from dataclasses import dataclass

import click

VERSION = 1
"""Of the fields: new ones may come any time; another meaning makes another version."""


def are_wanted() -> bool:
    """Say whether the command line asks for objects, be it right or wrong."""
    return sys.argv[1:2] == ["league"] and "--json" in sys.argv


def write(event: str, **fields: object) -> None:
    """Write an object."""
    try:
        print(json.dumps({"event": event, **fields}), flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_note(text: str) -> None:
    """Tell people what they should know, in a sentence; nothing if it is empty."""
    if text:
        click.echo(f"note: {text}", err=True)


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells everybody; with `as_json` stdout is left to other programs."""

    as_json: bool

    def say(self, text: str) -> None:
        """Tell people what they have asked for."""
        click.echo(text, err=self.as_json)

    def note(self, text: str) -> None:
        """Tell everybody what the instructor should know, in a sentence."""
        print_note(text)
        self.event("note", text=text)

    def event(self, event: str, **fields: object) -> None:
        """Tell other programs, if they listen."""
        if self.as_json:
            write(event, **fields)
