"""The names of files in archives and folders: made readable, and found safe.

They come from students and their tools.  A name that may lead out of the folder into
which its file is to be put is never followed: the file is refused.
"""

import re
import unicodedata
from typing import NamedTuple

from arena.text import cut, printable, quoted

_MAX_CHARS = 1000
_MAX_PARTS = 40
_SHOWN_CHARS = 120
_CODE_PAGES = ("cp850", "cp1252")
"""What archives on Windows are written in where they are not in UTF-8."""
_LAST_CODE_PAGE = "cp437"
"""It has a character for each byte."""
IS_CALLED = "is called "
"""Begins why a file is refused for its name, which is told then."""
_DRIVE = re.compile(r"[A-Za-z]:")


class MemberName(NamedTuple):
    """The name of a file in an archive or folder, as it may be used."""

    text: str
    """Printable parts with `/` between them, in NFC, none empty, `.` or `..`."""
    is_guessed: bool
    """True if it may be misspelt."""
    refused: str
    """Why the file is not taken; empty if it may be.  It goes on after the name."""


def member_name(raw: bytes) -> MemberName:
    """Return the name that bytes of an archive or a file system stand for."""
    text, is_guessed = _decoded(raw)
    # Windows puts `\` between the parts, in spite of the standard.
    text = unicodedata.normalize("NFC", text.replace("\\", "/"))
    refused = _why_refused(text)
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if refused:
        # What is left of it serves to tell of it.
        parts = [re.sub(r"^\.\.$", "__", part) for part in parts[:_MAX_PARTS]]
        text = cut("/".join(parts), _SHOWN_CHARS).rstrip("/") or "_"
    else:
        text = "/".join(parts)
    plain = printable(text, lines=False).replace("\ufffd", "_")
    return MemberName(plain, is_guessed or plain != text, refused)


def _decoded(raw: bytes) -> tuple[str, bool]:
    """Return a text, and True if its encoding had to be guessed."""
    # Each part by itself: a student's folder is called the same for all his files.
    found = [_decoded_part(part) for part in raw.split(b"/")]
    return "/".join(text for text, _ in found), any(guessed for _, guessed in found)


def _decoded_part(raw: bytes) -> tuple[str, bool]:
    # Many archives do not say that they are in UTF-8; hardly anything else looks so.
    try:
        return raw.decode(), False
    except UnicodeDecodeError:
        pass
    for page in _CODE_PAGES:
        text = raw.decode(page, errors="replace")
        if all(c.isascii() or c.isalpha() for c in text):
            return text, True
    return raw.decode(_LAST_CODE_PAGE), True


def _why_refused(text: str) -> str:
    shown = quoted(cut(text, _SHOWN_CHARS))
    if "\0" in text:
        return f"{IS_CALLED}{shown}, which no file can be"
    if text.startswith("/") or _DRIVE.match(text):
        return f"{IS_CALLED}{shown}, an absolute path"
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts:
        return f"{IS_CALLED}{shown} and leads out of its folder"
    if not parts:
        return "has no name"
    if len(parts) > _MAX_PARTS:
        return f"lies in {len(parts)} folders in each other"
    if len(text) > _MAX_CHARS:
        return f"has a path of {len(text)} characters"
    return ""
