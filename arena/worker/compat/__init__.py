"""Guests: bots that were written for another library, played as they are.

A guest is registered under the name of the module that such bots import.  In their
process that name stands for modules of the guest's own, and a `Guest` makes bots of
what a file has defined by them.
"""

from arena.worker.compat.errand import Errand
from arena.worker.compat.guest import GUESTS, Guest, meant_method

__all__ = [
    "GUESTS",
    "Errand",
    "Guest",
    "meant_method",
]
