"""Gradescope: a folder for each active submission, and a file that says whose it is.

    assignment_5512_export/submission_metadata.yml
    assignment_5512_export/submission_700001/mybot.py

The file is Ruby's YAML: for each folder `:submitters:`, each with `:name:`, `:email:`
and mostly `:sid:`, and `:created_at:`, a time or an object of Rails.  From the tests of
itsgeagle/provenance (2026) and the reader of donnell-f/gradescope-sleuth-2 (2025).

Beside that the file has all that the autograder has printed, which may be many
megabytes and any structure: it is read as a stream, and only what is needed is kept.
"""

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from arena.collect.platforms.listing import OF_PLATFORM, Listing, Reading, distinct
from arena.collect.submission import (
    ExportFile,
    Person,
    Submission,
    UnreadableError,
)
from arena.errors import ConfigError

NAME = "Gradescope"
METADATA = "submission_metadata.yml"
_FOLDER = re.compile(r"submission_(\d+)")
_MAX_BYTES = 256 * 2**20
_MAX_DEPTH = 10
"""Of what is kept.  Who hands in can nest what the autograder prints as he likes."""
_WANTED = (":submitters", ":created_at")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read(listing: Listing) -> Reading:
    """Return the hand-ins of an export of Gradescope.

    Raises:
        ConfigError: it does not say in YAML whose they are.
    """
    folders, beside = listing.by_top()
    metadata = next((file for path, file in beside if path == METADATA), None)
    known = _metadata(listing, metadata) if metadata is not None else {}
    found, unknown = [], []
    for path, file in beside:
        # The submission may be a file, and no folder.
        if path in known:
            folders[path] = [(path, file)]
        elif path != METADATA:
            unknown.append(file)
    # Whoever has handed in no files is told, too.
    for folder, files in {**dict.fromkeys(known, ()), **folders}.items():
        match = _FOLDER.match(folder)
        if folder not in known and not _FOLDER.fullmatch(folder):
            unknown += [file for _, file in files]
            continue
        about = known.get(folder, {})
        people = tuple(_people(about.get(":submitters")))
        number = match[1] if match else folder
        found.append(
            Submission(
                people=people or (Person((number,)),),
                files=distinct(files),
                source=listing.source(folder),
                submitted=_time(about.get(":created_at")),
                order=int(number) if match else None,
            )
        )
    left = [(metadata, OF_PLATFORM)] if metadata else []
    return Reading(found, left, unknown)


def _metadata(listing: Listing, file: ExportFile) -> dict[str, dict[str, Any]]:
    """Return what is wanted of each submission, by its folder."""
    where = f"{listing.export}: {file.name}"
    try:
        return dict(_Stream(file.read(_MAX_BYTES)).submissions())
    except UnreadableError as error:
        raise ConfigError(where, str(error)) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise ConfigError(
            where + line,
            "is no valid YAML, so nobody knows whose the submissions are; download "
            "the export again",
        ) from None


class _Stream:
    """The events of a YAML file, which are read once."""

    def __init__(self, data: bytes) -> None:
        self._events = yaml.parse(data.decode("utf-8-sig"), Loader=_LOADER)
        self._anchors: dict[str, Any] = {}

    def submissions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the key of each submission, with what is wanted of it."""
        start = (yaml.StreamStartEvent, yaml.DocumentStartEvent)
        event = next(event for event in self._events if not isinstance(event, start))
        if not isinstance(event, yaml.MappingStartEvent):
            return
        for key in self._keys():
            about: dict[str, Any] = {}
            event = next(self._events)
            if not isinstance(event, yaml.MappingStartEvent):
                self._skip(event)
                continue
            for inner in self._keys():
                if inner in _WANTED:
                    about[inner] = self._value(next(self._events), 0)
                else:
                    self._skip(next(self._events))
            yield key, about

    def _keys(self) -> Iterator[str]:
        """Yield the keys of a mapping; the reader has to read each value in between."""
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                return
            if isinstance(event, yaml.ScalarEvent):
                yield event.value
            else:
                self._skip(event)
                yield ""

    def _value(self, event: yaml.Event, depth: int) -> Any:
        """Return texts, lists and mappings, whatever tags they have."""
        if depth > _MAX_DEPTH:
            raise yaml.YAMLError("nested too deep")
        found: Any = None
        if isinstance(event, yaml.AliasEvent):
            return self._anchors.get(event.anchor or "")
        if isinstance(event, yaml.ScalarEvent):
            found = event.value
        elif isinstance(event, yaml.MappingStartEvent):
            found = {}
            for key in self._keys():
                found[key] = self._value(next(self._events), depth + 1)
        else:
            found = []
            for inner in self._events:
                if isinstance(inner, yaml.SequenceEndEvent):
                    break
                found.append(self._value(inner, depth + 1))
        if isinstance(event, yaml.NodeEvent) and event.anchor:
            self._anchors[event.anchor] = found
        return found

    def _skip(self, event: yaml.Event) -> None:
        depth = 0
        while True:
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth == 0:
                return
            event = next(self._events)


def _people(submitters: Any) -> Iterator[Person]:
    for one in submitters if isinstance(submitters, list) else ():
        if not isinstance(one, dict):
            continue
        email, sid, name = (
            unicodedata.normalize("NFC", value).strip()
            if isinstance(value := one.get(key), str) and value != "~"
            else ""
            for key in (":email", ":sid", ":name")
        )
        ids = tuple(filter(None, (email, sid)))
        if ids or name:
            yield Person(ids, name)


def _time(found: Any) -> datetime | None:
    """Return a time, in the zone that is written beside it."""
    zone: Any = None
    if isinstance(found, dict):
        zone = found.get("zone")
        found = found.get("utc")
    if not isinstance(found, str):
        return None
    text = re.sub(r" (?=[+-]\d|Z$)", "", found.strip())
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    # Without a zone it is that of Rails.
    time = time if time.tzinfo else time.replace(tzinfo=UTC)
    name = zone.get("name") if isinstance(zone, dict) else None
    try:
        return time.astimezone(ZoneInfo(name)) if isinstance(name, str) else time
    except (ValueError, OSError, KeyError):
        return time
