"""What a run of a league came to, kept for the runs after it.

A kept run says who took part with which version, and where everybody stood.  It knows
no time: a run that comes to the same as the last one is not kept once more.  No game
hangs on what is kept.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Annotated

import msgspec

from arena.league.results.database import Database, explained

MOST_RUNS = 200
"""That are kept; the oldest give way."""
MOST_BYTES = 2**24
"""Of all that are kept together: some 200 runs of 250 bots in five games."""
_MOST_ELO = 1e6
_Elo = Annotated[float, msgspec.Meta(ge=-_MOST_ELO, le=_MOST_ELO)]
_Id = Annotated[str, msgspec.Meta(max_length=10**4)]
_Short = Annotated[str, msgspec.Meta(max_length=500)]
_Rank = Annotated[int, msgspec.Meta(ge=1, le=10**6)]
_Games = Annotated[int, msgspec.Meta(ge=0, le=10**12)]


class PastPlace(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True
):
    """Where an entry stood in one table, its numbers as they were printed."""

    elo: _Elo
    low: _Elo | None
    """Ends of the 95 % range; None where the games set no bound."""
    high: _Elo | None
    place: _Rank
    players: _Rank
    """The number of entries that had a place there."""
    best: _Rank | None = None
    """The best place that the games left open, as `worst` is the worst."""
    worst: _Rank | None = None

    @property
    def error(self) -> float | None:
        """Half of the range; None where it is open."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2


class PastStanding(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True
):
    """One entry of a run."""

    entry: _Id
    """Its id."""
    name: _Short
    """As in the tables of that run."""
    version: _Short
    """The same for the same code and settings; empty if that was not known."""
    overall: PastPlace | None
    """None if it was not ranked over all games."""
    labels: Mapping[_Short, PastPlace]
    """Of each label with games of its."""
    games: _Games = 0
    forfeits: _Games = 0
    """Of these games."""


class PastRun(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The standings after one run of a league."""

    standings: tuple[PastStanding, ...]
    """By the ids of the entries."""
    games: _Games
    """Games that counted."""
    luck: _Short = ""
    """The commitment to the luck key, or the public seed."""
    anchor: tuple[_Id, _Elo] | None = None
    """The id of the entry that Elo was measured from, and its Elo."""

    def standing(self, entry: str) -> PastStanding | None:
        """Return the standing of an entry by its id; None if it took no part."""
        return next((x for x in self.standings if x.entry == entry), None)

    def check(self) -> None:
        """Check what types can't say.

        Raises:
            ValidationError: an entry is there twice, or a place is worse than the last.
        """
        entries = [x.entry for x in self.standings]
        places = [
            place
            for x in self.standings
            for place in (x.overall, *x.labels.values())
            if place is not None
        ]
        if entries != sorted({*entries}) or any(x.place > x.players for x in places):
            raise msgspec.ValidationError("a run of before is none")


_RUN = msgspec.json.Decoder(PastRun)


def bound(elo: float | None) -> float | None:
    """Return the end of a range; None for one that is too far away to say anything."""
    return elo if elo is not None and abs(elo) <= _MOST_ELO else None


def version_mark(version: str) -> str:
    """Return a short text for a version (`version_of`), the same for the same one."""
    return sha256(version.encode()).hexdigest()[:16]


def encode_run(run: PastRun) -> str:
    """Return a run as it is stored."""
    return msgspec.json.encode(run, order="sorted").decode()


def decode_runs(texts: Iterable[str]) -> tuple[PastRun, ...]:
    """Return stored runs.

    Raises:
        MsgspecError: one is damaged.
    """
    runs = tuple(map(_RUN.decode, texts))
    for run in runs:
        run.check()
    return runs


class PastRunsTable:
    """The table `standings` of a league's file: what its runs came to."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def kept(self) -> tuple[PastRun, ...]:
        """Return the runs that are kept, oldest first."""
        with explained(self._db.path):
            return decode_runs(self._kept_texts())

    def keep(self, run: PastRun) -> None:
        """Keep a run, unless it is as the last one kept; the oldest give way."""
        text = encode_run(run)
        with self._db.transaction():
            kept = self._kept_texts()
            if text in kept[-1:] or len(text.encode()) > MOST_BYTES:
                return
            kept.append(text)
            sizes = [len(x.encode()) for x in kept]
            gone = next(
                i
                for i in range(len(kept))
                if len(kept) - i <= MOST_RUNS and sum(sizes[i:]) <= MOST_BYTES
            )
            self._db.connection.execute(
                "DELETE FROM standings WHERE run IN "
                "(SELECT run FROM standings ORDER BY run LIMIT ?)",
                (gone,),
            )
            self._db.connection.execute(
                "INSERT INTO standings VALUES (NULL, ?)", (text,)
            )

    def _kept_texts(self) -> list[str]:
        """Return the runs that are kept as they are stored, oldest first."""
        texts: list[str] = []
        size = 0
        for (text,) in self._db.later("SELECT text FROM standings ORDER BY run"):
            size += len(text.encode())
            if size > MOST_BYTES or len(texts) == MOST_RUNS:
                raise sqlite3.DatabaseError("what runs came to is malformed")
            texts.append(text)
        return texts
