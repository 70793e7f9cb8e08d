"""Games that are stored in batches, looked up one by one."""

import sqlite3
from collections.abc import Callable
from functools import lru_cache
from typing import Generic, TypeVar

_KEPT = 256
"""Batches that are kept unpacked."""
Part = TypeVar("Part")


class Batches(Generic[Part]):
    """Finds a part of each game, and keeps the batches that were last looked into.

    Games that are near each other in the plan were played together, or nearly so.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        column: str,
        read: Callable[[bytes], list[Part]],
    ) -> None:
        """Look into a column of `batches`, of which `read` reads a batch."""

        def unpack(number: int) -> list[Part]:
            query = f"SELECT CAST({column} AS BLOB) FROM batches WHERE number = ?"
            row = db.execute(query, (number,)).fetchone()
            return [] if row is None else read(row[0])

        self._unpack = lru_cache(_KEPT)(unpack)

    def find(self, game_id: str, batch: int, place: int) -> Part:
        """Return what is said of the game at a place in a batch.

        Raises:
            DatabaseError: it is not there.
        """
        games = self._unpack(batch)
        if not 0 <= place < len(games):
            raise sqlite3.DatabaseError(f"game {game_id} is malformed")
        return games[place]
