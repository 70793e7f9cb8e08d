"""Code that calls for decisions, played by code that is asked for them."""

from collections.abc import Callable
from typing import Any

from greenlet import getcurrent, greenlet

_unfinished: set[greenlet] = set()
"""Kept even if nobody will go on with them: let go, their code would be made to end, at
some time in some other game."""


class Errand:
    """A call that is suspended whenever it needs an answer from outside.

    It runs on a stack of its own, in the same thread, and only while somebody waits in
    `go`: so nothing runs beside it.
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self._greenlet = greenlet(work)

    @property
    def is_over(self) -> bool:
        """Whether it has returned, or raised."""
        return self._greenlet.dead

    def go(self, answer: Any = None) -> Any:
        """Begin it, or answer what it asked; return what it asks next.

        At its end that is what the call returns; what it raises is raised here.
        """
        errand = self._greenlet
        _unfinished.add(errand)
        try:
            # One that has begun counts as true.
            return errand.switch(*([answer] if errand else []))
        finally:
            if errand.dead:
                _unfinished.discard(errand)

    def ask(self, question: Any) -> Any:
        """Suspend it, from within; return the answer.

        Raises:
            RuntimeError: it is not called from within, but by another thread, say.
        """
        if getcurrent() is not self._greenlet:
            raise RuntimeError("was called from outside of the turn that it belongs to")
        parent = self._greenlet.parent
        assert parent is not None
        return parent.switch(question)
