"""What a bot may use: time, memory, output."""

from typing import Annotated

import msgspec

_DAY = 86400.0
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=_DAY)]
PositiveSeconds = Annotated[float, msgspec.Meta(gt=0.0, le=_DAY)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot may use.  Seconds are the contestant's CPU time."""

    start: PositiveSeconds = 10.0
    """Seconds from spawning to ready, and for making an instance for a game."""
    move: PositiveSeconds = 0.5
    """Seconds for each decision."""
    bank: Seconds = 2.0
    """Seconds in reserve for each game, for decisions that take longer."""
    margin: Seconds = 0.05
    """Seconds of lateness that are never charged."""
    memory: Annotated[int, msgspec.Meta(ge=64, le=2**20)] | None = 1024
    """MiB of address space, of data for a program; None for no limit."""
    output: Annotated[int, msgspec.Meta(ge=0, le=2**30)] = 1_000_000
    """Bytes that a bot may print in one game."""
    ponder: bool = True
    """Whether it may compute while others decide."""
