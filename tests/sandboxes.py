"""The isolation levels that this machine gives, for tests that need one."""

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import trio

from arena.games import game_paths
from arena.referee.isolation import probe
from arena.referee.sandbox import (
    LEVELS,
    SANDBOXES,
    Process,
    Sandbox,
    SandboxSpec,
    open_sandbox,
)
from arena.referee.sandbox.library import find_library


def spec_of(
    level: str, folders: Sequence[str] = (), preload: Sequence[str] = ()
) -> SandboxSpec:
    """Return what a sandbox of a level is made from."""
    library = find_library((), tuple(game_paths().values()))
    path = SANDBOXES[level]
    return SandboxSpec(level, path, library, tuple(folders), tuple(preload))


@functools.cache
def why_not(level: str) -> str:
    """Return why this machine can't give a level; empty if it can."""
    return trio.run(probe, spec_of(level), {}).problem


@functools.cache
def best_level() -> str:
    """Return the strongest level that this machine gives."""
    return next(level for level in LEVELS if not why_not(level))


@contextmanager
def watched(sandbox: Sandbox) -> Iterator[list[Process]]:
    """Note all processes that a sandbox starts while inside."""
    started: list[Process] = []
    spawn = sandbox.spawn

    async def spawn_and_note(
        memory: int = 0, folder: str = "", command: tuple[str, ...] = ()
    ) -> Process:
        process = await spawn(memory, folder, command)
        started.append(process)
        return process

    sandbox.spawn = spawn_and_note  # type: ignore[method-assign]
    try:
        yield started
    finally:
        del sandbox.spawn  # type: ignore[method-assign]


@contextmanager
def sandbox_of(level: str, folders: Sequence[str] = ()) -> Iterator[Sandbox]:
    """Open a sandbox of a level."""
    with open_sandbox(
        spec_of(best_level() if level == "best" else level, folders)
    ) as s:
        yield s
