"""The file name of a bot's page."""

import hashlib
import re

_PLAIN = re.compile(r"[a-z0-9_]{1,60}")
_OTHER = re.compile(r"[^a-z0-9_]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])")
"""Names that Windows takes for a device, whatever the ending."""
_KEPT_CHARS = 40


def slug(bot: str) -> str:
    """Return the name of a bot's page without its ending, of `[a-z0-9_-]` alone.

    Different names have different ones, also where a disk doesn't tell capitals from
    small letters: whatever is not plain as it is has a hash at its end.
    """
    if _PLAIN.fullmatch(bot) and not _RESERVED.fullmatch(bot):
        return bot
    words = _OTHER.sub("-", bot.lower())[:_KEPT_CHARS].strip("-")
    digest = hashlib.blake2b(bot.encode(), digest_size=8).hexdigest()
    return f"{words}-{digest}".lstrip("-") if words else f"bot-{digest}"
