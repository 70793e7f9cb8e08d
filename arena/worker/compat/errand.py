"""Runs code that calls the game, in a framework where the game calls the bot."""

from collections.abc import Callable
from typing import Any

from greenlet import getcurrent, greenlet

_unfinished: set[greenlet] = set()
"""Kept even if nobody will continue them: when one is freed, its code is made to end,
and that could happen in the middle of another game."""


class Errand:
    """A call that is suspended whenever it needs an answer from outside.

    It runs on a stack of its own, in the same thread, and only during a call of `go`:
    so nothing runs beside it.
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self._greenlet = greenlet(work)

    @property
    def is_over(self) -> bool:
        """True if it has returned, or raised."""
        return self._greenlet.dead

    def go(self, answer: Any = None) -> Any:
        """Begin it, or answer its question; return its next question.

        At its end, return the value of the call.  Its exceptions are raised here.
        """
        errand = self._greenlet
        _unfinished.add(errand)
        try:
            # A greenlet that has begun is true.
            return errand.switch(*([answer] if errand else []))
        finally:
            if errand.dead:
                _unfinished.discard(errand)

    def ask(self, question: Any) -> Any:
        """Suspend it, from within; return the answer.

        Raises:
            RuntimeError: it is called from outside, such as by another thread.
        """
        if getcurrent() is not self._greenlet:
            raise RuntimeError("was called from outside of the turn that it belongs to")
        parent = self._greenlet.parent
        assert parent is not None
        return parent.switch(question)
