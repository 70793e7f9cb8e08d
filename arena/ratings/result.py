"""The input of all ratings: one `Result` for each game that was played."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one played game.

    Raises:
        ValueError: the tuples differ in length, there are fewer than two seats,
            an entry sits twice, a place is below 1, or there is not one number of
            luck for each pair of seats.
    """

    label: str
    """The game's label in the league; each label is rated on its own."""
    fixture: str
    """The fixture it belongs to: its games share their luck, so they form one
    cluster in every interval."""
    seats: tuple[str, ...]
    """Names of the entries in seat order."""
    places: tuple[int, ...]
    """Place of each seat in seat order; 1 is best, ties share a place."""
    forfeits: tuple[bool, ...]
    """True for each seat that lost by its own fault, in seat order."""
    luck: tuple[float, ...] | None = None
    """For each pair of seats (0, 1), (0, 2), … (1, 2), …: what chance has added to the
    score of the first against the second; None where nobody has worked it out."""
    explores: bool = False
    """True if it was scheduled because of results that came before it.  Such games
    sharpen the Elo, but no interval rests on them."""

    def __post_init__(self) -> None:
        n = len(self.seats)
        if n < 2 or len(self.places) != n or len(self.forfeits) != n:
            raise ValueError(
                f"{self.fixture}: expected one place and one forfeit for each of two "
                f"or more seats; found {n} seats, {len(self.places)} places, "
                f"{len(self.forfeits)} forfeits"
            )
        if len(set(self.seats)) != n:
            raise ValueError(
                f"{self.fixture}: expected each entry in one seat; found {self.seats}"
            )
        if min(self.places) < 1:
            raise ValueError(
                f"{self.fixture}: expected places from 1; found {self.places}"
            )
        pairs = n * (n - 1) // 2
        if self.luck is not None and len(self.luck) != pairs:
            raise ValueError(
                f"{self.fixture}: expected luck for each of {pairs} pairs; "
                f"found {len(self.luck)} numbers"
            )
