"""The games of a league one by one, in some tens of bytes each: there may be millions.

Many games have the same seating and the same result, so each of these is kept once, and
a game has their indices.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload


@dataclass(frozen=True, slots=True)
class GameRef:
    """A game of the league, without what happened in it; lists are in seat order."""

    game_id: str
    label: str
    bots: tuple[str, ...]
    scores: tuple[float, ...]
    places: tuple[int, ...]
    forfeits: tuple[bool, ...]
    termination: str
    decisions: int


@dataclass(frozen=True, slots=True)
class Seating:
    """The label of a game, and its bots in seat order."""

    label: str
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The result of a game, in seat order."""

    scores: tuple[float, ...]
    places: tuple[int, ...]
    forfeits: tuple[bool, ...]
    termination: str

    @property
    def winner(self) -> int | None:
        """The seat that is first alone; None if the place is shared."""
        return self.places.index(1) if self.places.count(1) == 1 else None


class GameRefs(Sequence[GameRef]):
    """Games in the order of the plan, unless they are `shuffled`."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.seatings: list[Seating] = []
        """Each once, in the order of its first game."""
        self.ends: list[End] = []
        """The same."""
        self.seating = array("i")
        """Of each game, its index in `seatings`."""
        self.end = array("i")
        self.decisions = array("i")
        self._seatings: dict[Seating, int] = {}
        self._ends: dict[End, int] = {}

    def numbers(self, seating: Seating, end: End) -> tuple[int, int]:
        """Return the indices of both; they are added if they are new."""
        i = self._seatings.setdefault(seating, len(self.seatings))
        if i == len(self.seatings):
            self.seatings.append(seating)
        j = self._ends.setdefault(end, len(self.ends))
        if j == len(self.ends):
            self.ends.append(end)
        return i, j

    def add(self, game_id: str, seating: int, end: int, decisions: int) -> None:
        """Add a game whose seating and end have these indices."""
        self.ids.append(game_id)
        self.seating.append(seating)
        self.end.append(end)
        self.decisions.append(decisions)

    def shuffled(self) -> tuple["GameRefs", list[int]]:
        """Return the games in another order, and the index that each game has then.

        The order of the plan follows the ids of the bots; this one follows the ids of
        the games, which are hashes.  Games between the same bots stay together.
        """
        groups = [(seating.label, *sorted(seating.bots)) for seating in self.seatings]
        first: dict[tuple[str, ...], str] = {}
        for id_, seating in zip(self.ids, self.seating, strict=True):
            group = groups[seating]
            first[group] = min(id_, first.get(group, id_))
        keys = [
            (first[groups[seating]], id_)
            for id_, seating in zip(self.ids, self.seating, strict=True)
        ]
        refs = GameRefs()
        new_index = [0] * len(keys)
        for index, game in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
            new_index[game] = index
            seating, end = refs.numbers(
                self.seatings[self.seating[game]], self.ends[self.end[game]]
            )
            refs.add(self.ids[game], seating, end, self.decisions[game])
        return refs, new_index

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> GameRef: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[GameRef, ...]: ...

    def __getitem__(self, index: int | slice) -> GameRef | tuple[GameRef, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        seating = self.seatings[self.seating[index]]
        end = self.ends[self.end[index]]
        return GameRef(
            game_id=self.ids[index],
            label=seating.label,
            bots=seating.bots,
            scores=end.scores,
            places=end.places,
            forfeits=end.forfeits,
            termination=end.termination,
            decisions=self.decisions[index],
        )

    def __iter__(self) -> Iterator[GameRef]:
        return map(self.__getitem__, range(len(self)))
