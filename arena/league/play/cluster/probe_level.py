"""A process of a Dask worker that tries the league's isolation level on its machine.

Contestants die with the thread that starts them, so no thread of Dask may do this.
"""

import sys

import msgspec
import trio

from arena.errors import LeagueError
from arena.referee.isolation import find_isolation
from arena.referee.sandbox import SANDBOXES, SandboxSpec


class Question(msgspec.Struct, frozen=True):
    """The isolation level to try."""

    spec: SandboxSpec
    games: dict[str, str]
    """Import paths of the games of the league, by name."""


class Finding(msgspec.Struct, frozen=True):
    """The result of the trial."""

    problem: str
    """Why the level can't be had, in one sentence; empty if it can."""


async def find(question: Question) -> Finding:
    """Try a level as a league does before it plays on its own machine."""
    spec = question.spec
    try:
        SANDBOXES.register(spec.level, spec.path)
        async with find_isolation(
            spec.level,
            spec.level,
            spec.library,
            spec.folders,
            spec.preload,
            question.games,
        ):
            return Finding("")
    except (LeagueError, ValueError) as error:
        return Finding(str(error))


def main() -> None:
    """Answer the question on standard input, on standard output."""
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    sys.stdout.buffer.write(msgspec.msgpack.encode(trio.run(find, question)))


if __name__ == "__main__":
    main()
