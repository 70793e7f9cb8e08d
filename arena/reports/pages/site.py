"""What all pages share: the templates, the menu, and where they are written."""

import os
import re
import shlex
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena.games.registry import OUR_GAMES
from arena.records.game_record import Termination
from arena.reports.pages.slugs import slug
from arena.reports.replay.drawings import GUARD, drawing_scripts
from arena.reports.report import Report
from arena.text import one_line

_PACKAGE = "arena.reports.pages"
_TURNING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
"""Control characters, and marks for the direction of writing."""
_SEAM = re.compile(r"(?<=[_./-])(?=\w)|(?<=[a-z0-9])(?=[A-Z])")
"""Between the words of a name without spaces."""
_SHORT_CHARS = 12
"""A name of so many fits in any table."""
STATIC = Path(__file__).parent / "static"
_LIVE = "live."
"""What the live page alone has begins so."""


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["one_line"] = one_line
    templates.filters["slug"] = slug
    templates.filters["anchor"] = _anchor
    templates.filters["breakable"] = _breakable
    templates.filters["words"] = _in_words
    return templates


def _shown(value: Any) -> Any:
    """Return what a page says of a value: no text turns round what is beside it."""
    # What is HTML already is a text of another type.
    return _TURNING.sub("\ufffd", value) if type(value) is str else value


def _in_words(reason: str) -> str:
    if reason == Termination.QUARANTINE:
        return "not played"
    return reason.replace("_", " ")


def _anchor(title: str) -> str:
    """Return a short id for what has a title, without what is no letter or digit."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _breakable(name: str) -> Markup:
    """Return a name that a line may end in where one of its words does."""
    words = [_shown(name)] if len(name) <= _SHORT_CHARS else _SEAM.split(_shown(name))
    return Markup("<wbr>").join(words)


def rendered(template: str, **data: Any) -> str:
    """Return a page from a template, which sees `data`."""
    return _templates().get_template(template).render(**data)


class Site:
    """A report's pages, of which each is rendered into its place."""

    def __init__(self, report: Report, folder: Path, results: str) -> None:
        """Take where to write, and what the results folder is called in commands."""
        self.report = report
        self.folder = folder
        self.results = shlex.quote(results)
        self.nav = [
            ("index.html", "Leaderboard"),
            *([("labels.html", "By game")] if report.columns else []),
            ("crosstable.html", "Crosstable"),
            ("times.html", "Times"),
            ("faults.html", "Faults"),
            ("games.html", "All games"),
        ]

    def write(self, path: str, template: str, title: str, **data: Any) -> None:
        """Write a page from a template that extends `base.html`.

        `path` is relative to the report, with `/`.  The template sees `site`, `path`,
        `title` (plain text), `root` (what leads from the page to the report's folder)
        and `data`.
        """
        root = "../" * path.count("/")
        text = rendered(template, site=self, path=path, title=title, root=root, **data)
        self.write_text(path, text)

    def write_text(self, path: str, text: str) -> None:
        """Write any file of the report."""
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")

    def copy_static(self) -> None:
        """Copy what is the same in every report."""
        for name in sorted(os.listdir(STATIC)):
            if not name.startswith(_LIVE):
                self.write_text(f"static/{name}", (STATIC / name).read_text("utf-8"))

    def write_replay_page(self, games: Collection[str]) -> tuple[str, ...]:
        """Write the page of replays, and the drawings of these games beside ours.

        Returns a sentence about each drawing that can't be used.
        """
        scripts, problems = drawing_scripts(games)
        # A game may be called as one of our own scripts is: `data`.
        own = [*os.listdir(STATIC), "replay_guard.js"]
        drawings = [name for name in scripts if f"replay_{name}.js" not in own]
        for name in drawings:
            self.write_text(f"static/replay_{name}.js", scripts[name])
        is_guarded = not OUR_GAMES.keys() >= {*games}
        if is_guarded:
            self.write_text("static/replay_guard.js", GUARD.read_text("utf-8"))
        self.write(
            "replay.html",
            "replay.html",
            "Replay",
            drawings=drawings,
            is_guarded=is_guarded,
        )
        return problems

    def replay_command(self, game_id: str, step: int | None = None) -> str:
        """Return the command that replays a game in a terminal."""
        at = "" if step is None else f" --step {step}"
        return f"arena replay {self.results} {game_id}{at}"
