"""Reads pages as a browser's parser does, and finds what is wrong with them."""

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_VOID = {"meta", "link", "input", "br", "hr", "img", "wbr"}
_LISTS = ("games.html", "replay.html")
"""Pages whose fragments are no places on them."""


class Markup(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        """The text inside of elements of a kind."""
        self._open: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self._open, (path, self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open
        assert self._open.pop() == tag, (self.path, tag, self.getpos())

    def handle_data(self, data: str) -> None:
        for tag in set(self._open):
            self.texts[tag][-1] += data

    def all(self, name: str) -> list[str]:
        """Return the values of an attribute, whatever has it."""
        return [x for _, found in self.attributes if (x := found.get(name)) is not None]

    def problems(self) -> list[str]:
        """Return what a careful reader would object to, with nothing run."""
        found = []
        for tag, count in (("h1", 1), ("main", 1), ("nav", 1), ("title", 1)):
            if self.tags[tag] < count or (tag in ("h1", "main") and self.tags[tag] > 1):
                found.append(f"{self.tags[tag]} {tag}")
        if ("html", {"lang": "en"}) not in self.attributes:
            found.append("no language")
        ids = self.all("id")
        found += [f"id {x} twice" for x, n in Counter(ids).items() if n > 1]
        labels = self.all("for")
        for tag, own in self.attributes:
            if tag in ("input", "select") and own.get("id") not in labels:
                found += [] if own.get("aria-label") else [f"no label: {own}"]
            if tag == "th" and own.get("scope") not in ("row", "col", "rowgroup"):
                found.append(f"no scope: {own}")
        if self.tags["table"] != self.tags["caption"]:
            found.append("a table without a caption")
        return found

    def dead_links(self, root: Path) -> list[str]:
        """Return links that lead nowhere, or out of the report."""
        found = []
        for name in ("href", "src"):
            for link in self.all(name):
                parts = urlsplit(link)
                if parts.scheme == "data":
                    continue
                target = (
                    (self.path.parent / unquote(parts.path)).resolve()
                    if parts.path
                    else self.path
                )
                is_ours = target.is_relative_to(root) and target.is_file()
                if parts.scheme or parts.netloc or not is_ours:
                    found.append(link)
                    continue
                is_place = parts.fragment and target.name not in _LISTS
                if is_place and f'id="{parts.fragment}"' not in target.read_text(
                    "utf-8"
                ):
                    found.append(link)
        return found
