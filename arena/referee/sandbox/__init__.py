"""Starts contestants' processes, each at an isolation level.

An isolation level is a class with the interface of `Sandbox`.  There are four,
from the strongest to the weakest; plugins can bring others (`arena_sandboxes`).
"""

from arena.referee.sandbox.level import (
    LEVELS,
    MAX_THREADS,
    SANDBOXES,
    Sandbox,
    SandboxSpec,
    open_sandbox,
)
from arena.referee.sandbox.process import LostError, Process

__all__ = [
    "LEVELS",
    "MAX_THREADS",
    "SANDBOXES",
    "LostError",
    "Process",
    "Sandbox",
    "SandboxSpec",
    "open_sandbox",
]
