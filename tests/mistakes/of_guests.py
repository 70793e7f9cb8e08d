"""Mistakes in bots that were written for `zombiedice`."""

from mistake import Mistake

MISTAKES: tuple[Mistake, ...] = ()
