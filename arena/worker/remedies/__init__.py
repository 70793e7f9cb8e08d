"""What a student is told to do about a mistake: tables of remedies, one for each kind.

A remedy is added, in brackets, to the sentence on what went wrong.  Each is for one
mistake, and the first of a table that knows the mistake speaks.  There is none that
guesses: a wrong remedy costs more than none.  `tests/mistakes` has for each remedy the
file that it is for, and the same file after the remedy was followed.
"""

from arena.worker.remedies.remedy import IN_SELF, Remedy, name_hint, remedy_for

__all__ = ["IN_SELF", "Remedy", "name_hint", "remedy_for"]
