"""A bot league for AI courses.  A bot file needs nothing but `Bot` from here."""

from arena.bot import Bot

__all__ = ["Bot", "__version__"]

__version__ = "0.1.0"
