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


async def find_problem(question: Question) -> str:
    """Try a level as a league does before it plays on its own machine.

    Return why it can't be had, in one sentence; an empty text if it can.
    """
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
            return ""
    except (LeagueError, ValueError) as error:
        return str(error)


def main() -> None:
    """Answer the question on standard input, on standard output."""
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    sys.stdout.buffer.write(msgspec.msgpack.encode(trio.run(find_problem, question)))


if __name__ == "__main__":
    main()
